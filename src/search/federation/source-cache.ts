// What sources answered a short while ago, so that the same question is not asked again. In memory; failures are never kept.
import { type Clock, secondMs } from "../../base/index.ts";
import { printQuery, type SearchQuery } from "../query/parse-query.ts";
import type { TimeRange } from "../query/time-range.ts";
import type { OpenSource, SourceQuestion } from "../sources/source.ts";
import type { FoundResult } from "./ask-source.ts";

export type SourceCache = ReturnType<typeof createSourceCache>;

/** Over all teams; a result takes about a kilobyte. */
const maxResults = 20_000;

export function createSourceCache(clock: Clock, seconds: number) {
  /** Oldest first. */
  const entries = new Map<string, { at: number; results: readonly FoundResult[] }>();
  let count = 0;

  function forget(key: string): void {
    count -= (entries.get(key)?.results.length ?? -1) + 1;
    entries.delete(key);
  }

  return {
    find(key: string): readonly FoundResult[] | null {
      const entry = entries.get(key);
      if (!entry) return null;
      const ageMs = clock.now() - entry.at;
      // A clock that was set back makes nothing younger.
      if (ageMs >= 0 && ageMs < seconds * secondMs) return entry.results;
      forget(key);
      return null;
    },

    keep(key: string, results: readonly FoundResult[]): void {
      if (seconds === 0) return;
      if (entries.has(key)) forget(key);
      entries.set(key, { at: clock.now(), results });
      count += results.length + 1;
      for (const oldest of entries.keys()) {
        if (count <= maxResults) break;
        forget(oldest);
      }
    },
  };
}

/** The same for questions that have the same answer. */
export function questionKey(
  team: string,
  { name, understands }: OpenSource,
  question: SourceQuestion,
  query: SearchQuery,
  time: TimeRange | null,
): string {
  const { kind, category, text, count, language, isLanguageAsked, country, site, safe } = question;
  // "The last week" is another span in every millisecond.
  const span = time?.recent ? { recent: time.recent, isNewestFirst: time.isNewestFirst } : time;
  const said = understands.size > 0 ? printQuery(query).toLowerCase() : text.toLowerCase();
  return JSON.stringify([
    team,
    name,
    said,
    kind,
    category,
    count,
    language,
    isLanguageAsked,
    country,
    site,
    safe,
    span,
  ]);
}
