// The answer of an agent that a language model plans: values of the caller's schema, each looked up on the pages that were read,
// or without a schema an answer in words with the passages it rests on.
import type { Clock } from "../../base/index.ts";
import type { Evidence } from "../../extraction/index.ts";
import type { PageReading, Passage } from "../../llm/index.ts";
import type { ExtractPages, Step } from "../extract/extract-pages.ts";
import type { AnswerRecord, ExtractionRecords, PagesAnswer, ReadRecord } from "../extract/extraction-records.ts";
import type { LazyExtraction } from "../extract/lazy-extraction.ts";
import { failed, type PageEnding } from "../jobs/job-reading.ts";
import type { ExtractionSettings } from "../jobs/job-settings.ts";
import type { LanguageModel, ModelUse } from "../model/language-model.ts";
import { modelWarning } from "../model/model-failure.ts";
import { isExtracted } from "./accept-step.ts";
import { type Progress, progressOf } from "./progress.ts";

export interface PlannedAnswerDeps {
  clock: Clock;
  records: ExtractionRecords;
  extraction: LazyExtraction;
  pages: ExtractPages;
}

export type PlannedAnswer = ReturnType<typeof createPlannedAnswer>;

type Filled = Extract<PagesAnswer, { ok: true }>;

/** How sure a value is that stands on the page as the model says. */
const modelConfidence = 0.8;
const silent = new Set<string>(["MODEL_UNAVAILABLE", "MODEL_TIMEOUT", "MODEL_MISCONFIGURED"]);
const withoutModel = "The data was found without it.";

export function createPlannedAnswer({ clock, records, extraction, pages }: PlannedAnswerDeps) {
  /** From all pages that were read; asks the model. */
  async function fill(step: Step, model: LanguageModel, progress: Progress) {
    const { context, wanted, signal } = step;
    const { teamId, keyId } = context.job;
    // The run's time is for finding pages: what was found is worth the time of one more answer.
    const use = await model.open({ teamId, keyId, signal, endsAt: Number.POSITIVE_INFINITY });
    use.allowance.add({ input: progress.tokens, output: 0 });
    const read = progress.pages.filter(({ finding }) => finding !== null);
    const reading = use.reading(read.map(({ url, text = "" }) => ({ url, text })));
    const answer = wanted.schema
      ? await fillSchema(reading, use, { ...wanted, schema: wanted.schema })
      : await answerInWords(reading, use, wanted.prompt ?? "");
    return { answer, tokens: use.tokensUsed() - progress.tokens };
  }

  async function fillSchema(
    reading: PageReading,
    { room }: ModelUse,
    { schema, prompt }: ExtractionSettings & { schema: Record<string, unknown> },
  ): Promise<PagesAnswer> {
    const { extractor } = await extraction.open();
    const check = (value: unknown) => extractor.problems({ schema, value });
    const filled = await room.fillFromPages(reading, { schema, prompt, check });
    if (!filled.ok) return { ok: false, code: filled.code, message: filled.message };
    const { value: data, evidence, unsupported, dropped } = filled;
    const missing = missingFields(schema, data, filled.missing);
    const warnings = [
      sentence("Not found", missing),
      sentence("Left out, because no page that was read says it", unsupported),
      sentence("Left out, because it breaks the schema", dropped),
      filled.isPartial ? "Parts of the pages were too long to be shown to the language model." : "",
    ];
    return answered({ data, evidence: evidenceOf(evidence), sources: sourcesOf(evidence), missing }, warnings);
  }

  async function answerInWords(reading: PageReading, { room }: ModelUse, prompt: string): Promise<PagesAnswer> {
    const found = await room.answerFromPages(reading, prompt);
    if (!found.ok) return { ok: false, code: found.code, message: found.message };
    const isSupported = found.passages.length > 0;
    const answer = isSupported ? found.answer : null;
    const passages = answer === null ? [] : found.passages;
    const data = { answer, sources: passages.map(({ url, text }) => ({ url, quote: text })) };
    const urls = [...new Set(passages.map(({ url }) => url))];
    const isLeftOut = found.answer !== null && !isSupported;
    const warnings = [
      isLeftOut ? "The language model's answer was left out, because no page that was read says it." : "",
      found.answer === null ? "The pages that were read do not say it." : "",
    ];
    const missing = answer === null ? ["answer"] : [];
    return answered({ data, evidence: {}, sources: urls.length > 0 ? { answer: urls } : {}, missing }, warnings);
  }

  /** What stands in the pages' own data, for when the model does not answer. */
  async function fillPlainly({ wanted }: Step, read: readonly ReadRecord[]): Promise<Filled | null> {
    const filled = wanted.schema ? await pages.fill(wanted, read) : null;
    return filled && Object.keys(filled.evidence).length > 0 ? { ok: true, ...filled } : null;
  }

  async function end(step: Step, model: LanguageModel): Promise<PageEnding> {
    const { all, pages: read } = await pages.readSoFar(step);
    const progress = progressOf(all);
    const last = progress.steps.at(-1);
    if (read.every(({ finding }) => finding === null)) {
      if (last?.failure) return failed(last.failure.code, last.failure.message);
      const { code, message } = await pages.whyNothing(step);
      return failed(code, message);
    }
    const answer = await answerOnce(step, model, progress);
    if (step.signal.aborted) return { kind: "released" };
    if (answer.ok) return endWith(step, progress, answer, stopReasonOf(step, progress, answer));
    const plain = await fillPlainly(step, read);
    if (!plain) return failed(answer.code, answer.message);
    const warning = [modelWarning(answer, withoutModel), plain.warning].filter(Boolean).join(" ");
    return endWith(step, progress, { ...plain, warning }, last?.stopReason ?? "model_failed");
  }

  /** A model that does not answer is not asked again, and what an extract has found already is the answer. */
  async function answerOnce(step: Step, model: LanguageModel, progress: Progress): Promise<PagesAnswer> {
    const failure = progress.steps.at(-1)?.failure;
    if (failure && silent.has(failure.code)) return { ok: false, ...failure };
    const done = progress.actions.findLast(({ tool }) => tool === "extract")?.answer;
    if (done?.ok && isExtracted(progress)) return done;
    return (await fill(step, model, progress)).answer;
  }

  function endWith(step: Step, progress: Progress, answer: Filled, stopReason: string | null): Promise<PageEnding> {
    const { ok: _, ...filled } = answer;
    const record: AnswerRecord = {
      kind: "answer",
      at: clock.now(),
      ...filled,
      pages: progress.pages.length,
      steps: [],
      ...(stopReason === null ? {} : { stopReason }),
    };
    return records.ending(step.task, step.context.job, record, { found: [], refused: [] });
  }

  /** Null when everything was found, or when the model itself saw no way on. */
  function stopReasonOf({ wanted }: Step, { steps }: Progress, { missing }: Filled): string | null {
    if (missing.length === 0) return null;
    const last = steps.at(-1);
    if (last?.stopReason !== undefined) return last.stopReason;
    return last?.tool !== "finish" && pages.isOver(wanted) ? "time_limit_reached" : null;
  }

  return { fill, end };
}

