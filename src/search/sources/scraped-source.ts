import { sourceDefaults } from "./source.ts";

/**
 * What engines whose pages are read have in common: they change without notice and ask for captchas. One attempt, no disguise;
 * an engine that refuses rests for long.
 */
export const scrapedSource = {
  ...sourceDefaults,
  tier: "scraped",
  pace: [{ most: 1, seconds: 2 }],
} as const;
