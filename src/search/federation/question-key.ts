// When two questions to a source have the same answer.
import { printQuery, type SearchQuery } from "../query/parse-query.ts";
import type { TimeRange } from "../query/time-range.ts";
import type { OpenSource, SourceQuestion } from "../sources/source.ts";

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
  const place = [language, isLanguageAsked, country, site];
  return JSON.stringify([team, name, said, kind, category, count, ...place, safe, span]);
}
