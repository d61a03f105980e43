// Fills JSON Schemas from pages without a language model: every value comes from a page, with its place.
// A page is read where its tree is (the content pool's thread, by the module `pageReader` names); what the pages gave is
// then put together and checked against the schema in a separate thread, because schemas come from callers.
export type { FillRequest } from "./filling/fill.ts";
export type { Evidence, FilledData, FindingMethod, Found, PageFinding, Place } from "./findings/finding.ts";
export { noModelWarning, type TextPassage } from "./passages/passages.ts";
export type { ReaderInput, SiteRulesUse, ThingName } from "./reading/schema-reader.ts";
export type { SchemaVerdict } from "./schema/schema-bounds.ts";
export { type SiteObservation, withObservation } from "./site-rules/count-observations.ts";
export type { SiteRuleSet } from "./site-rules/rule-set.ts";
export { loadThingFormats } from "./things/load-things.ts";
export { createExtractor, type Extractor, type MarkdownFormatName, type PassageAnswer } from "./threads/extractor.ts";
export { pageReader } from "./threads/schema-reader-file.ts";
