// The answer of an extract or agent, made of the records of all its pages.
import { type Credits, tokensPerCredit, unlimitedCredits } from "../../accounts/index.ts";
import { type Clock, createTrace, type ErrorCode, type Lazy, secondMs, type Trace } from "../../base/index.ts";
import type { DataRequest, Extractor, FilledByModel, FilledData } from "../../extraction/index.ts";
import type { LanguageModel, ModelUse } from "../../llm/index.ts";
import type { Store } from "../../store/index.ts";
import type { ExtractionSettings } from "../engine/job-settings.ts";
import { failed } from "../engine/task.ts";
import type { PageEnding } from "../pages/task-page.ts";
import type { ExtractionRecords } from "./record-store.ts";
import {
  type AnswerRecord,
  type ExtractionRecord,
  holdsValue,
  type RankedRecord,
  type ReadRecord,
  readableOf,
} from "./records.ts";
import { type ExtractionStep, isOver, timeIsUp, timeLeft } from "./step.ts";

export interface AnswererDeps {
  clock: Clock;
  store: Pick<Store, "jobResults">;
  records: ExtractionRecords;
  extraction: Lazy<Extractor>;
  /** Null when none is configured. */
  model: LanguageModel | null;
  credits: Pick<Credits, "readBalance">;
}

/** How a kind of job chooses among its pages, and says why it stopped early. */
export interface AnswerChoice {
  choose(pages: readonly ReadRecord[]): Promise<readonly RankedRecord[]>;
  /** Null when it did not; never unless given. `filled`: null when no page was read. */
  stopReasonOf?(filled: FilledData | null, pages: readonly ReadRecord[]): string | null;
}

/** What a limit that ended a job makes of its answer. */
export type Stopped = Pick<AnswerRecord, "stopReason" | "error" | "isSchemaValid">;

/** What is left of a job's time when the language model takes too long. */
const longestReserveMs = 2 * secondMs;

export function createPageAnswerer({ clock, store, records, extraction, model, credits }: AnswererDeps) {
  /** What the pages' own data give, and what a language model reads on them besides. */
  async function fillWithModel(
    { context, wanted, signal }: ExtractionStep,
    pages: readonly RankedRecord[],
    trace: Trace,
  ): Promise<{ filled: FilledByModel | null; tokens: number }> {
    const { teamId, keyId } = context.job;
    const ms = timeLeft(wanted, clock.now());
    const endsAt = performance.now() + ms - Math.min(longestReserveMs, ms / 10);
    let use: ModelUse | null = null;
    const open = async (from: LanguageModel): Promise<ModelUse> => {
      use ??= await from.open({ teamId, keyId, signal, endsAt, maxTokens: await affordableTokens(teamId) });
      return use;
    };
    // With lockdown nothing leaves this server.
    const asked = context.settings.scrapeOptions.lockdown ? null : model;
    const { fillData } = await extraction.open();
    const filled = await fillData(dataRequest(wanted, pages), asked && (() => open(asked)), trace);
    return { filled, tokens: (use as ModelUse | null)?.tokensUsed() ?? 0 };
  }

  async function affordableTokens(teamId: string): Promise<number> {
    const { remainingCredits } = await credits.readBalance(teamId);
    return remainingCredits === unlimitedCredits ? Number.POSITIVE_INFINITY : remainingCredits * tokensPerCredit;
  }

  /** All that was done so far; pages in the order of the caller's URLs, then by URL, whichever came first. */
  async function readSoFar({ context, wanted }: ExtractionStep) {
    const all: ExtractionRecord[] = await records.readAll(context.job);
    const placeOf = ({ sourceUrl }: ReadRecord) => {
      const place = wanted.urls.indexOf(sourceUrl);
      return place < 0 ? wanted.urls.length : place;
    };
    const pages = all
      .filter((record) => record.kind === "page")
      .sort((one, two) => placeOf(one) - placeOf(two) || (one.url < two.url ? -1 : 1));
    return { all, pages };
  }

  /** Why a job that has read no page has none. */
  async function whyNothing({ context, wanted }: ExtractionStep): Promise<{ code: string; message: string }> {
    const [first] = await store.jobResults.listErrors(context.job.id, 1);
    if (first) return { code: first.code, message: `No page could be read: ${first.message}` };
    const isLate = isOver(wanted, clock.now());
    const code: ErrorCode = isLate ? "SCRAPE_TIMEOUT" : "NOT_FOUND";
    return { code, message: isLate ? timeIsUp : "No page was found to read." };
  }

  /** A limit that ended the job leaves a whole answer, with all that the schema requires, or the job has failed with a part of it. */
  async function judge(
    { wanted: { schema } }: ExtractionStep,
    data: unknown,
    stopReason: string | null,
    why?: string,
  ): Promise<Stopped> {
    if (stopReason === null) return {};
    const problems = schema ? await (await extraction.open()).problems({ schema, value: data }) : [];
    const missing = problems.flatMap(({ kind, path }) => (kind === "missing" ? [path.join(".")] : []));
    const isFound = holdsValue(data);
    if (isFound && missing.length === 0) return { stopReason };
    const what = !isFound ? "anything was found" : `all required fields were found: ${missing.join(", ")}`;
    const error = why ?? `The ${limits[stopReason] ?? "limit"} was reached before ${what}.`;
    return { stopReason, error, ...(schema && isFound ? { isSchemaValid: problems.length === 0 } : {}) };
  }

  /** A job that could read no page, or whose schema cannot be filled, has failed. */
  async function answer(
    step: ExtractionStep<"answer">,
    { choose, stopReasonOf = () => null }: AnswerChoice,
  ): Promise<PageEnding> {
    const { task, context, wanted } = step;
    const { all, pages } = await readSoFar(step);
    if (pages.length === 0) {
      const { code, message } = await whyNothing(step);
      const stopReason = stopReasonOf(null, pages);
      return { ...failed(code, message), ...(stopReason === null ? {} : { stopReason }) };
    }
    const trace = createTrace();
    const { filled, tokens } = await fillWithModel(step, await choose(pages), trace);
    if (step.signal.aborted) return { kind: "released" };
    if (!filled) return failed("BAD_REQUEST", "Filling the schema takes too long.");
    const { data, sources, evidence, missing, warning } = filled;
    const stopped = await judge(step, data, stopReasonOf(filled, pages));
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
      ...stopped,
    };
    return records.ending(task, context.job, record, { found: [], refused: [] });
  }

  return {
    answer,
    judge,
    readSoFar,
    whyNothing,
    /** What the pages' own data give; null when the schema takes too long to fill. */
    async fill(wanted: ExtractionSettings, pages: readonly RankedRecord[]): Promise<FilledData | null> {
      return (await extraction.open()).fillData(dataRequest(wanted, pages), null, createTrace());
    },
  };
}

const limits: Readonly<Record<string, string>> = {
  credit_limit_reached: "limit of credits",
  step_limit_reached: "limit of steps and pages",
  time_limit_reached: "time limit",
  token_limit_reached: "limit of tokens",
};

function dataRequest(
  { schema, prompt, systemPrompt }: ExtractionSettings,
  pages: readonly RankedRecord[],
): DataRequest {
  const words = prompt === null ? schema && systemPrompt : [systemPrompt, prompt].filter(Boolean).join("\n\n");
  return { schema, prompt: words || null, pages: pages.map((page) => ({ ...readableOf(page), rank: page.rank })) };
}
