// A page's tree as one HTML text, with its frames in it. Those of the same origin the page itself can read; all others are
// asked one by one, bounded in number, depth, time and size: what they hold stands where they are seen.
import { randomBytes } from "node:crypto";
import type { Frame, Page } from "playwright-core";
import { VisitFailure } from "./failure.ts";
import { readTree } from "./page-scripts.ts";
import { orElse } from "./settle.ts";

const maxFrames = 50;
const maxDepth = 3;
/** For all frames of a page together. */
const framesMs = 3000;
/** Not the pages that stand in for those that could not be loaded. */
const readable = /^(https?|data|blob|about):/;

/** Under which the documents of this process's pages keep notes; pages that keep none are read without. */
export const notesKey = randomBytes(12).toString("hex");

/** Throws when it is too long. */
export async function readHtml(page: Page, maxLength: number): Promise<string> {
  const mark = randomBytes(12).toString("hex");
  const main = await page.evaluate(readTree, { maxLength, mark, notes: notesKey, isFrame: false });
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
    const { html, foreign } = await frame.evaluate(readTree, {
      maxLength: lengthLeft,
      mark,
      notes: notesKey,
      isFrame: true,
    });
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
