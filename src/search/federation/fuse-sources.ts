// Merges the lists of several sources into one, each page once. What fits the query and is in several lists rises; what
// hardly fits comes last, however many results its source has.
import type { ProviderResult } from "../providers/search-provider.ts";
import { pageKeys, withoutTracking } from "./page-keys.ts";
import type { RateResult } from "./relevance.ts";

/** One source's results, best first. */
export interface SourceList<Result extends ProviderResult = ProviderResult> {
  engine: string;
  results: readonly (Result & { ids?: readonly string[] })[];
}

/** With this constant one place more or less weighs little against being in several lists. */
const rankConstant = 60;
/** Results that fit less come after all others. */
const leastRelevance = 0.34;

interface Group<Result> {
  result: Result;
  relevance: number;
  score: number;
  engines: Set<string>;
}

/** Of equal results those of earlier lists come first. A result that has its weight already keeps it. */
export function fuseSources<Result extends ProviderResult>(
  lists: readonly SourceList<Result>[],
  rate: RateResult,
): Result[] {
  const groups: Group<Result>[] = [];
  const byKey = new Map<string, Group<Result>>();
  for (const { engine, results } of lists) {
    const met = new Set<Group<Result>>();
    for (const { ids = [], ...rest } of results) {
      const result = rest as unknown as Result;
      const relevance = result.fit?.relevance ?? rate(result);
      const keys = result.imageUrl === undefined ? pageKeys(result.url, ids) : [result.imageUrl];
      const known = keys.map((key) => byKey.get(key)).find((group) => group !== undefined);
      const score = result.fit?.score ?? relevance / (rankConstant + met.size);
      const group = known ?? { result: shown(result), relevance, score, engines: new Set<string>() };
      if (!known) groups.push(group);
      // The same page twice in one list counts once.
      else if (!met.has(group)) merge(group, result, relevance, score);
      met.add(group);
      for (const name of result.engines ?? [engine]) group.engines.add(name);
      for (const key of keys) byKey.set(key, group);
    }
  }
  return groups
    .sort((one, other) => Number(isFitting(other)) - Number(isFitting(one)) || other.score - one.score)
    .map(({ result, relevance, score, engines }) => ({ ...result, engines: [...engines], fit: { relevance, score } }));
}

function isFitting({ relevance }: { relevance: number }): boolean {
  return relevance >= leastRelevance;
}

function shown<Result extends ProviderResult>(result: Result): Result {
  return { ...result, url: withoutTracking(result.url) };
}

/** The first URL, https before http; title and description of what fits best; a date and a category if one has any. */
function merge<Result extends ProviderResult>(
  group: Group<Result>,
  result: Result,
  relevance: number,
  score: number,
): void {
  const { result: first } = group;
  const isSecured = first.url.startsWith("http:") && result.url.startsWith("https:");
  const isBetter = relevance > group.relevance;
  const [best, other] = isBetter ? [result, first] : [first, result];
  group.result = {
    ...first,
    url: isSecured ? withoutTracking(result.url) : first.url,
    title: best.title || other.title,
    description: best.description || other.description,
    ...((best.about ?? other.about) ? { about: best.about ?? other.about ?? "" } : {}),
    published: first.published ?? result.published,
    date: first.date || result.date,
    ...((first.category ?? result.category) ? { category: first.category ?? result.category } : {}),
  };
  group.relevance = Math.max(group.relevance, relevance);
  group.score += score;
}
