// One page for one caller: obtain it, write it with its charge and its line in the activity list, answer. The answer is sent
// after everything it promises is in the store.
import type { Caller, Credits } from "../../accounts/index.ts";
import {
  bareUrl,
  type Clock,
  createGroup,
  joinObjectTexts,
  newId,
  ServiceError,
  type TraceStep,
  withFieldJson,
} from "../../base/index.ts";
import type { ContentPool } from "../../content/index.ts";
import type { OperationInput, OperationOutput } from "../../contract/index.ts";
import {
  assembleDocument,
  type BrowserCheck,
  type CheckUrl,
  emptyRows,
  type FindStoredPage,
  keepsNothing,
  type LanguageModel,
  mediaBlobs,
  type NewMedia,
  type ObtainedPage,
  type ObtainFailure,
  type ObtainPage,
  type PageRequest,
  type PageRows,
  pagePrice,
  planOutputs,
  type Replays,
  readStoredDocument,
  rememberPage,
  requireAllowedUrl,
  type SavePages,
  type SchemaCheck,
  scrapeRecord,
  withMediaLinks,
  withTraceLinks,
} from "../../pages/index.ts";
import type { ActivityEntry, ScrapeRecord, Store } from "../../store/index.ts";

type ScrapeInput = OperationInput<"scrape">;
type ScrapeAnswer = OperationOutput<"scrape">;
type Options = ScrapeInput["scrapeOptions"];

export interface ScrapeDeps {
  store: Store;
  clock: Clock;
  credits: Credits;
  schemas: SchemaCheck;
  /** Whether a URL may be asked for; it is checked again where it is dialled. */
  checkUrl: CheckUrl;
  requireBrowser: BrowserCheck;
  obtainPage: ObtainPage;
  savePages: SavePages;
  findStoredPage: FindStoredPage;
  content: ContentPool;
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
  page: PageRows;
  scrapes: ScrapeRecord[];
  activities: ActivityEntry[];
}

export function createScrapeOperations(deps: ScrapeDeps) {
  const { clock } = deps;

  // Scrapes that end together are written together.
  const save = createGroup<ScrapeWrite>((writes) =>
    deps.savePages(
      writes.map(({ page }) => page),
      async (statements) => {
        await statements.scrapes.insert(writes.flatMap((write) => write.scrapes));
        await statements.activity.insert(writes.flatMap((write) => write.activities));
      },
    ),
  );

  async function scrape(input: ScrapeInput, caller: Caller, signal: AbortSignal): Promise<ScrapeAnswer> {
    const { scrapeOptions: options, url } = input;
    const plan = planOutputs(options, deps.model?.name);
    await deps.schemas.checkFormats(options);
    deps.requireBrowser(options);
    requireAllowedUrl(deps.checkUrl, url);
    const { teamId, keyId } = caller;
    await deps.credits.require(teamId, pagePrice(options));

    const startedAt = clock.now();
    const id = newId(startedAt);
    const job: Job = { id, startedAt, caller, url: bareUrl(url), options };
    const replay = keepsNothing(options) ? undefined : deps.replays.pack(id, url, options);
    const payer = { teamId, keyId, jobId: id, endpoint: "scrape", chargeId: newId(startedAt) };
    const request = { id, payer, url, options, plan, robots: "named" as const, replay };
    const { page, write } = await obtain(job, request, signal).catch(async (error: unknown) => {
      // Whatever ends it, it is listed as failed.
      await save(failedWrite(job, error));
      throw error instanceof PageError ? error.cause : error;
    });
    await save(write);
    return answerOf(input, caller, page);
  }

  async function obtain(job: Job, request: PageRequest, signal: AbortSignal) {
    const page = await deps.obtainPage(request, signal);
    if (!page.ok) throw failureOf(page, job);
    return { page, write: await successWrite(job, page) };
  }

  async function successWrite(job: Job, page: ObtainedPage): Promise<ScrapeWrite> {
    const { id, caller, options } = job;
    const { rows, scrapes } = await rememberPage(page, { id, teamId: caller.teamId, options }, clock.now());
    return { page: rows, scrapes, activities: [activityOf(job, "succeeded")] };
  }

  function failedWrite(job: Job, thrown: unknown): ScrapeWrite {
    const { id, caller, options } = job;
    const { teamId } = caller;
    const now = clock.now();
    const { cause: error, steps, media = [] } = thrown instanceof PageError ? thrown : { cause: thrown };
    const { code, message } = error instanceof ServiceError ? error : new ServiceError("INTERNAL_ERROR");
    const details = { failure: { code, message }, ...(steps ? { trace: steps } : {}) };
    const isKept = !keepsNothing(options);
    return {
      page: isKept ? { ...emptyRows(), blobs: mediaBlobs(teamId, media, now) } : emptyRows(),
      scrapes: isKept ? [scrapeRecord({ id, teamId }, null, details, now)] : [],
      activities: [activityOf(job, "failed")],
    };
  }

  return {
    scrape,

    async readScrape({ id }: OperationInput<"readScrape">, caller: Caller, signal: AbortSignal): Promise<ScrapeAnswer> {
      const { blobId = null, details = {} } = (await deps.findStoredPage(caller.teamId, id)) ?? {};
      if (details.failure) throw new ServiceError(details.failure.code, details.failure.message);
      const document = await readStoredDocument(deps, { teamId: caller.teamId, blobId, details }, signal);
      const data = withMediaLinks(document, caller.baseUrl);
      const { warning } = data;
      return { success: true, data, ...(warning ? { warning } : {}) };
    },
  };
}

/** A page that could not be read, with its trace. */
class PageError extends Error {
  override readonly cause: ServiceError;
  readonly steps: TraceStep[] | undefined;
  readonly media: NewMedia[] | undefined;

  constructor(cause: ServiceError, { steps, media }: ObtainFailure) {
    super(cause.message);
    this.cause = cause;
    this.steps = steps;
    this.media = media;
  }
}

/** A failed action tells which one it was, and its trace where it was asked for. */
function failureOf(failure: ObtainFailure, { id, caller }: Job): PageError {
  const { code, message, details, steps } = failure;
  if (details === undefined) return new PageError(new ServiceError(code, message), failure);
  const trace = steps ? { trace: withTraceLinks(steps, caller.baseUrl) } : {};
  const error = new ServiceError(code, message, { details: { scrapeId: id, ...(details as object), ...trace } });
  return new PageError(error, failure);
}

function answerOf({ scrapeOptions, origin }: ScrapeInput, { baseUrl }: Caller, page: ObtainedPage): ScrapeAnswer {
  const { reading, details, steps } = page;
  const document = assembleDocument(reading.document, details);
  const data = withMediaLinks(document, baseUrl);
  const { warning } = data;
  // A loader of the official SDK looks for `success` inside the document.
  const isLoader = origin.startsWith("js-sdk@");
  const answer = {
    success: true as const,
    data: isLoader ? { ...data, success: true } : data,
    ...(warning ? { warning } : {}),
    ...(scrapeOptions.trace ? { trace: steps } : {}),
  };
  const json = data === document ? reading.json.with(document) : null;
  if (json === null) return answer;
  return withFieldJson(answer, { data: isLoader ? joinObjectTexts(json, '{"success":true}') : json });
}

function activityOf(job: Job, outcome: ActivityEntry["outcome"]): ActivityEntry {
  const { id, caller, startedAt: createdAt } = job;
  const { teamId, keyId, apiVersion } = caller;
  const target = keepsNothing(job.options) ? "" : job.url;
  return { rowId: newId(createdAt), id, teamId, keyId, apiVersion, endpoint: "scrape", target, outcome, createdAt };
}
