// Work on the tasks of an agent that a language model plans: a step asks the model what to do next, what it names is judged and
// becomes tasks of the job, and their ends ask for the next step. Everything is a task, so a run goes on after a crash.
import { prices } from "../../accounts/index.ts";
import { type Clock, createTrace, secondMs } from "../../base/index.ts";
import type { NewTask } from "../../jobs/index.ts";
import type { ModelFailure } from "../../llm/index.ts";
import type { BrowserCheck, Judge, LanguageModel, ModelUse } from "../../pages/index.ts";
import { pagePrice } from "../../pages/index.ts";
import type { Store } from "../../store/index.ts";
import { bestLinks } from "../extract/best-links.ts";
import { foundDepth, type Step } from "../extract/extract-pages.ts";
import type { ExtractWork } from "../extract/extract-work.ts";
import type { ActionRecord, ExtractionRecords, StepRecord } from "../extract/extraction-records.ts";
import type { PageEnding } from "../jobs/job-reading.ts";
import { acceptStep } from "./accept-step.ts";
import { controlsOf, inBrowser } from "./browser-step.ts";
import type { PlannedAnswer } from "./planned-answer.ts";
import {
  bestAddresses,
  isOfKnownSite,
  knownAddresses,
  leftSite,
  type Progress,
  progressOf,
  stepKey,
  unread,
} from "./progress.ts";
import { allTools, checkStep, readStep, stepForm, type Tool } from "./step-form.ts";
import { askForStep, type Left } from "./step-question.ts";

export interface PlannedWorkDeps {
  store: Store;
  clock: Clock;
  records: ExtractionRecords;
  judge: Judge;
  requireBrowser: BrowserCheck;
  work: ExtractWork;
  answer: PlannedAnswer;
}

const longestLink = 300;
/** Addresses of a site that are kept. */
const mappedLinks = 200;
const mapMs = 60 * secondMs;
const shownErrors = 20;
/** Tokens of the answer itself, beside the pages that it is read from. */
const answerTokens = 500;

