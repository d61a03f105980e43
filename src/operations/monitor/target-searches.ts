// A search target: results that were not there before are new. Queries never use cached results.

import { prices } from "../../accounts/index.ts";
import { createDeadline, createTrace, minuteMs, ServiceError, secondMs } from "../../base/index.ts";
import { scrapeOptions } from "../../contract/index.ts";
import { urlKey } from "../../jobs/index.ts";
import type { ResultRequest } from "../../search/index.ts";
import { type OperationParts, warningOf } from "../parts/operation-parts.ts";
import { checkedPage, type FoundPage, type SaveFoundPages } from "./check-pages.ts";
import { type JudgeAnswer, judgeChange } from "./judge-change.ts";
import type { TargetEnd, TargetRun } from "./target-run.ts";
import { defaultResults, type WatchedTarget } from "./watched-targets.ts";

type SearchTarget = Extract<WatchedTarget, { type: "search" }>;
type Result = { url: string; title: string; description: string; published?: number | null };

const searchMs = minuteMs;
const windows = {
  "5m": "qdr:h",
  "15m": "qdr:h",
  "1h": "qdr:h",
  "6h": "qdr:h6",
  "24h": "qdr:d",
  "7d": "qdr:w",
} as const;
/** Windows that are shorter than what search services know. */
const shortWindows: Partial<Record<keyof typeof windows, number>> = { "5m": 5 * minuteMs, "15m": 15 * minuteMs };

export function createTargetSearches(parts: OperationParts, save: SaveFoundPages) {
  const { store, clock, findResults, openResultTexts } = parts;

  async function find(run: TargetRun, target: SearchTarget, query: string): Promise<Result[]> {
    const { teamId } = run.job;
    const { signal, clear } = createDeadline(run.signal, searchMs);
    try {
      const readText = openResultTexts({ teamId, options: scrapeOptions.parse({ formats: [] }) }, signal);
      const found = await findResults(requestOf(target, query, teamId), { readText, trace: createTrace(), signal });
      return (found.groups.get("web") ?? []).map((result) => ({
        url: result.url,
        title: result.title ?? "",
        description: result.description ?? "",
        published: result.published ?? null,
      }));
    } finally {
      clear();
    }
  }

  function isWithinWindow({ searchWindow }: SearchTarget, { published }: Result): boolean {
    const ms = searchWindow === undefined ? undefined : shortWindows[searchWindow];
    return ms === undefined || !published || published >= clock.now() - ms - secondMs;
  }

  return async function read(run: TargetRun, target: SearchTarget, taskId: string): Promise<TargetEnd> {
    const lists: Result[][] = [];
    const failures: string[] = [];
    for (const query of target.queries) {
      try {
        lists.push((await find(run, target, query)).filter((result) => isWithinWindow(target, result)));
      } catch (error) {
        if (run.signal.aborted) return { kind: "stopped" };
        failures.push(error instanceof ServiceError ? error.message : "The search timed out.");
      }
    }
    const results = takeInTurn(lists, target.maxResults ?? defaultResults);
    const known = await store.versions.find(run.monitorId, target.id, [...results.keys()]);
    const pages: FoundPage[] = [];
    const silent: FoundPage[] = [];
    const warnings: string[] = [];
    let judged = 0;
    for (const [key, result] of results) {
      const isKnown = known.has(key);
      const { judge } = run.comparison;
      const { teamId, keyId } = run.job;
      const found = [result.title, result.description];
      const changed = found.map((after) => ({ before: null, after: after || null }));
      const change = judge && { teamId, keyId, goal: judge.goal, url: result.url, text: found.join("\n"), changed };
      const { judgment, warning }: JudgeAnswer =
        isKnown || !change ? {} : await judgeChange(judge.model, change, run.signal);
      if (run.signal.aborted) return { kind: "stopped" };
      if (judgment) judged += 1;
      if (warning) warnings.push(warning);
      const page = pageOf(result, isKnown);
      if (judgment && !judgment.meaningful) silent.push(page);
      else pages.push(judgment ? { ...page, facts: { ...page.facts, judgment } } : page);
    }
    const credits = Math.ceil(results.size / 10) * prices.searchTen + judged * prices.judgement;
    const isKept = await save(run, {
      pages,
      silent,
      charge: { id: taskId, credits, reason: "search" },
      ...warningOf(warnings),
    });
    if (!isKept) return { kind: "stopped" };
    return { kind: "done", error: warningOf(failures).warning ?? null };
  };
}

function requestOf(target: SearchTarget, query: string, teamId: string): ResultRequest {
  const { searchWindow, maxResults = defaultResults, includeDomains = [], excludeDomains = [] } = target;
  return {
    query,
    teamId,
    limit: maxResults,
    sources: [{ type: "web" }],
    ...(searchWindow === undefined ? {} : { tbs: windows[searchWindow] }),
    includeDomains,
    excludeDomains,
    categories: [],
    ignoreInvalidURLs: false,
    highlights: false,
    isCacheable: false,
  };
}

/** The first of each query, then the second of each, until there are enough; each page once. */
function takeInTurn(lists: readonly (readonly Result[])[], most: number): Map<string, Result> {
  const taken = new Map<string, Result>();
  const longest = Math.max(0, ...lists.map((list) => list.length));
  for (let place = 0; place < longest; place += 1) {
    for (const list of lists) {
      const result = list[place];
      if (result && taken.size < most && !taken.has(urlKey(result.url))) taken.set(urlKey(result.url), result);
    }
  }
  return taken;
}

function pageOf({ url, title, description }: Result, isKnown: boolean): FoundPage {
  const content = JSON.stringify({ text: `${title}\n${description}`, json: null, at: 0 });
  return checkedPage(url, {
    url,
    status: isKnown ? "same" : "new",
    facts: { metadata: { title, description, url }, isMeaningful: !isKnown },
    version: isKnown ? null : { content, depth: 0 },
  });
}
