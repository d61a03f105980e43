// How an engine finds pages by their words: the part of the search index that differs between databases. Words come
// folded and stemmed from the search room and consist of letters, digits and marks; even so each engine quotes them itself.
import type { Kysely, RawBuilder } from "kysely";
import type { Tables } from "../schema/tables.ts";
import type { Executor } from "./executor.ts";

/** Consecutive words in one field of a page. */
export type WordRun = readonly string[];

export interface FieldRun {
  run: WordRun;
  /** "title": in the title; "any": in any field. */
  field: "any" | "title";
}

/** Words with one space between them. */
export interface PageWords {
  title: string;
  anchors: string;
  url: string;
  headings: string;
  body: string;
}

export interface NumberedWords extends PageWords {
  id: number;
}

/**
 * Pages hold every run of `allOf`, none of `noneOf`, and one of `anyOf` at least when `allOf` is empty. A run that is in `anyOf`
 * twice counts twice.
 */
export interface WordMatch {
  anyOf: readonly WordRun[];
  allOf: readonly FieldRun[];
  noneOf: readonly FieldRun[];
  /** Pages of a team have ids in this range, both ends included. */
  firstId: number;
  lastId: number;
}

export interface WordIndex {
  insert(executor: Executor, pages: readonly NumberedWords[]): Promise<void>;
  /** Whether a row of `search_words` matches. */
  matches(match: WordMatch): RawBuilder<boolean>;
  /** How well a matching row fits, larger is better; rough is enough, the best are ordered again by their texts. */
  score(match: WordMatch, counts: readonly number[], pageCount: number): RawBuilder<number>;
  /**
   * A narrower match that finds the best `wanted` rows, as long as the last of them scores more than `bound`; null where there is
   * none that is cheaper.
   */
  narrow(
    db: Kysely<Tables>,
    match: WordMatch,
    counts: readonly number[],
    wanted: number,
  ): Promise<{ matches: RawBuilder<boolean>; bound: number } | null>;
  /** How many pages hold each of the runs; an estimate. */
  count(db: Kysely<Tables>, match: WordMatch): Promise<number[]>;
  /** Where a text begins within another, from 1 on; 0 when it is not there. */
  position(text: RawBuilder<string>, part: string): RawBuilder<number>;
}
