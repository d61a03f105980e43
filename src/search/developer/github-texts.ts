// What GitHub is asked for texts of repositories, and how its answers are read: issues, merged pull requests, READMEs.
import { type AnswerObject, asText, isAnswerObject, listAt, objectAt } from "../providers/json.ts";
import { githubHeaders } from "../sources/github.ts";
import type { SourceAnswer, SourceCall } from "../sources/source.ts";
import type { DeveloperText, RepositoryFilter } from "./developer-text.ts";

export interface Repository {
  /** owner/name. */
  name: string;
  url: string;
  description: string;
  /** SPDX; null when GitHub knows of none. */
  license: string | null;
  hasIssues: boolean;
  /** For the filter. */
  facts: AnswerObject;
}

export type ThreadKind = "issue" | "pull_request";

const mostPerCall = 100;
const quoted = (text: string) => `"${text.replaceAll(/["\\]/g, " ").trim()}"`;

/** Repositories that fit the words and the filter; without words those with the most stars. */
export function repositorySearch(words: string, filter: RepositoryFilter, count: number, key: string | null) {
  const q = [words, ...qualifiersOf(filter)].filter(Boolean).join(" ");
  return search("repositories", q, count, key, words === "" ? "stars" : undefined);
}

/** Those of these repositories that exist. */
export function repositoryLookup(names: readonly string[], key: string | null): SourceCall {
  return search("repositories", [...names.map((name) => `repo:${name}`), "fork:true"].join(" "), names.length, key);
}

export function threadSearch(
  kind: ThreadKind,
  { words, names, filter }: { words: string; names: readonly string[]; filter: RepositoryFilter },
  count: number,
  key: string | null,
): SourceCall {
  const { language, archived } = filter;
  const wanted = names.length > 0 ? names.map((name) => `repo:${name}`) : qualifiersOf({ language, archived });
  return search("issues", [words, kind === "issue" ? "is:issue" : "is:pr is:merged", ...wanted].join(" "), count, key);
}

export function readmeOf(name: string, key: string | null): SourceCall {
  return { path: `/repos/${name}/readme`, headers: githubHeaders(key) };
}

function search(of: string, q: string, count: number, key: string | null, sort?: string): SourceCall {
  const query = { q, sort, per_page: Math.max(1, Math.min(count, mostPerCall)) };
  return { path: `/search/${of}`, headers: githubHeaders(key), query };
}

function qualifiersOf({
  language,
  topic = [],
  license,
  minStars,
  maxStars,
  archived,
  fork,
}: RepositoryFilter): string[] {
  const hasStars = minStars !== undefined || maxStars !== undefined;
  return [
    ...(language === undefined ? [] : [`language:${quoted(language)}`]),
    ...topic.map((each) => `topic:${quoted(each)}`),
    ...(license === undefined ? [] : [`license:${quoted(license.toLowerCase())}`]),
    ...(hasStars ? [`stars:${minStars ?? "*"}..${maxStars ?? "*"}`] : []),
    ...(archived === undefined ? [] : [`archived:${archived}`]),
    ...(fork === true ? ["fork:only"] : []),
  ];
}

/** Null when the shape of the answer is unknown, as for the others that read one. */
export function readRepositories({ json }: SourceAnswer): Repository[] | null {
  const items = isAnswerObject(json) && "items" in json ? listAt(json, "items") : null;
  return (
    items &&
    items.map((facts) => {
      const license = asText(objectAt(facts, "license").spdx_id);
      return {
        name: asText(facts.full_name),
        url: asText(facts.html_url),
        description: asText(facts.description),
        license: license === "" || license === "NOASSERTION" ? null : license,
        hasIssues: facts.has_issues !== false,
        facts,
      };
    })
  );
}

/** GitHub is asked for these; where a caller names repositories, they are compared here. */
export function fitsFilter({ facts, license }: Repository, filter: RepositoryFilter): boolean {
  const fold = (value: unknown) => asText(value).toLowerCase();
  const topics = Array.isArray(facts.topics) ? facts.topics.map(fold) : [];
  const stars = Number(facts.stargazers_count) || 0;
  const { language, topic = [], minStars = 0, maxStars = Number.POSITIVE_INFINITY, archived, fork } = filter;
  return (
    (language === undefined || fold(facts.language) === language.toLowerCase()) &&
    topic.every((each) => topics.includes(each.toLowerCase())) &&
    (filter.license === undefined || license?.toLowerCase() === filter.license.toLowerCase()) &&
    stars >= minStars &&
    stars <= maxStars &&
    (archived === undefined || (facts.archived === true) === archived) &&
    (fork === undefined || (facts.fork === true) === fork)
  );
}

export function readThreads({ json }: SourceAnswer, kind: ThreadKind): DeveloperText[] | null {
  const items = isAnswerObject(json) && "items" in json ? listAt(json, "items") : null;
  return (
    items &&
    items.flatMap((item) => {
      const name = /\/repos\/([^/]+\/[^/]+)$/.exec(asText(item.repository_url))?.[1];
      const url = asText(item.html_url);
      const pull = objectAt(item, "pull_request");
      const isWanted = kind === "issue" ? !("pull_request" in item) : pull.merged_at != null;
      if (name === undefined || url === "" || !isWanted) return [];
      const title = asText(item.title);
      const id = `${kind}:${name}#${Number(item.number)}`;
      return [{ id, url, title, repository: name, markdown: asText(item.body) || title }];
    })
  );
}

/** Null also for a README that is no text. */
export function readReadme({ json }: SourceAnswer): { markdown: string; url: string } | null {
  if (!isAnswerObject(json) || json.encoding !== "base64") return null;
  const markdown = Buffer.from(asText(json.content), "base64").toString("utf8");
  return { markdown, url: asText(json.html_url) };
}
