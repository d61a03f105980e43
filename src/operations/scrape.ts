// One page for one caller: read it, note it, charge it, keep it, answer. The answer is sent after everything it
// promises is in the store.
import type { Caller, Credits } from "../accounts/index.ts";
import { bareUrl, createGroup, extendObject, newId, ServiceError } from "../base/index.ts";
import type { OperationInput, OperationOutput } from "../contract/index.ts";
import type { Activity, ScrapeRecord, Store } from "../store/index.ts";
import { type Judge, judgeOrThrow } from "./judge.ts";
import { assembleDocument, keepsNothing, type PageRows, pagePrice, writePages } from "./page-record.ts";
import { planOutputs } from "./scrape-outputs.ts";
import {
  createPageScraper,
  type PageJob,
  type PageScraperDeps,
  type ScrapedPage,
  type StoredDetails,
  scrapeRecord,
} from "./scrape-page.ts";

type ScrapeInput = OperationInput<"scrape">;
type ScrapeAnswer = OperationOutput<"scrape">;
type Options = ScrapeInput["scrapeOptions"];

export interface ScrapeDeps extends PageScraperDeps {
  store: Store;
  credits: Credits;
  /** Whether an address may be asked for; the reading judges it again where it is dialled. */
  judge: Judge;
}

/** One scrape, as all rows about it know it. */
interface Job {
  id: string;
  startedAt: number;
  caller: Caller;
  /** Without credentials: nothing that is kept or answered may hold them. */
  url: string;
  options: Options;
}

/** All rows of one scrape; they are written together or not at all. */
interface ScrapeWrite {
  page: PageRows | null;
  scrapes: ScrapeRecord[];
  activities: Activity[];
}

export function createScrapeOperations(deps: ScrapeDeps) {
  const { store, clock, credits } = deps;
  const scrapePage = createPageScraper(deps);

  const save = createGroup<ScrapeWrite>((writes) =>
    store.transaction(async (statements) => {
      await writePages(
        statements,
        writes.flatMap(({ page }) => page ?? []),
      );
      await statements.scrapes.insert(writes.flatMap((write) => write.scrapes));
      await statements.activity.insert(writes.flatMap((write) => write.activities));
    }),
  );

  async function scrape(input: ScrapeInput, caller: Caller, signal: AbortSignal): Promise<ScrapeAnswer> {
    const options = input.scrapeOptions;
    const plan = planOutputs(options);
    judgeOrThrow(deps.judge, input.url);
    const { teamId, keyId } = caller;
    await credits.require(teamId, pagePrice(options));

    const startedAt = clock.now();
    const id = newId(startedAt);
    const job: Job = { id, startedAt, caller, url: bareUrl(input.url), options };
    const page = { id, jobId: id, endpoint: "scrape" as const, teamId, keyId, url: input.url, options, plan };
    const { document, steps, rows, scrapes } = await read(page, signal).catch(async (error: unknown) => {
      // Whatever ended it, it is listed as failed.
      await save(failedWrite(job, error instanceof ServiceError ? error : new ServiceError("INTERNAL_ERROR")));
      throw error;
    });
    await save({ page: rows, scrapes, activities: [activityOf(job, "succeeded")] });
    // A loader of the official SDK looks for `success` inside the document (API.md 7.5).
    const data = input.origin.startsWith("js-sdk@") ? extendObject(document, { success: true }) : document;
    const { warning } = data;
    return {
      success: true,
      data,
      ...(warning ? { warning } : {}),
      ...(options.trace ? { trace: steps } : {}),
    };
  }

  async function read(page: PageJob, signal: AbortSignal): Promise<ScrapedPage> {
    const outcome = await scrapePage(page, signal);
    if (!outcome.ok) throw new ServiceError(outcome.code, outcome.message);
    return outcome;
  }

  function failedWrite(job: Job, { code, message }: ServiceError): ScrapeWrite {
    const { id, caller, options } = job;
    const record = scrapeRecord({ id, teamId: caller.teamId }, null, { failure: { code, message } }, clock.now());
    return {
      page: null,
      scrapes: keepsNothing(options) ? [] : [record],
      activities: [activityOf(job, "failed")],
    };
  }

  async function findStored(id: string, caller: Caller) {
    const record = await store.scrapes.find(caller.teamId, id, clock.now());
    if (!record) throw new ServiceError("JOB_NOT_FOUND");
    return { blobId: record.blobId, details: JSON.parse(record.details) as StoredDetails };
  }

  return {
    scrape,

    async readScrape({ id }: OperationInput<"readScrape">, caller: Caller): Promise<ScrapeAnswer> {
      const { blobId, details } = await findStored(id, caller);
      if (details.isSearch) throw new ServiceError("JOB_NOT_FOUND");
      if (details.failure) throw new ServiceError(details.failure.code, details.failure.message);
      const bytes = blobId && (await store.blobs.get(caller.teamId, blobId, clock.now()));
      if (!bytes) throw new ServiceError("JOB_NOT_FOUND");
      return { success: true, data: assembleDocument(JSON.parse(Buffer.from(bytes).toString("utf8")), details) };
    },

    async readTrace({ id }: OperationInput<"readTrace">, caller: Caller): Promise<OperationOutput<"readTrace">> {
      const { details } = await findStored(id, caller);
      if (!details.trace) throw new ServiceError("JOB_NOT_FOUND", "This job was not started with trace.");
      return { success: true, trace: details.trace };
    },
  };
}

function activityOf(job: Job, outcome: Activity["outcome"]): Activity {
  const { id, caller, startedAt: createdAt } = job;
  const { teamId, keyId, apiVersion } = caller;
  const target = keepsNothing(job.options) ? "" : job.url;
  return { rowId: newId(createdAt), id, teamId, keyId, apiVersion, endpoint: "scrape", target, outcome, createdAt };
}