export function createPlannedWork(deps: PlannedWorkDeps) {
  const { store, clock, records, work } = deps;
  const { pages } = work;

  async function plan(step: Step, model: LanguageModel): Promise<PageEnding> {
    const { context, wanted } = step;
    const progress = progressOf((await pages.readSoFar(step)).all);
    const left = leftOf(step, progress);
    const known = knownAddresses(wanted, progress);
    const tools = toolsOf(step, hasBrowser(step));
    const mayReadMore = unread(known, progress).length > 0 || tools.some((tool) => tool === "act" || tool === "search");
    const end = whyOver(step, left, mayReadMore);
    if (end) return endOfStep(step, end, []);
    const use = await model.open(askerOf(step, pages.timeLeft(wanted)));
    use.allowance.add({ input: progress.tokens, output: 0 });
    if (use.allowance.left() < tokensForAnswer(use, progress)) {
      const reason = "The tokens that are left are needed for the answer.";
      return endOfStep(step, { tool: "finish", reason, stopReason: "token_limit_reached" }, []);
    }
    const form = stepForm(tools);
    const addresses = await bestAddresses(wanted, unread(known, progress));
    const errors = await store.jobResults.listErrors(context.job.id, shownErrors);
    const question = { wanted, progress, addresses, errors, left, maxTokens: use.contextTokens };
    const filled = await use.model.fill({
      ...use.question(askForStep(use.room.buildPrompt, question)),
      schema: form,
      check: checkStep(tools),
      coerce: use.room.coerceTypes(form),
    });
    if (step.signal.aborted) return { kind: "released" };
    const tokens = use.tokensUsed() - progress.tokens;
    const number = stepNumber(step.task);
    if (!filled.ok) {
      // A model that makes one mistake is asked once more.
      const mayGoOn = filled.code === "MODEL_ANSWER_UNUSABLE" && !progress.steps.at(-1)?.failure;
      return endOfStep(step, failedStep(step, filled), mayGoOn ? [nextOf(number)] : [], tokens);
    }
    const decision = readStep(filled.value);
    const limits = { ...left, pagePrice: pagePrice(context.settings.scrapeOptions) };
    const { tasks, ...accepted } = await acceptStep(deps.judge, { number, decision, progress, known, limits });
    const isOver = decision.tool === "finish";
    const found = tasks.length > 0 || isOver ? tasks : [nextOf(number)];
    const { tool, reason, query } = decision;
    const facts = { tool, reason, ...accepted, ...(query === "" ? {} : { query }) };
    return endOfStep(step, facts, found, tokens);
  }

  function failedStep(step: Step, { code, message }: ModelFailure): StepFacts {
    const isLate = code === "MODEL_TIMEOUT" && pages.isOver(step.wanted);
    if (isLate) return { tool: "finish", reason: timeReason, stopReason: "time_limit_reached" };
    const stopReason = code === "MODEL_BUDGET_EXCEEDED" ? "token_limit_reached" : "model_failed";
    return { tool: "none", reason: message, stopReason, failure: { code, message } };
  }

  /** Null while there is something to do and enough to do it with. */
  function whyOver({ wanted }: Step, left: Left, mayReadMore: boolean): StepFacts | null {
    if (!mayReadMore) return { tool: "finish", reason: "All given pages were asked for." };
    if (left.seconds <= 0) return { tool: "finish", reason: timeReason, stopReason: "time_limit_reached" };
    if (left.steps <= 0) {
      return { tool: "finish", reason: "The limit of steps is reached.", stopReason: "step_limit_reached" };
    }
    const byCredits = left.credits <= 0 || (left.pages <= 0 && wanted.agent?.isLimitedByCredits);
    if (byCredits) {
      return { tool: "finish", reason: "The limit of credits is reached.", stopReason: "credit_limit_reached" };
    }
    if (left.pages > 0) return null;
    return { tool: "finish", reason: "The limit of pages is reached.", stopReason: "step_limit_reached" };
  }

  function leftOf({ wanted, context }: Step, progress: Progress): Left {
    const { maxSteps, maxCredits } = wanted.agent?.planning ?? { maxSteps: 0, maxCredits: 0 };
    const credits = maxCredits - progress.credits;
    return {
      steps: maxSteps - progress.steps.length,
      pages: wanted.limit - progress.begun,
      credits: credits < pagePrice(context.settings.scrapeOptions) ? 0 : credits,
      seconds: Math.ceil(((wanted.deadline ?? clock.now()) - clock.now()) / secondMs),
    };
  }

  async function act(step: Step, model: LanguageModel): Promise<PageEnding> {
    const asked = await stepOf(step);
    if (asked.tool === "search") return search(step, asked);
    return asked.tool === "map" ? map(step, asked) : extract(step, model);
  }

  async function search(step: Step, { query = "" }: Partial<StepRecord>): Promise<PageEnding> {
    const trace = createTrace();
    const { found, warnings } = await work.findResults(step, query, trace);
    if (step.signal.aborted) return { kind: "released" };
    const links = found.map(({ url, title, description }) => ({
      url,
      text: `${title} ${description}`.trim().slice(0, longestLink),
    }));
    const credits = links.length > 0 ? prices.searchTen : 0;
    const done = { tool: "search" as const, input: { query }, links, credits, tokens: 0, steps: trace.steps };
    return endOfAction(step, done, warnings);
  }

  async function map(step: Step, { query = "", urls: [url = ""] = [] }: Partial<StepRecord>): Promise<PageEnding> {
    const { wanted, signal } = step;
    const trace = createTrace();
    const words = query === "" ? wanted.words : query;
    const listed = await work
      .discoverPages({ ...step, wanted: { ...wanted, words } }, url, trace, mapMs, {})
      .catch((error: unknown) => {
        if (signal.aborted) throw error;
        return null;
      });
    const { allowed } = await work.siftByRobots(step, new URL(url), listed?.links ?? []);
    if (signal.aborted) return { kind: "released" };
    const links = allowed.slice(0, mappedLinks).map((link) => ({
      url: link.url,
      text: (link.title ?? "").slice(0, longestLink),
    }));
    const input = { url, ...(query === "" ? {} : { query }) };
    const credits = links.length > 0 ? prices.map : 0;
    const done = { tool: "map" as const, input, links, credits, tokens: 0, steps: trace.steps };
    return endOfAction(step, done, listed?.warnings ?? ["The site could not be listed."]);
  }

  async function extract(step: Step, model: LanguageModel): Promise<PageEnding> {
    const progress = progressOf((await pages.readSoFar(step)).all);
    const { answer, tokens } = await deps.answer.fill(step, model, progress);
    if (step.signal.aborted) return { kind: "released" };
    const input = { pages: progress.pages.length };
    const done = { tool: "extract" as const, input, links: [], credits: 0, tokens, steps: [], answer };
    return endOfAction(step, done, []);
  }

  async function readPage(step: Step): Promise<PageEnding> {
    const { task, wanted } = step;
    const progress = progressOf((await pages.readSoFar(step)).all);
    const known = knownAddresses(wanted, progress);
    const isActed = task.step !== null;
    const opened = task.step === null ? step : inBrowser(step, findStep(progress, task.step));
    // What the caller named or a search found may have moved, if the caller does not forbid it; a link stays on the known sites.
    let hasLeft = false;
    const mayFollow = async (url: string) => {
      hasLeft = !(await isOfKnownSite(known, url));
      return !hasLeft;
    };
    const isStrict = wanted.agent?.strictConstrainToURLs ?? false;
    const isBound = isStrict || isActed || task.depth >= foundDepth;
    const read = await pages.read(opened, !isStrict, isBound ? mayFollow : undefined);
    if (hasLeft) return { ...leftSite, found: await nextStep(step) };
    if (!("page" in read)) return read.kind === "failed" ? { ...read, found: await nextStep(step) } : read;
    const { page, trace } = read;
    const record = { ...pages.recordOf(opened, page, trace), links: await bestLinks(step, page.reading) };
    const found = await nextStep(step);
    // A browser may have been led away by the page itself.
    if (isBound && !(await isOfKnownSite(known, record.url))) return { ...leftSite, found };
    if (!isActed) return pages.endOfRead(step, page, record, found);
    const controls = controlsOf(page.reading.document);
    return pages.endOfRead(step, page, { ...record, controls }, found, task.key);
  }

  /** None while other pages of the step wait; the answer always does. */
  async function nextStep(step: Step): Promise<NewTask[]> {
    const job = await store.jobs.read(step.task.jobId);
    if (!job || job.waiting > 1) return [];
    const { steps } = progressOf((await pages.readSoFar(step)).all);
    return [nextOf(steps.length)];
  }

  async function stepOf(step: Step): Promise<Partial<StepRecord>> {
    return findStep(progressOf((await pages.readSoFar(step)).all), stepNumber(step.task));
  }

  /** By the server's settings alone. */
  function hasBrowser(step: Step): boolean {
    try {
      deps.requireBrowser(inBrowser(step, {}).context.settings.scrapeOptions);
      return true;
    } catch {
      return false;
    }
  }

  function endOfStep({ task, context }: Step, facts: StepFacts, found: NewTask[], tokens = 0): Promise<PageEnding> {
    const number = stepNumber(task);
    const record = { kind: "step" as const, at: clock.now(), steps: [], number, refused: [], tokens, ...facts };
    return records.ending(task, context.job, record, { found, refused: [] });
  }

  function endOfAction(
    { task, context }: Step,
    done: Omit<ActionRecord, "kind" | "number" | "at">,
    warnings: readonly string[],
  ): Promise<PageEnding> {
    const number = stepNumber(task);
    const warning = [...new Set(warnings)].join(" ");
    const said = warning === "" ? {} : { warning };
    const record = { kind: "action" as const, at: clock.now(), number, ...done, ...said };
    return records.ending(task, context.job, record, { found: [nextOf(number)], refused: [] });
  }

  return async function perform(step: Step, model: LanguageModel): Promise<PageEnding> {
    const { task } = step;
    if (task.kind === "page") return readPage(step);
    if (task.kind === "answer") return deps.answer.end(step, model);
    return task.kind === "action" ? act(step, model) : plan(step, model);
  };
}

