// Documentation for a question: questions and answers, documentation sites, pages of the team's own index.
import { isOnHost } from "../query/readable-url.ts";
import type { NamedAsker } from "./ask-by-name.ts";
import type { DeveloperQuestion, DeveloperText } from "./developer-text.ts";
import { type DocumentationSource, documentationSources, type ToMarkdown } from "./documentation.ts";

export interface SourceStatus {
  source: string;
  indexed: boolean;
}

/** The pages of the own index that fit a query, best first; null when the index is off. */
export type AskOwnIndex = (
  query: string,
  limit: number,
) => Promise<{ url: string; title: string; description: string }[] | null>;

export interface DocumentationDeps {
  askIndex: AskOwnIndex;
  toMarkdown: ToMarkdown;
}

export async function findDocumentation(
  { ask, keyOf }: NamedAsker,
  { askIndex, toMarkdown }: DocumentationDeps,
  { query, count, kinds, sources, filter }: DeveloperQuestion,
  words: string,
): Promise<{ texts: DeveloperText[]; sources: SourceStatus[] }> {
  const known = new Set<string>();

  async function ofSource(source: DocumentationSource): Promise<DeveloperText[]> {
    const scoped = sources.flatMap((host) => {
      const scope = source.scopeOf(host);
      return scope === null ? [] : [{ host, scope }];
    });
    if (sources.length > 0 && scoped.length === 0) return [];
    const scopes = scoped.map(({ scope }) => scope);
    const found = await ask(source.name, source.search(words, scopes, count, keyOf(source.name)), (answer) => {
      const has = source.known(answer, scopes);
      for (const { host, scope } of scoped) if (has.includes(scope)) known.add(host);
      return source.read(answer, toMarkdown);
    });
    return (await found) ?? [];
  }

  async function indexed(): Promise<DeveloperText[]> {
    if (sources.length === 0) return textsOf(await askIndex(query, count));
    const lists = sources.map(async (host) => {
      const [found, any] = await Promise.all([askIndex(`${query} site:${host}`, count), askIndex(`site:${host}`, 1)]);
      if (any && any.length > 0) known.add(host);
      return textsOf(found);
    });
    return (await Promise.all(lists)).flat();
  }

  // A page has no language, topic or license: it is only searched where its site was named.
  const isNarrowed = sources.length === 0 && Object.values(filter).some((each) => each !== undefined);
  if (!kinds.includes("doc") || isNarrowed) return { texts: [], sources: [] };
  const lists = await Promise.all([...documentationSources.map(ofSource), indexed()]);
  const isWanted = ({ url }: DeveloperText) =>
    sources.length === 0 || sources.some((host) => isOnHost(new URL(url).hostname, host));
  return {
    texts: lists.flat().filter(isWanted),
    sources: sources.map((source) => ({ source, indexed: known.has(source) })),
  };
}

const skillFile = /\/SKILL\.md$/i;

/** Files that tell agents how something is done, of the repositories and hosts that are named. */
export async function findSkills(askIndex: AskOwnIndex, { query, count, repos, sources }: DeveloperQuestion) {
  const found = textsOf(await askIndex(`${query} inurl:skill.md`, count));
  const skills = found.filter(({ url }) => skillFile.test(new URL(url).pathname));
  const isOf = (repo: string, { url }: DeveloperText) =>
    new URL(url).pathname.toLowerCase().startsWith(`/${repo.toLowerCase()}/`);
  const isOn = (host: string, { url }: DeveloperText) => isOnHost(new URL(url).hostname, host);
  const isAny = repos.length + sources.length === 0;
  const none = { issue: false, pullRequest: false, readme: false };
  return {
    texts: skills.filter(
      (text) => isAny || repos.some((repo) => isOf(repo, text)) || sources.some((host) => isOn(host, text)),
    ),
    repos: repos.map((repo) => ({ repo, indexed: skills.some((text) => isOf(repo, text)), types: none })),
    sources: sources.map((source) => ({ source, indexed: skills.some((text) => isOn(source, text)) })),
  };
}

function textsOf(found: Awaited<ReturnType<AskOwnIndex>>): DeveloperText[] {
  return (found ?? []).map(({ url, title, description }) => ({ id: `doc:${url}`, url, title, markdown: description }));
}
