// The words of a query that sources are asked with: what it wants, each part with how it was written.
import { englishStopWords } from "../../text/index.ts";
import type { Operator } from "../query/express-query.ts";
import type { SearchQuery } from "../query/parse-query.ts";

export interface QueryTerm {
  written: string;
  /** The same without characters that have a meaning to sources. */
  text: string;
  /** Folded. */
  words: readonly string[];
  isPhrase: boolean;
  isTitle: boolean;
  isNegated: boolean;
}

/** Every part of the query that is made of words; hosts are not. */
export function termsOf({ clauses }: SearchQuery): QueryTerm[] {
  return clauses
    .flatMap((clause): QueryTerm[] => {
      const { isNegated } = clause;
      switch (clause.kind) {
        case "word":
        case "phrase":
          return [term(clause.text, clause.words, { isPhrase: clause.kind === "phrase", isNegated })];
        case "intitle":
          if (isNegated && clause.terms.length > 1) return [];
          return clause.terms.map(({ text, words }) =>
            term(text, words, { isTitle: true, isPhrase: words.length > 1, isNegated }),
          );
        case "inurl":
          return isNegated ? [] : clause.terms.map(({ text }) => term(text, text.split(/[^\p{L}\p{N}]+/u), {}));
        default:
          return [];
      }
    })
    .filter(({ text }) => text !== "");
}

function term(text: string, words: readonly string[], kind: Partial<QueryTerm>): QueryTerm {
  return { written: text, text: plain(text), words, isPhrase: false, isTitle: false, isNegated: false, ...kind };
}

/** Signs that are operators to one source or another become spaces: no query may say more than its words. */
function plain(text: string): string {
  return text
    .replace(/[^\p{L}\p{N}\p{M}.#+'’&@_-]+/gu, " ")
    .replace(/(^|\s)[-+.'’&@_]+|[-.'’&@_]+(?=\s|$)/gu, "$1")
    .replace(/\s+/g, " ")
    .trim();
}

/** What is wanted, as plain words. */
export function askedWords(terms: readonly QueryTerm[], dropsStopWords: boolean): string {
  const wanted = terms.filter(({ isNegated }) => !isNegated).map(({ text }) => text);
  if (!dropsStopWords) return wanted.join(" ");
  const telling = wanted
    .join(" ")
    .split(" ")
    .filter((word) => !englishStopWords.has(word.toLowerCase()));
  return telling.length > 0 ? telling.join(" ") : wanted.join(" ");
}

/** The terms with those operators that the source understands. */
export function expressTerms(terms: readonly QueryTerm[], understands: ReadonlySet<Operator>): string {
  return terms
    .flatMap(({ text, isPhrase, isTitle, isNegated }) => {
      if (isNegated && !understands.has("negation")) return [];
      const quoted = isPhrase && understands.has("phrase") ? `"${text}"` : text;
      const titled = isTitle && understands.has("intitle") ? `intitle:${quoted}` : quoted;
      return [isNegated ? `-${titled}` : titled];
    })
    .join(" ");
}
