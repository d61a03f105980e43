// Exa's search, findSimilar and answer.
import * as z from "zod";
import { ServiceError } from "../../base/index.ts";
import type { ResultPart } from "../../contract/index.ts";
import { badField } from "../frame/cause.ts";
import type { DialectAnswer, DialectCall } from "../frame/dialect.ts";
import { domainList, searchQuery, silent } from "../frame/dialect-fields.ts";
import {
  answerFrom,
  betweenDays,
  type DialectSearch,
  isoDate,
  type ListedResult,
  listResults,
  runSearch,
  scoreOf,
  siteRules,
} from "../frame/results.ts";
import {
  contentsOf,
  type ExaContents,
  exaContents,
  exaMetadata,
  ignoredContents,
  scrapeOptionsOf,
} from "./contents.ts";

const time = z
  .string()
  .max(40)
  .refine(
    (text) => /^\d{4}-\d{2}-\d{2}/.test(text) && !Number.isNaN(Date.parse(text)),
    "Must be a date or time in ISO 8601",
  );
const phrase = (description: string) => z.array(z.string().min(1).max(500)).max(1).optional().describe(description);

const shared = {
  numResults: z.int().min(1).max(100).default(10).describe("Maximum number of results"),
  includeDomains: domainList(1000, "Only results of these sites"),
  excludeDomains: domainList(1000, "No results of these sites"),
  startPublishedDate: time.optional().describe("Only results published since then"),
  endPublishedDate: time.optional().describe("Only results published until then"),
  includeText: phrase("Only results with this phrase"),
  excludeText: phrase("No results with this phrase"),
  category: z.string().max(100).optional().describe("news, github, pdf, research paper or publication"),
  userLocation: z
    .string()
    .regex(/^[a-z]{2}$/i, "Must be a two-letter country code")
    .optional()
    .describe("Country of the searcher"),
  moderation: z.boolean().optional().describe("Leave out explicit results"),
  contents: z.union([z.boolean(), exaContents]).optional().describe("What to return of the pages"),
  type: z
    .enum(["auto", "keyword", "neural", "hybrid", "fast", "instant", "deep-lite", "deep", "deep-reasoning"])
    .optional()
    .describe("Accepted without effect"),
  useAutoprompt: silent(),
  flags: silent(),
  stream: z.literal(false, "Streams are served by answer only").optional().describe("Only false"),
};

export const exaSearchRequest = z.strictObject({ query: searchQuery(), ...shared });
export const exaSimilarRequest = z.strictObject({
  url: z.string().min(1).max(8192).describe("URL of a page of the site"),
  excludeSourceDomain: silent(),
  ...shared,
});
export const exaAnswerRequest = z.strictObject({
  query: searchQuery(),
  text: z.boolean().default(false).describe("Whether citations have their texts"),
  stream: z.boolean().default(false).describe("Answer as a stream of events"),
});

type SearchFields = Omit<z.output<typeof exaSearchRequest>, "query">;

const categories: ReadonlyMap<string, Pick<DialectSearch, "sources" | "categories">> = new Map<
  string,
  Pick<DialectSearch, "sources" | "categories">
>([
  ["news", { sources: ["news"] }],
  ["github", { categories: ["github"] }],
  ["pdf", { categories: ["pdf"] }],
  ["research paper", { categories: ["research"] }],
  ["publication", { categories: ["research"] }],
]);

export async function answerExaSearch(query: string, fields: SearchFields, call: DialectCall): Promise<DialectAnswer> {
  const startedAt = call.now();
  const wanted = contentsWanted(fields.contents);
  const output = await runSearch(call, toSearch(query, fields, wanted, call.hasModel));
  const listed = await Promise.all(
    listResults(output).map(async (found, index) => ({
      ...bareResult(found),
      score: scoreOf(index + 1),
      // Clients look for the text of a page that failed, whatever they asked for.
      ...(wanted && hasFailed(found) ? { text: "" } : {}),
      ...(wanted ? await contentsOf(readable(found), wanted, query, call) : {}),
      hasText: (readable(found).markdown ?? "") !== "",
    })),
  );
  const kept = wanted?.filterEmptyResults ? listed.filter(({ hasText }) => hasText) : listed;
  const isUnknown = fields.category !== undefined && !categories.has(fields.category);
  return {
    body: {
      requestId: output.id,
      resolvedSearchType: "keyword",
      searchTime: call.now() - startedAt,
      costDollars: { total: 0 },
      results: kept.map(({ hasText: _, ...result }) => result),
    },
    ignored: [
      ...(isUnknown ? ["category"] : []),
      ...(wanted ? ignoredContents(wanted, call.hasModel, "contents.") : []),
    ],
    warning: output.warning,
  };
}

