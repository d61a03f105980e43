// What of a step is done. A model may be mistaken or misled by a page, so every part of its step is judged here: whether the
// address is one that the agent knows, whether it may be asked for at all, and whether it can be paid.
import { prices } from "../../accounts/index.ts";
import type { Action } from "../../contract/index.ts";
import type { NewTask } from "../../jobs/index.ts";
import type { Judge } from "../../pages/index.ts";
import { foundPage, pageKey } from "../extract/extract-pages.ts";
import { knownControls, toActions } from "./browser-step.ts";
import { type Address, actionKey, isOfKnownSite, type Progress } from "./progress.ts";
import type { Decision } from "./step-form.ts";

export interface StepLimits {
  pages: number;
  credits: number;
  pagePrice: number;
}

export interface AcceptedStep {
  tasks: NewTask[];
  /** Addresses that are asked for. */
  urls: string[];
  /** What to do on the page, in a browser. */
  actions?: Action[];
  /** What is not done, and why, in sentences. */
  refused: string[];
}

interface Judged {
  number: number;
  decision: Decision;
  progress: Progress;
  known: ReadonlyMap<string, Address>;
  limits: StepLimits;
}

export async function acceptStep(judge: Judge, judged: Judged): Promise<AcceptedStep> {
  switch (judged.decision.tool) {
    case "search":
      return acceptSearch(judged);
    case "map":
      return acceptMap(judge, judged);
    case "scrape":
      return acceptPages(judge, judged);
    case "act":
      return acceptActions(judge, judged);
    case "extract":
      return acceptExtract(judged);
    default:
      return { tasks: [], urls: [], refused: [] };
  }
}

function acceptSearch({ number, decision, progress, limits }: Judged): AcceptedStep {
  const { query } = decision;
  if (progress.steps.some((step) => step.tool === "search" && step.query === query)) {
    return refuse("This was searched for before.");
  }
  if (limits.credits < prices.searchTen) return refuse(`A search costs ${prices.searchTen} credits.`);
  return { tasks: [actionTask(number, "")], urls: [], refused: [] };
}

async function acceptMap(judge: Judge, { number, decision, known, limits }: Judged): Promise<AcceptedStep> {
  const [url = ""] = decision.urls;
  const judgement = judge(url);
  if (!("url" in judgement)) return refuse(`${url} may not be asked for.`);
  if (!(await isOfKnownSite(known, judgement.url.href)))
    return refuse(`${url} is of none of the sites that are known so far.`);
  if (limits.credits < prices.map) return refuse(`To list a site costs ${prices.map} credit.`);
  return { tasks: [actionTask(number, judgement.url.origin)], urls: [judgement.url.origin], refused: [] };
}

function acceptPages(judge: Judge, { decision, progress, known, limits }: Judged): AcceptedStep {
  const accepted: AcceptedStep = { tasks: [], urls: [], refused: [] };
  const room = Math.min(limits.pages, Math.floor(limits.credits / limits.pagePrice));
  const asked = new Set(progress.asked);
  for (const text of decision.urls) {
    const judgement = judge(text);
    const key = "url" in judgement ? pageKey(judgement.url.href) : "";
    const address = known.get(key);
    if (!("url" in judgement)) accepted.refused.push(`${text} may not be asked for.`);
    else if (!address) accepted.refused.push(`${text} is none of the addresses that can be read.`);
    else if (asked.has(key)) accepted.refused.push(`${text} was asked for before.`);
    else if (accepted.tasks.length >= room) accepted.refused.push(`${text} is beyond the limit of pages or credits.`);
    else {
      asked.add(key);
      accepted.urls.push(address.url);
      accepted.tasks.push(foundPage(address.url, address.depth));
    }
  }
  return accepted;
}

/** The same page may be opened again and again: each time something else is done on it. */
function acceptActions(judge: Judge, { number, decision, progress, known, limits }: Judged): AcceptedStep {
  const [text = ""] = decision.urls;
  const judgement = judge(text);
  const address = "url" in judgement ? known.get(pageKey(judgement.url.href)) : undefined;
  if (!address) return refuse(`${text} is none of the addresses that can be read.`);
  if (limits.pages < 1 || limits.credits < limits.pagePrice) return refuse("There is no page left of the limits.");
  const actions = toActions(decision.actions, knownControls(progress, address.url));
  if (!actions)
    return refuse("An action names no element of the page's list: open the page without actions to see it.");
  const { url, depth } = foundPage(address.url, address.depth);
  const task: NewTask = { key: actionKey(number), url, depth, kind: "page", step: number };
  return { tasks: [task], urls: [address.url], actions, refused: [] };
}

function acceptExtract({ number, progress }: Judged): AcceptedStep {
  if (progress.pages.length === 0) return refuse("No page was read yet.");
  if (isExtracted(progress)) return refuse("No page was read since the last extract.");
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
