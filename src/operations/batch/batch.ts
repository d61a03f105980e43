// A batch: a list of pages that is read as one job.

import { bareUrl, basicAuthorization, isoTime } from "../../base/index.ts";
import type { IndexTerms, OperationInput } from "../../contract/index.ts";
import { jobProgressOf, type NamedTasks } from "../../jobs/index.ts";
import { pagePrice, planOutputs } from "../../pages/index.ts";
import { savesProfile } from "../../reach/index.ts";
import type { Job } from "../../store/index.ts";
import { acceptUrls } from "../parts/accept-urls.ts";
import { anyUrl, checkArchiveUse, exportWith, joinArchive } from "../parts/archive-use.ts";
import { type OperationParts, type ServedOperations, warningOf } from "../parts/operation-parts.ts";
import { pageOfJobs } from "../parts/page-of-jobs.ts";
import { checkFormatSchemas } from "../parts/schema-check.ts";

export interface BatchOptions {
  /** Pages of a team at the same time. */
  teamConcurrency: number;
}

export function createBatchOperations(parts: OperationParts, { teamConcurrency }: BatchOptions) {
  const { credits, extraction, model, checkUrl, requireBrowser, archives } = parts;
  const { starter, documents, pauser, exportJob } = parts.jobs;

  return {
    async startBatch(input: OperationInput<"startBatch"> & IndexTerms, caller) {
      const { scrapeOptions, webhook, appendToId, ignoreInvalidURLs } = input;
      const plan = planOutputs(scrapeOptions, model?.name);
      await checkFormatSchemas(extraction, scrapeOptions);
      requireBrowser(scrapeOptions);
      starter.checkWebhook(webhook);
      starter.checkRetention(input.retentionHours);
      const isReplay = input.replay !== undefined;
      const { urls, first, invalid } = acceptUrls(input, isReplay ? anyUrl : checkUrl);
      await checkArchiveUse(archives, input, caller.teamId);
      const price = pagePrice(scrapeOptions, undefined, isReplay);
      await credits.require(caller.teamId, urls.length * price);

      const target = scrapeOptions.zeroDataRetention ? "" : bareUrl(first);
      const { tasks, credentials } = nameTasks(urls, 0);
      const most = Math.min(input.maxConcurrency ?? teamConcurrency, teamConcurrency);
      const warnings = [...plan.warnings];
      if (appendToId !== undefined) {
        const named = { kind: "batch" as const, id: appendToId, name: (from: number) => nameTasks(urls, from) };
        const isAsAsked = await starter.append({ ...named, target, scrapeOptions, webhook }, caller);
        if (!isAsAsked) warnings.push(ownOptionsHold);
      }
      const id =
        appendToId ??
        (await starter.start<"batch">(
          {
            settings: {
              kind: "batch",
              url: bareUrl(first),
              scrapeOptions,
              credentials,
              baseUrl: caller.baseUrl,
              sourceId: input.sourceId,
              archive: input.archive,
              replay: input.replay,
            },
            ...joinArchive(archives, input, { teamId: caller.teamId, url: first, source: "batch" }),
            webhook,
            target,
            pageLimit: tasks.length,
            maxActive: savesProfile(scrapeOptions) ? 1 : most,
            delayMs: 0,
            tasks,
            warning: null,
            limits: { pagePrice: price, retentionHours: input.retentionHours },
          },
          caller,
        ));
      return {
        success: true,
        id,
        url: `${caller.baseUrl}/v2/batch/scrape/${id}`,
        ...(ignoreInvalidURLs ? { invalidURLs: invalid } : {}),
        ...warningOf(warnings),
      };
    },

    async listBatches(input, { teamId }) {
      const { page, cursor, hasMore } = await pageOfJobs(parts, "batch", input, teamId);
      return { success: true, batchScrapes: page.map(listedBatch), cursor, has_more: hasMore };
    },

    readBatch: documents.read,
    cancelBatch: documents.cancel,
    listBatchErrors: documents.listErrors,
    watchBatch: documents.watch,
    pauseBatch: ({ id }, caller) => pauser.pause("batch", id, caller),
    exportBatch: (input, caller) => exportWith(archives, exportJob, "batch", input, caller),
    resumeBatch: ({ id }, caller) => pauser.resume("batch", id, caller),
  } satisfies ServedOperations;
}

function listedBatch(job: Job) {
  const { status, completed, total } = jobProgressOf(job);
  const { id, teamId, known: urlCount } = job;
  return { id, teamId, created_at: isoTime(job.createdAt), urlCount, status, completed, total };
}

const ownOptionsHold = "The added pages are read with the options of the batch, not with those of this request.";

/** Pages are known by their place in the list: the same URL twice is read twice. */
function nameTasks(urls: readonly string[], from: number): NamedTasks<"batch"> {
  const credentials: Record<string, string> = {};
  const tasks = urls.map((text, index) => {
    const url = new URL(text);
    const key = String(from + index);
    const authorization = basicAuthorization(url);
    if (authorization !== null) credentials[key] = authorization;
    return { key, url: bareUrl(url), depth: 0, kind: "page" as const, step: null };
  });
  return { tasks, credentials };
}
