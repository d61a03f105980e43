// Fills JSON Schemas from pages without a language model: every value stands on a page, and its place is told.
// A page is read where its tree is (the content pool's thread, by the module `pageReader` names); what the pages gave is
// then put together and checked against the schema in a thread of its own, because schemas come from callers.
export { createExtractor, type Extractor, type FillRequest, type TextAnswer } from "./extractor.ts";
export type { Evidence, FilledData, Found, Method, PageFinding, Place } from "./finding.ts";
export { pageReader, type ReaderInput } from "./page-reader-file.ts";
export { noModelWarning, type Passage } from "./passages.ts";
export type { SchemaVerdict } from "./schema/schema-bounds.ts";
