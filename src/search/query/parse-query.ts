// The text of a search as a conjunction of clauses, the same for the local index and for providers.
// Invariant: no clause holds a double quote, a control character or half a character, and its `words` hold only
// letters, digits and marks.

import { splitWords } from "../../text/index.ts";
import { readablePart, readHost } from "./readable-url.ts";

/** A word or phrase as written, and its folded words, which are next to each other in what it matches. */
export interface Term {
  readonly text: string;
  readonly words: readonly string[];
}

/** A text as written, and what is looked for in the decoded URL (`readableUrl`). */
export interface UrlTerm {
  readonly text: string;
  readonly part: string;
}

/** A plain word is for ranking and requires nothing; without letters and digits it has no `words`. */
export interface WordClause extends Term {
  readonly kind: "word";
  readonly isNegated: boolean;
}

export interface PhraseClause extends Term {
  readonly kind: "phrase";
  readonly isNegated: boolean;
}

/** `allintitle:a b` is two clauses; negated it is one with two terms, because only pages with both are left out. */
export interface TitleClause {
  readonly kind: "intitle";
  readonly terms: readonly Term[];
  readonly isNegated: boolean;
}

/** As `TitleClause`, for `inurl:` and `allinurl:`. */
export interface UrlClause {
  readonly kind: "inurl";
  readonly terms: readonly UrlTerm[];
  readonly isNegated: boolean;
}

export interface SiteClause {
  readonly kind: "site";
  /** As written, without scheme. */
  readonly text: string;
  /** The host itself or any of its subdomains. */
  readonly host: string;
  /** Any port when null. */
  readonly port: number | null;
  /** Decoded, in lower case, without a trailing slash; "" for the whole site. */
  readonly path: string;
  readonly isNegated: boolean;
}

export interface RelatedClause {
  readonly kind: "related";
  readonly host: string;
  readonly isNegated: boolean;
}

export type Clause = WordClause | PhraseClause | TitleClause | UrlClause | SiteClause | RelatedClause;

export interface SearchQuery {
  /** In the order written; negated ones with several terms come last, so that no word follows them. */
  readonly clauses: readonly Clause[];
  /** What to rank by: plain words, phrases and title words, without what is negated. */
  readonly text: string;
}

const blank = /[\p{Cc}\p{Cs}\s]+/gu;
/** Bidi controls and zero-width characters come with pasted text and would hide an operator. */
const unseen = /[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff]+/g;
const doubleQuotes = /[“”„‟＂]/g;
const operator = /(site|related|(?:all)?in(?:url|title)):/iy;
const value = /"([^"]*)"|[^ "]*/y;

/** Reads what a caller searches for. Every text is a query: what is not understood is plain words. Takes linear time. */
export function parseQuery(text: string): SearchQuery {
  const source = pairQuotes(text.replace(unseen, "").replace(doubleQuotes, '"').replace(blank, " ").trim());
  const clauses: Clause[] = [];
  let list: OpenList | null = null;
  for (let at = 0; at < source.length; ) {
    if (source[at] === " ") {
      at += 1;
      continue;
    }
    const { end, found } = readAt(source, at);
    at = end;
    if (list && found.kind === "word" && !found.isNegated) {
      list.texts.push(found.text);
      continue;
    }
    if (list) for (const clause of closeList(list)) clauses.push(clause);
    list = found.kind === "list" ? found : null;
    if (found.kind !== "list") clauses.push(found);
  }
  if (list) for (const clause of closeList(list)) clauses.push(clause);
  const ordered = [...clauses.filter((clause) => !hasSeveralTerms(clause)), ...clauses.filter(hasSeveralTerms)];
  return { clauses: ordered, text: ordered.flatMap(rankedTexts).join(" ") };
}

/** The query as text that reads back as the same query. */
export function printQuery({ clauses }: SearchQuery): string {
  return clauses.map(printClause).join(" ");
}

export function printClause(clause: Clause): string {
  return (clause.isNegated ? "-" : "") + printPositive(clause);
}

function printPositive(clause: Clause): string {
  switch (clause.kind) {
    case "word":
      return clause.text;
    case "phrase":
      return `"${clause.text}"`;
    case "site":
      return `site:${clause.text}`;
    case "related":
      return `related:${clause.host}`;
    default: {
      const texts = clause.terms.map(({ text }) => (text.includes(" ") ? `"${text}"` : text));
      return `${texts.length > 1 ? "all" : ""}${clause.kind}:${texts.join(" ")}`;
    }
  }
}

/** Whether a text would be an operator with some value. */
export function startsWithOperator(text: string): boolean {
  operator.lastIndex = 0;
  return operator.test(text);
}

/** Whether a clause is the negation of several terms together, such as `-allintitle:a b`. */
export function hasSeveralTerms(clause: Clause): boolean {
  return "terms" in clause && clause.terms.length > 1;
}

/** Whether a clause only ranks and requires nothing. */
export function isPlainWord(clause: Clause): boolean {
  return clause.kind === "word" && !clause.isNegated;
}