function answered(filled: Omit<Filled, "ok" | "warning">, warnings: readonly string[]): Filled {
  const warning = warnings.filter(Boolean).join(" ");
  return { ok: true, ...filled, ...(warning === "" ? {} : { warning }) };
}

function sentence(what: string, paths: readonly string[]): string {
  return paths.length === 0 ? "" : `${what}: ${paths.join(", ")}.`;
}

/** Wanted fields without a value: those of the first level, and whatever is required below. */
function missingFields(schema: Record<string, unknown>, data: unknown, required: readonly string[]): string[] {
  const properties = typeof schema.properties === "object" && schema.properties !== null ? schema.properties : {};
  const values = (typeof data === "object" && data !== null ? data : {}) as Record<string, unknown>;
  const isEmpty = (value: unknown) =>
    value === undefined || value === null || (Array.isArray(value) && value.length === 0);
  const first = Object.keys(properties).filter((name) => isEmpty(values[name]));
  return [...new Set([...first, ...required])];
}

function evidenceOf(passages: Record<string, Passage>): Record<string, Evidence> {
  const entries = Object.entries(passages).map(([path, { url, text }]): [string, Evidence] => [
    path,
    { url, text, method: "model", selector: "", confidence: modelConfidence },
  ]);
  return Object.fromEntries(entries);
}

/** By fields without places in lists. */
function sourcesOf(passages: Record<string, Passage>): Record<string, string[]> {
  const sources: Record<string, string[]> = {};
  for (const [path, { url }] of Object.entries(passages)) {
    const field = path.replace(/\[\d+\]/g, "");
    const urls = sources[field] ?? [];
    if (!urls.includes(url)) urls.push(url);
    sources[field] = urls;
  }
  return sources;
}
