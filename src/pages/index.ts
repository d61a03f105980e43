export { createPages, type PagesOptions } from "./assembly/create-pages.ts";
export { keepsNothing } from "./cache/copy-use.ts";
export { createDataFiller, type DataRequest, type FilledByModel } from "./data/data-filler.ts";
export { createLazyExtraction, type LazyExtraction } from "./data/lazy-extraction.ts";
export type { SchemaCheck } from "./data/schema-check.ts";
export { assembleDocument } from "./document/answered-document.ts";
export type { FileRunner } from "./files/file-runner.ts";
export type { ReadDocument } from "./files/page-file.ts";
export type { BrowserCheck } from "./formats/browser-check.ts";
export { ignoredOptions, type OutputPlan, plainPlan, planExtraction, planOutputs } from "./formats/plan-outputs.ts";
export { doubtsAbout } from "./formats/text-answers.ts";
export { withoutMarkup } from "./indexed-files/markdown-text.ts";
export { createFileReader } from "./indexed-files/read-indexed-file.ts";
export { createMediaCollector, mediaBlobs, type NewMedia, type ReadMedia } from "./media/media.ts";
export { toMediaLink, withMediaLinks, withTraceLinks } from "./media/media-links.ts";
export { createLanguageModel, type LanguageModel, type ModelUse, modelText } from "./model/language-model.ts";
export { modelError, modelWarning } from "./model/model-failure.ts";
export type { ObtainFile, ObtainPage, SentFile } from "./obtain/obtain-page.ts";
export type { ReadStoredDocument } from "./obtain/stored-document.ts";
export { contentKey, fingerprintKey, makeFingerprint } from "./record/page-fingerprint.ts";
export { pagePrice } from "./record/page-price.ts";
export type { PageReading } from "./record/page-reading.ts";
export {
  emptyRows,
  type IndexIntake,
  type PageRecorder,
  type PageRows,
  type SearchablePage,
  writePages,
} from "./record/page-record.ts";
export { rememberPage } from "./record/remember-page.ts";
export type { Replay, Replays } from "./record/replay.ts";
export type { SavePages } from "./record/save-pages.ts";
export { type PageDetails, type StoredDetails, scrapeRecord } from "./record/stored-details.ts";
export { createStoredPages, type FindStoredPage } from "./record/stored-page.ts";
export type { ConditionalPageRequest, ObtainedPage, ObtainFailure, PageRequest } from "./stages/asked-page.ts";
export type { OpenResultTexts } from "./texts/result-texts.ts";
