// Searches for dialects: the v2 request of a search, its results in one list, and lists of sites.
import { isoTime } from "../../base/index.ts";
import type { Document, OperationInput, OperationOutput, ResultPart } from "../../contract/index.ts";
import type { DialectCall } from "./dialect.ts";
import { v2Input } from "./v2-input.ts";

type SearchInput = OperationInput<"search">;
export type SearchOutput = OperationOutput<"search">;

/** The most results that any search finds. */
export const mostResults = 100;

export interface DialectSearch {
  query: string;
  sources?: ("web" | "news" | "images")[];
  categories?: string[];
  part: ResultPart;
  tbs?: string | undefined;
  country?: string | undefined;
  lang?: string | undefined;
  location?: string | undefined;
  safe?: boolean | undefined;
  timeout?: number | undefined;
  scrapeOptions?: object | undefined;
  sites?: SiteRules;
  trace?: boolean;
}

export function runSearch(call: DialectCall, asked: DialectSearch): Promise<SearchOutput> {
  const { query, sites, part, sources = ["web"], categories = [], tbs, country, lang, location, safe, timeout } = asked;
  const { scrapeOptions = {}, trace = false } = asked;
  // v2 takes shorter queries and one list of domains; the operation takes both.
  const input: SearchInput = v2Input("search", {
    query: "-",
    sources,
    categories,
    ...given({ tbs, country, lang, location, safe, timeout }),
    ignoreInvalidURLs: true,
    highlights: true,
    extras: true,
    scrapeOptions,
    trace,
  });
  const isFiltered = part.keeps !== undefined || sites?.keeps !== undefined;
  const limit = Math.min(mostResults, (part.offset + part.count) * (isFiltered ? 3 : 1));
  const keeps = bothKeep(part.keeps, sites?.keeps);
  return call.operations.search(
    {
      ...input,
      query: [query, ...(sites?.operators ?? [])].join(" "),
      limit,
      includeDomains: sites?.includeDomains ?? [],
      excludeDomains: sites?.excludeDomains ?? [],
      part: { ...part, ...(keeps ? { keeps } : {}), keepsBlocked: true },
    },
    call.caller,
    call.signal,
  );
}

type Keeps = ResultPart["keeps"];

function bothKeep(one: Keeps, other: Keeps): Keeps {
  return one && other ? (result) => one(result) && other(result) : (one ?? other);
}

function given(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** A result of any source, with the fields that its page adds. */
export interface ListedResult extends Omit<Partial<Document>, "metadata"> {
  metadata?: Document["metadata"] | undefined;
  url: string;
  title: string;
  description: string;
  /** ISO, in UTC; undefined when unknown. */
  published: string | undefined;
  imageUrl?: string | undefined;
  imageWidth?: number | undefined;
  imageHeight?: number | undefined;
  engines: readonly string[];
  source: "web" | "news" | "images";
}

export function listResults({ data }: SearchOutput): ListedResult[] {
  return [
    ...(data.web ?? []).map((found) => listed(found, found.description, "web")),
    ...(data.news ?? []).map((found) => listed(found, found.snippet ?? "", "news")),
    ...(data.images ?? []).map((found) => listed(found, "", "images")),
  ];
}

type Found = NonNullable<SearchOutput["data"]["web" | "news" | "images"]>[number];

function listed(found: Found, description: string, source: ListedResult["source"]): ListedResult {
  const { title = "", engines = [], ...rest } = found;
  return { ...rest, title, description, engines, source, published: isoDate("date" in found ? found.date : undefined) };
}

/** ISO 8601 in UTC, from whatever a search service wrote. */
export function isoDate(text: string | undefined): string | undefined {
  const time = text === undefined ? Number.NaN : Date.parse(text);
  return Number.isNaN(time) ? undefined : isoTime(time);
}

/** A time filter for results between two days, as YYYY-MM-DD and both included; undefined without any. */
export function betweenDays(from: string | undefined, to: string | undefined): string | undefined {
  const part = (name: string, day: string) => `,${name}:${day.replace(/(\d+)-(\d+)-(\d+)/, "$2/$3/$1")}`;
  const parts = [from === undefined ? "" : part("cd_min", from), to === undefined ? "" : part("cd_max", to)].join("");
  return parts === "" ? undefined : `cdr:1${parts}`;
}

/** In (0, 1], strictly falling with the rank, which counts from 1. */
export function scoreOf(rank: number): number {
  return Math.round(10_000 / (1 + 0.1 * (rank - 1))) / 10_000;
}

/** Lists of sites as a search takes them: hosts as domains, paths as operators or as a check of the results. */
export interface SiteRules {
  operators: string[];
  includeDomains: string[];
  excludeDomains: string[];
  keeps?: Keeps;
}

/** Entries are hosts, `host/path`, `*.tld` or addresses. */
export function siteRules(include: readonly string[] = [], exclude: readonly string[] = []): SiteRules {
  const wanted = include.map(readSite);
  const unwanted = exclude.map(readSite);
  const rules: SiteRules = {
    operators: unwanted.filter(({ path }) => path !== "").map(({ host, path }) => `-site:${host}${path}`),
    includeDomains: [...new Set(wanted.map(({ host }) => host))],
    excludeDomains: unwanted.filter(({ path }) => path === "").map(({ host }) => host),
  };
  const [only] = wanted;
  if (wanted.length === 1 && only && only.path !== "") rules.operators.unshift(`site:${only.host}${only.path}`);
  else if (wanted.some(({ path }) => path !== "")) rules.keeps = ({ url }) => wanted.some((site) => isOn(url, site));
  return rules;
}

interface Site {
  host: string;
  path: string;
}

function readSite(entry: string): Site {
  const text = entry
    .trim()
    .replace(/^[a-z][a-z0-9+.-]*:\/\//i, "")
    .replace(/^(?:\*?\.)+/, "");
  const [, host = "", path = ""] = /^([^/?#\s]*)([^?#\s]*)/.exec(text) ?? [];
  return { host: host.toLowerCase(), path: path.replace(/\/+$/, "") };
}

function isOn(url: string, { host, path }: Site): boolean {
  const { hostname, pathname } = new URL(url);
  if (hostname !== host && !hostname.endsWith(`.${host}`)) return false;
  return path === "" || pathname === path || pathname.startsWith(`${path}/`);
}

/** What a list of texts says to a question, by the configured model, and what that cost; null without one. */
export async function answerFrom(
  call: DialectCall,
  question: string,
  texts: readonly { title: string; url: string; text: string }[],
): Promise<{ answer: string | null; credits: number }> {
  if (!call.hasModel || texts.length === 0) return { answer: null, credits: 0 };
  const markdown = texts.map(({ title, url, text }) => `# ${title}\n\n${url}\n\n${text}`).join("\n\n");
  const file = { filename: "results.md", contentType: "text/markdown; charset=utf-8", bytes: Buffer.from(markdown) };
  const input = v2Input("parse", { file, formats: [{ type: "question", question: question.slice(0, 10_000) }] });
  const { data } = await call.operations.parse(input, call.caller, call.signal);
  return { answer: data.answer ?? null, credits: data.metadata.creditsUsed ?? 0 };
}
