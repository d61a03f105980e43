// Writes pages and links into the local index, so many per transaction that other work gets its turn between two.
import { setImmediate } from "node:timers/promises";
import type { Clock, Logger, TimeSlicer } from "../../base/index.ts";
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
import type { LinkNotes, NewLink } from "./link-notes.ts";
import { anchorWords, pageWords } from "./page-words.ts";
import { createTextStemmer } from "./text-stemmer.ts";

/** A page as it waits for others: nothing in it keeps the page's HTML in memory. */
export interface WaitingPage extends IndexedState {
  text: Buffer;
  language: string | null;
  seenAt: number;
}

/** Links per transaction: about 5 ms of work. */
const linkBatch = 200;
/** On PostgreSQL another process may write the same team's first page. */
const mostTries = 3;
const noIds: ReadonlySet<number> = new Set();

interface IndexBatchDeps {
  store: Store;
  clock: Clock;
  log: Logger;
  notes: LinkNotes;
  slicer: TimeSlicer;
}

export function createIndexBatches({ store, clock, log, notes, slicer }: IndexBatchDeps) {
  const stemsOf = createTextStemmer();

  async function writePages(pages: readonly WaitingPage[]): Promise<void> {
    // A page that is read again has rarely changed; then only the comparison costs time.
    const unchanged = await store.searchIndex.findUnchanged(pages);
    const changed = pages.filter((_, place) => !unchanged.has(place));
    const entries = await Promise.all(changed.map(async (page) => packEntry(await slicer.run(() => entryOf(page)))));
    await transact(async (statements) => {
      const isKept = await sourcesOf(statements, pages);
      await statements.searchIndex.noteSeen([...unchanged.values()], clock.now());
      const newIds = await statements.searchIndex.put(entries.filter(isKept));
      await statements.indexedSources.notePages(
        pages.flatMap((page) =>
          page.sourceId !== undefined && isKept(page) ? [pageOfSource(page, page.sourceId)] : [],
        ),
      );
      await setAnchors(statements, await statements.searchLinks.readLinked(changed), newIds);
    });
  }

  /** Whether a page may be written: its source may be gone meanwhile, and cannot go until this transaction ends. */
  async function sourcesOf({ indexedSources }: Statements, pages: readonly WaitingPage[]) {
    const ids = new Set(pages.flatMap(({ sourceId }) => sourceId ?? []));
    const known = await indexedSources.lock([...ids]);
    return ({ sourceId }: Pick<IndexedState, "sourceId">) => sourceId === undefined || known.has(sourceId);
  }

  /** A page may have many links, and each is a row to write. */
  async function writeLinks(found: readonly NewLink[]): Promise<void> {
    const links = await slicer.run(() => packLinks(found));
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

  return { writePages, writeLinks };
}

function pageOfSource({ teamId, url, seenAt: readAt }: WaitingPage, sourceId: string) {
  return { sourceId, teamId, url, readAt };
}
