// What the store is asked for: a query's clauses as words, hosts and parts of URLs. The engine knows stems only, so it may find
// more than the clauses allow, never less; `createClauseFilter` then checks the pages themselves.
import type { FieldRun, SearchPlan, WordRun } from "../../store/index.ts";
import { englishStopWords, groupLetters } from "../../text/index.ts";
import type { Clause, SearchQuery } from "../query/parse-query.ts";
import { readHosts } from "../query/readable-url.ts";
import type { Stemmer } from "./page-words.ts";

/** Words of a long query beyond these do not rank. */
const mostRuns = 64;
/** A word that the query repeats counts as often, but no more often than this. */
const mostTimes = 3;

export interface PlanBounds {
  includeDomains: readonly string[];
  excludeDomains: readonly string[];
  fromMs: number | null;
  toMs: number | null;
  isNewestFirst: boolean;
}

export type QueryPlan = Omit<SearchPlan, "teamId" | "limit">;

export function planQuery({ clauses }: SearchQuery, bounds: PlanBounds, stems: Stemmer): QueryPlan {
  const wanted = clauses.filter(({ isNegated }) => !isNegated);
  const unwanted = clauses.filter(({ isNegated }) => isNegated);
  const { includeDomains, excludeDomains, fromMs, toMs, isNewestFirst } = bounds;
  const sites = wanted.filter((clause) => clause.kind === "site");
  return {
    anyOf: rankedRuns(wanted, stems),
    allOf: wanted.flatMap((clause) => requiredRuns(clause, stems)),
    noneOf: unwanted.flatMap((clause) => forbiddenRuns(clause, stems)),
    hostGroups: [...sites.map(({ host }) => [host]), ...(includeDomains.length > 0 ? [readHosts(includeDomains)] : [])],
    excludedHosts: [...unwanted.flatMap(wholeHosts), ...wanted.flatMap(relatedHosts), ...readHosts(excludeDomains)],
    urlParts: [
      ...clauses.flatMap((clause) =>
        clause.kind === "inurl" ? [{ parts: clause.terms.map(({ part }) => part), isNegated: clause.isNegated }] : [],
      ),
      ...sites.flatMap(({ path }) => (path === "" ? [] : [{ parts: [path], isNegated: false }])),
    ],
    fromMs,
    toMs,
    isNewestFirst,
  };
}

/** A run that the query repeats is listed as often. */
function rankedRuns(wanted: readonly Clause[], stems: Stemmer): WordRun[] {
  const terms = wanted.flatMap((clause) => {
    if (clause.kind === "intitle") return clause.terms.map(({ words }) => words);
    return clause.kind === "word" || clause.kind === "phrase" ? [clause.words] : [];
  });
  const telling = terms.map((words) => words.filter((word) => !englishStopWords.has(word)));
  const used = telling.some((words) => words.length > 0) ? telling : terms;
  const times = new Map<string, number>();
  return used
    .flatMap((words) => runsOf(stems(words)))
    .filter((run) => {
      const name = run.join(" ");
      const before = times.get(name) ?? 0;
      if (before === mostTimes || (before === 0 && times.size === mostRuns)) return false;
      times.set(name, before + 1);
      return true;
    });
}

/** Each run once, in the order of the query. */
export function distinctRuns(runs: readonly WordRun[]): WordRun[] {
  return [...new Map(runs.map((run) => [run.join(" "), run])).values()];
}

/**
 * One run per word. The index holds scripts without spaces letter by letter, so that it finds a word however its text is cut: there a run is
 * the letters of a word, and a single letter beside words ranks nothing.
 */
function runsOf(words: readonly string[]): WordRun[] {
  const groups = groupLetters(words);
  const hasWords = groups.some(({ length }) => length > 1);
  return groups.filter(([word = "", ...others]) => others.length > 0 || !hasWords || word < firstUnspaced);
}

const firstUnspaced = "\u0e00";

function requiredRuns(clause: Clause, stems: Stemmer): FieldRun[] {
  if (clause.kind === "phrase") return [{ run: stems(clause.words), field: "any" }];
  if (clause.kind !== "intitle") return [];
  return clause.terms.map(({ words }) => ({ run: stems(words), field: "title" }));
}

/** A page without these certainly passes; for a page with them its text decides. */
function forbiddenRuns(clause: Clause, stems: Stemmer): FieldRun[] {
  if (clause.kind === "word" || clause.kind === "phrase") return [{ run: stems(clause.words), field: "any" }];
  if (clause.kind !== "intitle") return [];
  return clause.terms.slice(0, 1).map(({ words }) => ({ run: stems(words), field: "title" }));
}

function wholeHosts(clause: Clause): string[] {
  if (clause.kind === "related") return [clause.host];
  return clause.kind === "site" && clause.port === null && clause.path === "" ? [clause.host] : [];
}

function relatedHosts(clause: Clause): string[] {
  return clause.kind === "related" ? [clause.host] : [];
}
