export type { Outlink, Outlinks } from "./links/outlinks.ts";
export type { PageUrls } from "./links/page-urls.ts";
export { calibrated } from "./main/confidence.ts";
export { monthNames, monthNumberOf } from "./metadata/months.ts";
export { captionText } from "./outputs/captions.ts";
export { type FileRequest, fileMark, type TextPlace } from "./outputs/file-parts.ts";
export type { PageMedia } from "./outputs/media.ts";
export type { SearchText } from "./outputs/search-text.ts";
export type {
  ContentFormats,
  ContentRequest,
  PageContent,
} from "./reading/content-request.ts";
export type { PageReaderOf, PageSource } from "./reading/page-reader.ts";
export { type ContentPool, createContentPool } from "./threads/pool.ts";
