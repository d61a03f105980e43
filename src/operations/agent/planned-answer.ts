// The answer of an agent that a language model plans: values of the caller's schema, each looked up on the pages that were read,
// or without a schema an answer in words with the passages it rests on.

import { createTrace } from "../../base/index.ts";
import { type AnswerRecord, failed, isOver, type PageEnding, type PagesAnswer, readableOf } from "../../jobs/index.ts";
import type { LanguageModel, ModelUse } from "../../llm/index.ts";
import { modelWarning } from "../../text/index.ts";
import { type OperationParts, warningOf } from "../parts/operation-parts.ts";
import { isExtracted } from "./accept-step.ts";
import {
  type AgentStep,
  agentOf,
  hasLeftOutDearPages,
  type Progress,
  type ReadProgress,
  researchOf,
} from "./agent-progress.ts";
import { nothingSaid, type Reply, replyOf } from "./chat-reply.ts";
import { askedInWords, wantedJson } from "./research-answer.ts";
import { earlierPages, earlierTurns, promptOf } from "./step-question.ts";

export type PlannedAnswer = ReturnType<typeof createPlannedAnswer>;

type Filled = Extract<PagesAnswer, { ok: true }>;
type Failure = NonNullable<Filled["failure"]>;

const silent = new Set<string>(["MODEL_UNAVAILABLE", "MODEL_TIMEOUT", "MODEL_MISCONFIGURED"]);

export function createPlannedAnswer({ clock, extraction, jobs, store }: OperationParts, readProgress: ReadProgress) {
  const { records, answerer } = jobs;

  /** From all pages that were read. */
  async function fill(step: AgentStep, model: LanguageModel, progress: Progress) {
    const use = await openUse(step, model, progress);
    const answer = step.wanted.schema
      ? await fillSchema(step, progress, use)
      : await answerInWords(step, use, progress);
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
  async function fillSchema(step: AgentStep, progress: Progress, use: ModelUse | null): Promise<PagesAnswer> {
    const { schema } = step.wanted;
    const prompt = promptOf(step.wanted.prompt, progress);
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
    const progress = await readProgress(step);
    const last = progress.steps.at(-1);
    if (progress.pages.every(({ finding }) => finding === null)) {
      const { code, message } = last?.failure ?? (await answerer.whyNothing(step));
      const stopReason = researchOf(step) ? undefined : last?.stopReason;
      // At a limit the work is paid; a model that fails costs nothing.
      return { ...failed(code, message), ...(stopReason && stopReason !== "model_failed" ? { stopReason } : {}) };
    }
    const { answer, tokens } = await answerOnce(step, model, progress);
    if (step.signal.aborted) return { kind: "released" };
    if (!answer.ok) return failed(answer.code, answer.message);
    if (agentOf(step).mode !== "chat") return endWith(step, progress, answer, { tokens });
    const use = await openUse(step, model, progress);
    const reply = await replyOf(use, promptOf(step.wanted.prompt, progress), answer.data);
    if (step.signal.aborted) return { kind: "released" };
    return endWith(step, progress, answer, { ...reply, tokens: tokens + use.tokensUsed() - progress.tokens });
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

  async function endWith(
    step: AgentStep<"answer">,
    progress: Progress,
    answer: Filled,
    { tokens, ...reply }: Partial<Reply> & { tokens: number },
  ): Promise<PageEnding> {
    const { ok: _, failure, ...filled } = answer;
    const isShort = answer.missing.length > 0 && (await hasLeftOutDearPages({ store }, step));
    const stopReason = stopReasonOf(step, progress, answer, clock.now()) ?? (isShort ? "credit_limit_reached" : null);
    const stopped = await answerer.judge(step, filled.data, stopReason, failure?.message);
    const record: AnswerRecord = {
      kind: "answer",
      at: clock.now(),
      ...filled,
      ...(reply.message === undefined ? {} : { data: null }),
      ...reply,
      pages: progress.pages.length,
      tokens: progress.tokens + tokens,
      steps: [],
      ...stopped,
    };
    return records.ending(step.task, step.context.job, record, { found: [], refused: [] });
  }

  return { fill, end };
}

/** Null when the model itself saw no way on, or had found everything before the time ran out. */
function stopReasonOf(step: AgentStep, { steps }: Progress, { missing, failure }: Filled, now: number): string | null {
  // Research ends at its depth, and whatever it found is its result.
  if (researchOf(step)) return null;
  const last = steps.at(-1);
  if (last?.stopReason !== undefined) return last.stopReason;
  if (failure) return failure.code === "MODEL_BUDGET_EXCEEDED" ? "token_limit_reached" : "model_failed";
  const isLate = missing.length > 0 && last?.tool !== "finish" && isOver(step.wanted, now);
  return isLate ? "time_limit_reached" : null;
}

async function answerInWords(step: AgentStep, use: ModelUse, progress: Progress): Promise<PagesAnswer> {
  const asked = promptOf(askedInWords(step), progress);
  const found = await use.answerFromPages([...earlierPages(progress), ...textsOf(progress)], asked);
  if (!found.ok) return { ok: false, ...whyNot(found) };
  // What an earlier turn said proves nothing.
  const supporting = found.passages.filter(({ url }) => url !== earlierTurns);
  const isSupported = supporting.length > 0;
  const answer = isSupported ? found.answer : null;
  const passages = answer === null ? [] : supporting;
  const data = { answer, sources: passages.map(({ url, text }) => ({ url, quote: text })) };
  const urls = [...new Set(passages.map(({ url }) => url))];
  const isLeftOut = found.answer !== null && !isSupported;
  const warnings = [
    isLeftOut ? "The language model's answer was left out: no page that was read supports it." : "",
    found.answer === null ? nothingSaid : "",
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
