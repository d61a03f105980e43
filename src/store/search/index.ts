// What other rooms use of this folder.
export { type IndexEntry, type IndexedState, packEntry } from "./entries.ts";
export type { IndexedSource, IndexedSourceChanges } from "./indexed-sources.ts";
export { type LinkedPage, type PageLink, packLinks } from "./page-links.ts";
export type { IndexCounts, IndexedPage } from "./read-index.ts";
export type { IndexStats } from "./search-index.ts";
export type { SearchPlan } from "./search-plan.ts";
export type { PaceBucket, SourceState } from "./source-state.ts";
