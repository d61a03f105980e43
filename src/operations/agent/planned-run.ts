// An agent that a language model plans: a step asks the model what to do next, what it names is checked and becomes tasks of
// the job, and their ends ask for the next step. Everything is a task, so a run goes on after a crash.

import type { Clock } from "../../base/index.ts";
import {
  bestLinks,
  type ExtractionPages,
  type ExtractionRecords,
  foundDepth,
  type NewTask,
  type PageAnswerer,
  type PageEnding,
  type PageFinder,
} from "../../jobs/index.ts";
import type { BrowserCheck, LazyExtraction } from "../../pages/index.ts";
import type { CheckUrl } from "../../reach/index.ts";
import type { Store } from "../../store/index.ts";
import { isOfKnownSite, knownUrls, leftSite, progressOf } from "./agent-progress.ts";
import { type AgentStep, agentOf } from "./agent-step.ts";
import { controlsOf, inBrowser } from "./browser-step.ts";
import { createPlanner } from "./plan-step.ts";
import { createPlannedAnswer } from "./planned-answer.ts";
import { createStepActions } from "./step-actions.ts";
import { createStepEndings, findStep, stepAfter } from "./step-records.ts";

export interface PlannedRunDeps {
  clock: Clock;
  store: Store;
  records: ExtractionRecords;
  extraction: LazyExtraction;
  extractionPages: ExtractionPages;
  finder: PageFinder;
  answerer: PageAnswerer;
  checkUrl: CheckUrl;
  requireBrowser: BrowserCheck;
}

export function createPlannedRun(deps: PlannedRunDeps) {
  const {
    clock,
    store,
    records,
    extraction,
    extractionPages: pages,
    finder,
    answerer,
    checkUrl,
    requireBrowser,
  } = deps;
  const endings = createStepEndings({ clock, records });
  const answer = createPlannedAnswer({ clock, records, extraction, answerer });

  async function readPage(step: AgentStep<"page">): Promise<PageEnding> {
    const { task } = step;
    const progress = progressOf((await answerer.readSoFar(step)).all);
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
    const { steps } = progressOf((await answerer.readSoFar(step)).all);
    return [stepAfter(steps.length)];
  }

  return {
    plan: createPlanner({ clock, store, checkUrl, requireBrowser, answerer, endings }),
    act: createStepActions({ answerer, finder, answer, endings }),
    readPage,
    answer: answer.end,
  };
}
