// Work on the tasks of an extract: the pages that were named, the pages that patterns and searches stand for, and at last the
// answer that is made of them.
import { type Credits, tokensPerCredit, unlimitedCredits } from "../../accounts/index.ts";
import {
  bareUrl,
  type Clock,
  createDeadline,
  createTrace,
  type ErrorCode,
  secondMs,
  type Trace,
  withoutFragment,
} from "../../base/index.ts";
import type { FilledData } from "../../extraction/index.ts";
import { failed, type NewTask, type Task } from "../../jobs/index.ts";
import {
  createDataFiller,
  type DataRequest,
  type FilledByModel,
  type LanguageModel,
  type LazyExtraction,
  type ModelUse,
  modelText,
  type ObtainedPage,
} from "../../pages/index.ts";
import type { Store } from "../../store/index.ts";
import { ownAddresses } from "../jobs/crawl-work.ts";
import { type JobContext, shortKey } from "../jobs/job-context.ts";
import type { Findings, JobReader, PageEnding } from "../jobs/job-reading.ts";
import type { ExtractionSettings } from "../jobs/job-settings.ts";
import type { ExtractionRecord, ExtractionRecords, ReadRecord } from "./extraction-records.ts";

export interface ExtractPageDeps {
  clock: Clock;
  store: Store;
  reader: JobReader;
  records: ExtractionRecords;
  extraction: LazyExtraction;
  /** Null when none is configured. */
  model: LanguageModel | null;
  credits: Pick<Credits, "readBalance">;
}

/** A task of the job, with everything that its steps ask for. */
export interface Step {
  task: Task;
  context: JobContext;
  wanted: ExtractionSettings;
  signal: AbortSignal;
}

/** A page and how far it stands behind others: its values count only where those before it have none. */
export type RankedRecord = ReadRecord & { rank?: number };

export const timeIsUp = "The time of the job ran out before all pages were read.";

/** What is left of a job's time when the language model takes too long. */
const longestReserveMs = 2 * secondMs;

const longestTitle = 500;

/** Pages that were found, not named, are read only where robots.txt allows it (D16). */
export const foundDepth = 1;

export type ExtractPages = ReturnType<typeof createExtractPages>;

