// Fills the word index from the stored texts: for a store whose rows were copied from one with another word index.
import type { Store } from "../../store/index.ts";
import { anchorWords, pageWords } from "./page-words.ts";
import { createTextStemmer } from "./text-stemmer.ts";

/** Pages per transaction. */
const batchSize = 32;

/** Goes on behind a page; the last id of the batch, or null at the end. */
export type RebuildWords = (store: Store, afterId: number) => Promise<{ lastId: number; pages: number } | null>;

export function createWordRebuilder(): RebuildWords {
  const stemsOf = createTextStemmer();
  return async (store, afterId) => {
    const pages = await store.searchIndex.listStored(afterId, batchSize);
    const last = pages.at(-1);
    if (last === undefined) return null;
    const words = pages.map((page) => ({ id: page.id, ...pageWords(page, Buffer.from(page.text), stemsOf) }));
    const anchors = pages.map((page) => ({ id: page.id, words: anchorWords(page, stemsOf) }));
    await store.transaction(async ({ searchIndex, searchLinks }) => {
      await searchIndex.replaceWords(words);
      const worded = anchors.filter((page) => page.words !== "");
      await searchLinks.setAnchors(worded, new Set());
    });
    return { lastId: last.id, pages: pages.length };
  };
}
