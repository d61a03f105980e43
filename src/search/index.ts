export { createFederation, type Federation } from "./federation/federation.ts";
export type { SourceReport } from "./federation/source-reports.ts";
export { createIndexWriter, type IndexWriter, type PageToIndex } from "./local-index/index-writer.ts";
export { createLocalIndex, type LocalIndex } from "./local-index/local-index.ts";
export { createProviders, type ProviderSettings } from "./providers/create-providers.ts";
export { parseQuery } from "./query/parse-query.ts";
export { readHost } from "./query/readable-url.ts";
export { createResultFinder, type FindResults, type FoundResults, type ResultRequest } from "./results/find-results.ts";
export type { ReadResultText, ResultGroups, SearchResult } from "./results/search-result.ts";
