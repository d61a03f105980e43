// Jina's search: results with the contents of their pages.
import * as z from "zod";
import { splitList } from "../../base/index.ts";
import type { ResultPart } from "../../contract/index.ts";
import { badField } from "../frame/cause.ts";
import type { DialectAnswer, DialectCall } from "../frame/dialect.ts";
import {
  type DialectSearch,
  type ListedResult,
  listResults,
  mostResults,
  runSearch,
  siteRules,
} from "../frame/results.ts";
import { countTokens } from "../frame/texts.ts";
import {
  ignoredHeaders,
  type ReaderOptions,
  readerFieldNames,
  readerFields,
  readOptions,
  withoutUse,
} from "./options.ts";
import { type JinaPage, summaryBlocks, toJinaPage } from "./page-text.ts";
import { checkModes, formatsOf, formOf } from "./reader.ts";

type Headers = Readonly<Record<string, string | undefined>>;

const number = (description: string) =>
  z
    .union([z.string().max(10), z.number()])
    .optional()
    .describe(description);
const list = (description: string) =>
  z
    .union([z.string().max(2000), z.array(z.string().max(2000)).max(20)])
    .optional()
    .describe(description);

// `engine` is the name of a search engine here, not a way to read pages.
const { engine: _, ...pageOptions } = readerFields;

export const jinaSearchFields = z.strictObject({
  q: z.string().max(2000).optional().describe("What to search for; operators work"),
  count: number("Number of results, 0 to 20; 10 by default"),
  num: number("The same as count"),
  type: z.enum(["web", "news", "images"]).default("web").describe("Kind of results"),
  site: list("Only these sites"),
  filetype: list("Only files of these types"),
  ext: list("The same as filetype"),
  intitle: list("Only results with one of these in the title"),
  gl: z.string().max(10).optional().describe("Country of the searcher"),
  hl: z.string().max(20).optional().describe("Language of the results"),
  location: z.string().max(1024).optional().describe("Location of the searcher"),
  page: number("Number of the page, from 1"),
  ...pageOptions,
});

export type JinaSearchFields = z.output<typeof jinaSearchFields>;

export async function answerJinaSearch(
  fields: JinaSearchFields,
  headers: Headers,
  call: DialectCall,
): Promise<DialectAnswer> {
  const query = fields.q?.trim() ?? "";
  if (query === "") throw badField("q", "Required: what to search for");
  if (query.length > longestQuery) throw badField("q", `Must have at most ${longestQuery} characters`);
  const form = formOf(headers);
  const options = readOptions(headers, fields);
  checkModes(options, form);
  const isRead = readsPages(fields, options);
  const count = countOf(fields);
  const found = count === 0 ? null : await runSearch(call, toSearch(query, count, fields, headers, options));
  const hasIcons = !["", "false"].includes(headers["x-with-favicons"]?.trim().toLowerCase() ?? "");
  // Icons are named by pages.
  const isWithoutIcons = hasIcons && !isRead;
  const results = (found ? listResults(found) : []).map((result) => toResult(result, options, hasIcons));
  const tokens = results.reduce((sum, { usage }) => sum + usage.tokens, 0);
  const common = {
    headers: { "x-usage-tokens": String(tokens) },
    ignored: [
      ...ignoredHeaders(headers),
      ...(isWithoutIcons ? ["x-with-favicons"] : []),
      ...(fields.count !== undefined && fields.num !== undefined ? ["num"] : []),
      ...withoutUse(options, isRead ? uselessInSearches : uselessWithoutPages),
    ],
    warning: found?.warning,
  };
  if (form === "json")
    return { ...common, body: { code: 200, status: 20000, data: results, meta: { usage: { tokens } } } };
  return { ...common, type: "text/plain; charset=utf-8", body: results.map(asText).join("\n\n") };
}

const longestQuery = 2000;
/** Every result counts by itself, and robots.txt does not bind pages that a caller asks for. */
const uselessInSearches = ["tokenBudget", "robotsTxt"] as const;
const uselessWithoutPages = readerFieldNames.filter((name) => name !== "respondWith" && name !== "returnFormat");

function countOf({ count, num }: JinaSearchFields): number {
  const text = String(count ?? num ?? 10);
  if (!/^\d{1,2}$/.test(text) || Number(text) > 20)
    throw badField(count === undefined ? "num" : "count", "Must be a whole number from 0 to 20");
  return Number(text);
}

