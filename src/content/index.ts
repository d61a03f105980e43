export { diffLines, type LineDiff } from "./changes/line-diff.ts";
export type { Outlink, Outlinks } from "./links/outlinks.ts";
export type { PageUrls } from "./links/page-urls.ts";
export { calibrated } from "./main/confidence.ts";
export type { PageMetadata } from "./metadata/metadata.ts";
export { monthNames, monthNumberOf } from "./metadata/months.ts";
export { captionText } from "./outputs/captions.ts";
export { type FileRequest, fileMark, type TextPlace } from "./outputs/file-parts.ts";
export type { PageMedia } from "./outputs/media.ts";
export type { SearchText } from "./outputs/search-text.ts";
export type {
  AttributeQuery,
  AttributeValues,
  ContentFormats,
  ContentRequest,
  ContentResult,
  PageContent,
  UnsupportedContent,
} from "./reading/content-request.ts";
export type { PageReaderOf, PageSource } from "./reading/page-reader.ts";
export { phoneTestFor } from "./redaction/phone-plans.ts";
export { type RedactedKind, type Redaction, redactText } from "./redaction/redact-text.ts";
export { type ContentFailure, type ContentPool, type ContentPoolOptions, createContentPool } from "./threads/pool.ts";
export { readReferences } from "./tree/html-references.ts";
export { readLooseJson } from "./tree/loose-json.ts";
export { attribute, isElement, isText, orderOf, textOf } from "./tree/nodes.ts";
export type { PageParts } from "./tree/page-parts.ts";
export { type BadSelector, findAll, findBadSelector } from "./tree/selectors.ts";
export { type PageVerdict, verdictOfStatus } from "./verdict/page-verdict.ts";
