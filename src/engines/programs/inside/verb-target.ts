// What verbs work on: the session's page, what they remember of it, and the elements that are meant.
import { randomBytes } from "node:crypto";
import type { BrowserContext, CDPSession, FrameLocator, Locator, Page } from "playwright-core";
import type { Windows } from "../../browser/windows.ts";
import { readDocumentId } from "./snapshot.ts";
import type { DialogAnswer, SnapshotRefs } from "./work.ts";

/** A mistake of the caller, or something that the page prevents. */
export class VerbFailure extends Error {}

export interface VerbTarget {
  context: BrowserContext;
  page: Page;
  protocol: CDPSession;
  windows: Windows;
  refs: SnapshotRefs | null;
  pictures: string[];
  /** The selector of the frame that verbs work in; null: the page itself. */
  frame: string | null;
  /** How the next dialog is answered. */
  dialog: DialogAnswer | null;
}

const refAttribute = "data-agent-ref";

/** The page, or the frame that was chosen. */
export function placeOf({ page, frame }: VerbTarget): Page | FrameLocator {
  return frame === null ? page : page.frameLocator(frame);
}

/** Does something with an element: `@e1` of the latest snapshot, else a selector. */
export async function at<Value>(
  target: VerbTarget,
  where: string,
  work: (element: Locator) => Promise<Value>,
): Promise<Value> {
  const [, ref] = /^@e(\d+)$/.exec(where) ?? [];
  if (ref === undefined) return work(placeOf(target).locator(where).first());
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

export function need(word: string | undefined, what: string): string {
  if (word === undefined || word === "") throw new VerbFailure(`say ${what}`);
  return word;
}

export function readUrl([given]: string[]): string {
  const url = need(given, "which URL");
  const whole = /^[a-z][a-z0-9+.-]*:(?!\d)/i.test(url) ? url : `http://${url}`;
  if (URL.canParse(whole) && /^https?:$/.test(new URL(whole).protocol)) return whole;
  throw new VerbFailure("only http and https URLs can be opened");
}

/** Words without the flags among them, and the flags. */
export function readFlags(words: readonly string[], withText: readonly string[], alone: readonly string[]) {
  const flags = new Map<string, string>();
  const rest: string[] = [];
  for (let place = 0; place < words.length; place += 1) {
    const word = words[place] ?? "";
    if (withText.includes(word)) {
      place += 1;
      flags.set(word, need(words[place], `what ${word} is`));
    } else if (alone.includes(word)) flags.set(word, "");
    else rest.push(word);
  }
  return { flags, rest };
}