type StepFacts = Pick<StepRecord, "tool" | "reason"> &
  Partial<Pick<StepRecord, "query" | "urls" | "actions" | "refused" | "stopReason" | "failure">>;

const timeReason = "The time is up.";

function findStep({ steps }: Progress, number: number): Partial<StepRecord> {
  return steps.find((each) => each.number === number) ?? {};
}

/** By the caller's options and the server's settings alone. */
function toolsOf({ wanted }: Step, hasBrowser: boolean): Tool[] {
  const isOpen = !wanted.agent?.strictConstrainToURLs;
  return allTools.filter((tool) => {
    if (tool === "search" || tool === "map") return isOpen;
    if (tool === "act") return hasBrowser;
    return tool !== "extract" || wanted.schema !== null;
  });
}

function tokensForAnswer({ contextTokens, room }: ModelUse, { pages }: Progress): number {
  if (pages.length === 0) return 0;
  const tokens = pages.reduce((sum, { text = "" }) => sum + room.estimateTokens(text), 0);
  return Math.min(contextTokens, tokens) + answerTokens;
}

function askerOf({ context, signal }: Step, ms: number) {
  const { teamId, keyId } = context.job;
  return { teamId, keyId, signal, endsAt: performance.now() + ms };
}

function nextOf(number: number): NewTask {
  return { key: stepKey(number + 1), url: "", depth: 0, kind: "step", step: number + 1 };
}

function stepNumber({ step }: Step["task"]): number {
  return step ?? 0;
}
