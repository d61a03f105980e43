export { createPages, type PagesOptions } from "./assembly/create-pages.ts";
export { keepsNothing } from "./cache/copy-use.ts";
export { createDataFiller, type DataRequest, type FilledByModel } from "./data/data-filler.ts";
export { createLazyExtraction, type LazyExtraction } from "./data/lazy-extraction.ts";
export { createSchemaCheck, type SchemaCheck } from "./data/schema-check.ts";
export { assembleDocument } from "./document/answered-document.ts";
export { createAttemptMemory } from "./fetch-strategy/attempt-memory.ts";
export { type BrowserCheck, savesProfile } from "./fetching/browser-check.ts";
export {
  type BrowserProfiles,
  createBrowserProfiles,
  type OpenProfile,
  type ProfileRefusal,
} from "./fetching/browser-profiles.ts";
export type { PageConditions } from "./fetching/fetch-page.ts";
export type { FileRunner } from "./files/file-runner.ts";
export type { ReadDocument } from "./files/page-file.ts";
export { ignoredOptions, type OutputPlan, planExtraction, planOutputs } from "./formats/plan-outputs.ts";
export { doubtsAbout } from "./formats/text-answers.ts";
export { createHostStats, type HostStats } from "./hosts/host-stats.ts";
export { withoutMarkup } from "./indexed-files/markdown-text.ts";
export { createFileReader } from "./indexed-files/read-indexed-file.ts";
export { createMediaCollector, createMediaReader, mediaBlobs, type NewMedia } from "./media/media.ts";
export { toMediaLink, withMediaLinks, withTraceLinks } from "./media/media-links.ts";
export { createLanguageModel, type LanguageModel, type ModelUse, modelText } from "./model/language-model.ts";
export { modelError, modelWarning } from "./model/model-failure.ts";
export type { ObtainFile, SentFile } from "./obtain/obtain-file.ts";
export type {
  ConditionalPageRequest,
  ObtainedPage,
  ObtainFailure,
  ObtainPage,
  PageRequest,
} from "./obtain/obtain-page.ts";
export { contentKey, fingerprintKey, makeFingerprint } from "./record/page-fingerprint.ts";
export { pagePrice } from "./record/page-price.ts";
export {
  emptyRows,
  type IndexIntake,
  type PageRecorder,
  type PageRows,
  type SearchablePage,
  writePages,
} from "./record/page-record.ts";
export { rememberPage } from "./record/remember-page.ts";
export { createReplays, type Replay, type Replays } from "./record/replay.ts";
export type { SavePages } from "./record/save-pages.ts";
export { type PageDetails, type StoredDetails, scrapeRecord } from "./record/stored-details.ts";
export { readStoredDocument } from "./record/stored-document.ts";
export { createStoredPages, type FindStoredPage } from "./record/stored-page.ts";
export { type CallerProxyCheck, createCallerProxyCheck } from "./request-checks/proxy-check.ts";
export { type CheckUrl, requireAllowedUrl } from "./request-checks/url-check.ts";
export { isOffline, type RobotsCheck, type RobotsChecks, type RobotsRefusal } from "./robots/robots-check.ts";
export { loadDiscovery } from "./site/load-discovery.ts";
export type { SiteReader, SiteRequest } from "./site/site-reader.ts";
export { readSitemapsOf } from "./site/site-sitemaps.ts";
export type { FindSiteUrls, SiteUrlsRequest } from "./site-urls/find-site-urls.ts";
export type { NotModified, PageReading } from "./stages/page-reading.ts";
export type { OpenResultTexts } from "./texts/result-texts.ts";
