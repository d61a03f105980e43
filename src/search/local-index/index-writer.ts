// Adds pages to the local index in the background: no request waits for it or fails because of it.
import { setImmediate } from "node:timers/promises";
import { type Clock, createTimeSlicer, type Logger, ownCopy, type TimeSlicer } from "../../base/index.ts";
import type { Store } from "../../store/index.ts";
import { createIndexBatches, type WaitingPage } from "./index-batches.ts";
import { createLinkNotes, type FoundLink, type NewLink } from "./link-notes.ts";
import { maxTextLength, storedText } from "./page-words.ts";

export interface PageToIndex {
  teamId: string;
  /** The page's final URL, without fragment. */
  url: string;
  title: string;
  /** The page's own description; "" when it has none. */
  description: string;
  headings: readonly string[];
  /** The main text, without markup. */
  text: string;
  /** Its links. */
  links: readonly FoundLink[];
  language: string | null;
  /** Milliseconds since 1970. */
  published: number | null;
  modified: number | null;
  /** The source that it was read for; absent: the team itself read it. */
  sourceId?: string | undefined;
}

export interface IndexWriterCounts {
  written: number;
  /** Not indexed because the queue was full, the URL was invalid or the store failed. */
  dropped: number;
  waiting: number;
}

export interface IndexWriter {
  /** Never throws and never waits. */
  add(page: PageToIndex): void;
  counts(): IndexWriterCounts;
  /** Writes the pages that wait. */
  flush(): Promise<void>;
  /** Writes the pages that wait and takes no more. */
  stop(): Promise<void>;
}

/** How long a page waits for others, so that one transaction writes all of them. */
const gatherMs = 500;
/** How many characters of pages may wait. */
const mostWaiting = 32 * 1024 * 1024;
/** What one link counts for, with its words. */
const linkLength = 150;
/** Pages per transaction: about 20 ms of work. */
const batchSize = 32;
/** Links that are sorted at once; the more, the fewer pages of the database each transaction changes. */
const mostLinks = 2000;
const maxTitleLength = 1000;
const maxDescriptionLength = 500;

export interface IndexWriterDeps {
  store: Store;
  clock: Clock;
  log: Logger;
  slicer?: TimeSlicer;
}

export function createIndexWriter({ store, clock, log, slicer = createTimeSlicer() }: IndexWriterDeps): IndexWriter {
  const notes = createLinkNotes();
  const { writePages, writeLinks } = createIndexBatches({ store, clock, log, notes, slicer });
  let waiting: WaitingPage[] = [];
  let newLinks: NewLink[] = [];
  let waitingLength = 0;
  let arriving = 0;
  let latestArrival: Promise<void> = Promise.resolve();
  let written = 0;
  let dropped = 0;
  let timer: NodeJS.Timeout | null = null;
  let writing: Promise<void> = Promise.resolve();
  let isStopped = false;

  function arrive(page: PageToIndex, seenAt: number): void {
    arriving -= 1;
    waiting.push(toWaiting(page, seenAt));
    newLinks.push(...notes.takeNew(page, seenAt));
  }

  async function writeWaiting(): Promise<void> {
    await latestArrival;
    const [pages, links] = [waiting, newLinks];
    waiting = [];
    newLinks = [];
    waitingLength = 0;
    for (let start = 0; start < pages.length; start += batchSize) {
      const batch = pages.slice(start, start + batchSize);
      try {
        await writePages(batch);
        written += batch.length;
      } catch (error) {
        dropped += batch.length;
        log.warn({ err: error, pages: batch.length }, "pages were not put into the search index");
      }
      // Requests get their turn between two batches.
      await setImmediate();
    }
    for (let start = 0; start < links.length; start += mostLinks)
      await writeLinks(links.slice(start, start + mostLinks));
  }

  function flush(): Promise<void> {
    if (timer) clearTimeout(timer);
    timer = null;
    writing = writing.then(writeWaiting);
    return writing;
  }

  return {
    add(page) {
      const length = Math.min(page.text.length, maxTextLength) + page.links.length * linkLength + 1000;
      if (isStopped || waitingLength + length > mostWaiting || !URL.canParse(page.url)) {
        dropped += 1;
        return;
      }
      const seenAt = clock.now();
      arriving += 1;
      // Many pages may have been written together. They arrive in their order, so waiting for the latest waits for all.
      latestArrival = slicer.run(() => arrive(page, seenAt));
      waitingLength += length;
      timer ??= setTimeout(() => void flush(), gatherMs).unref();
    },
    counts: () => ({ written, dropped, waiting: waiting.length + arriving }),
    flush,
    async stop() {
      isStopped = true;
      await flush();
    },
  };
}

function toWaiting(page: PageToIndex, seenAt: number): WaitingPage {
  const { teamId, url, title, description, language, published, modified, sourceId } = page;
  return {
    teamId,
    url,
    title: ownCopy(title.slice(0, maxTitleLength)),
    description: ownCopy(description.slice(0, maxDescriptionLength).trim()) || null,
    text: Buffer.from(storedText(page)),
    language,
    published,
    modified,
    seenAt,
    sourceId,
  };
}
