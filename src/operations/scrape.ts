// One page for one caller: read it, note it, charge it, keep it, answer. The answer is sent after everything it
// promises is in the store.
import { type Caller, type Credits, prices } from "../accounts/index.ts";
import { type Clock, createGroup, type ErrorCode, newId, ServiceError } from "../base/index.ts";
import type { Document, OperationInput, OperationOutput } from "../contract/index.ts";
import {
  type Activity,
  type Charge,
  type PackedBlob,
  type PageCopy,
  packBlob,
  type ScrapeRecord,
  type Store,
} from "../store/index.ts";
import { type PageCache, resultAgeMs } from "./page-cache.ts";
import type { PageReader, PageReading } from "./read-page.ts";
import { planOutputs } from "./scrape-outputs.ts";
import { createTrace, type TraceStep } from "./trace.ts";

type ScrapeInput = OperationInput<"scrape">;
type ScrapeAnswer = OperationOutput<"scrape">;
type Options = ScrapeInput["scrapeOptions"];

export interface ScrapeDeps {
  store: Store;
  clock: Clock;
  cache: PageCache;
  credits: Credits;
  readPage: PageReader;
  /** Whether an address may be asked for; the reading judges it again where it is dialled. */
  judge(url: string): { url: URL } | { problem: "invalid" | "refused"; message: string };
}

/** All rows of one scrape; they are written together or not at all. */
interface ScrapeWrite {
  blobs: PackedBlob[];
  copies: PageCopy[];
  scrapes: ScrapeRecord[];
  charges: Charge[];
  activities: Activity[];
}

/** What a stored answer adds to its document, or the failure it ended with. */
interface StoredDetails {
  facts?: Document["metadata"];
  warnings?: string[];
  trace?: TraceStep[];
  failure?: { code: ErrorCode; message: string };
}

