export { createPageAnswers } from "./answers/page-answers.ts";
export { doubtsAbout } from "./answers/page-questions.ts";
export { createPageCache, resultAgeMs } from "./cache/page-cache.ts";
export { createChangeTracker } from "./changes/change-tracking.ts";
export { createDataFiller, type DataRequest, type FilledByModel } from "./data/data-filler.ts";
export { createLazyExtraction, type LazyExtraction } from "./data/lazy-extraction.ts";
export { createSchemaCheck, type SchemaCheck } from "./data/schema-check.ts";
export { remakeDocument } from "./document/page-document.ts";
export { type BrowserCheck, createBrowserCheck, savesProfile } from "./fetching/browser-check.ts";
export { type BrowserProfiles, createBrowserProfiles, type OpenProfile } from "./fetching/browser-profiles.ts";
export { createPageFetcher } from "./fetching/fetch-page.ts";
export { type OutputPlan, planOutputs, readerInput } from "./formats/plan-outputs.ts";
export {
  createMediaReader,
  createMediaTray,
  mediaBlobs,
  type NewMedia,
  toMediaLink,
  withMediaLinks,
  withTraceLinks,
} from "./media/media.ts";
export { createLanguageModel, type LanguageModel, type ModelUse, modelText } from "./model/language-model.ts";
export { modelError, modelWarning } from "./model/model-failure.ts";
export {
  createPageScraper,
  type PageScraper,
  type PageScraperDeps,
  robotsRefusal,
  type StoredDetails,
  scrapeRecord,
} from "./obtain-page.ts";
export {
  createPageReader,
  type PageFailure,
  type PageOutcome,
  type PageReader,
  type PageReading,
} from "./reading/read-page.ts";
export {
  assembleDocument,
  createPageRecorder,
  keepsNothing,
  type PageFacts,
  type PageRecorder,
  type PageRows,
  pagePrice,
  writePages,
} from "./record/page-record.ts";
export { createReplays, type Replay, type Replays } from "./record/replay.ts";
export { createStoredPages, type FindStoredPage, type StoredPage } from "./record/stored-page.ts";
export { createRedirectRule, type RedirectRule } from "./redirect-rule.ts";
export { createSiteReader, type SiteReader, type SiteRequest } from "./site/site-reader.ts";
export { type Judge, judgeOrThrow } from "./url-check.ts";
export { noneValid, refusalOf, sortOut } from "./url-list.ts";
