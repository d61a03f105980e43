// `related:` with a service that lacks it (D18): read the named site's home page, search for its title words, leave the site
// itself out, keep what links to it or shares its subject.
import { isOnHost, type RelatedClause, type SearchQuery, type Verdict } from "../../search/index.ts";
import { englishStopWords, splitWords } from "../../words/index.ts";
import type { Check } from "./judging.ts";
import type { PageTexts } from "./page-texts.ts";

/** What a site is about. */
export interface Subject {
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
  pages: Pick<PageTexts, "read">,
): Promise<{ subjects: Subject[]; warnings: string[] }> {
  const warnings: string[] = [];
  const related = clauses.filter((clause) => clause.kind === "related");
  const subjects = await Promise.all(
    related.map(async (clause): Promise<Subject> => {
      const { host } = clause;
      const page = (await pages.read(`https://${host}/`)) ?? (await pages.read(`http://${host}/`));
      const name = nameOf(host);
      if (!page) {
        warnings.push(`The home page of ${host} could not be read, so related: went by its name alone.`);
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

/** What is left of a query to ask a service: the words of the sites in the place of `related:`. */
export function withSubjects(query: SearchQuery, subjects: readonly Subject[]): SearchQuery {
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

export function checkSubject({ clause, words }: Subject): Check {
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

/** The words that a text uses most. */
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
