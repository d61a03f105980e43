export { createMapOperations, type MapDeps } from "./map.ts";
export { createPageCache } from "./page-cache.ts";
export { createPageRecorder } from "./page-record.ts";
export { createPageReader } from "./read-page.ts";
export { createScrapeOperations, type ScrapeDeps } from "./scrape.ts";
export { createSiteReader } from "./site-reader.ts";
export { createTeamOperations } from "./team.ts";
