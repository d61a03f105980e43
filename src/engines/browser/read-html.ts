// A page's tree as one HTML text, with its frames in it. Those of the same origin the page itself can read; all others are
// asked one by one, bounded in number, depth, time and size: what they hold stands where they are seen.
import { randomBytes } from "node:crypto";
import type { Frame, Page } from "playwright-core";
import { VisitFailure } from "./failure.ts";
import { markHidden } from "./mark-hidden.ts";
import { type ReadTree, readTree, type TreeRequest } from "./page-scripts.ts";
import { orElse } from "./settle.ts";

const maxFrames = 50;
const maxDepth = 3;
/** For all frames of a page together. */
const framesMs = 3000;
/** Not the pages that stand in for those that could not be loaded. */
const readable = /^(https?|data|blob|about):/;

/** Under which the documents of this process's pages keep notes; pages that keep none are read without. */
export const notesKey = randomBytes(12).toString("hex");

/** Both functions are sent as one text, so that nothing of the page runs between marking and reading. */
function readTreeOf(frame: Page | Frame, request: TreeRequest): Promise<ReadTree> {
  return frame.evaluate(`(${readTree})(${JSON.stringify(request)}, ${markHidden})`);
}

/** Throws when it is too long. `hiddenMark`: the attribute in which the HTML tells what a person does not see, if it is to. */
export async function readHtml(page: Page, maxLength: number, hiddenMark = ""): Promise<string> {
  const mark = randomBytes(12).toString("hex");
  const main = await readTreeOf(page, { maxLength, mark, notes: notesKey, isFrame: false, hiddenMark });
  if (main.html === null) throw new VisitFailure("SCRAPE_PAGE_TOO_LARGE", "The rendered page is too large");
  if (main.foreign === 0) return main.html;

  const until = performance.now() + framesMs;
  let framesLeft = maxFrames;
  let lengthLeft = maxLength - main.html.length;

  /** By the numbers that their elements have been given, of the frames below one that its tree does not hold. */
  async function readInner(frame: Frame, depth: number): Promise<Map<number, string>> {
    const found = new Map<number, string>();
    const inner = frame.childFrames().map(async (child) => {
      if (framesLeft <= 0 || !readable.test(child.url())) return;
      framesLeft -= 1;
      const number = await numberOf(child, mark);
      if (number !== null) found.set(number, await readFrame(child, depth));
      // Of the same origin: its own frames have been numbered together with it.
      else for (const [below, html] of await readInner(child, depth)) found.set(below, html);
    });
    const all = Promise.allSettled(inner).then(() => true);
    await orElse(all, Math.max(0, until - performance.now()), false);
    return found;
  }

  async function readFrame(frame: Frame, depth: number): Promise<string> {
    const request = { maxLength: lengthLeft, mark, notes: notesKey, isFrame: true, hiddenMark };
    const { html, foreign } = await readTreeOf(frame, request);
    if (html === null || html.length > lengthLeft) return "";
    lengthLeft -= html.length;
    const below = foreign === 0 || depth >= maxDepth ? new Map() : await readInner(frame, depth + 1);
    const whole = insert(html, below);
    return whole === "" ? "" : `<div data-frame="${escapeAttribute(frame.url())}">${whole}</div>`;
  }

  /** A frame that said nothing stays the element that it is. */
  function insert(html: string, frames: ReadonlyMap<number, string>): string {
    const places = new RegExp(`<!--${mark}:(\\d+)-->([^]*?)<!--/${mark}-->`, "g");
    return html.replace(places, (_place, number, element) => frames.get(Number(number)) || element);
  }

  return insert(main.html, await readInner(page.mainFrame(), 1));
}

async function numberOf(frame: Frame, mark: string): Promise<number | null> {
  const element = await frame.frameElement();
  const number = await element.evaluate(
    (node, key) => (node as unknown as Record<symbol, unknown>)[Symbol.for(key)],
    mark,
  );
  return typeof number === "number" ? number : null;
}

function escapeAttribute(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
}
