export { createPageIndexer, type PageIndexer, type PageToIndex } from "./page-indexer.ts";
export type { OpenResultTexts, ResultTextRequest } from "./result-texts.ts";
export { createSiteUrlFinder, type FindSiteUrls, type SiteUrlsRequest } from "./site/find-site-urls.ts";
export { createSiteReader, type SiteReader, type SiteRequest } from "./site/site-reader.ts";
export { readSitemapsOf } from "./site/site-sitemaps.ts";
export type { ReadStartPage } from "./site/site-start.ts";
