export { createPageAnswers } from "./answers/page-answers.ts";
export { createPageCache } from "./cache/page-cache.ts";
export { type ChangeTracker, createChangeTracker } from "./changes/change-tracking.ts";
export { createDataFiller, type DataRequest, type FilledByModel } from "./data/data-filler.ts";
export { createLazyExtraction, type LazyExtraction } from "./data/lazy-extraction.ts";
export { createSchemaCheck, type SchemaCheck } from "./data/schema-check.ts";
export { assembleDocument, type PageFacts } from "./document/answered-document.ts";
export { createAttemptMemory } from "./fetch-strategy/attempt-memory.ts";
export { type BrowserCheck, createBrowserCheck, savesProfile } from "./fetching/browser-check.ts";
export { type BrowserProfiles, createBrowserProfiles, type OpenProfile } from "./fetching/browser-profiles.ts";
export { createPageFetcher, type PageConditions, type PageFetcher } from "./fetching/fetch-page.ts";
export { createProxyWarnings } from "./fetching/proxy-warnings.ts";
export { createFileRunner, type FileRunner } from "./files/file-runner.ts";
export { createDocumentReader, createPageFileReader, type ReadDocument } from "./files/page-file.ts";
export { ignoredOptions, type OutputPlan, planExtraction, planOutputs } from "./formats/plan-outputs.ts";
export { doubtsAbout } from "./formats/text-answers.ts";
export { createHostStats, type HostStats } from "./hosts/host-stats.ts";
export { withoutMarkup } from "./indexed-files/markdown-text.ts";
export { createFileReader, type ReadFile } from "./indexed-files/read-indexed-file.ts";
export { createCaptionReader } from "./media/captions.ts";
export { createMediaCollector, createMediaReader, mediaBlobs, type NewMedia } from "./media/media.ts";
export { toMediaLink, withMediaLinks, withTraceLinks } from "./media/media-links.ts";
export { createLanguageModel, type LanguageModel, type ModelUse, modelText } from "./model/language-model.ts";
export { modelError, modelWarning } from "./model/model-failure.ts";
export { createFileObtainer, type ObtainFile, type SentFile } from "./obtain-file.ts";
export {
  type ConditionalPageRequest,
  createPageObtainer,
  type ObtainedPage,
  type ObtainFailure,
  type ObtainPage,
  type PageRequest,
  type Payer,
} from "./obtain-page.ts";
export { type CallerProxyCheck, createCallerProxyCheck } from "./proxy-check.ts";
export type { NotModified, PageFailure, PageOutcome, PageReading } from "./reading/page-reading.ts";
export { createByteReader } from "./reading/read-bytes.ts";
export { createPageReader, type ReadUrl } from "./reading/read-page.ts";
export { createSiteRulesReader } from "./reading/site-rules.ts";
export { createAttempts } from "./reading/try-attempts.ts";
export { contentKey, fingerprintKey, makeFingerprint } from "./record/page-fingerprint.ts";
export { pagePrice } from "./record/page-price.ts";
export {
  createPageRecorder,
  emptyRows,
  type IndexIntake,
  keepsNothing,
  type PageRecorder,
  type PageRows,
  type SearchablePage,
  writePages,
} from "./record/page-record.ts";
export { rememberPage } from "./record/remember-page.ts";
export { createReplays, type Replay, type Replays } from "./record/replay.ts";
export { createPageSaver, type SavePages } from "./record/save-pages.ts";
export { type PageDetails, type StoredDetails, scrapeRecord } from "./record/stored-details.ts";
export { readStoredDocument } from "./record/stored-document.ts";
export { createStoredPages, type FindStoredPage, type StoredPage } from "./record/stored-page.ts";
export {
  createRobotsChecks,
  isOffline,
  type RobotsCheck,
  type RobotsChecks,
  type RobotsRefusal,
} from "./robots/robots-check.ts";
export { loadDiscovery } from "./site/load-discovery.ts";
export { createSiteReader, type SiteReader, type SiteRequest } from "./site/site-reader.ts";
export { readSitemapsOf } from "./site/site-sitemaps.ts";
export { createSiteUrlFinder, type FindSiteUrls, type SiteUrlsRequest } from "./site-urls/find-site-urls.ts";
export { createStartPageReader } from "./site-urls/start-page.ts";
export { createResultTexts, type OpenResultTexts } from "./texts/result-texts.ts";
export { type CheckUrl, requireAllowedUrl } from "./url-check.ts";
export { noneValid, refusalOf, sortOut } from "./url-list.ts";
