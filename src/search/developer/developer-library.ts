// Texts about programs from all sources that have them, ranked together.
import { ServiceError } from "../../base/index.ts";
import type { Federation } from "../federation/federation.ts";
import { rankPassages, rankTexts } from "../local-index/rank-texts.ts";
import { parseQuery } from "../query/parse-query.ts";
import { askedWords, termsOf } from "../sources/terms.ts";
import { createNamedAsker } from "./ask-by-name.ts";
import type { DeveloperQuestion, DeveloperText } from "./developer-text.ts";
import { type DocumentationDeps, findDocumentation, findSkills, type SourceStatus } from "./find-documentation.ts";
import { findOnGithub, type RepositoryStatus } from "./find-github.ts";

export type { DeveloperQuestion };

interface DeveloperResult {
  id: string;
  url: string;
  title?: string;
  passages: { text: string; citation_url: string }[];
  license?: string;
}

export interface DeveloperLibraryDeps extends DocumentationDeps {
  /** Null when open sources are off. */
  federation: Pick<Federation, "names" | "call" | "signingOf"> | null;
}

const rankedLength = 4000;

/** Throws SEARCH_UNAVAILABLE when every source failed and the own index has nothing. */
export async function searchDeveloperTexts(
  deps: DeveloperLibraryDeps,
  question: DeveloperQuestion,
  signal: AbortSignal,
): Promise<{ results: DeveloperResult[]; repos: RepositoryStatus[]; sources: SourceStatus[]; problems: string[] }> {
  const asker = createNamedAsker(deps.federation, signal);
  if (question.onlySkills) {
    const { texts, ...statuses } = await findSkills(deps.askIndex, question);
    return { results: await bestOf(texts, question), ...statuses, problems: [] };
  }
  const words = askedWords(termsOf(parseQuery(question.query)), true);
  const [github, documentation] = await Promise.all([
    findOnGithub(asker, question, words),
    findDocumentation(asker, deps, question, words),
  ]);
  signal.throwIfAborted();
  const texts = [...documentation.texts, ...github.texts];
  const { counts } = asker;
  const problems = [...asker.problems];
  if (counts.asked > 0 && counts.answered === 0 && texts.length === 0)
    throw new ServiceError("SEARCH_UNAVAILABLE", `No source answered. ${problems.join(" ")}`);
  return { results: await bestOf(texts, question), repos: github.repos, sources: documentation.sources, problems };
}

/** Each text once. */
async function bestOf(texts: readonly DeveloperText[], { query, count, passages }: DeveloperQuestion) {
  const unique = [...new Map(texts.toReversed().map((text) => [text.id, text])).values()].toReversed();
  const ranks = await rankTexts(
    query,
    unique.map(({ title, markdown }) => `${title}. ${title}. ${markdown.slice(0, rankedLength)}`),
  );
  const best = ranks.slice(0, count).flatMap(({ index }) => unique[index] ?? []);
  return Promise.all(best.map((text) => resultOf(text, query, passages)));
}

async function resultOf(text: DeveloperText, query: string, count: number): Promise<DeveloperResult> {
  const parts = text.parts ?? [{ text: text.markdown, url: text.url }];
  const ranked = await rankPassages(
    query,
    parts.map((part) => part.text),
    { every: true },
  );
  // A passage without a word of the query is shown only where there is no better one.
  const shown = ranked.filter(({ score }, place) => place === 0 || score > 0).slice(0, count);
  return {
    id: text.id,
    url: text.url,
    ...(text.title === "" ? {} : { title: text.title }),
    passages: shown.map((passage) => ({ text: passage.text, citation_url: parts[passage.index]?.url ?? text.url })),
    ...(text.license === undefined ? {} : { license: text.license }),
  };
}
