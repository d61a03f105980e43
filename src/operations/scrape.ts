// One page for one caller: read it, note it, charge it, keep it, answer. The answer is sent after everything it
// promises is in the store.
import type { Caller, Credits } from "../accounts/index.ts";
import { bareUrl, type Clock, createGroup, type ErrorCode, newId, ServiceError } from "../base/index.ts";
import type { OperationInput, OperationOutput } from "../contract/index.ts";
import { acceptLanguage } from "../engines/index.ts";
import type { Activity, ScrapeRecord, Store } from "../store/index.ts";
import { type Judge, judgeOrThrow } from "./judge.ts";
import { resultAgeMs } from "./page-cache.ts";
import {
  assembleDocument,
  keepsNothing,
  type PageFacts,
  type PageRecorder,
  type PageRows,
  pagePrice,
  writePages,
} from "./page-record.ts";
import type { PageReader, PageReading, PageRequest } from "./read-page.ts";
import { planOutputs } from "./scrape-outputs.ts";
import type { SiteReader } from "./site-reader.ts";
import { createTrace, type TraceStep } from "./trace.ts";

type ScrapeInput = OperationInput<"scrape">;
type ScrapeAnswer = OperationOutput<"scrape">;
type Options = ScrapeInput["scrapeOptions"];

export interface ScrapeDeps {
  store: Store;
  clock: Clock;
  recorder: PageRecorder;
  credits: Credits;
  readPage: PageReader;
  /** Whether an address may be asked for; the reading judges it again where it is dialled. */
  judge: Judge;
  /** Where the operator wants even pages that a caller names to be allowed by robots.txt. */
  robots: Pick<SiteReader, "readRobots"> | null;
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

/** What a stored answer adds to its document, or the failure it ended with. */
interface StoredDetails extends PageFacts {
  trace?: TraceStep[];
  failure?: { code: ErrorCode; message: string };
}

export function createScrapeOperations(deps: ScrapeDeps) {
  const { store, clock, recorder, credits } = deps;

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
    const price = pagePrice(options);
    await credits.require(caller.teamId, price);

    const startedAt = clock.now();
    const job: Job = { id: newId(startedAt), startedAt, caller, url: bareUrl(input.url), options };
    const request = { teamId: caller.teamId, url: input.url, options, plan };
    const { data, steps, write } = await read(job, request, price, signal).catch(async (error: unknown) => {
      // Whatever ended it, it is listed as failed.
      await save(failedWrite(job, error instanceof ServiceError ? error : new ServiceError("INTERNAL_ERROR")));
      throw error;
    });
    await save(write);
    // A loader of the official SDK looks for `success` inside the document (API.md 7.5).
    if (input.origin.startsWith("js-sdk@")) data.success = true;
    return { success: true, data, ...(data.warning ? { warning: data.warning } : {}), ...steps };
  }

  async function read(job: Job, request: PageRequest, price: number, signal: AbortSignal) {
    const trace = createTrace();
    if (deps.robots) await obeyRobots(deps.robots, request, signal);
    const outcome = await deps.readPage(request, signal, trace);
    if (!outcome.ok) throw new ServiceError(outcome.code, outcome.message);
    const steps = job.options.trace ? { trace: trace.steps } : {};
    const facts = { ...outcome.facts, sourceURL: job.url, scrapeId: job.id, creditsUsed: price };
    const details = { facts, warnings: outcome.warnings, ...steps };
    const write = await succeededWrite(job, outcome, price, details);
    return { data: assembleDocument(outcome.document, details), steps, write };
  }

  async function succeededWrite(
    job: Job,
    reading: PageReading,
    price: number,
    details: StoredDetails,
  ): Promise<ScrapeWrite> {
    const { teamId, keyId } = job.caller;
    const now = clock.now();
    const bill = { teamId, keyId, chargeId: newId(now), jobId: job.id, endpoint: "scrape", credits: price };
    const isKept = !keepsNothing(job.options);
    const { rows, document } = await recorder.record(bill, reading, {
      document: isKept ? "shared" : null,
      traces: isKept,
    });
    return {
      page: rows,
      scrapes: document === null ? [] : [recordOf(job, document.blobId, details, now)],
      activities: [activityOf(job, "succeeded")],
    };
  }

  function failedWrite(job: Job, { code, message }: ServiceError): ScrapeWrite {
    const record = recordOf(job, null, { failure: { code, message } }, clock.now());
    return {
      page: null,
      scrapes: keepsNothing(job.options) ? [] : [record],
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

async function obeyRobots(
  robots: Pick<SiteReader, "readRobots">,
  { url, teamId, options }: PageRequest,
  signal: AbortSignal,
): Promise<void> {
  const request = { teamId, signal, language: acceptLanguage(options.location), own: null };
  const rules = await robots.readRobots(new URL(url), request);
  if (!rules.allows(url)) throw new ServiceError("ROBOTS_BLOCKED", rules.reason);
}

function activityOf(job: Job, outcome: Activity["outcome"]): Activity {
  const { id, caller, startedAt: createdAt } = job;
  const { teamId, keyId, apiVersion } = caller;
  const target = keepsNothing(job.options) ? "" : job.url;
  return { rowId: newId(createdAt), id, teamId, keyId, apiVersion, endpoint: "scrape", target, outcome, createdAt };
}

function recordOf({ id, caller }: Job, blobId: string | null, details: StoredDetails, now: number): ScrapeRecord {
  const { teamId } = caller;
  return { id, teamId, createdAt: now, expiresAt: now + resultAgeMs, blobId, details: JSON.stringify(details) };
}