function rankedTexts(clause: Clause): string[] {
  if (clause.isNegated) return [];
  if (clause.kind === "intitle") return clause.terms.map(({ text }) => text);
  return (clause.kind === "word" || clause.kind === "phrase") && clause.words.length > 0 ? [clause.text] : [];
}

/** Drops every quote that opens no phrase: without an end, without a word in it, or at the end of a word (`12" screen`). */
function pairQuotes(source: string): string {
  let paired = "";
  let from = 0;
  for (let open = source.indexOf('"'); open >= 0; open = source.indexOf('"', from)) {
    paired += source.slice(from, open);
    from = open + 1;
    if (/[\p{L}\p{N}]/u.test(source.charAt(open - 1)) && (source[from] ?? " ") === " ") continue;
    const close = source.indexOf('"', from);
    const inner = source.slice(from, Math.max(close, from)).trim();
    if (splitWords(inner).length === 0) continue;
    paired += `"${inner}"`;
    from = close + 1;
  }
  return paired + source.slice(from);
}

/** `allintitle:` or `allinurl:`, which takes the plain words that follow. */
interface OpenList {
  readonly kind: "list";
  readonly name: string;
  readonly texts: string[];
  readonly isNegated: boolean;
}

/** Reads the clause that starts at a place that is no space. */
function readAt(source: string, from: number): { end: number; found: Clause | OpenList } {
  const isNegated = source[from] === "-" && !" -".includes(source[from + 1] ?? " ");
  const start = isNegated ? from + 1 : from;
  operator.lastIndex = start;
  const name = operator.exec(source)?.[1]?.toLowerCase();
  if (name !== undefined) {
    const { text, end } = readValue(source, operator.lastIndex);
    const found = operatorOf(name, text, isNegated);
    if (found) return { end, found };
  }
  const { text, end, isQuoted } = readValue(source, start);
  const words = splitWords(text);
  if (isQuoted) return { end, found: { kind: "phrase", text, words, isNegated } };
  if (words.length === 0)
    return { end, found: { kind: "word", text: source.slice(from, end), words, isNegated: false } };
  return { end, found: { kind: "word", text, words, isNegated } };
}

function readValue(source: string, from: number): { text: string; end: number; isQuoted: boolean } {
  value.lastIndex = from;
  const [written = "", quoted] = value.exec(source) ?? [];
  return { text: quoted ?? written, end: from + written.length, isQuoted: quoted !== undefined };
}

/** Null when the operator cannot use its value and is therefore plain text. */
function operatorOf(name: string, text: string, isNegated: boolean): Clause | OpenList | null {
  if (name.startsWith("all")) return { kind: "list", name, texts: text === "" ? [] : [text], isNegated };
  if (name === "intitle" || name === "inurl") return termClauses(name, [text], isNegated)[0] ?? null;
  const site = readSite(text);
  if (!site) return null;
  return name === "site" ? { kind: "site", ...site, isNegated } : { kind: "related", host: site.host, isNegated };
}

function closeList({ name, texts, isNegated }: OpenList): Clause[] {
  const clauses = termClauses(name === "allintitle" ? "intitle" : "inurl", texts, isNegated);
  return clauses.length > 0 ? clauses : [{ kind: "word", text: `${name}:`, words: [name], isNegated }];
}

function termClauses(kind: "intitle" | "inurl", texts: readonly string[], isNegated: boolean): Clause[] {
  if (kind === "intitle") {
    const terms = texts.map((text) => ({ text, words: splitWords(text) })).filter(({ words }) => words.length > 0);
    return grouped(terms, isNegated).map((group) => ({ kind, terms: group, isNegated }));
  }
  const terms = texts.filter((text) => text !== "").map((text) => ({ text, part: readablePart(text) }));
  return grouped(terms, isNegated).map((group) => ({ kind, terms: group, isNegated }));
}

/** "All of these" is one clause for each; "not all of these" is one clause. */
function grouped<Item>(terms: readonly Item[], isNegated: boolean): (readonly Item[])[] {
  if (!isNegated) return terms.map((term) => [term]);
  return terms.length > 0 ? [terms] : [];
}

/** Host, optional port and optional path, with or without scheme; `*.example.com` and `.gov` are the names alone. */
function readSite(written: string): Pick<SiteClause, "text" | "host" | "port" | "path"> | null {
  const text = written.replace(/^https?:\/\//i, "").replace(/^(?:\*?\.)+/, "");
  const [, name, digits, rest = ""] = /^(\[[^\]]*\]|[^\s/\\:?#@]+)(?::(\d{1,5}))?([/?]\S*)?$/.exec(text) ?? [];
  const host = name === undefined ? null : readHost(name);
  const port = digits === undefined ? null : Number(digits);
  if (host === null || (port !== null && (port === 0 || port > 65_535))) return null;
  const { pathname, search } = new URL(`http://host${rest}`);
  return { text, host, port, path: readablePart(pathname + search).replace(/(?<!\/)\/+$/, "") };
}
