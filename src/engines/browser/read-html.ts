// A page's tree as one HTML text, with its frames in it. Those of the same origin the page itself can read; all others are
// asked one by one, bounded in number, depth, time and size: their content goes where they are shown. All of it is read in
// worlds that the page's scripts cannot reach.

import { randomBytes } from "node:crypto";
import type { CDPSession, Page } from "playwright-core";
import { type IsolatedWorld, openWorld, sessionOf, sessionOfFrame } from "./isolated-world.ts";
import { frameElement, type ReadTree, readTreeText, type TreeRequest } from "./read-tree.ts";
import { VisitFailure } from "./visit-failure.ts";
import { orElse } from "./wait-until-settled.ts";

const maxFrames = 50;
const maxDepth = 3;
/** After so long without a word from any frame, those that have not answered stay the elements that they are. */
const silenceMs = 3000;
/** For all frames of a page together: on a busy machine each answers late. */
const mostMs = 9000;
/** Of the time that is left for the page. */
const framesShare = 1 / 6;

/** Under which the documents of this process's pages keep notes; pages that keep none are read without. */
export const notesKey = randomBytes(12).toString("hex");

/** A world of a page from which its tree can be read, opened ahead of the reading. */
interface TreeReader {
  page: Page;
  session: CDPSession;
  world: IsolatedWorld;
}

export async function openReader(page: Page): Promise<TreeReader> {
  const session = await sessionOf(page);
  return { page, session, world: await openWorld(session) };
}

/** The page may have gone to another document since its world was opened: then that one is read. */
async function readMain(reader: TreeReader, request: TreeRequest): Promise<ReadTree> {
  try {
    return await reader.world.run(readTreeText, request);
  } catch (error) {
    if (!/context/i.test(String(error))) throw error;
    reader.world = await openWorld(reader.session);
    return reader.world.run(readTreeText, request);
  }
}

interface ReadOptions {
  maxLength: number;
  /** Until when the whole page has to be read. */
  endsAt: number;
  /** The attribute that marks hidden text in the HTML, if it is wanted. */
  hiddenMark?: string;
}

/** Throws when it is too long. */
export async function readHtml(
  reader: TreeReader,
  { maxLength, endsAt, hiddenMark = "" }: ReadOptions,
): Promise<string> {
  const mark = `m${randomBytes(12).toString("hex")}`;
  const base = { mark, notes: notesKey, marksHidden: hiddenMark !== "" };
  const main = await readMain(reader, { ...base, maxLength, isFrame: false });
  if (main.html === null) throw new VisitFailure("SCRAPE_PAGE_TOO_LARGE", "The rendered page is too large");
  const named = (html: string) => (hiddenMark === "" ? html : html.replaceAll(` ${mark}="`, ` ${hiddenMark}="`));
  if (main.foreign === 0) return named(main.html);

  const since = performance.now();
  const last = since + Math.max(silenceMs, Math.min(mostMs, (endsAt - since) * framesShare));
  let until = since + silenceMs;
  let framesLeft = maxFrames;
  let lengthLeft = maxLength - main.html.length;
  let processes: Promise<Map<string, CDPSession>> | null = null;

  /** By the numbers that their elements have been given, of the frames below one that its tree does not hold. */
  async function readInner(session: CDPSession, world: IsolatedWorld, count: number, depth: number) {
    const found = new Map<number, string>();
    const inner = Array.from({ length: count }, async (_, number) => {
      if (framesLeft <= 0) return;
      framesLeft -= 1;
      const id = await world.frameOf(frameElement, { mark, number });
      if (id !== null) found.set(number, await readFrame(session, id, depth));
    });
    const all = Promise.allSettled(inner).then(() => true);
    let isWhole = false;
    while (!isWhole && performance.now() < until) isWhole = await orElse(all, until - performance.now(), false);
    return found;
  }

  /** Where a frame shares the process of the page around it, so does the session. */
  async function enter(around: CDPSession, id: string): Promise<{ session: CDPSession; world: IsolatedWorld }> {
    try {
      return { session: around, world: await openWorld(around, id) };
    } catch {
      processes ??= frameProcesses(reader.page);
      const session = (await processes).get(id);
      if (session === undefined) throw new Error("There is no such frame");
      return { session, world: await openWorld(session) };
    }
  }

  async function readFrame(around: CDPSession, id: string, depth: number): Promise<string> {
    const { session, world } = await enter(around, id);
    const request: TreeRequest = { ...base, maxLength: lengthLeft, isFrame: true };
    const { html, foreign, url } = await world.run<TreeRequest, ReadTree>(readTreeText, request);
    until = Math.min(last, performance.now() + silenceMs);
    if (html === null || html.length > lengthLeft) return "";
    lengthLeft -= html.length;
    const below = foreign === 0 || depth >= maxDepth ? new Map() : await readInner(session, world, foreign, depth + 1);
    const whole = insert(html, below);
    return whole === "" ? "" : `<div data-frame="${escapeAttribute(url)}">${whole}</div>`;
  }

  /** A frame that said nothing stays the element that it is. */
  function insert(html: string, frames: ReadonlyMap<number, string>): string {
    const places = new RegExp(`<!--${mark}:(\\d+)-->([^]*?)<!--/${mark}-->`, "g");
    return html.replace(places, (_place, number, element) => frames.get(Number(number)) || element);
  }

  return named(insert(main.html, await readInner(reader.session, reader.world, main.foreign, 1)));
}

/** By the ids of their frames. */
async function frameProcesses(page: Page): Promise<Map<string, CDPSession>> {
  const frames = page.frames().filter((frame) => frame !== page.mainFrame());
  const found = await Promise.all(frames.slice(0, maxFrames).map((frame) => sessionOfFrame(frame).catch(() => null)));
  return new Map(found.flatMap((each) => (each === null ? [] : [[each.id, each.session] as const])));
}

function escapeAttribute(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
}
