// The kinds of activity that a team's activity list shows.

/** The values of `endpoint` in the activity list. */
export const activityNames = [
  "scrape",
  "crawl",
  "batch_scrape",
  "search",
  "extract",
  "llmstxt",
  "deep_research",
  "map",
  "agent",
  "browser",
  "interact",
] as const;
export type ActivityName = (typeof activityNames)[number];
