// The answer of an agent that a language model plans: values of the caller's schema, each looked up on the pages that were read,
// or without a schema an answer in words with the passages it rests on.

import { createTrace } from "../../base/index.ts";
import { type AnswerRecord, failed, isOver, type PageEnding, type PagesAnswer, readableOf } from "../../jobs/index.ts";
import type { LanguageModel, ModelUse, PageText } from "../../llm/index.ts";
import { modelWarning } from "../../text/index.ts";
import { type OperationParts, warningOf } from "../parts/operation-parts.ts";
import { isExtracted } from "./accept-step.ts";
import { type AgentStep, type Progress, progressOf } from "./agent-progress.ts";
import { askedInWords, wantedJson } from "./research-answer.ts";

export type PlannedAnswer = ReturnType<typeof createPlannedAnswer>;

type Filled = Extract<PagesAnswer, { ok: true }>;
type Failure = NonNullable<Filled["failure"]>;

const silent = new Set<string>(["MODEL_UNAVAILABLE", "MODEL_TIMEOUT", "MODEL_MISCONFIGURED"]);

export function createPlannedAnswer({ clock, extraction, jobs }: OperationParts) {
  const { records, answerer } = jobs;

  /** From all pages that were read. */
  async function fill(step: AgentStep, model: LanguageModel, progress: Progress) {
    const use = await openUse(step, model, progress);
    const answer = step.wanted.schema
      ? await fillSchema(step, progress, use)
      : await answerInWords(use, textsOf(progress), askedInWords(step));
    return { answer: await withJson(step, answer, progress, use), tokens: use.tokensUsed() - progress.tokens };
  }

  async function openUse({ context, signal }: AgentStep, model: LanguageModel, progress: Progress): Promise<ModelUse> {
    const { teamId, keyId } = context.job;
    // The run's time is for finding pages: what was found is worth the time of one more answer.
    const use = await model.open({ teamId, keyId, signal, endsAt: Number.POSITIVE_INFINITY });
    use.allowance.add({ input: progress.tokens, output: 0 });
    return use;
  }

  /** What the pages' own data give, and what the model reads beside it unless it is null. */
  async function fillSchema({ wanted }: AgentStep, progress: Progress, use: ModelUse | null): Promise<PagesAnswer> {
    const { schema, prompt } = wanted;
    const read = progress.pages.map(readableOf);
    const { fillData } = await extraction.open();
    const filled = await fillData({ schema, prompt, pages: read }, use && (async () => use), createTrace());
    if (!filled) return { ok: false, code: "MODEL_ANSWER_UNUSABLE", message: "Filling the schema took too long." };
    const { data, sources, evidence, missing, warning, failure } = filled;
    if (failure && Object.keys(evidence).length === 0) return { ok: false, ...whyNot(failure) };
    const found = { data, sources, evidence, missing, ...warningOf([warning]) };
    return { ok: true, ...found, ...(failure ? { failure: whyNot(failure) } : {}) };
  }

  /** Data that are wanted beside an answer in words. */
  async function withJson(
    step: AgentStep,
    answer: PagesAnswer,
    progress: Progress,
    use: ModelUse,
  ): Promise<PagesAnswer> {
    const data = wantedJson(step);
    if (data === null || !answer.ok) return answer;
    const filled = await fillSchema({ ...step, wanted: data }, progress, use);
    const json = filled.ok ? filled.data : null;
    const warned = warningOf([answer.warning, filled.ok ? filled.warning : filled.message]);
    return { ...answer, data: { ...(answer.data as object), json }, ...warned };
  }

  async function end(step: AgentStep<"answer">, model: LanguageModel): Promise<PageEnding> {
    const progress = progressOf((await answerer.readSoFar(step)).all);
    const last = progress.steps.at(-1);
    if (progress.pages.every(({ finding }) => finding === null)) {
      if (last?.failure) return failed(last.failure.code, last.failure.message);
      const { code, message } = await answerer.whyNothing(step);
      return failed(code, message);
    }
    const { answer, tokens } = await answerOnce(step, model, progress);
    if (step.signal.aborted) return { kind: "released" };
    if (!answer.ok) return failed(answer.code, answer.message);
    return endWith(step, progress, answer, progress.tokens + tokens);
  }

  /** A model that does not answer is not asked again, and what an extract has found already is the answer. */
  async function answerOnce(
    step: AgentStep,
    model: LanguageModel,
    progress: Progress,
  ): Promise<{ answer: PagesAnswer; tokens: number }> {
    const failure = progress.steps.at(-1)?.failure;
    if (failure && silent.has(failure.code)) return { answer: await answerWithout(step, progress, failure), tokens: 0 };
    const done = progress.actions.findLast(({ tool }) => tool === "extract")?.answer;
    return done?.ok && isExtracted(progress) ? { answer: done, tokens: 0 } : fill(step, model, progress);
  }

  async function answerWithout(step: AgentStep, progress: Progress, failure: Failure): Promise<PagesAnswer> {
    const plain = step.wanted.schema ? await fillSchema(step, progress, null) : null;
    if (!plain?.ok || Object.keys(plain.evidence).length === 0) return { ok: false, ...failure };
    const warning = modelWarning(failure, "The values were found without it.");
    return { ...plain, failure, ...warningOf([warning, plain.warning]) };
  }

  function endWith(step: AgentStep<"answer">, progress: Progress, answer: Filled, tokens: number): Promise<PageEnding> {
    const { ok: _, failure: __, ...filled } = answer;
    const stopReason = stopReasonOf(step, progress, answer);
    const record: AnswerRecord = {
      kind: "answer",
      at: clock.now(),
      ...filled,
      pages: progress.pages.length,
      tokens,
      steps: [],
      ...(stopReason === null ? {} : { stopReason }),
    };
    return records.ending(step.task, step.context.job, record, { found: [], refused: [] });
  }

  /** Null when everything was found, or when the model itself saw no way on. */
  function stopReasonOf({ wanted }: AgentStep, { steps }: Progress, { missing, failure }: Filled): string | null {
    const last = steps.at(-1);
    if (failure) return last?.stopReason ?? "model_failed";
    if (missing.length === 0) return null;
    if (last?.stopReason !== undefined) return last.stopReason;
    return last?.tool !== "finish" && isOver(wanted, clock.now()) ? "time_limit_reached" : null;
  }

  return { fill, end };
}

async function answerInWords(use: ModelUse, pages: readonly PageText[], prompt: string): Promise<PagesAnswer> {
  const found = await use.answerFromPages(pages, prompt);
  if (!found.ok) return { ok: false, ...whyNot(found) };
  const isSupported = found.passages.length > 0;
  const answer = isSupported ? found.answer : null;
  const passages = answer === null ? [] : found.passages;
  const data = { answer, sources: passages.map(({ url, text }) => ({ url, quote: text })) };
  const urls = [...new Set(passages.map(({ url }) => url))];
  const isLeftOut = found.answer !== null && !isSupported;
  const warnings = [
    isLeftOut ? "The language model's answer was left out: no page that was read supports it." : "",
    found.answer === null ? "The pages that were read do not answer the question." : "",
    ...(answer === null ? [] : use.doubtsAbout("answer", found)),
  ];
  const missing = answer === null ? ["answer"] : [];
  const sources = urls.length > 0 ? { answer: urls } : {};
  return { ok: true, data, evidence: {}, sources, missing, ...warningOf(warnings) };
}

function textsOf({ pages }: Progress) {
  return pages.filter(({ finding }) => finding !== null).map(({ url, text = "" }) => ({ url, text }));
}

function whyNot({ code, message }: Failure): Failure {
  return { code, message };
}
