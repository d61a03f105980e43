// How many pages of a job may still be started on the team's credits.
import type { Credits } from "../../accounts/index.ts";
import { hasAnswer } from "../../jobs/index.ts";
import { pagePrice } from "../../pages/index.ts";
import type { Job, Statements } from "../../store/index.ts";
import { shownSettings } from "./job-settings.ts";

export function createPageCounter(credits: Credits) {
  /** `inWork` pages of the team are in work and will have to be paid. */
  return async (statements: Statements, job: Job, inWork: number): Promise<number> => {
    // Extracts and agents have caps of their own, and what they have read is to be answered.
    if (!credits.isLimited || hasAnswer(job.kind)) return Number.POSITIVE_INFINITY;
    const price = pagePrice(shownSettings(job).scrapeOptions);
    return (await credits.countPages(statements, job.teamId, price)) - inWork;
  };
}
