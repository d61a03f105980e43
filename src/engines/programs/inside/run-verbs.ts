// The verbs of `agent-browser`, done one after the other on the session's page.
import { randomBytes } from "node:crypto";
import type { CDPSession, Locator, Page } from "playwright-core";
import { reason } from "../../browser/perform-actions.ts";
import { takeScreenshot } from "../../browser/take-screenshot.ts";
import { settle, trackRequests } from "../../browser/wait-until-settled.ts";
import { followWindows, type Windows } from "../../browser/windows.ts";
import { idOf, type ProgramSession, stepTime } from "./program-session.ts";
import { readDocumentId, takeSnapshot } from "./snapshot.ts";
import { type ProcessAnswer, type ProgramWork, pictureMark, type SnapshotRefs } from "./work.ts";

/** A mistake of the caller, or something that the page prevents. */
class VerbFailure extends Error {}

const scrollPixels = 600;
const maxWaitMs = 300_000;
const settleMs = 1500;
const windowMs = 10_000;
const refAttribute = "data-agent-ref";

const verbs = "open, click, type, fill, press, get, snapshot, screenshot, wait, scroll, back";

export async function runVerbs(
  { commands }: Extract<ProgramWork, { kind: "verbs" }>,
  { page, context }: ProgramSession,
  earlierRefs: SnapshotRefs | null,
  timeoutMs: number,
): Promise<ProcessAnswer> {
  const endsAt = performance.now() + timeoutMs;
  const windows = followWindows(page);
  const target: VerbTarget = {
    page,
    protocol: await context.newCDPSession(page),
    refs: earlierRefs,
    pictures: [],
  };
  let result: string | undefined;
  let exitCode = 0;
  for (const { words, needsSuccess } of commands) {
    if (needsSuccess && exitCode !== 0) continue;
    context.setDefaultTimeout(stepTime(endsAt - performance.now()));
    try {
      const said = await perform(words, target).catch(unlessClosed(words, target));
      await turnTo(windows, target);
      if (said !== null) process.stdout.write(`${said}\n`);
      result = said ?? result;
      exitCode = 0;
    } catch (error) {
      process.stderr.write(
        `${words.slice(0, 2).join(" ")}: ${error instanceof VerbFailure ? error.message : reason(error)}\n`,
      );
      exitCode = 1;
    }
  }
  process.exitCode = exitCode;
  return {
    ...(result === undefined ? {} : { result }),
    memory: { pageId: await idOf(target.page), ...(target.refs === null ? {} : { refs: target.refs }) },
    pictures: target.pictures,
  };
}

interface VerbTarget {
  page: Page;
  protocol: CDPSession;
  refs: SnapshotRefs | null;
  pictures: string[];
}

/** A window that closes itself at a click, as those for signing in do, has taken it. */
function unlessClosed([verb = ""]: string[], { page }: VerbTarget) {
  return (error: unknown): null => {
    if (page.isClosed() && ["click", "press"].includes(verb)) return null;
    throw error;
  };
}

/** The page after the previous verb: a window that it opened, or the one behind a window that closed itself. */
async function turnTo(windows: Windows, target: VerbTarget): Promise<void> {
  await windows.follow(windowMs);
  if (windows.page === target.page) return;
  target.page = windows.page;
  target.protocol = await target.page.context().newCDPSession(target.page);
}

/** What the verb prints; null for those that print nothing. */
async function perform([verb = "", ...words]: string[], target: VerbTarget): Promise<string | null> {
  const { page } = target;
  switch (verb) {
    case "open":
      await page.goto(readUrl(words), { waitUntil: "load" });
      return null;
    case "click":
      await at(target, need(words[0], "what to click"), (element) => element.click());
      return null;
    case "type":
      if (words.length < 2) await page.keyboard.type(need(words[0], "what to type"));
      else await at(target, words[0] ?? "", (element) => element.pressSequentially(words.slice(1).join(" ")));
      return null;
    case "fill":
      await at(target, need(words[0], "where to write"), (element) => element.fill(words.slice(1).join(" ")));
      return null;
    case "press":
      await page.keyboard.press(need(words[0], "which key"));
      return null;
    case "get":
      return plain(await get(target, words));
    case "snapshot": {
      const { text, refs } = await takeSnapshot(target.protocol, words.includes("-i"));
      target.refs = refs;
      return plain(text);
    }
    case "screenshot": {
      const fullPage = words.some((word) => word === "--full" || word === "-f");
      const tracker = trackRequests(page);
      const picture = await takeScreenshot(page, { fullPage }, () => settle(page, tracker, settleMs));
      target.pictures.push(picture.toString("base64"));
      return pictureMark;
    }
    case "wait":
      await wait(target, need(words[0], "how long, or for what"));
      return null;
    case "scroll":
      await scroll(page, words);
      return null;
    case "back":
      await page.goBack({ waitUntil: "load" });
      return null;
    default:
      throw new VerbFailure(`unknown verb; known verbs are ${verbs}`);
  }
}

