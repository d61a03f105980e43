// A question about programs, and a text that may answer it, whatever source it is from.

/** Which repositories are wanted; what is undefined does not matter. */
export interface RepositoryFilter {
  language?: string | undefined;
  topic?: readonly string[] | undefined;
  license?: string | undefined;
  minStars?: number | undefined;
  maxStars?: number | undefined;
  archived?: boolean | undefined;
  fork?: boolean | undefined;
}

export interface DeveloperQuestion {
  query: string;
  count: number;
  /** Passages of each result. */
  passages: number;
  kinds: readonly ("doc" | "issue" | "pull_request" | "readme")[];
  /** Only these, owner/name; any when empty. */
  repos: readonly string[];
  /** Documentation of these hosts only; any when empty. */
  sources: readonly string[];
  filter: RepositoryFilter;
  /** Nothing but files named SKILL.md. */
  onlySkills: boolean;
}

export interface DeveloperText {
  /** Begins with its kind. */
  id: string;
  url: string;
  title: string;
  /** owner/name; of a text of a repository. */
  repository?: string;
  /** SPDX. */
  license?: string | undefined;
  /** The whole of it, or as much as its source tells. */
  markdown: string;
  /** The same in parts, where each has its own URL. */
  parts?: readonly { text: string; url: string }[];
}
