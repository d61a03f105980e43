// What a scrape or a parse leaves behind, and its answer: one job, one set of rows, written together or not at all.
import { activityRow, type Caller } from "../../accounts/index.ts";
import {
  createGroup,
  joinObjects,
  newId,
  runStage,
  ServiceError,
  type TraceStep,
  withFieldJson,
} from "../../base/index.ts";
import {
  keepsNothing,
  type OperationInput,
  type OperationOutput,
  type ParseTerms,
  type ScrapeTerms,
} from "../../contract/index.ts";
import {
  assembleDocument,
  emptyRows,
  mediaBlobs,
  type NewMedia,
  type ObtainedPage,
  type ObtainFailure,
  type PageRequest,
  type PageRows,
  rememberPage,
  scrapeRecord,
  withMediaLinks,
  withTraceLinks,
} from "../../pages/index.ts";
import type { ActivityEntry, ScrapeRecord } from "../../store/index.ts";
import { type OperationParts, warningOf } from "../parts/operation-parts.ts";

export type ScrapeAnswer = OperationOutput<"scrape">;
type ScrapeInputOptions = OperationInput<"scrape">["scrapeOptions"];

/** One scrape, as all rows about it know it. */
interface ScrapeJob {
  id: string;
  startedAt: number;
  caller: Caller;
  /** A URL without credentials, or a file's name: nothing that is kept or answered may hold secrets. */
  target: string;
  options: ScrapeInputOptions;
  note?: string | undefined;
  endpoint: "scrape" | "flow";
}

type Payer = PageRequest["payer"];

/** All rows of one scrape. */
interface ScrapeWrite {
  page: PageRows;
  scrapes: ScrapeRecord[];
  activities: ActivityEntry[];
}

export function createScrapeRunner({ clock, savePages, store }: OperationParts) {
  // Scrapes that end together are written together.
  const save = createGroup<ScrapeWrite>((writes) =>
    savePages(
      writes.map(({ page }) => page),
      async (statements) => {
        await statements.scrapes.insert(writes.flatMap((write) => write.scrapes));
        await statements.activity.insert(writes.flatMap((write) => write.activities));
      },
    ),
  );

  async function successWrite(job: ScrapeJob, page: ObtainedPage): Promise<ScrapeWrite> {
    const { id, caller, options, note } = job;
    const noted = note === undefined ? page : { ...page, details: { ...page.details, note } };
    const { rows, scrapes } = await rememberPage(noted, { id, teamId: caller.teamId, options }, clock.now());
    const { cacheState } = page.reading.facts;
    const result = { credits: page.credits, cacheState, endedAt: clock.now() };
    return { page: rows, scrapes, activities: [activityOf(job, result)] };
  }

  async function failedWrite(job: ScrapeJob, thrown: unknown): Promise<ScrapeWrite> {
    const { id, caller, options } = job;
    const { teamId } = caller;
    const now = clock.now();
    const { cause: error, steps, media = [] } = thrown instanceof PageError ? thrown : { cause: thrown };
    const { code, message } = error instanceof ServiceError ? error : new ServiceError("INTERNAL_ERROR");
    const details = { failure: { code, message }, ...(steps ? { trace: steps } : {}) };
    const isKept = !keepsNothing(options);
    return {
      page: isKept ? { ...emptyRows(), blobs: await mediaBlobs(store.blobs.pack, teamId, media, now) } : emptyRows(),
      scrapes: isKept ? [scrapeRecord({ id, teamId }, null, details, now)] : [],
      activities: [activityOf(job, { error, endedAt: now })],
    };
  }

  /** Obtains a page, writes its rows, and answers; whatever ends it, it is listed as failed. */
  return async (
    input: Pick<OperationInput<"scrape">, "scrapeOptions" | "origin"> & ParseTerms & Pick<ScrapeTerms, "listing">,
    caller: Caller,
    target: string,
    obtain: (id: string, payer: Payer) => Promise<ObtainedPage | ObtainFailure>,
  ): Promise<ScrapeAnswer> => {
    const { teamId, keyId } = caller;
    const startedAt = clock.now();
    const id = newId(startedAt);
    const { endpoint = "scrape", target: listed = target } = input.listing ?? {};
    const job: ScrapeJob = {
      id,
      startedAt,
      caller,
      target: listed,
      options: input.scrapeOptions,
      note: input.note,
      endpoint,
    };
    input.onRecord?.(id);
    const work = async () => {
      const payer = { teamId, keyId, jobId: id, endpoint, chargeId: newId(startedAt) };
      const page = withinBudget(await obtain(id, payer), input);
      if (!page.ok) throw failureOf(page, job);
      return { page, write: await successWrite(job, page) };
    };
    const { page, write } = await work().catch(async (error: unknown) => {
      await save(await failedWrite(job, error));
      throw error instanceof PageError ? error.cause : error;
    });
    await runStage("store", () => save(write));
    return scrapeAnswer(input, caller, page);
  };
}

/** The page, or why it is refused: about four characters of its markdown are a token. */
function withinBudget(page: ObtainedPage | ObtainFailure, { tokenBudget }: ParseTerms): ObtainedPage | ObtainFailure {
  const isOver =
    page.ok && tokenBudget !== undefined && Math.ceil((page.reading.document.markdown ?? "").length / 4) > tokenBudget;
  return isOver ? { ok: false, code: "TOKEN_BUDGET_EXCEEDED" } : page;
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
function failureOf(failure: ObtainFailure, { id, caller, options }: ScrapeJob): PageError {
  const { code, message, details } = failure;
  const steps = options.trace ? failure.steps : undefined;
  if (details === undefined) return new PageError(new ServiceError(code, message), failure);
  const trace = steps ? { trace: withTraceLinks(steps, caller.baseUrl) } : {};
  const error = new ServiceError(code, message, { details: { scrapeId: id, ...(details as object), ...trace } });
  return new PageError(error, failure);
}

function scrapeAnswer(
  { scrapeOptions, origin }: { scrapeOptions: ScrapeInputOptions; origin: string },
  { baseUrl }: Caller,
  page: ObtainedPage,
): ScrapeAnswer {
  const { reading, details, steps } = page;
  const document = assembleDocument(reading.document, details);
  const data = withMediaLinks(document, baseUrl);
  // A loader of the official SDK looks for `success` inside the document.
  const isLoader = origin.startsWith("js-sdk@");
  const answer = {
    success: true as const,
    data: isLoader ? { ...data, success: true } : data,
    ...warningOf([data.warning]),
    ...(scrapeOptions.trace ? { trace: steps } : {}),
  };
  if (data !== document || !reading.json.isWritten()) return answer;
  const json = () => reading.json.with(document);
  return withFieldJson(answer, { data: isLoader ? () => joinObjects(json(), '{"success":true}') : json });
}

function activityOf(job: ScrapeJob, result: Parameters<typeof activityRow>[2]): ActivityEntry {
  const { id, caller, startedAt: createdAt } = job;
  const target = keepsNothing(job.options) ? "" : job.target;
  return activityRow(caller, { id, endpoint: job.endpoint, target, createdAt }, result);
}
