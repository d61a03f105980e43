// Puts pages into the own index beside the requests that read them: nothing waits for it and nothing fails because of it.
import { setImmediate } from "node:timers/promises";
import type { Clock, Logger } from "../base/index.ts";
import { type PackedEntry, packEntry, type Store } from "../store/index.ts";
import { readableUrl } from "./address.ts";
import { createStemmer, maxTextLength, pageWords, storedText } from "./page-words.ts";

export interface IndexedPage {
  teamId: string;
  /** Where the page was found in the end, without fragment. */
  url: string;
  title: string;
  headings: readonly string[];
  /** The main text, without markup. */
  text: string;
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
/** Pages of one transaction: about 20 ms of work. */
const batchSize = 16;
/** Of further processes on PostgreSQL that write the same team's first page. */
const mostTries = 3;
const maxTitleLength = 1000;

export function createIndexWriter({ store, clock, log }: { store: Store; clock: Clock; log: Logger }): IndexWriter {
  const stems = createStemmer();
  let waiting: { page: IndexedPage; seenAt: number }[] = [];
  let waitingLength = 0;
  let written = 0;
  let dropped = 0;
  let timer: NodeJS.Timeout | null = null;
  let writing: Promise<void> = Promise.resolve();
  let isStopped = false;

  async function writeBatch(batch: typeof waiting): Promise<void> {
    const entries: PackedEntry[] = [];
    for (const { page, seenAt } of batch) {
      const text = storedText(page);
      const { teamId, url, language, published, modified } = page;
      const title = page.title.slice(0, maxTitleLength);
      const words = pageWords({ url, title }, text, stems);
      const dates = { published, modified, seenAt };
      entries.push(await packEntry({ teamId, url, urlText: readableUrl(url), title, text, language, ...dates, words }));
    }
    for (let tries = 1; ; tries += 1) {
      try {
        return await store.transaction((statements) => statements.searchIndex.put(entries));
      } catch (error) {
        if (tries >= mostTries) throw error;
      }
    }
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
      const length = Math.min(page.text.length, maxTextLength) + 1000;
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
