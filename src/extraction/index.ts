// Fills JSON Schemas from pages without a language model: every value comes from a page, with its place.
// A page is read where its tree is (the content pool's thread, by the module `pageReader` names); what the pages gave is
// then put together and checked against the schema in a separate thread, because schemas come from callers.
export type { DataRequest, FilledByModel } from "./filling/data-filler.ts";
export type { Evidence, FilledData, LinkedItem, PageFinding } from "./findings/finding.ts";
export type { ReaderInput, SiteRulesUse, ThingName } from "./reading/schema-reader.ts";
export type { SiteObservation } from "./site-rules/count-observations.ts";
export type { SiteRuleSet } from "./site-rules/rule-set.ts";
export { createExtractor, type Extractor, type PassageAnswer } from "./threads/extractor.ts";
export { pageReader } from "./threads/schema-reader-file.ts";
