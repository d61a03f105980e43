export type {
  AttributeQuery,
  AttributeValues,
  ContentFormats,
  ContentRequest,
  ContentResult,
  PageContent,
  UnsupportedContent,
} from "./content.ts";
export { diffLines, type LineDiff } from "./line-diff.ts";
export type { PageMetadata } from "./metadata.ts";
export type { Outlink, Outlinks } from "./outlinks.ts";
export { type ContentFailure, type ContentPool, type ContentPoolOptions, createContentPool } from "./pool.ts";
export { type BadSelector, findBadSelector } from "./selectors.ts";
