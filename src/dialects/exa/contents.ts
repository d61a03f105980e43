// What Exa returns of a page besides its address: text, highlights, summary, links.
import * as z from "zod";
import type { Document } from "../../contract/index.ts";
import type { DialectCall } from "../frame/dialect.ts";
import { bestPassages } from "../frame/texts.ts";

const most = (description: string) => z.int().min(1).max(10_000_000).optional().describe(description);

export const contentsFields = {
  text: z
    .union([
      z.boolean(),
      z.strictObject({
        maxCharacters: most("The text is cut there"),
        includeHtmlTags: z.boolean().default(false).describe("HTML instead of markdown"),
      }),
    ])
    .optional()
    .describe("The page's text, as markdown"),
  highlights: z
    .union([
      z.boolean(),
      z.strictObject({
        query: z.string().max(2000).optional().describe("What the passages are about"),
        maxCharacters: most("Longest passage"),
        highlightsPerUrl: z.int().min(1).max(20).default(3).describe("Number of passages"),
      }),
    ])
    .optional()
    .describe("Passages of the page that fit the query"),
  summary: z
    .union([
      z.boolean(),
      z.strictObject({
        query: z.string().min(1).max(10_000).optional().describe("What to answer from the page"),
        schema: z.record(z.string(), z.unknown()).optional().describe("JSON Schema of the summary"),
      }),
    ])
    .optional()
    .describe("A summary by the language model, if one is configured"),
  maxAgeHours: z
    .number()
    .min(-1)
    .max(1_000_000)
    .optional()
    .describe("Maximum age of a cached copy; 0 fetches again, -1 uses a cached copy only"),
  livecrawl: z
    .enum(["always", "preferred", "never", "auto", "fallback"])
    .optional()
    .describe("Whether pages are fetched again"),
  livecrawlTimeout: z.int().min(1).max(300_000).optional().describe("Milliseconds for a page"),
  extras: z
    .strictObject({
      links: z.int().min(0).max(1000).optional().describe("Number of links"),
      imageLinks: z.int().min(0).max(1000).optional().describe("Number of images"),
    })
    .optional()
    .describe("Links and images of the page"),
  filterEmptyResults: z.boolean().default(false).describe("Leave out results without text"),
};

export const exaContents = z.strictObject(contentsFields);
export type ExaContents = z.output<typeof exaContents>;

/** How pages are read for these contents: options of a v2 scrape. */
export function scrapeOptionsOf(wanted: ExaContents, hasModel: boolean): object {
  const { text, summary, extras, maxAgeHours, livecrawl, livecrawlTimeout } = wanted;
  const onlyCopies = maxAgeHours === -1 || (maxAgeHours === undefined && livecrawl === "never");
  const isFresh = maxAgeHours === undefined && (livecrawl === "always" || livecrawl === "preferred");
  const maxAge = isFresh
    ? 0
    : maxAgeHours !== undefined && maxAgeHours >= 0
      ? Math.round(maxAgeHours * 3_600_000)
      : undefined;
  return {
    formats: [
      "markdown",
      ...(typeof text === "object" && text.includeHtmlTags ? ["html"] : []),
      ...(extras?.links ? ["links"] : []),
      ...(extras?.imageLinks ? ["images"] : []),
      ...(hasModel ? summaryFormat(summary) : []),
    ],
    ...(onlyCopies ? { minAge: 1 } : {}),
    ...(maxAge === undefined ? {} : { maxAge }),
    ...(livecrawlTimeout === undefined ? {} : { timeout: Math.max(1000, livecrawlTimeout) }),
  };
}

/** Names of options without effect in this request; `at` is their path. */
export function ignoredContents(
  { summary, maxAgeHours, livecrawl }: ExaContents,
  hasModel: boolean,
  at = "",
): string[] {
  const isIdle = maxAgeHours !== undefined && livecrawl !== undefined && !["auto", "fallback"].includes(livecrawl);
  return [...(summary && !hasModel ? [`${at}summary`] : []), ...(isIdle ? [`${at}livecrawl`] : [])];
}

function summaryFormat(summary: ExaContents["summary"]): unknown[] {
  if (!summary) return [];
  if (summary === true) return ["summary"];
  const { schema, query } = summary;
  if (schema !== undefined) return [{ type: "json", schema, ...(query === undefined ? {} : { prompt: query }) }];
  return query === undefined ? ["summary"] : [{ type: "question", question: query }];
}

type PageContents = Omit<Partial<Document>, "metadata"> & { metadata?: Document["metadata"] | undefined };

/** The fields of a result; a page that was not read has an empty text. */
export async function contentsOf(
  page: PageContents,
  wanted: ExaContents,
  query: string,
  call: DialectCall,
): Promise<Record<string, unknown>> {
  const { markdown = "", html = "", links = [], images = [] } = page;
  const { text, highlights, summary, extras } = wanted;
  const fields: Record<string, unknown> = {};
  if (text) {
    const { maxCharacters = Number.POSITIVE_INFINITY, includeHtmlTags = false } = text === true ? {} : text;
    fields.text = (includeHtmlTags ? html : markdown).slice(0, maxCharacters);
  }
  if (highlights) {
    const asked = highlights === true ? { highlightsPerUrl: 3 } : highlights;
    const {
      highlightsPerUrl: count,
      maxCharacters,
      query: own = query,
    } = { maxCharacters: undefined, query: undefined, ...asked };
    const passages = markdown === "" ? [] : await bestPassages(call, markdown, own, { count, maxCharacters });
    fields.highlights = passages.map((passage) => passage.text);
    fields.highlightScores = passages.map(({ score }) => score);
  }
  if (summary && call.hasModel) fields.summary = summaryOf(page, summary);
  if (extras) {
    const { links: linkCount = 0, imageLinks = 0 } = extras;
    fields.extras = { links: links.slice(0, linkCount), imageLinks: images.slice(0, imageLinks) };
  }
  return fields;
}

function summaryOf(
  { summary = "", answer = "", json }: PageContents,
  asked: Exclude<ExaContents["summary"], undefined>,
): string {
  if (typeof asked === "object" && asked.schema !== undefined) return JSON.stringify(json ?? null);
  return typeof asked === "object" && asked.query !== undefined ? answer : summary;
}

/** Contents of v2's metadata that Exa has as fields of a result. */
export function exaMetadata(metadata: Document["metadata"] | undefined): Record<string, unknown> {
  const { author, ogImage, favicon } = (metadata ?? {}) as Record<string, unknown>;
  const texts = { author, image: ogImage, favicon };
  return Object.fromEntries(Object.entries(texts).filter(([, value]) => typeof value === "string" && value !== ""));
}
