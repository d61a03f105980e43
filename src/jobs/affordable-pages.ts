// How many pages of a job may still be started on the team's credits.
import type { Credits } from "../accounts/index.ts";
import type { ScrapeOptions } from "../contract/index.ts";
import type { CountAffordable } from "./claim.ts";
import { hasAnswer } from "./job-kinds.ts";
import { shownSettings } from "./job-settings.ts";

export interface PageCounterDeps {
  credits: Credits;
  priceOf(options: ScrapeOptions): number;
}

export function createPageCounter({ credits, priceOf }: PageCounterDeps): CountAffordable {
  return async (statements, job, inWork) => {
    // A job with an answer has its own limits, and must answer from what it has read.
    if (!credits.isLimited || hasAnswer(job.kind)) return Number.POSITIVE_INFINITY;
    const price = priceOf(shownSettings(job).scrapeOptions);
    return (await credits.countPages(statements, job.teamId, price)) - inWork;
  };
}