async function get(target: VerbTarget, [what, where]: string[]): Promise<string> {
  const { page } = target;
  switch (what) {
    case "title":
      return page.title();
    case "url":
      return page.url();
    case "text":
      // biome-ignore lint/performance/useDomNodeTextContent: what is seen, not what is there
      return at(target, where ?? "body", (element) => element.innerText());
    case "html":
      return where === undefined ? page.content() : at(target, where, (element) => element.innerHTML());
    default:
      throw new VerbFailure("get takes title, text, url or html");
  }
}

async function wait(target: VerbTarget, what: string): Promise<void> {
  if (/^\d+$/.test(what)) await target.page.waitForTimeout(Math.min(Number(what), maxWaitMs));
  else await at(target, what, (element) => element.waitFor({ state: "visible" }));
}

async function scroll(page: Page, [direction = "down", distance]: string[]): Promise<void> {
  const pixels = distance === undefined ? scrollPixels : Number(distance);
  const way = { down: [0, 1], up: [0, -1], right: [1, 0], left: [-1, 0] }[direction];
  if (way === undefined || !Number.isFinite(pixels)) {
    throw new VerbFailure("scroll takes up, down, left or right, and a number of pixels");
  }
  await page.evaluate(([x, y]) => window.scrollBy(x ?? 0, y ?? 0), [(way[0] ?? 0) * pixels, (way[1] ?? 0) * pixels]);
}

/** Does something with an element: `@e1` of the latest snapshot, else a selector. */
async function at<Value>(
  target: VerbTarget,
  where: string,
  work: (element: Locator) => Promise<Value>,
): Promise<Value> {
  const [, ref] = /^@e(\d+)$/.exec(where) ?? [];
  if (ref === undefined) return work(target.page.locator(where).first());
  const mark = randomBytes(8).toString("hex");
  const objectId = await resolve(target, Number(ref));
  const call = (functionDeclaration: string) =>
    target.protocol.send("Runtime.callFunctionOn", {
      objectId,
      functionDeclaration,
      arguments: [{ value: refAttribute }, { value: mark }],
    });
  // Marked only while it is used, so that Playwright's own waiting and aiming serve refs too.
  await call("function (name, value) { this.setAttribute(name, value); }");
  try {
    return await work(target.page.locator(`[${refAttribute}="${mark}"]`));
  } finally {
    await call("function (name) { this.removeAttribute(name); }").catch(() => undefined);
  }
}

async function resolve({ protocol, refs }: VerbTarget, ref: number): Promise<string> {
  const node = refs?.nodes[ref - 1];
  if (refs === null || node === undefined) throw new VerbFailure(`@e${ref} is not in the latest snapshot`);
  if ((await readDocumentId(protocol)) !== refs.documentId) {
    throw new VerbFailure("the page has changed since the latest snapshot: take a new one");
  }
  const { object } = await protocol.send("DOM.resolveNode", { backendNodeId: node }).catch(() => {
    throw new VerbFailure(`@e${ref} is no longer on the page: take a new snapshot`);
  });
  if (object.objectId === undefined) throw new VerbFailure(`@e${ref} cannot be used`);
  return object.objectId;
}

function readUrl([given]: string[]): string {
  const url = need(given, "which URL");
  const whole = /^[a-z][a-z0-9+.-]*:(?!\d)/i.test(url) ? url : `http://${url}`;
  if (URL.canParse(whole) && /^https?:$/.test(new URL(whole).protocol)) return whole;
  throw new VerbFailure("only http and https URLs can be opened");
}

function need(word: string | undefined, what: string): string {
  if (word === undefined || word === "") throw new VerbFailure(`say ${what}`);
  return word;
}

/** The mark of a picture is ours alone. */
function plain(text: string): string {
  return text.replaceAll("\0", "");
}
