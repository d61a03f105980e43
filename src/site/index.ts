export { createSite, type Site } from "./assembly/create-site.ts";
export type { SiteReader, SiteRequest } from "./sitemaps/site-reader.ts";
export { readSitemapsOf } from "./sitemaps/site-sitemaps.ts";
export type { FindSiteUrls, SiteUrlsRequest } from "./urls/find-site-urls.ts";
