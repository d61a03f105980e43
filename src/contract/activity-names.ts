// What a team can be seen doing.

/** The values of `endpoint` in the activity listing; the specification names exactly these. */
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