function contentsWanted(contents: SearchFields["contents"]): ExaContents | null {
  if (contents === undefined || contents === false) return null;
  return contents === true ? { text: true, filterEmptyResults: false } : contents;
}

function toSearch(query: string, fields: SearchFields, wanted: ExaContents | null, hasModel: boolean): DialectSearch {
  const { startPublishedDate: from, endPublishedDate: to, includeText = [], excludeText = [] } = fields;
  const quoted = (text: string) => `"${text.replaceAll('"', " ").trim()}"`;
  const phrases = [...includeText.map(quoted), ...excludeText.map((text) => `-${quoted(text)}`)];
  return {
    query: [query, ...phrases].join(" "),
    ...categories.get(fields.category ?? ""),
    part: { offset: 0, count: fields.numResults, keeps: publishedBetween(from, to) },
    tbs: daysBetween(from, to),
    country: fields.userLocation?.toUpperCase(),
    safe: fields.moderation,
    sites: siteRules(fields.includeDomains, fields.excludeDomains),
    ...(wanted ? { scrapeOptions: scrapeOptionsOf(wanted, hasModel) } : {}),
  };
}

/** To the moment; results without a date are left out. */
function publishedBetween(from: string | undefined, to: string | undefined): ResultPart["keeps"] {
  if (from === undefined && to === undefined) return undefined;
  const first = from === undefined ? Number.NEGATIVE_INFINITY : Date.parse(from);
  // A day without a time is meant whole.
  const last = to === undefined ? Number.POSITIVE_INFINITY : Date.parse(to) + (to.length === 10 ? 86_399_999 : 0);
  return ({ date }) => {
    const at = Date.parse(isoDate(date) ?? "");
    return at >= first && at <= last;
  };
}

function daysBetween(from: string | undefined, to: string | undefined): string | undefined {
  if (from !== undefined && to !== undefined && Date.parse(from) > Date.parse(to) + 86_399_999)
    throw badField("endPublishedDate", "Must not be before startPublishedDate");
  return betweenDays(isoDate(from)?.slice(0, 10), isoDate(to)?.slice(0, 10));
}

function hasFailed({ metadata }: ListedResult): boolean {
  return metadata?.error !== undefined;
}

/** A page that failed says nothing. */
function readable(found: ListedResult): ListedResult {
  return !hasFailed(found) ? found : { ...found, markdown: "", html: "", links: [], images: [] };
}

function bareResult({ url, title, published, metadata }: ListedResult) {
  return {
    id: url,
    url,
    title,
    ...(published === undefined ? {} : { publishedDate: published }),
    ...exaMetadata(metadata),
  };
}

const answerCount = 5;

export async function answerExaAnswer(
  fields: z.output<typeof exaAnswerRequest>,
  call: DialectCall,
): Promise<DialectAnswer> {
  const { query, text: withTexts, stream: isStream } = fields;
  if (!call.hasModel) throw new ServiceError("MODEL_NOT_CONFIGURED");
  const output = await runSearch(call, {
    query,
    part: { offset: 0, count: answerCount },
    scrapeOptions: { formats: ["markdown"] },
  });
  const found = listResults(output).map(readable);
  const texts = found.map(({ title, url, markdown, description }) => ({ title, url, text: markdown || description }));
  const { answer } = await answerFrom(call, query, texts);
  const citations = found.map((each) => ({ ...bareResult(each), ...(withTexts ? { text: each.markdown ?? "" } : {}) }));
  if (isStream)
    return { type: "text/event-stream; charset=utf-8", body: events(answer ?? "", citations), warning: output.warning };
  return {
    body: { answer: answer ?? "", citations, requestId: output.id, costDollars: { total: 0 } },
    warning: output.warning,
  };
}

async function* events(content: string, citations: readonly object[]): AsyncGenerator<string> {
  yield `data: ${JSON.stringify({ choices: [{ delta: { content } }], citations })}\n\n`;
  yield "data: [DONE]\n\n";
}
