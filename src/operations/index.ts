export { createPageCache } from "./page-cache.ts";
export { createPageReader } from "./read-page.ts";
export { createScrapeOperations } from "./scrape.ts";
export { createTeamOperations } from "./team.ts";
