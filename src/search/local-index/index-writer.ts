// Adds pages to the local index in the background: no request waits for it or fails because of it.
import { setImmediate } from "node:timers/promises";
import { type Clock, type Logger, ownCopy, timeSlicer } from "../../base/index.ts";
import {
  type IndexEntry,
  type IndexedState,
  type LinkedPage,
  packEntry,
  packLinks,
  type Statements,
  type Store,
} from "../../store/index.ts";
import { readableUrl } from "../query/readable-url.ts";
import { createLinkNotes, type FoundLink, type NewLink } from "./link-notes.ts";
import { anchorWords, maxTextLength, pageWords, storedText } from "./page-words.ts";
import { createTextStemmer } from "./text-stemmer.ts";

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
/** Links per transaction: about 5 ms of work. */
const linkBatch = 200;
/** Links that are sorted at once; the more, the fewer pages of the database each transaction changes. */
const mostLinks = 2000;
/** On PostgreSQL another process may write the same team's first page. */
const mostTries = 3;
const noIds: ReadonlySet<number> = new Set();
const maxTitleLength = 1000;
const maxDescriptionLength = 500;

/** A page as it waits for others: nothing in it keeps the page's HTML in memory. */
interface WaitingPage extends IndexedState {
  text: Buffer;
  language: string | null;
  seenAt: number;
}

export function createIndexWriter({ store, clock, log }: { store: Store; clock: Clock; log: Logger }): IndexWriter {
  const stemsOf = createTextStemmer();
  const notes = createLinkNotes();
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

  async function writeBatch(pages: readonly WaitingPage[]): Promise<void> {
    // A page that is read again has rarely changed; then only the comparison costs time.
    const unchanged = await store.searchIndex.findUnchanged(pages);
    const changed = pages.filter((_, place) => !unchanged.has(place));
    const entries = await Promise.all(
      changed.map(async (page) => packEntry(await timeSlicer.run(() => entryOf(page)))),
    );
    await transact(async (statements) => {
      await statements.searchIndex.noteSeen([...unchanged.values()], clock.now());
      const newIds = await statements.searchIndex.put(entries);
      await setAnchors(statements, await statements.searchLinks.readLinked(changed), newIds);
    });
  }

  /** A page may have many links, and each is a row to write. */
  async function writeLinks(found: readonly NewLink[]): Promise<void> {
    const links = await timeSlicer.run(() => packLinks(found));
    for (let start = 0; start < links.length; start += linkBatch) {
      const batch = links.slice(start, start + linkBatch);
      await setImmediate();
      try {
        await transact(async (statements) => {
          const reworded = await statements.searchLinks.note(batch);
          await setAnchors(statements, await statements.searchLinks.findReworded(reworded), noIds);
        });
      } catch (error) {
        notes.forget(batch);
        log.warn({ err: error, links: batch.length }, "links were not put into the search index");
      }
    }
  }

  async function transact(write: (statements: Statements) => Promise<void>): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await store.transaction(write);
      } catch (error) {
        if (tries >= mostTries) throw error;
      }
    }
  }

  function entryOf(page: WaitingPage): IndexEntry {
    const words = pageWords(page, page.text, stemsOf);
    return { urlText: readableUrl(page.url), words, ...page };
  }

  /** For pages that are new or that have gained links with new words. */
  async function setAnchors(
    { searchLinks }: Statements,
    linked: readonly LinkedPage[],
    newIds: ReadonlySet<number>,
  ): Promise<void> {
    const found = linked.map((page) => ({ id: page.id, words: anchorWords(page, stemsOf) }));
    const worded = found.filter(({ words }) => words !== "");
    await searchLinks.setAnchors(worded, newIds);
  }

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
        await writeBatch(batch);
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
      latestArrival = timeSlicer.run(() => arrive(page, seenAt));
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
  const { teamId, url, title, description, language, published, modified } = page;
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
  };
}
