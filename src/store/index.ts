// The door of the store: the doors of its folders, each of which lists what other rooms use.
export * from "./accounts/index.ts";
export * from "./archives/index.ts";
export * from "./blobs/index.ts";
export * from "./browser/index.ts";
export * from "./doors/index.ts";
export type { FieldRun, PageWords, WordRun } from "./engine/search-words.ts";
export * from "./jobs/index.ts";
export * from "./monitors/index.ts";
export type { MovedTable } from "./moving/table-keys.ts";
export * from "./notices/index.ts";
export * from "./opening/index.ts";
export * from "./pages/index.ts";
export * from "./schema/index.ts";
export * from "./search/index.ts";
export * from "./secrets/index.ts";
export * from "./upkeep/index.ts";
