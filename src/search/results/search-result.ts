import type { ProviderResult, ProviderSource } from "../providers/search-provider.ts";

export type SearchResult = ProviderResult;

/** The results of each source that was asked for. */
export type ResultGroups = ReadonlyMap<ProviderSource, readonly SearchResult[]>;

/** What the page of a result says. */
export interface ResultText {
  title: string;
  description: string;
  text: string;
  /** Where the page links to. */
  links: readonly string[];
}

/** Reads the page of a result to decide what its title and description leave open; null when it cannot be read. */
export type ReadResultText = (url: string) => Promise<ResultText | null>;
