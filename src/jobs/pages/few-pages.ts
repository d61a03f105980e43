// Why a crawl or batch that has ended shows no or only one page: no success hides an empty result, or one that a single option
// would change.

import type { Document } from "../../contract/index.ts";
import type { Job, Store } from "../../store/index.ts";
import { shownSettings } from "../engine/job-settings.ts";
import type { ResultDetails } from "./task-page.ts";

/** Null when there is nothing to say. */
export async function explainFewPages(
  store: Pick<Store, "jobResults">,
  job: Job,
  [only]: readonly Document[],
): Promise<string | null> {
  if (job.status !== "completed" || job.completed > 1) return null;
  const settings = shownSettings(job);
  const crawl = settings.kind === "crawl" ? settings.crawl : null;
  if (job.completed === 0) {
    const [first] = await store.jobResults.listErrors(job.id, 1);
    // The start page's own warning says it already.
    if (first) return job.warning?.includes(first.message) ? null : `No page could be read: ${first.message}`;
    const isNarrowed = crawl !== null && crawl.includePaths.length + crawl.excludePaths.length > 0;
    return isNarrowed ? "No page was found that includePaths and excludePaths allow." : "No page was found.";
  }
  if (crawl === null) return null;
  const { statusCode = 200 } = only?.metadata ?? {};
  if (statusCode >= 400) return `The only page that was found answered ${statusCode}.`;
  if (job.pageLimit === 1) return null;
  const [result] = await store.jobResults.list(job.id, 0, 1);
  const { leadsOutside = false } = JSON.parse(result?.details ?? "{}") as Partial<ResultDetails>;
  return leadsOutside
    ? "Only one page was found: it links to pages outside the start's path, which need crawlEntireDomain."
    : null;
}
