// The task that asks the model for the next step. What the model names is checked and becomes tasks of the job.

import { secondMs } from "../../base/index.ts";
import { isOver, type PageEnding, timeLeft } from "../../jobs/index.ts";
import type { LanguageModel, ModelFailure, ModelUse } from "../../llm/index.ts";
import { pagePrice } from "../../pages/index.ts";
import { estimateTokens } from "../../text/index.ts";
import type { OperationParts } from "../parts/operation-parts.ts";
import { acceptStep } from "./accept-step.ts";
import {
  type AgentStep,
  agentOf,
  bestUrls,
  type KnownUrl,
  knownUrls,
  type Progress,
  type ReadProgress,
  unread,
} from "./agent-progress.ts";
import { inBrowser } from "./browser-step.ts";
import { allTools, checkStep, readStep, stepForm, type Tool } from "./step-form.ts";
import { askForStep, type Left } from "./step-question.ts";
import { type AgentStepFacts, type StepEndings, stepAfter } from "./step-records.ts";

type PlanStep = AgentStep<"step">;

/** The state of a run before its next step. */
export interface RunState {
  progress: Progress;
  left: Left;
  known: Map<string, KnownUrl>;
  tools: Tool[];
}

const shownErrors = 20;
/** Tokens of the answer itself, besides the pages that it is read from. */
const answerTokens = 500;
const timeReason = "The time limit is reached.";

export function createPlanner(
  { clock, store, checkUrl, requireBrowser }: OperationParts,
  readProgress: ReadProgress,
  endings: StepEndings,
) {
  async function plan(step: PlanStep, model: LanguageModel): Promise<PageEnding> {
    const state = await readState(step);
    const { progress } = state;
    const end = whyOver(state, agentOf(step).isLimitedByCredits);
    if (end) return endings.ofStep(step, end, []);
    const { teamId, keyId } = step.context.job;
    const endsAt = performance.now() + timeLeft(step.wanted, clock.now());
    const use = await model.open({ teamId, keyId, signal: step.signal, endsAt });
    use.allowance.add({ input: progress.tokens, output: 0 });
    if (use.allowance.left() < tokensForAnswer(use, progress)) {
      const reason = "The remaining tokens are needed for the answer.";
      return endings.ofStep(step, { tool: "finish", reason, stopReason: "token_limit_reached" }, []);
    }
    const filled = await ask(step, state, use);
    if (step.signal.aborted) return { kind: "released" };
    const tokens = use.tokensUsed() - progress.tokens;
    if (filled.ok) return accept(step, state, filled.value, tokens);
    // A model that makes one mistake is asked once more.
    const mayGoOn = filled.code === "MODEL_ANSWER_UNUSABLE" && !progress.steps.at(-1)?.failure;
    return endings.ofStep(step, failedStep(step, filled), mayGoOn ? [stepAfter(step.task.step)] : [], tokens);
  }

  async function readState(step: PlanStep): Promise<RunState> {
    const progress = await readProgress(step);
    const known = knownUrls(step, progress);
    return { progress, known, left: leftOf(step, progress), tools: toolsOf(step, hasBrowser(step)) };
  }

  async function ask(step: PlanStep, { progress, known, left, tools }: RunState, use: ModelUse) {
    const { context, wanted } = step;
    const form = stepForm(tools);
    const urls = await bestUrls(wanted, unread(known, progress));
    const errors = await store.jobResults.listErrors(context.job.id, shownErrors);
    const question = { wanted, progress, urls, errors, left, maxTokens: use.contextTokens };
    return use.fill(askForStep(use.buildPrompt, question), { schema: form, check: checkStep(tools) });
  }

  async function accept(step: PlanStep, { progress, known, left }: RunState, value: unknown, tokens: number) {
    const number = step.task.step;
    const decision = readStep(value);
    const limits = { ...left, pagePrice: pagePrice(step.context.settings.scrapeOptions) };
    const { tasks, ...accepted } = await acceptStep(checkUrl, { number, decision, progress, known, limits });
    const { tool, reason, query } = decision;
    const found = tasks.length > 0 || tool === "finish" ? tasks : [stepAfter(number)];
    const facts = { tool, reason, ...accepted, ...(query === "" ? {} : { query }) };
    return endings.ofStep(step, facts, found, tokens);
  }

  function failedStep({ wanted }: PlanStep, { code, message }: ModelFailure): AgentStepFacts {
    const isLate = code === "MODEL_TIMEOUT" && isOver(wanted, clock.now());
    if (isLate) return { tool: "finish", reason: timeReason, stopReason: "time_limit_reached" };
    const stopReason = code === "MODEL_BUDGET_EXCEEDED" ? "token_limit_reached" : "model_failed";
    return { tool: "none", reason: message, stopReason, failure: { code, message } };
  }

  function leftOf(step: PlanStep, progress: Progress): Left {
    const { wanted, context } = step;
    const { maxCredits, planning } = agentOf(step);
    const { maxSteps } = planning ?? { maxSteps: 0 };
    const credits = maxCredits - progress.credits;
    return {
      steps: maxSteps - progress.steps.length,
      pages: wanted.limit - progress.begun,
      credits: credits < pagePrice(context.settings.scrapeOptions) ? 0 : credits,
      seconds: Math.ceil(((wanted.deadline ?? clock.now()) - clock.now()) / secondMs),
    };
  }

  /** By the server's settings alone. */
  function hasBrowser(step: PlanStep): boolean {
    try {
      requireBrowser(inBrowser(step, {}).context.settings.scrapeOptions);
      return true;
    } catch {
      return false;
    }
  }

  return plan;
}

/** Null while there is something to do and enough to do it with. */
export function whyOver(
  { progress, known, left, tools }: RunState,
  isLimitedByCredits: boolean,
): Pick<AgentStepFacts, "tool" | "reason" | "stopReason"> | null {
  const mayReadMore = unread(known, progress).length > 0 || tools.some((tool) => tool === "act" || tool === "search");
  if (!mayReadMore) return { tool: "finish", reason: "All given pages were requested." };
  const finish = (reason: string, stopReason: string) => ({ tool: "finish" as const, reason, stopReason });
  if (left.seconds <= 0) return finish(timeReason, "time_limit_reached");
  if (left.steps <= 0) return finish("The step limit is reached.", "step_limit_reached");
  const byCredits = left.credits <= 0 || (left.pages <= 0 && isLimitedByCredits);
  if (byCredits) return finish("The credit limit is reached.", "credit_limit_reached");
  return left.pages > 0 ? null : finish("The page limit is reached.", "step_limit_reached");
}

/** By the caller's options and the server's settings alone. */
function toolsOf(step: PlanStep, hasBrowser: boolean): Tool[] {
  const isOpen = !agentOf(step).strictConstrainToURLs;
  return allTools.filter((tool) => {
    if (tool === "search" || tool === "map") return isOpen;
    if (tool === "act") return hasBrowser;
    return tool !== "extract" || step.wanted.schema !== null;
  });
}

function tokensForAnswer({ contextTokens }: ModelUse, { pages }: Progress): number {
  if (pages.length === 0) return 0;
  const tokens = pages.reduce((sum, { text = "" }) => sum + estimateTokens(text), 0);
  return Math.min(contextTokens, tokens) + answerTokens;
}
