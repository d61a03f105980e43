// The page of one thing as a list of one: when a list is all that is wanted and the page is named for what the list is of, as
// /boats/7 or "Boat 7" are for boats. Such pages add up.

import type { Found } from "../findings/finding.ts";
import { fold, singular } from "../lexicon/names.ts";
import type { ParsedPage } from "../page/parsed-page.ts";
import type { Wanted } from "../schema/wanted.ts";
import { Chooser } from "./candidate-chooser.ts";
import { rankEntities } from "./entity-choice.ts";

/**
 * Of the wanted fields, so that a page which happens to have one of them is no thing
 * (docs/decisions/0010-extraction-weights.md).
 */
const leastShare = 0.6;

export function readOnlyThing(page: ParsedPage, { items, words }: Wanted, url: string): Found | null {
  if (items?.kind !== "object" || items.fields.length === 0 || !isNamedFor(page, words, url)) return null;
  const thing = new Chooser(page).object(items, rankEntities(page, items), words);
  const values = thing?.kind === "object" ? Object.keys(thing.fields).length : 0;
  const isWhole = values >= Math.min(2, items.fields.length) && values >= items.fields.length * leastShare;
  return thing && isWhole ? { kind: "list", items: [thing] } : null;
}

/** In the plural it is the page of the list itself, unless it is a folder of the URL. */
function isNamedFor(page: ParsedPage, names: readonly string[], url: string): boolean {
  const kinds = new Set(names.map(singular));
  const isOne = (word: string) => kinds.has(singular(word)) && !names.includes(word);
  const segments = new URL(url).pathname.split("/").filter((segment) => segment !== "");
  const [last = "", ...folders] = segments.toReversed();
  const titles = page.titles.map(({ text }) => text);
  return (
    [...titles, last].some((text) => wordsOf(text).some(isOne)) ||
    folders.some((folder) => wordsOf(folder).some((word) => kinds.has(singular(word))))
  );
}

function wordsOf(text: string): string[] {
  return fold(text).match(/[\p{L}\p{M}]+/gu) ?? [];
}
