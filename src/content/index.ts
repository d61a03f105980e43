export type { Addresses } from "./addresses.ts";
export type {
  AttributeQuery,
  AttributeValues,
  ContentFormats,
  ContentRequest,
  ContentResult,
  PageContent,
  PageSource,
  ReadPage,
  UnsupportedContent,
} from "./content.ts";
export { diffLines, type LineDiff } from "./line-diff.ts";
export { readJson } from "./loose-json.ts";
export type { PageMetadata } from "./metadata/metadata.ts";
export { monthNames, monthOf } from "./metadata/months.ts";
export { attribute, isElement, isText, orderOf, textOf } from "./nodes.ts";
export type { Outlink, Outlinks } from "./outlinks.ts";
export type { PageParts } from "./page-parts.ts";
export { type ContentFailure, type ContentPool, type ContentPoolOptions, createContentPool } from "./pool.ts";
export type { SearchText } from "./search-text.ts";
export { type BadSelector, findBadSelector } from "./selectors.ts";
export { readReferences } from "./tree/html-references.ts";
