// Texts of repositories for a question: issues, merged pull requests, READMEs.
import { rankTexts } from "../local-index/rank-texts.ts";
import type { NamedAsker } from "./ask-by-name.ts";
import type { DeveloperQuestion, DeveloperText } from "./developer-text.ts";
import {
  fitsFilter,
  type Repository,
  readmeOf,
  readReadme,
  readRepositories,
  readThreads,
  repositoryLookup,
  repositorySearch,
  type ThreadKind,
  threadSearch,
} from "./github-texts.ts";

export interface RepositoryStatus {
  repo: string;
  indexed: boolean;
  types: { issue: boolean; pullRequest: boolean; readme: boolean };
}

/** READMEs are read one request each. */
const mostReadmes = 5;
/** Repositories among whose issues is searched, for filters that issues do not have. */
const mostScoped = 20;

export async function findOnGithub(
  { ask, keyOf, problems }: NamedAsker,
  { query, count, kinds, repos, filter }: DeveloperQuestion,
  words: string,
): Promise<{ texts: DeveloperText[]; repos: RepositoryStatus[] }> {
  const key = keyOf("github");
  const threadKinds = (["issue", "pull_request"] as const).filter((kind) => kinds.includes(kind));
  /** Repositories that have no README. */
  const bare = new Set<string>();

  /** Names of repositories to which issues are restricted; null: there is no such restriction. */
  async function scopeOf(named: readonly Repository[]): Promise<readonly string[] | null> {
    if (repos.length > 0) return named.map(({ name }) => name);
    const { topic = [], license, minStars, maxStars, fork } = filter;
    const isScoped = topic.length > 0 || [license, minStars, maxStars, fork].some((each) => each !== undefined);
    if (!isScoped || threadKinds.length === 0) return null;
    const found = await ask("github", repositorySearch("", filter, mostScoped, key), readRepositories);
    return (found ?? []).map(({ name }) => name);
  }

  async function findThreads(kind: ThreadKind, scope: readonly string[] | null): Promise<DeveloperText[]> {
    if (scope?.length === 0) return [];
    const call = threadSearch(kind, { words, names: scope ?? [], filter }, count, key);
    return (await ask("github", call, (answer) => readThreads(answer, kind))) ?? [];
  }

  async function findReadmes(named: readonly Repository[]): Promise<DeveloperText[]> {
    if (!kinds.includes("readme")) return [];
    const search = repositorySearch(words, filter, count, key);
    const found = repos.length > 0 ? named : ((await ask("github", search, readRepositories)) ?? []);
    const ranks = await rankTexts(
      query,
      found.map(({ name, description }) => `${name} ${description}`),
    );
    const best = ranks.flatMap(({ index }) => found[index] ?? []);
    return Promise.all(best.map((each, place) => readmeText(each, place < mostReadmes)));
  }

  /** Of one that is not read, and of a repository without one, what the repository says of itself. */
  async function readmeText({ name, url, description, license }: Repository, isRead: boolean): Promise<DeveloperText> {
    const failures = problems.size;
    const readme = isRead ? await ask("github", readmeOf(name, key), readReadme) : null;
    if (isRead && readme === null && problems.size === failures) bare.add(name);
    const shown = readme ?? { markdown: description, url };
    return { id: `readme:${name}`, title: name, repository: name, license: license ?? undefined, ...shown };
  }

  if (threadKinds.length === 0 && !kinds.includes("readme")) return { texts: [], repos: [] };
  const known = repos.length > 0 ? ((await ask("github", repositoryLookup(repos, key), readRepositories)) ?? []) : [];
  const named = known.filter((each) => fitsFilter(each, filter));
  const scope = await scopeOf(named);
  const found = await Promise.all([...threadKinds.map((kind) => findThreads(kind, scope)), findReadmes(named)]);
  const licenses = new Map(named.map(({ name, license }) => [name, license ?? undefined]));
  const texts = found.flat().map((text) => ({ license: licenses.get(text.repository ?? ""), ...text }));
  const byName = new Map(known.map((each) => [each.name.toLowerCase(), each]));
  const statusOf = (repo: string): RepositoryStatus => {
    const one = byName.get(repo.toLowerCase());
    const types = { issue: one?.hasIssues === true, pullRequest: one !== undefined };
    return { repo, indexed: one !== undefined, types: { ...types, readme: one !== undefined && !bare.has(one.name) } };
  };
  return { texts, repos: repos.map(statusOf) };
}
