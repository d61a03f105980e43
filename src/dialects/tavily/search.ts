// Tavily's search.
import * as z from "zod";
import { newId } from "../../base/index.ts";
import { badField } from "../frame/cause.ts";
import { countryCode } from "../frame/countries.ts";
import type { DialectAnswer, DialectCall } from "../frame/dialect.ts";
import { domainList, searchQuery } from "../frame/dialect-fields.ts";
import {
  answerFrom,
  betweenDays,
  type DialectSearch,
  isoDate,
  type ListedResult,
  listResults,
  runSearch,
  type SearchOutput,
  scoreOf,
  siteRules,
} from "../frame/results.ts";
import { bestPassages, joinPassages, plainTextOf } from "../frame/texts.ts";
import { secondsSince, tavilySenderFields, tavilyUsage } from "./shared.ts";

const day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/, "Must be a day as YYYY-MM-DD");

export const tavilySearchRequest = z.strictObject({
  query: searchQuery(),
  max_results: z.int().min(0).max(20).default(5).describe("Maximum number of results; 0 searches for nothing"),
  search_depth: z
    .enum(["basic", "advanced", "fast", "ultra-fast"])
    .default("basic")
    .describe("advanced reads each result and returns its best passages as content"),
  chunks_per_source: z
    .int()
    .min(1)
    .max(5)
    .optional()
    .describe("Passages of each result, with advanced only; 3 by default"),
  topic: z.enum(["general", "news", "finance"]).default("general").describe("Kind of results; finance is general"),
  time_range: z
    .enum(["day", "week", "month", "year", "d", "w", "m", "y"])
    .optional()
    .describe("How old results may be"),
  start_date: day.optional().describe("First day, included"),
  end_date: day.optional().describe("Last day, included"),
  days: z.int().min(1).max(36_500).optional().describe("The last days, with the topic news only"),
  include_domains: domainList(300, "Only results of these sites"),
  exclude_domains: domainList(150, "No results of these sites"),
  include_domains_mode: z
    .enum(["restrict", "prefer"])
    .default("restrict")
    .describe("prefer does not restrict anything"),
  country: z.string().max(100).optional().describe("Country of the searcher, by name or code"),
  include_raw_content: z
    .union([z.boolean(), z.enum(["markdown", "text"])])
    .default(false)
    .describe("Read each page, and return it whole"),
  include_answer: z
    .union([z.boolean(), z.enum(["basic", "advanced"])])
    .default(false)
    .describe("An answer by the language model, if one is configured"),
  include_images: z.boolean().default(false).describe("Also search for images"),
  include_image_descriptions: z.boolean().default(false).describe("Images with what they show"),
  include_favicon: z.boolean().default(false).describe("Icons of the sites"),
  include_usage: z.boolean().default(false).describe("What the request cost"),
  safe_search: z.boolean().optional().describe("Leave out explicit results"),
  language: z.string().max(64).optional().describe("Language of the results"),
  exact_match: z.boolean().optional().describe("Accepted without effect: quoted phrases always match exactly"),
  ...tavilySenderFields,
});

type Fields = z.output<typeof tavilySearchRequest>;

export const tavilySearchResponse = z.object({
  query: z.string(),
  follow_up_questions: z.null(),
  answer: z.string().nullable(),
  images: z.array(z.unknown()).describe("URLs, or objects with url and description"),
  results: z.array(
    z.object({
      title: z.string(),
      url: z.string(),
      content: z.string(),
      score: z.number(),
      raw_content: z.string().nullable(),
      published_date: z.string().optional(),
      favicon: z.string().optional(),
    }),
  ),
  response_time: z.number(),
  request_id: z.string().describe("Id of the search: also known to GET /v2/search/{id}"),
  usage: z.object({ credits: z.number() }).optional(),
});

const nothing: SearchOutput = { success: true, data: {}, id: "", creditsUsed: 0 };

export async function answerTavilySearch(fields: Fields, call: DialectCall): Promise<DialectAnswer> {
  const startedAt = call.now();
  const output = fields.max_results === 0 ? nothing : await runSearch(call, toSearch(fields, call.now()));
  const found = listResults(output);
  const results = found.filter(({ source }) => source !== "images");
  const shown = await Promise.all(results.map((each, index) => toResult(each, index + 1, fields, call)));
  const { answer, credits } =
    fields.include_answer === false ? { answer: null, credits: 0 } : await answerOf(fields, shown, call);
  return {
    body: {
      query: fields.query,
      follow_up_questions: null,
      answer,
      images: imagesOf(found, fields),
      results: shown,
      response_time: secondsSince(startedAt, call),
      // Nothing was searched for, so that there is no record; the id names this request alone.
      request_id: output.id || newId(call.now()),
      ...tavilyUsage(fields, output.creditsUsed + credits),
    },
    ignored: ignoredOf(fields, call),
    warning: output.warning,
  };
}