function pageOf({ page = 1 }: JinaSearchFields): number {
  if (!/^\d{1,3}$/.test(String(page)) || Number(page) < 1) throw badField("page", "Must be a whole number from 1");
  return Number(page);
}

function readsPages({ type }: JinaSearchFields, { modes }: ReaderOptions): boolean {
  return !modes.includes("no-content") && type !== "images";
}

function toSearch(
  query: string,
  count: number,
  fields: JinaSearchFields,
  headers: Headers,
  options: ReaderOptions,
): DialectSearch {
  const listOf = (name: "site" | "filetype" | "ext" | "intitle") =>
    [fields[name] ?? headers[`x-${name}`] ?? []].flat().flatMap(splitList);
  const types = [...listOf("filetype"), ...listOf("ext")].map((type) => type.replace(/^\./, "").toLowerCase());
  const titles = listOf("intitle");
  const { gl, hl, location, type } = fields;
  // A category narrows results of the web alone.
  const isPdf = type === "web" && types.length === 1 && types[0] === "pdf";
  if (gl !== undefined && !/^[a-z]{2}$/i.test(gl)) throw badField("gl", "Must be a two-letter country code");
  const offset = Math.min((pageOf(fields) - 1) * count, mostResults);
  return {
    query: [query, ...(titles.length === 1 ? [`intitle:"${titles[0]?.replaceAll('"', "")}"`] : [])].join(" "),
    sources: [type],
    categories: isPdf ? ["pdf"] : [],
    part: { offset, count, keeps: keepsOf(isPdf ? [] : types, titles.length > 1 ? titles : []) },
    country: gl?.toUpperCase(),
    lang: hl,
    location,
    sites: siteRules(listOf("site")),
    ...(readsPages(fields, options) ? { scrapeOptions: { ...options.scrape, formats: formatsOf(options) } } : {}),
  };
}

/** Alternatives, which a query cannot say. */
function keepsOf(types: readonly string[], titles: readonly string[]): ResultPart["keeps"] {
  if (types.length === 0 && titles.length === 0) return undefined;
  const words = titles.map((title) => title.toLowerCase());
  return ({ url, title, imageUrl = url }) =>
    (types.length === 0 || [url, imageUrl].some((each) => types.some((type) => hasType(each, type)))) &&
    (words.length === 0 || words.some((word) => title.toLowerCase().includes(word)));
}

function hasType(url: string, type: string): boolean {
  return URL.canParse(url) && new URL(url).pathname.toLowerCase().endsWith(`.${type}`);
}

type Extras = Partial<Pick<JinaPage, "text" | "html" | "links" | "images" | "screenshotUrl" | "pageshotUrl">>;

/** What was asked for besides the content. */
function extrasOf({ text, html, links, images, screenshotUrl, pageshotUrl }: JinaPage): Extras {
  const all = Object.entries({ text, html, links, images, screenshotUrl, pageshotUrl });
  return Object.fromEntries(all.filter(([, value]) => value !== undefined));
}

function toResult(
  { title, url, description, published, metadata, imageUrl, ...found }: ListedResult,
  options: ReaderOptions,
  hasIcons: boolean,
) {
  // A page that failed says nothing.
  const document = metadata === undefined || metadata.error !== undefined ? { metadata: {} } : { ...found, metadata };
  const page = toJinaPage(url, document, options);
  const content = page.content ?? page.text ?? page.html ?? "";
  return {
    title,
    url,
    description,
    content,
    ...(published === undefined ? {} : { date: published }),
    ...(imageUrl === undefined ? {} : { imageUrl }),
    ...(hasIcons && metadata?.favicon ? { favicon: metadata.favicon } : {}),
    ...(metadata === undefined ? {} : extrasOf(page)),
    usage: { tokens: countTokens(content) },
  };
}

function asText({ title, url, description, content, ...page }: ReturnType<typeof toResult>, index: number): string {
  const sign = `[${index + 1}]`;
  const head = [`${sign} Title: ${title}`, `${sign} URL Source: ${url}`, `${sign} Description: ${description}`].join(
    "\n",
  );
  return [head, ...(content === "" ? [] : [content]), ...summaryBlocks(page)].join("\n\n");
}