/** What extracts and agents do alike. */
export function createExtractPages(deps: ExtractPageDeps) {
  const { clock, reader, records, model } = deps;
  const fillData = createDataFiller(deps.extraction);

  /** A page with what was found on it, or the ending of one that cannot be had. */
  async function read(
    step: Step,
    outlinks: boolean,
    mayFollow?: (url: string) => Promise<boolean>,
  ): Promise<PageEnding | { page: ObtainedPage; trace: Trace }> {
    const { task, context, wanted, signal: jobSignal } = step;
    const pausedUntil = reader.pausedUntil(task.url);
    if (pausedUntil > 0) return { kind: "released", notBefore: pausedUntil };
    if (isOver(wanted)) return { kind: "nothing", found: [], refused: [], warning: timeIsUp };
    const trace = createTrace();
    const { signal, clear } = createDeadline(jobSignal, timeLeft(wanted));
    try {
      const sendsHeaders = await isOwn(wanted, task.url);
      // Pages that were found, not named, are read only where robots.txt allows it.
      const robots = task.depth >= foundDepth ? ("found" as const) : ("named" as const);
      const options = { outlinks, sendsHeaders, robots, mayFollow };
      const page = await reader.read(task, withCredentials(context, task), options, signal, trace);
      return page.ok ? { page, trace } : page.ending;
    } finally {
      clear();
    }
  }

  function isOver({ deadline }: ExtractionSettings): boolean {
    return deadline !== null && clock.now() >= deadline;
  }

  /** The platform's timers hold no more than this. */
  function timeLeft({ deadline }: ExtractionSettings): number {
    return deadline === null ? 2 ** 31 - 1 : Math.max(1, deadline - clock.now());
  }

  function recordOf({ task, wanted }: Step, { reading, credits }: ObtainedPage, trace: Trace): ReadRecord {
    const { url = task.url, statusCode = 200, title = "" } = reading.document.metadata;
    const isFailure = statusCode >= 400;
    const readable = model === null || isFailure ? null : modelText(reading.document.markdown ?? "");
    const warnings = isFailure ? [`${url} answered ${statusCode} and was not used.`] : (readable?.warnings ?? []);
    return {
      kind: "page",
      url: withoutFragment(url),
      sourceUrl: bareUrl(task.url),
      ...(title === "" ? {} : { title: title.slice(0, longestTitle) }),
      at: clock.now(),
      credits,
      finding: isFailure ? null : reading.finding,
      ...(readable ? { text: readable.text } : {}),
      steps: wanted.trace ? trace.steps.map((step) => ({ url: task.url, ...step })) : [],
      ...(warnings.length > 0 ? { warning: warnings.join(" ") } : {}),
    };
  }

  /** The page's end: it is charged and kept like that of any other job, with the record in the place of its document. */
  async function endOfRead(
    step: Step,
    page: ObtainedPage,
    record: ReadRecord,
    found: NewTask[],
    endKey = pageKey(record.url),
  ): Promise<PageEnding> {
    const bytes = Buffer.from(JSON.stringify(record));
    const findings: Findings = { found, refused: [] };
    const ending = await reader.document(step.context, page, endKey, findings, { bytes });
    const { warning } = record;
    return warning !== undefined && "found" in ending ? { ...ending, warning } : ending;
  }

  /** What the pages' own data give; null when the schema takes too long to fill. */
  function fill(wanted: ExtractionSettings, pages: readonly RankedRecord[]): Promise<FilledData | null> {
    return fillData(asRequest(wanted, pages), null, createTrace());
  }

  /** The same, and what a language model reads on the pages beside it. */
  async function fillWithModel(
    { context, wanted, signal }: Step,
    pages: readonly RankedRecord[],
    trace: Trace,
  ): Promise<{ filled: FilledByModel | null; tokens: number }> {
    const { teamId, keyId } = context.job;
    const ms = timeLeft(wanted);
    const endsAt = performance.now() + ms - Math.min(longestReserveMs, ms / 10);
    let use: ModelUse | null = null;
    const open = async (from: LanguageModel): Promise<ModelUse> => {
      use ??= await from.open({ teamId, keyId, signal, endsAt, maxTokens: await affordableTokens(teamId) });
      return use;
    };
    // Nothing leaves this server then.
    const asked = context.settings.scrapeOptions.lockdown ? null : model;
    const filled = await fillData(asRequest(wanted, pages), asked && (() => open(asked)), trace);
    return { filled, tokens: (use as ModelUse | null)?.tokensUsed() ?? 0 };
  }

  async function affordableTokens(teamId: string): Promise<number> {
    const { remainingCredits } = await deps.credits.readBalance(teamId);
    return remainingCredits === unlimitedCredits ? Number.POSITIVE_INFINITY : remainingCredits * tokensPerCredit;
  }

  /** All that was done so far; pages in the order of the caller's addresses, then by address, whichever came first. */
  async function readSoFar({ context, wanted }: Step): Promise<{ all: ExtractionRecord[]; pages: ReadRecord[] }> {
    const all = await records.readAll(context.job);
    const placeOf = ({ sourceUrl }: ReadRecord) => {
      const place = wanted.urls.indexOf(sourceUrl);
      return place < 0 ? wanted.urls.length : place;
    };
    const pages = all
      .filter((record) => record.kind === "page")
      .sort((one, two) => placeOf(one) - placeOf(two) || (one.url < two.url ? -1 : 1));
    return { all, pages };
  }

  /** The job's answer; a job that could read no page, or whose schema cannot be filled, has failed. */
  async function answer(
    step: Step,
    choose: (pages: readonly ReadRecord[]) => Promise<readonly RankedRecord[]>,
    stopReasonOf: (filled: FilledData, pages: readonly ReadRecord[]) => string | null = () => null,
  ): Promise<PageEnding> {
    const { task, context, wanted } = step;
    const { all, pages } = await readSoFar(step);
    if (pages.length === 0) {
      const { code, message } = await whyNothing(step);
      return failed(code, message);
    }
    const trace = createTrace();
    const { filled, tokens } = await fillWithModel(step, await choose(pages), trace);
    if (step.signal.aborted) return { kind: "released" };
    if (!filled) return failed("BAD_REQUEST", "The schema takes too long to fill.");
    const { data, sources, evidence, missing, warning } = filled;
    const stopReason = stopReasonOf(filled, pages);
    const record = {
      kind: "answer" as const,
      at: clock.now(),
      data,
      sources,
      evidence,
      missing,
      pages: pages.length,
      ...(tokens > 0 ? { tokens } : {}),
      steps: [...all.flatMap(({ steps }) => steps), ...(wanted.trace ? trace.steps : [])],
      ...(warning === undefined ? {} : { warning }),
      ...(stopReason === null ? {} : { stopReason }),
    };
    return records.ending(task, context.job, record, { found: [], refused: [] });
  }

  async function whyNothing({ context, wanted }: Step): Promise<{ code: string; message: string }> {
    const [first] = await deps.store.jobResults.listErrors(context.job.id, 1);
    if (first) return { code: first.code, message: `No page could be read: ${first.message}` };
    const code: ErrorCode = isOver(wanted) ? "SCRAPE_TIMEOUT" : "NOT_FOUND";
    return { code, message: isOver(wanted) ? timeIsUp : "No page was found to read." };
  }

  return { read, recordOf, endOfRead, fill, readSoFar, answer, whyNothing, isOver, timeLeft };
}

function asRequest({ schema, prompt, systemPrompt }: ExtractionSettings, pages: readonly RankedRecord[]): DataRequest {
  const words = prompt === null ? schema && systemPrompt : [systemPrompt, prompt].filter(Boolean).join("\n\n");
  const readable = pages.map(({ url, finding, text = "", rank }) => ({ url, finding, text, rank }));
  return { schema, prompt: words || null, pages: readable };
}

/** Headers may hold secrets: only the sites that the caller named get them. */
async function isOwn({ urls }: ExtractionSettings, url: string): Promise<boolean> {
  for (const named of urls) if ((await ownAddresses(named))(url)) return true;
  return false;
}

/** Pages that a pattern stands for are read with the credentials of its address. */
function withCredentials(context: JobContext, { key, url, depth }: Task): JobContext {
  const { settings } = context;
  const authorization = depth < foundDepth ? undefined : settings.credentials[originKey(url)];
  if (authorization === undefined) return context;
  return { ...context, settings: { ...settings, credentials: { [key]: authorization } } };
}

/** Under which the credentials of a pattern lie, for the pages of its origin. */
export function originKey(url: string): string {
  return `origin ${new URL(url).origin}`;
}

export function pageKey(url: string): string {
  return shortKey(withoutFragment(bareUrl(url)));
}

export function foundPage(url: string, depth = foundDepth): NewTask {
  return { key: pageKey(url), url: withoutFragment(bareUrl(url)), depth, kind: "page", step: null };
}