function toSearch(fields: Fields, now: number): DialectSearch {
  const isNews = fields.topic === "news";
  const isRestricted = fields.include_domains_mode === "restrict";
  const readsPages =
    fields.search_depth === "advanced" || fields.include_raw_content !== false || fields.include_favicon;
  return {
    query: fields.query,
    sources: [isNews ? "news" : "web", ...(fields.include_images ? (["images"] as const) : [])],
    part: { offset: 0, count: fields.max_results },
    tbs: timeOf(fields, now),
    country: fields.country === undefined ? undefined : countryCode(fields.country),
    lang: fields.language,
    safe: fields.safe_search,
    sites: siteRules(isRestricted ? fields.include_domains : [], fields.exclude_domains),
    ...(readsPages ? { scrapeOptions: { formats: ["markdown"] } } : {}),
  };
}

/** Days win over a range, which wins over a number of days. */
function timeOf(
  { start_date: from, end_date: to, time_range: range, days, topic }: Fields,
  now: number,
): string | undefined {
  const dayMs = 86_400_000;
  if (from !== undefined || to !== undefined) return between(from, to);
  if (range !== undefined) return `qdr:${range[0]}`;
  if (days === undefined || topic !== "news") return undefined;
  return between(new Date(now - days * dayMs).toISOString().slice(0, 10), undefined);
}

function between(from: string | undefined, to: string | undefined): string | undefined {
  if (from !== undefined && to !== undefined && from > to) throw badField("end_date", "Must not be before start_date");
  for (const [field, day] of Object.entries({ start_date: from, end_date: to }))
    if (day !== undefined && isoDate(`${day}T00:00:00Z`)?.slice(0, 10) !== day)
      throw badField(field, "There is no such day");
  return betweenDays(from, to);
}

async function toResult(found: ListedResult, rank: number, fields: Fields, call: DialectCall) {
  const { url, title, description, markdown, published, metadata } = found;
  const { search_depth: depth, include_raw_content: raw, chunks_per_source: count = 3 } = fields;
  const hasPage = markdown !== undefined && markdown !== "" && metadata?.error === undefined;
  const passages = depth === "advanced" && hasPage ? await bestPassages(call, markdown, fields.query, { count }) : [];
  return {
    title,
    url,
    content: passages.length > 0 ? joinPassages(passages) : description,
    score: scoreOf(rank),
    raw_content: raw === false || !hasPage ? null : raw === "text" ? plainTextOf(markdown) : markdown,
    ...(published === undefined ? {} : { published_date: published }),
    ...(fields.include_favicon && metadata?.favicon ? { favicon: metadata.favicon } : {}),
  };
}

function imagesOf(found: readonly ListedResult[], fields: Fields): unknown[] {
  const images = found.filter(({ source, imageUrl }) => source === "images" && imageUrl !== undefined);
  return images.map(({ imageUrl, title }) =>
    fields.include_image_descriptions ? { url: imageUrl, description: title } : imageUrl,
  );
}

interface Shown {
  title: string;
  url: string;
  content: string;
  raw_content: string | null;
}

function answerOf({ query }: Fields, results: readonly Shown[], call: DialectCall) {
  const texts = results.map(({ title, url, content, raw_content: raw }) => ({ title, url, text: raw ?? content }));
  return answerFrom(call, query, texts);
}

function ignoredOf(fields: Fields, { hasModel }: DialectCall): string[] {
  const { topic, country, include_answer: answer, include_domains_mode: mode, days } = fields;
  const { chunks_per_source: chunks, search_depth: depth, time_range: range } = fields;
  const hasDates = fields.start_date !== undefined || fields.end_date !== undefined;
  return [
    ...(topic === "finance" ? ["topic"] : []),
    ...(country !== undefined && countryCode(country) === undefined ? ["country"] : []),
    ...(answer !== false && !hasModel ? ["include_answer"] : []),
    ...(mode === "prefer" ? ["include_domains_mode"] : []),
    ...(mode === "prefer" && fields.include_domains !== undefined ? ["include_domains"] : []),
    ...(range !== undefined && hasDates ? ["time_range"] : []),
    ...(chunks !== undefined && depth !== "advanced" ? ["chunks_per_source"] : []),
    ...(fields.include_image_descriptions && !fields.include_images ? ["include_image_descriptions"] : []),
    ...(days !== undefined && (topic !== "news" || range !== undefined || hasDates) ? ["days"] : []),
  ];
}
