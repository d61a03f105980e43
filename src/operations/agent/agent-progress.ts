// What a planned agent has done so far, and where it may go from there: made of what its tasks left behind, so that another
// process can go on at any step.
import { ServiceError } from "../../base/index.ts";
import {
  type ActionRecord,
  type AgentSettings,
  type ExtractionRecord,
  type ExtractionSettings,
  type ExtractionStep,
  failed,
  type PageJobContext,
  type ReadRecord,
  type ResearchSettings,
  type StepRecord,
  urlKey,
} from "../../jobs/index.ts";
import { loadDiscovery } from "../../reach/index.ts";
import type { TaskKind } from "../../store/index.ts";
import type { OperationParts } from "../parts/operation-parts.ts";
import { createThreads, type EarlierTurn } from "./agent-thread.ts";

export type AgentContext = PageJobContext<"agent" | "research">;
export type AgentStep<Kind extends TaskKind = TaskKind> = ExtractionStep<Kind, AgentContext>;

const mostErrors = 1000;

export function agentOf({ context }: AgentStep): AgentSettings {
  return context.settings.agent;
}

/** Null for a run that does not research. */
export function researchOf({ context: { settings } }: AgentStep): ResearchSettings | null {
  return settings.kind === "research" ? settings.research : null;
}

export interface Progress {
  /** The turns of its thread before this run. */
  earlier: readonly EarlierTurn[];
  steps: StepRecord[];
  actions: ActionRecord[];
  /** Those of earlier turns, then its own. */
  pages: ReadRecord[];
  credits: number;
  tokens: number;
  /** Keys of pages that steps asked for, read or not. */
  asked: Set<string>;
  /** How many pages were begun, those opened in a browser included. */
  begun: number;
}

/** A URL that the agent may read. */
export interface KnownUrl {
  url: string;
  /** What the link or result says. */
  text: string;
  /** 0: named by the caller or found by a search, else found on a page. */
  depth: number;
}

/** Reads what the run and the turns before it have done. */
export function createProgressReader(parts: OperationParts) {
  const threads = createThreads(parts);
  return async (step: AgentStep): Promise<Progress> => {
    const { all } = await parts.jobs.answerer.readSoFar(step);
    return progressOf(all, await threads.earlier(step.context.job));
  };
}

export type ReadProgress = ReturnType<typeof createProgressReader>;

export function progressOf(all: readonly ExtractionRecord[], earlier: readonly EarlierTurn[] = []): Progress {
  const steps = all.filter((record) => record.kind === "step");
  const actions = all.filter((record) => record.kind === "action");
  const pages = all.filter((record) => record.kind === "page");
  const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);
  return {
    earlier,
    steps,
    actions,
    pages: [...earlier.flatMap((turn) => turn.pages), ...pages],
    credits: sum([...pages, ...actions].map(({ credits }) => credits)),
    tokens: sum([...steps, ...actions].map(({ tokens }) => tokens)),
    asked: new Set(steps.flatMap(({ tool, urls = [] }) => (tool === "scrape" ? urls.map(urlKey) : []))),
    begun: sum(steps.map(({ tool, urls = [] }) => (tool === "scrape" || tool === "act" ? urls.length : 0))),
  };
}

/** By their keys. Whatever a model or a page says, no other URL is requested. */
export function knownUrls(step: AgentStep, progress: Progress): Map<string, KnownUrl> {
  const known = new Map<string, KnownUrl>();
  const add = (found: KnownUrl) => {
    const key = urlKey(found.url);
    if (!known.has(key)) known.set(key, found);
  };
  for (const url of step.wanted.urls) add({ url, text: "given by the user", depth: 0 });
  if (agentOf(step).strictConstrainToURLs) return known;
  for (const { urls } of progress.earlier) for (const url of urls) add({ url, text: "given earlier", depth: 0 });
  for (const { tool, links } of progress.actions) {
    for (const link of links) add({ ...link, depth: tool === "search" ? 0 : 1 });
  }
  for (const { links = [] } of progress.pages) for (const link of links) add({ ...link, depth: 1 });
  for (const { pages } of progress.earlier)
    for (const { sourceUrl: url } of pages) add({ url, text: "read earlier", depth: 1 });
  return known;
}

/** Null while a page can be paid; of pages that cost more than was expected. */
export function overBudget(step: AgentStep, { credits }: Progress, price: number) {
  const { code, message } = new ServiceError("CRAWL_BUDGET_EXCEEDED");
  return credits + price > agentOf(step).maxCredits ? failed(code, message) : null;
}

/** Whether a page was left out because it costs more than what was left of the credits. */
export async function hasLeftOutDearPages({ store }: Pick<OperationParts, "store">, step: AgentStep): Promise<boolean> {
  // Whatever research has found is its result.
  if (researchOf(step) !== null) return false;
  const errors = await store.jobResults.listErrors(step.task.jobId, mostErrors);
  return errors.some(({ code }) => code === "CRAWL_BUDGET_EXCEEDED");
}

export const leftSite = failed("EXTERNAL_LINK", "The page leads to another site.");

/** Of the sites of known URLs: an agent goes nowhere else. */
export async function isOfKnownSite(known: ReadonlyMap<string, KnownUrl>, url: string): Promise<boolean> {
  const { siteOf } = await loadDiscovery();
  const site = siteOf(new URL(url));
  return [...known.values()].some((each) => siteOf(new URL(each.url)) === site);
}

/** Of all known URLs those that were not requested yet. */
export function unread(known: ReadonlyMap<string, KnownUrl>, { asked }: Progress): KnownUrl[] {
  return [...known].flatMap(([key, found]) => (asked.has(key) ? [] : [found]));
}

/** The most relevant first. */
export async function bestUrls({ words }: ExtractionSettings, urls: readonly KnownUrl[]): Promise<KnownUrl[]> {
  const { rank } = await loadDiscovery();
  return rank(
    urls.map((each) => ({ ...each, title: each.text })),
    words,
  );
}

export const stepKey = (number: number) => `step-${number}`;
/** Of what a step asks for, unless it is pages known by their URLs. */
export const actionKey = (number: number) => `action-${number}`;
