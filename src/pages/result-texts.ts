import type { ScrapeOptions } from "../contract/index.ts";
import type { ReadResultText } from "../search/index.ts";

export interface ResultTextRequest {
  teamId: string;
  /** How the caller wants pages to be read; headers, actions and storage of the caller's own are not used. */
  options: ScrapeOptions;
}

/** Opens the reading of search results for one request: uncharged, neither listed by map nor added to the local index. */
export type OpenResultTexts = (request: ResultTextRequest, signal: AbortSignal) => ReadResultText;
