// The operations that stop when their caller hangs up: they get an abort signal. Every other operation runs to its end.

export const stopsWithCaller = [
  "scrape",
  "readScrape",
  "parse",
  "map",
  "search",
  "searchGov",
  "searchPapers",
  "readPaper",
  "listSimilarPapers",
  "readSearch",
  "addToIndex",
  "startCrawl",
  "previewCrawl",
  "createSession",
  "executeInSession",
  "interact",
  "watchCrawl",
  "watchBatch",
] as const;

export type StoppableName = (typeof stopsWithCaller)[number];
