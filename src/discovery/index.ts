export { type CrawlScope, createCrawlScope, maxLinksPerPage } from "./crawl-scope.ts";
export { createPathFilter } from "./path-filter.ts";
export { type RankedLink, rank } from "./rank.ts";
export { createRobotsReader, type RobotsReader, type RobotsState } from "./robots-reader.ts";
export { createSiteScope, pageKey, siteOf } from "./site.ts";
export { createSitePages, type SitePage } from "./site-pages.ts";
export { type ArrivedSitemap, createSitemapReader, type FetchedSitemap, type SitemapFile } from "./sitemap-reader.ts";
export type { SitemapEntry } from "./sitemap-shapes.ts";
export { type SitemapWalk, walkSitemaps } from "./sitemaps.ts";
