export { createPages, type Pages, type PagesOptions } from "./assembly/create-pages.ts";
export { assembleDocument, toMediaLink, withMediaLinks, withTraceLinks } from "./document/shown-document.ts";
export type { FlowTerms } from "./flows/prepare-flow.ts";
export { ignoredOptions, type OutputPlan, plainPlan, planExtraction, planOutputs } from "./formats/plan-outputs.ts";
export { createMediaCollector, mediaBlobs, type NewMedia } from "./media/kept-media.ts";
export { pagePrice } from "./record/page-price.ts";
export { emptyRows, type IndexIntake, type PageRows, type SearchablePage, writePages } from "./record/page-record.ts";
export { type PageDetails, rememberPage, type StoredDetails, scrapeRecord } from "./record/stored-details.ts";
export type {
  ConditionalPageRequest,
  ObtainedPage,
  ObtainFailure,
  ObtainPage,
  PageRequest,
} from "./stages/asked-page.ts";
