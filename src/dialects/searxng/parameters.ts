// Parameters of a SearXNG search: from the query, a form or a JSON object, so that every value may be a text.
import * as z from "zod";
import { ServiceError, splitList } from "../../base/index.ts";
import { silentFields } from "../frame/dialect-fields.ts";

const text = (description: string) =>
  z
    .union([z.string(), z.number(), z.boolean()])
    .optional()
    .transform((value) => (value === undefined ? undefined : String(value)))
    .describe(description);

export const searchParameters = z.strictObject({
  q: text("What to search for; operators work"),
  format: text("Only json is served"),
  categories: text("general, news, images, science, it; several separated by commas"),
  engines: text("Hints, used when all of them mean the same kind of result"),
  language: text("all, auto, or a code such as de or de-CH"),
  pageno: text("Number of the page, from 1"),
  pageNumber: text("The same as pageno"),
  time_range: text("day, week, month or year"),
  safesearch: text("0, 1 or 2"),
  timeout_limit: text("Seconds to wait at most"),
  numResults: text("Results on a page, 1 to 100"),
  ...silentFields(
    "theme",
    "image_proxy",
    "imageProxy",
    "autocomplete",
    "preferences",
    "results_on_new_tab",
    "enabled_plugins",
    "disabled_plugins",
    "enabled_engines",
    "disabled_engines",
    "method",
  ),
});

export type Parameters = z.output<typeof searchParameters>;

/** What one search is asked for. */
export interface Group {
  source: "web" | "news" | "images";
  category: "research" | "github" | null;
  /** As asked for, in the answer. */
  name: string;
}

export type ReadParameters = ReturnType<typeof readParameters>;

const pageSize = 20;
const mostOnPage = 100;

const groupOf: ReadonlyMap<string, Omit<Group, "name">> = new Map([
  ["general", { source: "web", category: null }],
  ["news", { source: "news", category: null }],
  ["images", { source: "images", category: null }],
  ["science", { source: "web", category: "research" }],
  ["it", { source: "web", category: "github" }],
]);

/** What engines are of: a kind of results, or a site. */
interface Hint extends Partial<Omit<Group, "name">> {
  site?: string;
}

const papers: Hint = { source: "web", category: "research" };
const hintOf: ReadonlyMap<string, Hint> = new Map([
  ["arxiv", papers],
  ["pubmed", papers],
  ["crossref", papers],
  ["google scholar", papers],
  ["semantic scholar", papers],
  ["github", { source: "web", category: "github" }],
  ["reddit", { site: "reddit.com" }],
  ["youtube", { site: "youtube.com" }],
  ["wikipedia", { site: "wikipedia.org" }],
]);

export function readParameters(given: Parameters) {
  const asked = given.q?.trim() ?? "";
  if (asked === "") throw new ServiceError("BAD_REQUEST", "No query");
  if (asked.length > 2000) throw new ServiceError("BAD_REQUEST", "The query is longer than 2000 characters.");
  if ((given.format ?? "json") !== "json" && given.format !== "") {
    throw new ServiceError("FORBIDDEN", "SearXNG requests are answered as JSON only. Send format=json.");
  }
  const names = listOf(given.categories);
  const categories = names.length > 0 ? names : ["general"];
  const engines = listOf(given.engines);
  const hint = commonHint(engines);
  const page = pageOf(given.pageno ?? given.pageNumber);
  const count = countOf(given.numResults);
  const groups = groupsOf(categories, hint).slice(0, count);
  // A page has its part of each group.
  const share = Math.floor(count / Math.max(1, groups.length));
  const isOver = (page - 1) * count >= mostOnPage;
  return {
    query: hint?.site === undefined ? asked : `${asked} site:${hint.site}`,
    groups,
    /** Categories that are not served. */
    unserved: categories.filter((name) => !groupOf.has(name)),
    ignored: [
      ...(engines.length > 0 && (hint === null || groups.length === 0) ? ["engines"] : []),
      ...(given.pageno !== undefined && given.pageNumber !== undefined ? ["pageNumber"] : []),
    ],
    ...languageOf(given.language),
    /** Results on the pages before. */
    before: Math.min((page - 1) * count, mostOnPage),
    /** Of each group, like `count`. */
    offset: isOver ? mostOnPage : (page - 1) * share,
    count: isOver ? 0 : Math.min(share, mostOnPage - (page - 1) * count),
    tbs: timeOf(given.time_range),
    safe: safeOf(given.safesearch),
    timeout: secondsOf(given.timeout_limit),
  };
}

/** Those that are served, as engines narrow them; categories that come to the same are one group. */
function groupsOf(categories: readonly string[], hint: Hint | null): Group[] {
  const { site: _, ...narrowed } = hint ?? {};
  const groups = new Map<string, Group>();
  for (const name of categories) {
    const served = groupOf.get(name);
    if (!served) continue;
    const group: Group = { ...served, ...narrowed, name };
    const key = `${group.source} ${group.category}`;
    if (!groups.has(key)) groups.set(key, group);
  }
  return [...groups.values()];
}

function listOf(text = ""): string[] {
  return [...new Set(splitList(text.toLowerCase()))].slice(0, 100);
}

/** Null unless every engine means the same kind of result. */
function commonHint(engines: readonly string[]): Hint | null {
  const hints = engines.map(hintFor);
  const [first] = hints;
  if (!first || hints.some((hint) => JSON.stringify(hint) !== JSON.stringify(first))) return null;
  return first;
}

function hintFor(engine: string): Hint | null {
  if (engine.endsWith(" images")) return { source: "images", category: null };
  if (engine.endsWith(" news")) return { source: "news", category: null };
  return hintOf.get(engine) ?? null;
}

function invalid(value: string, parameter: string): ServiceError {
  return new ServiceError("BAD_REQUEST", `Invalid value ${value.slice(0, 100)} for parameter ${parameter}`);
}

function languageOf(text = ""): { lang: string | undefined; country: string | undefined } {
  if (text === "" || text === "all" || text === "auto") return { lang: undefined, country: undefined };
  const [, lang, country] = /^([a-z]{2,3})(?:-([a-zA-Z]{2}))?$/.exec(text) ?? [];
  if (lang === undefined) throw invalid(text, "language");
  return { lang, country: country?.toUpperCase() };
}

function pageOf(text = "1"): number {
  if (!/^\d{1,9}$/.test(text) || Number(text) < 1) throw invalid(text, "pageno");
  return Number(text);
}

function countOf(text = ""): number {
  const count = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  return count >= 1 && count <= mostOnPage ? count : pageSize;
}

const ranges: ReadonlyMap<string, string> = new Map([
  ["day", "qdr:d"],
  ["week", "qdr:w"],
  ["month", "qdr:m"],
  ["year", "qdr:y"],
]);

function timeOf(text = ""): string | undefined {
  if (text === "" || text === "None") return undefined;
  const range = ranges.get(text);
  if (range === undefined) throw invalid(text, "time_range");
  return range;
}

function safeOf(text = ""): boolean | undefined {
  if (!["", "0", "1", "2"].includes(text)) throw invalid(text, "safesearch");
  return text === "1" || text === "2" ? true : undefined;
}

function secondsOf(text = ""): number | undefined {
  if (text === "") return undefined;
  const seconds = Number(text);
  if (!(seconds > 0 && seconds <= 600)) throw invalid(text, "timeout_limit");
  return Math.ceil(seconds * 1000);
}
