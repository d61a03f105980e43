// An agent that a language model plans: a step asks the model what to do next, what it names is checked and becomes tasks of
// the job, and their ends ask for the next step. Everything is a task, so a run goes on after a crash.

import { foundDepth, type NewTask, type PageEnding } from "../../jobs/index.ts";
import type { OperationParts } from "../parts/operation-parts.ts";
import {
  type AgentStep,
  agentOf,
  createProgressReader,
  isOfKnownSite,
  knownUrls,
  leftSite,
  overBudget,
} from "./agent-progress.ts";
import { bestLinks } from "./best-links.ts";
import { controlsOf, inBrowser } from "./browser-step.ts";
import { createPlanner } from "./plan-step.ts";
import { createPlannedAnswer } from "./planned-answer.ts";
import { createStepActions } from "./step-actions.ts";
import { createStepEndings, findStep, stepAfter } from "./step-records.ts";

export function createPlannedRun(parts: OperationParts) {
  const { store } = parts;
  const { extractionPages: pages } = parts.jobs;
  const readProgress = createProgressReader(parts);
  const endings = createStepEndings(parts);
  const answer = createPlannedAnswer(parts, readProgress);

  async function readPage(step: AgentStep<"page">): Promise<PageEnding> {
    const { task } = step;
    const progress = await readProgress(step);
    const known = knownUrls(step, progress);
    // A page that a step opens in a browser carries the number of that step.
    const isActed = task.step !== null;
    const opened = task.step === null ? step : inBrowser(step, findStep(progress, task.step));
    // What the caller named or a search found may have moved, if the caller does not exclude it; a link stays on known sites.
    let hasLeft = false;
    const mayFollow = async (url: string) => {
      hasLeft = !(await isOfKnownSite(known, url));
      return !hasLeft;
    };
    const isStrict = agentOf(step).strictConstrainToURLs;
    const isBound = isStrict || isActed || task.depth >= foundDepth;
    const read = await pages.read(opened, !isStrict, isBound ? mayFollow : undefined);
    if (hasLeft) return { ...leftSite, found: await nextStep(step) };
    if (!("page" in read)) return read.kind === "failed" ? { ...read, found: await nextStep(step) } : read;
    const { page } = read;
    const tooDear = overBudget(step, progress, page.credits);
    if (tooDear) return { ...tooDear, found: await nextStep(step) };
    const record = { ...read.record, links: await bestLinks(step, page.reading) };
    const found = await nextStep(step);
    // A browser may have been led away by the page itself.
    if (isBound && !(await isOfKnownSite(known, record.url))) return { ...leftSite, found };
    if (!isActed) return pages.end(step, { page, record }, found);
    const controls = controlsOf(page.reading.document);
    return pages.end(step, { page, record: { ...record, controls } }, found, task.key);
  }

  /** None while other pages of the step wait; the answer always does. */
  async function nextStep(step: AgentStep): Promise<NewTask[]> {
    const job = await store.jobs.read(step.task.jobId);
    if (!job || job.waiting > 1) return [];
    const { steps } = await readProgress(step);
    return [stepAfter(steps.length)];
  }

  return {
    plan: createPlanner(parts, readProgress, endings),
    act: createStepActions(parts, readProgress, answer, endings),
    readPage,
    answer: answer.end,
  };
}
