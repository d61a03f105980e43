export { compilePatterns, type PatternSet } from "./patterns.ts";
export { type RankedLink, rank } from "./rank.ts";
export { createRobotsReader, type RobotsReader, type RobotsState } from "./robots-reader.ts";
export { createSiteScope, pageKey, siteOf } from "./site.ts";
export type { SitemapEntry } from "./sitemap-parser.ts";
export { createSitemapReader, type SitemapFile, type SitemapReader } from "./sitemap-reader.ts";
export { type SitemapWalk, walkSitemaps } from "./sitemaps.ts";