export function createScrapeOperations(deps: ScrapeDeps) {
  const { store, clock, cache, credits } = deps;

  const save = createGroup<ScrapeWrite>((writes) =>
    store.transaction(async (statements) => {
      await statements.blobs.put(writes.flatMap((write) => write.blobs));
      await statements.copies.insert(writes.flatMap((write) => write.copies));
      await statements.scrapes.insert(writes.flatMap((write) => write.scrapes));
      await statements.charges.charge(writes.flatMap((write) => write.charges));
      await statements.activity.insert(writes.flatMap((write) => write.activities));
    }),
  );

  async function scrape(input: ScrapeInput, caller: Caller, signal: AbortSignal): Promise<ScrapeAnswer> {
    const options = input.scrapeOptions;
    const plan = planOutputs(options);
    const judgement = deps.judge(input.url);
    if ("problem" in judgement) throw refusal(judgement);
    const price = priceOf(options);
    await credits.require(caller.teamId, price);

    const startedAt = clock.now();
    const id = newId(startedAt);
    const trace = createTrace();
    const request = { teamId: caller.teamId, url: input.url, options, plan };
    const outcome = await deps.readPage(request, signal, trace);

    const steps = options.trace ? { trace: trace.steps } : {};
    if (!outcome.ok) {
      const failure = new ServiceError(outcome.code, outcome.message);
      await save(failedWrite(id, startedAt, input, caller, { code: failure.code, message: failure.message }));
      throw failure;
    }
    const facts = { ...outcome.facts, sourceURL: input.url, scrapeId: id, creditsUsed: price };
    const details = { facts, warnings: outcome.warnings, ...steps };
    await save(await succeededWrite(id, startedAt, input, caller, outcome, price, details));
    const data = assemble(outcome.document, details);
    // A loader of the official SDK looks for `success` inside the document (API.md 7.5).
    if (input.origin.startsWith("js-sdk@")) data.success = true;
    return { success: true, data, ...(data.warning ? { warning: data.warning } : {}), ...steps };
  }

  async function succeededWrite(
    id: string,
    startedAt: number,
    { url, scrapeOptions: options }: ScrapeInput,
    caller: Caller,
    reading: PageReading,
    price: number,
    details: StoredDetails,
  ): Promise<ScrapeWrite> {
    const now = clock.now();
    const isForgotten = options.zeroDataRetention || options.lockdown;
    const common = {
      charges: [chargeOf(id, caller, price, now)],
      activities: [activityOf(id, caller, isForgotten ? "" : url, "succeeded", startedAt)],
    };
    if (isForgotten) return { ...common, blobs: [], copies: [], scrapes: [] };
    const kept = await Promise.all(reading.keep.map((copy) => cache.makeCopy({ teamId: caller.teamId, ...copy })));
    const blobs = kept.map(({ blob }) => blob);
    let blobId = reading.blobId ?? kept.at(-1)?.blob.id;
    if (blobId === undefined) {
      const data = reading.bytes ?? Buffer.from(JSON.stringify(reading.document));
      const blob = await packBlob({
        id: newId(now),
        teamId: caller.teamId,
        createdAt: now,
        expiresAt: now + resultAgeMs,
        data,
      });
      blobs.push(blob);
      blobId = blob.id;
    }
    return {
      ...common,
      blobs,
      copies: kept.map(({ copy }) => copy),
      scrapes: [recordOf(id, caller, blobId, details, now)],
    };
  }

  function failedWrite(
    id: string,
    startedAt: number,
    { url, scrapeOptions: options }: ScrapeInput,
    caller: Caller,
    failure: NonNullable<StoredDetails["failure"]>,
  ): ScrapeWrite {
    const isForgotten = options.zeroDataRetention || options.lockdown;
    return {
      blobs: [],
      copies: [],
      charges: [],
      scrapes: isForgotten ? [] : [recordOf(id, caller, null, { failure }, clock.now())],
      activities: [activityOf(id, caller, isForgotten ? "" : url, "failed", startedAt)],
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
      return { success: true, data: assemble(JSON.parse(Buffer.from(bytes).toString("utf8")), details) };
    },

    async readTrace({ id }: OperationInput<"readTrace">, caller: Caller): Promise<OperationOutput<"readTrace">> {
      const { details } = await findStored(id, caller);
      if (!details.trace) throw new ServiceError("JOB_NOT_FOUND", "This job was not started with trace.");
      return { success: true, trace: details.trace };
    },
  };
}

function priceOf(options: Options): number {
  if (options.lockdown) return prices.lockdownHit;
  return prices.page + (options.zeroDataRetention ? prices.zeroDataRetention : 0);
}

function refusal({ problem, message }: { problem: "invalid" | "refused"; message: string }): ServiceError {
  if (problem === "refused") return new ServiceError("URL_NOT_ALLOWED");
  return new ServiceError("BAD_REQUEST", "Invalid URL", {
    details: [{ code: "invalid_format", path: ["url"], message }],
  });
}

/** The stored document with what only this scrape knows. */
function assemble(document: Document, { facts, warnings = [] }: StoredDetails): Document {
  const sentences = [...warnings, ...(document.warning ? [document.warning] : [])];
  return {
    ...document,
    ...(sentences.length > 0 ? { warning: sentences.join(" ") } : {}),
    metadata: { ...document.metadata, ...facts },
  };
}

function chargeOf(jobId: string, { teamId, keyId }: Caller, price: number, at: number): Charge {
  return { id: newId(at), teamId, keyId, jobId, endpoint: "scrape", credits: price, reason: "scrape", at };
}

function activityOf(
  id: string,
  caller: Caller,
  target: string,
  outcome: Activity["outcome"],
  createdAt: number,
): Activity {
  const { teamId, keyId, apiVersion } = caller;
  return { rowId: newId(createdAt), id, teamId, keyId, apiVersion, endpoint: "scrape", target, outcome, createdAt };
}

function recordOf(
  id: string,
  { teamId }: Caller,
  blobId: string | null,
  details: StoredDetails,
  now: number,
): ScrapeRecord {
  return { id, teamId, createdAt: now, expiresAt: now + resultAgeMs, blobId, details: JSON.stringify(details) };
}
