// `related:` with a service that does not know it: read the home page of the named site, search for its title words, leave
// the site itself out, and keep results that link to it or share its subject.
import { englishStopWords, splitWords } from "../../text/index.ts";
import type { Verdict } from "../filter/clause-filter.ts";
import type { RelatedClause, SearchQuery } from "../query/parse-query.ts";
import { isOnHost } from "../query/readable-url.ts";
import type { ReadResultText } from "./search-result.ts";
import type { ResultCheck } from "./sift-results.ts";

/** What a site is about. */
export interface SiteSubject {
  clause: RelatedClause;
  /** To search for. */
  text: string;
  /** Folded. */
  words: ReadonlySet<string>;
}

const mostTitleWords = 8;
const mostTextWords = 15;
const shortestWord = 4;
const enoughShared = 3;

export async function readSubjects(
  { clauses }: SearchQuery,
  readText: ReadResultText,
): Promise<{ subjects: SiteSubject[]; warnings: string[] }> {
  const warnings: string[] = [];
  const related = clauses.filter((clause) => clause.kind === "related");
  const subjects = await Promise.all(
    related.map(async (clause): Promise<SiteSubject> => {
      const { host } = clause;
      const page = (await readText(`https://${host}/`)) ?? (await readText(`http://${host}/`));
      const name = nameOf(host);
      if (!page) {
        warnings.push(`The home page of ${host} could not be read, so related: searched for its name only.`);
        return { clause, text: name, words: new Set(splitWords(name)) };
      }
      const { title, description, text } = page;
      const isTelling = (word: string) => splitWords(word).some((part) => part !== name);
      const titleWords = title.split(/[\s|·–—]+/).filter((word) => word.length >= shortestWord && isTelling(word));
      const words = new Set([...longWords(title), ...longWords(description), ...frequentWords(text)]);
      words.delete(name);
      return { clause, text: titleWords.slice(0, mostTitleWords).join(" ") || title || name, words };
    }),
  );
  return { subjects, warnings };
}

/** The query to ask a service: words of the sites instead of `related:`. */
export function withSubjects(query: SearchQuery, subjects: readonly SiteSubject[]): SearchQuery {
  const wanted = subjects.filter(({ clause }) => !clause.isNegated).flatMap(({ text }) => splitWords(text));
  const words = [...new Set(wanted)].map((word) => ({
    kind: "word" as const,
    text: word,
    words: [word],
    isNegated: false,
  }));
  const clauses = [...query.clauses.filter(({ kind }) => kind !== "related"), ...words];
  return { clauses, text: [query.text, ...wanted].join(" ").trim() };
}

export function checkSubject({ clause, words }: SiteSubject): ResultCheck {
  const { host, isNegated } = clause;
  const verdictOf = (isRelated: boolean): Verdict => (isRelated !== isNegated ? "yes" : "no");
  const enough = Math.max(1, Math.min(enoughShared, Math.ceil(words.size / 3)));
  const shares = (found: Iterable<string>) => countOf(found, words) >= enough;
  return ({ url, title, description, text, links = [] }) => {
    if (isOnHost(new URL(url).hostname, host)) return "no";
    if (shares(new Set([...longWords(title), ...longWords(description)]))) return verdictOf(true);
    if (text === undefined) return "unknown";
    const isLinked = links.some((link) => URL.canParse(link) && isOnHost(new URL(link).hostname, host));
    return verdictOf(isLinked || shares(new Set([...longWords(title), ...frequentWords(text)])));
  };
}

function nameOf(host: string): string {
  const labels = host.replace(/^www\./, "").split(".");
  return labels[0] ?? host;
}

function longWords(text: string): string[] {
  return splitWords(text).filter((word) => word.length >= shortestWord && !englishStopWords.has(word));
}

/** The words that a text uses most often. */
function frequentWords(text: string): string[] {
  const counts = new Map<string, number>();
  for (const word of longWords(text)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .slice(0, mostTextWords)
    .map(([word]) => word);
}

function countOf(found: Iterable<string>, words: ReadonlySet<string>): number {
  let count = 0;
  for (const word of found) if (words.has(word)) count += 1;
  return count;
}
