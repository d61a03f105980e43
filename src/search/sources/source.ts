// One open search source: what it serves, how often it may be asked, how a question is put to it and how its answer is read.
// A source knows its protocol and nothing else: asking, pace, rests, cache and fusion are the federation's.
import type { RawResult } from "../providers/paged-search.ts";
import type { ProviderSource } from "../providers/search-provider.ts";
import type { Category } from "../query/category.ts";
import type { Operator } from "../query/express-query.ts";
import type { AnswerTree } from "./answer-tree.ts";
import type { QueryTerm } from "./terms.ts";

/** What makes a search for web pages ask a source of a narrow subject. */
export type Signal = "code" | "research" | "gov";

export interface SourceQuestion {
  kind: ProviderSource;
  /** The category that the source is asked for; null: none. */
  category: Category | null;
  terms: readonly QueryTerm[];
  /** The terms as plain words, as the source wants them. */
  text: string;
  /** Results that are wanted in all. */
  count: number;
  /** Milliseconds since 1970; null where there is no end. */
  fromMs: number | null;
  toMs: number | null;
  isNewestFirst: boolean;
  now: number;
  /** Two or three small letters. */
  language: string;
  /** Whether the caller asked for the language. */
  isLanguageAsked: boolean;
  /** Two capital letters; null when unknown. */
  country: string | null;
  /** The one host that results must be on; null: any. */
  site: string | null;
  safe: boolean;
  /** Where the source is, without a slash at its end. */
  base: string;
  /** The operator's mail address, if there is one. */
  mail: string | null;
  /** Raises the source's limits, or opens it at all; null without. */
  key: string | null;
}

export interface SourceCall {
  /** Appended to the base. */
  path: string;
  query?: Readonly<Record<string, string | number | readonly string[] | undefined>>;
  headers?: Readonly<Record<string, string>>;
  /** Makes it a POST of JSON. */
  body?: Readonly<Record<string, unknown>>;
  /** Makes it a POST of a form. */
  form?: Readonly<Record<string, string>>;
}

export interface SourceAnswer {
  text: string;
  /** Of a source that answers with JSON; undefined when it cannot be parsed. */
  json: unknown;
  /** Of a source that answers with XML or HTML. */
  tree: AnswerTree | null;
}

/** A result with what open sources know beyond the services of operators. */
export interface SourceResult extends RawResult {
  /** Names of the work that several URLs may have, such as `doi:10.1/x`. */
  ids?: readonly string[];
}

export interface SourcePage {
  results: readonly SourceResult[];
  /** What the next call is asked with; null: this was the last. */
  next: string | null;
  /** The pause that the source asks for. */
  backoffSeconds?: number;
}

/** At most `most` requests in `seconds`. */
export interface PaceLimit {
  most: number;
  seconds: number;
}

export interface OpenSource {
  name: string;
  /** For people. */
  title: string;
  base: string;
  /** "open": asked by default; "scraped": its pages are read, only when named; "keyed": only with the operator's key. */
  tier: "open" | "scraped" | "keyed";
  serves: ReadonlySet<ProviderSource | Category>;
  /** Null: asked for every search of the web. Otherwise only with the signal, and for categories. */
  signal: Signal | null;
  /** Operators that it is sent; every clause is checked here all the same. */
  understands: ReadonlySet<Operator>;
  /** Every word must be in a result, so words that say nothing are left out. */
  wantsAllWords: boolean;
  /** Hosts that all its results are on; empty: any host. */
  hosts: readonly string[];
  /** Whether it keeps to a range of dates itself. */
  appliesTime: boolean;
  /** The most results of one call. */
  perCall: number;
  pace: readonly PaceLimit[];
  /** With the operator's key, where that raises its limits. */
  keyedPace?: readonly PaceLimit[];
  /** Sources of one operator share their pace under this name. */
  paceGroup?: string;
  /** It refuses programs whose operator it cannot reach. */
  wantsContact?: boolean;
  /** Requests at the same time. */
  atOnce: number;
  answers: "json" | "xml" | "html" | "text";
  /** What its operator asks of programs, in one line. */
  terms: string;
  /** Whether it has something to say to these terms; always when absent. */
  accepts?(terms: readonly QueryTerm[], hasOperators: boolean): boolean;
  /** `next` is what the previous page said; null for the first. */
  ask(question: SourceQuestion, next: string | null): SourceCall;
  /** "refused" when the answer is a captcha or says that there were too many requests; null when its shape is unknown. */
  read(answer: SourceAnswer, question: SourceQuestion, next: string | null): SourcePage | "refused" | null;
  /** Whether an answer that is not a success says that there were too many requests. */
  isLimit?(answer: SourceAnswer): boolean;
}

const noOperators: ReadonlySet<Operator> = new Set();

/** What holds of most sources; each says what differs. */
export const sourceDefaults = {
  tier: "open",
  signal: null,
  understands: noOperators,
  wantsAllWords: false,
  hosts: [],
  appliesTime: false,
  pace: [{ most: 1, seconds: 1 }],
  atOnce: 1,
  answers: "json",
} as const satisfies Partial<OpenSource>;

/** The number in `next`: a page or an offset. */
export function nextNumber(next: string | null, first: number): number {
  return next === null ? first : Number(next);
}

/** Results per call. */
export function sizeOf(question: SourceQuestion, most: number): number {
  return Math.max(1, Math.min(question.count, most));
}

/** The range of dates as filters of these names; an end that is not before now is left out. */
export function dayFilters({ fromMs, toMs, now }: SourceQuestion, from: string, to: string): string[] {
  return [
    ...(fromMs === null ? [] : [`${from}:${dayOf(fromMs)}`]),
    ...(toMs === null || toMs >= now ? [] : [`${to}:${dayOf(toMs)}`]),
  ];
}

/** YYYY-MM-DD, in UTC. */
export function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
