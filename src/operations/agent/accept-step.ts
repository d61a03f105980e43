// What of a step is done. A model may be mistaken or misled by a page, so every part of its step is checked here: whether the
// agent knows the URL, whether the guard allows it, and whether it can be paid.

import { prices } from "../../accounts/index.ts";
import type { Action } from "../../contract/index.ts";
import { foundPage, type NewTask, urlKey } from "../../jobs/index.ts";
import type { CheckUrl } from "../../reach/index.ts";
import { actionKey, isOfKnownSite, type KnownUrl, type Progress } from "./agent-progress.ts";
import { knownControls, toActions } from "./browser-step.ts";
import type { Decision } from "./step-form.ts";

export interface StepLimits {
  pages: number;
  credits: number;
  pagePrice: number;
}

export interface AcceptedStep {
  tasks: NewTask[];
  /** URLs that are requested. */
  urls: string[];
  /** What to do on the page, in a browser. */
  actions?: Action[];
  /** What is not done, and why, in sentences. */
  refused: string[];
}

interface Proposed {
  number: number;
  decision: Decision;
  progress: Progress;
  known: ReadonlyMap<string, KnownUrl>;
  limits: StepLimits;
}

export async function acceptStep(checkUrl: CheckUrl, proposed: Proposed): Promise<AcceptedStep> {
  switch (proposed.decision.tool) {
    case "search":
      return acceptSearch(proposed);
    case "map":
      return acceptMap(checkUrl, proposed);
    case "scrape":
      return acceptPages(checkUrl, proposed);
    case "act":
      return acceptActions(checkUrl, proposed);
    case "extract":
      return acceptExtract(proposed);
    default:
      return { tasks: [], urls: [], refused: [] };
  }
}

function acceptSearch({ number, decision, progress, limits }: Proposed): AcceptedStep {
  const { query } = decision;
  if (progress.steps.some((step) => step.tool === "search" && step.query === query)) {
    return refuse("This query was already searched.");
  }
  if (limits.credits < prices.searchTen) return refuse(`A search costs ${prices.searchTen} credits.`);
  return { tasks: [actionTask(number, "")], urls: [], refused: [] };
}

async function acceptMap(checkUrl: CheckUrl, { number, decision, known, limits }: Proposed): Promise<AcceptedStep> {
  const [url = ""] = decision.urls;
  const verdict = checkUrl(url);
  if (!("url" in verdict)) return refuse(`${url} is not allowed.`);
  if (!(await isOfKnownSite(known, verdict.url.href))) return refuse(`${url} is not on a site that is known so far.`);
  if (limits.credits < prices.map) return refuse(`Listing a site costs ${prices.map} credit.`);
  return { tasks: [actionTask(number, verdict.url.origin)], urls: [verdict.url.origin], refused: [] };
}

function acceptPages(checkUrl: CheckUrl, { decision, progress, known, limits }: Proposed): AcceptedStep {
  const accepted: AcceptedStep = { tasks: [], urls: [], refused: [] };
  const room = Math.min(limits.pages, Math.floor(limits.credits / limits.pagePrice));
  const asked = new Set(progress.asked);
  for (const text of decision.urls) {
    const verdict = checkUrl(text);
    const key = "url" in verdict ? urlKey(verdict.url.href) : "";
    const found = known.get(key);
    if (!("url" in verdict)) accepted.refused.push(`${text} is not allowed.`);
    else if (!found) accepted.refused.push(`${text} is not one of the URLs that can be read.`);
    else if (asked.has(key)) accepted.refused.push(`${text} was already requested.`);
    else if (accepted.tasks.length >= room) accepted.refused.push(`${text} exceeds the page or credit limit.`);
    else {
      asked.add(key);
      accepted.urls.push(found.url);
      accepted.tasks.push(foundPage(found.url, found.depth));
    }
  }
  return accepted;
}

/** The same page may be opened again and again: each time something else is done on it. */
function acceptActions(checkUrl: CheckUrl, { number, decision, progress, known, limits }: Proposed): AcceptedStep {
  const [text = ""] = decision.urls;
  const verdict = checkUrl(text);
  const found = "url" in verdict ? known.get(urlKey(verdict.url.href)) : undefined;
  if (!found) return refuse(`${text} is not one of the URLs that can be read.`);
  if (limits.pages < 1 || limits.credits < limits.pagePrice) return refuse("The page or credit limit is reached.");
  const actions = toActions(decision.actions, knownControls(progress, found.url));
  if (!actions)
    return refuse("An action names no element of the page's list. Open the page without actions to see the list.");
  const { url, depth } = foundPage(found.url, found.depth);
  const task: NewTask = { key: actionKey(number), url, depth, kind: "page", step: number };
  return { tasks: [task], urls: [found.url], actions, refused: [] };
}

function acceptExtract({ number, progress }: Proposed): AcceptedStep {
  if (progress.pages.length === 0) return refuse("No page has been read yet.");
  if (isExtracted(progress)) return refuse("No page has been read since the last extract.");
  return { tasks: [actionTask(number, "")], urls: [], refused: [] };
}

/** Whether the latest extract is of all pages that were read. */
export function isExtracted({ actions, pages }: Progress): boolean {
  const last = actions.findLast(({ tool }) => tool === "extract");
  return last !== undefined && pages.every(({ at }) => at <= last.at);
}

function actionTask(number: number, url: string): NewTask {
  return { key: actionKey(number), url, depth: 0, kind: "action", step: number };
}

function refuse(sentence: string): AcceptedStep {
  return { tasks: [], urls: [], refused: [sentence] };
}
