export { readGlob } from "./patterns/glob.ts";
export { createPathFilter } from "./patterns/path-filter.ts";
export { createLinkScorer, type ScoreLink } from "./rank/link-score.ts";
export { rank } from "./rank/rank.ts";
export { type Label, readSubject } from "./rank/subject.ts";
export { createRobotsReader, type RobotsReader, type RobotsState } from "./robots/robots-reader.ts";
export { type CrawlScope, createCrawlScope, maxLinksPerPage } from "./scope/crawl-scope.ts";
export { createSiteScope, pageKey, siteOf } from "./scope/site.ts";
export { createSitePages, type SitePage, siteKeyOf } from "./scope/site-pages.ts";
export {
  type ArrivedSitemap,
  createSitemapReader,
  type FetchedSitemap,
  type SitemapFile,
} from "./sitemaps/sitemap-reader.ts";
export type { SitemapEntry } from "./sitemaps/sitemap-shapes.ts";
export { type SitemapWalk, walkSitemaps } from "./sitemaps/sitemaps.ts";
