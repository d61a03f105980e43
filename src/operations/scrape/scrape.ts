// One page for one caller: read it, note it, charge it, keep it, answer. The answer is sent after everything it
// promises is in the store.
import type { Caller, Credits } from "../../accounts/index.ts";
import type { TraceStep } from "../../base/index.ts";
import { bareUrl, createGroup, extendObject, newId, ServiceError } from "../../base/index.ts";
import type { ContentPool } from "../../content/index.ts";
import type { OperationInput, OperationOutput } from "../../contract/index.ts";
import type { BrowserCheck, LanguageModel, PageFailure, Replays, SchemaCheck } from "../../pages/index.ts";
import {
  assembleDocument,
  createPageScraper,
  type FindStoredPage,
  type Judge,
  judgeOrThrow,
  keepsNothing,
  mediaBlobs,
  type NewMedia,
  type PageRows,
  type PageScraperDeps,
  pagePrice,
  planOutputs,
  remakeDocument,
  scrapeRecord,
  withMediaLinks,
  withTraceLinks,
  writePages,
} from "../../pages/index.ts";
import type { Activity, ScrapeRecord, Store } from "../../store/index.ts";

type ScrapeInput = OperationInput<"scrape">;
type ScrapeAnswer = OperationOutput<"scrape">;
type Options = ScrapeInput["scrapeOptions"];

export interface ScrapeDeps extends PageScraperDeps {
  store: Store;
  credits: Credits;
  schemas: SchemaCheck;
  /** Whether an address may be asked for; the reading judges it again where it is dialled. */
  judge: Judge;
  requireBrowser: BrowserCheck;
  content: ContentPool;
  findStoredPage: FindStoredPage;
  /** Null when none is configured. */
  model: LanguageModel | null;
  replays: Pick<Replays, "pack">;
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
    const plan = planOutputs(options, deps.model?.name);
    await deps.schemas.checkFormats(options);
    deps.requireBrowser(options);
    judgeOrThrow(deps.judge, input.url);
    const { teamId, keyId } = caller;
    await credits.require(teamId, pagePrice(options));

    const startedAt = clock.now();
    const id = newId(startedAt);
    const job: Job = { id, startedAt, caller, url: bareUrl(input.url), options };
    const replay = keepsNothing(options) ? undefined : deps.replays.pack(id, input.url, options);
    const page = { id, jobId: id, endpoint: "scrape" as const, teamId, keyId, url: input.url, options, plan, replay };
    // Whatever ends it, it is listed as failed.
    const outcome = await scrapePage(page, signal).catch(async (error: unknown) => {
      await save(failedWrite(job, error instanceof ServiceError ? error : new ServiceError("INTERNAL_ERROR"), {}));
      throw error;
    });
    if (!outcome.ok) {
      const error = failureOf(outcome, job);
      await save(failedWrite(job, error, outcome));
      throw error;
    }
    const { steps, rows, scrapes } = outcome;
    const document = withMediaLinks(outcome.document, caller.baseUrl);
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

  function failedWrite(job: Job, { code, message }: ServiceError, { steps, media = [] }: FailedTrace): ScrapeWrite {
    const { id, caller, options } = job;
    const { teamId } = caller;
    const now = clock.now();
    const details = { failure: { code, message }, ...(steps ? { trace: steps } : {}) };
    const isKept = !keepsNothing(options);
    const shown = { blobs: mediaBlobs(teamId, media, now), copies: [], charges: [], knownPages: [], snapshots: [] };
    return {
      page: isKept && media.length > 0 ? shown : null,
      scrapes: isKept ? [scrapeRecord({ id, teamId }, null, details, now)] : [],
      activities: [activityOf(job, "failed")],
    };
  }

  return {
    scrape,

    async readScrape({ id }: OperationInput<"readScrape">, caller: Caller, signal: AbortSignal): Promise<ScrapeAnswer> {
      const { blobId = null, details = {} } = (await deps.findStoredPage(caller.teamId, id)) ?? {};
      if (details.failure) throw new ServiceError(details.failure.code, details.failure.message);
      const bytes = blobId && (await store.blobs.get(caller.teamId, blobId, clock.now()));
      if (!bytes) throw new ServiceError("JOB_NOT_FOUND");
      const document = details.remake
        ? await remakeDocument(deps.content, details.remake, bytes, { teamId: caller.teamId, signal })
        : JSON.parse(Buffer.from(bytes).toString("utf8"));
      const data = assembleDocument(document, details);
      const { warning } = data;
      return { success: true, data: withMediaLinks(data, caller.baseUrl), ...(warning ? { warning } : {}) };
    },
  };
}

/** What a failed scrape leaves behind when its steps were asked for. */
interface FailedTrace {
  steps?: TraceStep[];
  media?: NewMedia[];
}

/** A failed action tells which one it was, and its trace where it was asked for. */
function failureOf({ code, message, details, steps }: PageFailure & FailedTrace, { id, caller }: Job): ServiceError {
  if (details === undefined) return new ServiceError(code, message);
  const trace = steps ? { trace: withTraceLinks(steps, caller.baseUrl) } : {};
  return new ServiceError(code, message, { details: { scrapeId: id, ...(details as object), ...trace } });
}

function activityOf(job: Job, outcome: Activity["outcome"]): Activity {
  const { id, caller, startedAt: createdAt } = job;
  const { teamId, keyId, apiVersion } = caller;
  const target = keepsNothing(job.options) ? "" : job.url;
  return { rowId: newId(createdAt), id, teamId, keyId, apiVersion, endpoint: "scrape", target, outcome, createdAt };
}
