// Puts pages into the own index beside the requests that read them: nothing waits for it and nothing fails because of it.
import { setImmediate } from "node:timers/promises";
import type { Clock, Logger } from "../../base/index.ts";
import {
  type IndexEntry,
  type PageLink,
  type PageState,
  packEntry,
  type Statements,
  type Store,
} from "../../store/index.ts";
import { readableUrl } from "../query/readable-url.ts";
import { createLinkNotes, type FoundLink } from "./link-notes.ts";
import { createTextStemmer, maxTextLength, pageWords, storedText } from "./page-words.ts";

export interface IndexedPage {
  teamId: string;
  /** Where the page was found in the end, without fragment. */
  url: string;
  title: string;
  /** What the page says of itself; "" when it says nothing. */
  description: string;
  headings: readonly string[];
  /** The main text, without markup. */
  text: string;
  /** Where its links lead. */
  links: readonly FoundLink[];
  language: string | null;
  /** Milliseconds since 1970. */
  published: number | null;
  modified: number | null;
}

export interface IndexWriterCounts {
  written: number;
  /** Not indexed because the queue was full, the address was none or the store failed. */
  dropped: number;
  waiting: number;
}

export interface IndexWriter {
  /** Never throws and never waits. */
  add(page: IndexedPage): void;
  counts(): IndexWriterCounts;
  /** Writes what waits now. */
  flush(): Promise<void>;
  /** Writes what waits and takes nothing more. */
  stop(): Promise<void>;
}

/** Pages wait this long for others: one transaction for all of them. */
const gatherMs = 500;
/** So many characters of pages may wait. */
const mostWaiting = 32 * 1024 * 1024;
/** Of one link, with its words. */
const linkLength = 150;
/** Pages of one transaction: about 20 ms of work. */
const batchSize = 32;
/** Links of one transaction. */
const linkPortion = 100;
/** Of further processes on PostgreSQL that write the same team's first page. */
const mostTries = 3;
const maxTitleLength = 1000;
const maxDescriptionLength = 500;

export function createIndexWriter({ store, clock, log }: { store: Store; clock: Clock; log: Logger }): IndexWriter {
  const stemsOf = createTextStemmer();
  const notes = createLinkNotes();
  let waiting: { page: IndexedPage; seenAt: number }[] = [];
  let waitingLength = 0;
  let written = 0;
  let dropped = 0;
  let timer: NodeJS.Timeout | null = null;
  let writing: Promise<void> = Promise.resolve();
  let isStopped = false;

  async function writeBatch(batch: typeof waiting): Promise<void> {
    const pages = batch.map(({ page, seenAt }) => ({
      ...page,
      title: page.title.slice(0, maxTitleLength),
      description: page.description.slice(0, maxDescriptionLength).trim() || null,
      text: storedText(page),
      seenAt,
    }));
    // A page that was read again is mostly the same, which costs nothing but to find out.
    const unchanged = await store.searchIndex.findUnchanged(pages);
    const changed = pages.filter((_, place) => !unchanged.has(place));
    const entries = await Promise.all(changed.map((page) => packEntry(entryOf(page))));
    const links = pages.flatMap(notes.findNew);
    await transact(async (statements) => {
      await statements.searchIndex.noteSeen([...unchanged.values()], clock.now());
      await statements.searchIndex.put(entries);
      await refreshAnchors(statements, changed);
    });
    // A page may have many links: each is small, but a row to write.
    for (let start = 0; start < links.length; start += linkPortion) {
      const portion = links.slice(start, start + linkPortion);
      await setImmediate();
      await transact(async (statements) => {
        await refreshAnchors(statements, await statements.searchLinks.note(portion));
      });
      notes.remember(portion);
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

  function entryOf(page: Omit<IndexedPage, "description"> & PageState & { seenAt: number }): IndexEntry {
    const { teamId, url, title, description, text, language, published, modified, seenAt } = page;
    const words = pageWords({ url, title }, text, stemsOf);
    return {
      teamId,
      url,
      urlText: readableUrl(url),
      title,
      description,
      text,
      language,
      published,
      modified,
      seenAt,
      words,
    };
  }

  /** Of pages that are new, or to which links with new words lead. */
  async function refreshAnchors(
    { searchLinks }: Statements,
    pages: readonly Pick<PageLink, "teamId" | "url">[],
  ): Promise<void> {
    const linked = await searchLinks.readLinked(pages);
    const found = linked.map(({ id, url, title, anchors }) => {
      // The page is found by its own words without them.
      const own = new Set(`${stemsOf(title)} ${stemsOf(readableUrl(url))}`.split(" "));
      const words = stemsOf(anchors).split(" ");
      return { id, words: words.filter((word) => !own.has(word)).join(" ") };
    });
    await searchLinks.setAnchors(found.filter(({ words }) => words !== ""));
  }

  async function writeWaiting(): Promise<void> {
    const pages = waiting;
    waiting = [];
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
      // Requests go between two batches.
      await setImmediate();
    }
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
      waiting.push({ page, seenAt: clock.now() });
      waitingLength += length;
      timer ??= setTimeout(() => void flush(), gatherMs).unref();
    },
    counts: () => ({ written, dropped, waiting: waiting.length }),
    flush,
    async stop() {
      isStopped = true;
      await flush();
    },
  };
}
