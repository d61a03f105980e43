// How many pages of a job may still be started on the team's credits.
import type { Credits } from "../../accounts/index.ts";
import type { CountAffordable } from "./claim.ts";
import { hasAnswer } from "./job-kinds.ts";

export function createPageCounter(credits: Credits): CountAffordable {
  return async (statements, job, active) => {
    // A job with an answer has its own limits, and must answer from what it has read.
    if (!credits.isLimited || hasAnswer(job.kind)) return Number.POSITIVE_INFINITY;
    return (await credits.countPages(statements, job.teamId, job.pagePrice)) - active;
  };
}
