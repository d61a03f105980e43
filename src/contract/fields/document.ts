// A scraped page. Only the formats that were requested are present.
import * as z from "zod";
import { fileBlocks } from "./file-blocks.ts";
import { outputFields } from "./formats.ts";
import { list, optionalText } from "./outputs.ts";

export const trace = z
  .array(
    z.object({
      step: z.string(),
      engine: optionalText,
      url: optionalText,
      ms: z.number(),
      outcome: z.string(),
      detail: z.unknown().optional(),
      sourcesAsked: z
        .array(z.object({ name: z.string(), ms: z.number(), results: z.int(), error: optionalText }))
        .optional()
        .describe(
          "Search services that failed, and open sources that were asked or left out; ms is 0 for a cached answer",
        ),
    }),
  )
  .describe("The steps that were taken, in order");

/** States that a document can have: `metadata.pageState`. */
export const documentStates = [
  "content",
  "rate_limited",
  "geo_blocked",
  "login_required",
  "consent_wall",
  "paywall",
  "parked",
  "host_error",
  "not_found",
  "maintenance",
  "empty_shell",
] as const;

export type DocumentState = (typeof documentStates)[number];

/** A refusal, or a challenge that a browser may pass: no document is made of these. */
export const blockKinds = ["blocked", "challenge"] as const;

export type BlockKind = (typeof blockKinds)[number];

export const metadata = z
  .looseObject({
    title: optionalText,
    description: optionalText,
    sourceURL: z.string().optional().describe("The requested URL"),
    url: z.string().optional().describe("The URL after redirects"),
    statusCode: z.int().optional().describe("HTTP status of the page"),
    error: z.string().optional().describe("Error message, when the page's status is an error"),
    pageState: z
      .enum(documentStates)
      .optional()
      .describe("What came back: content, or what the site sent in its place; then `warning` says more"),
    language: z.string().optional().describe("As declared by the page, unless its text is clearly in another language"),
    declaredLanguage: z.string().optional().describe("The page's declaration, where `language` differs from it"),
    publishedTime: z
      .string()
      .optional()
      .describe("ISO 8601, as precise as the page states, with the offset from UTC when the page gives a time zone"),
    modifiedTime: z.string().optional().describe("ISO 8601, like publishedTime"),
    dateEvidence: z
      .string()
      .optional()
      .describe("Where the page says publishedTime: a meta tag, JSON-LD, the path of its URL, an element of its text"),
    authors: z
      .array(z.string())
      .optional()
      .describe("Persons who wrote the page; `author` is what its tags or JSON-LD say, which may be a publisher"),
    canonical: z.string().optional().describe("The page's canonical URL"),
    relations: z
      .object({
        next: optionalText,
        prev: optionalText,
        first: optionalText,
        last: optionalText,
        up: optionalText,
        alternates: z.array(z.object({ url: z.string(), language: optionalText, type: optionalText })).optional(),
      })
      .optional()
      .describe("URLs of other pages of its series and of its other versions, by links, anchors and the Link header"),
    feeds: z.array(z.string()).optional().describe("URLs of the page's RSS, Atom and JSON feeds"),
    keywords: z.union([z.string(), z.array(z.string())]).optional(),
    robots: optionalText,
    favicon: optionalText,
    contentType: optionalText,
    timezone: optionalText,
    numPages: z.int().optional(),
    totalPages: z.int().optional(),
    pictures: z.int().optional().describe("Pictures of the file that the outputs show by URLs, for 24 hours"),
    scrapeId: z.string().optional().describe("Id for fetching this result again or interacting with the page"),
    proxyUsed: z.enum(["basic", "stealth"]).optional(),
    cacheState: z.enum(["hit", "miss"]).optional(),
    cachedAt: optionalText,
    archiveId: z.string().optional().describe("The web archive that has the page"),
    archivedAt: optionalText,
    replayed: z.boolean().optional(),
    creditsUsed: z.number().optional(),
    concurrencyLimited: z.boolean().optional(),
    concurrencyQueueDurationMs: z.number().optional(),
    quality: z
      .object({
        pageType: z.string(),
        mainTextShare: z.number(),
        boilerplateShare: z.number(),
        confidence: z.number(),
        repeatedTexts: z.int().optional().describe("In jobs: texts left out because pages of the host repeat them"),
      })
      .optional()
      .describe("Type of page, and how well its main content was separated from boilerplate"),
    hiddenText: z.int().optional().describe("Number of invisible characters that were removed"),
    injection: z.int().optional().describe("Number of passages that look like a prompt injection"),
    injectionCheck: z
      .enum(["rules", "model"])
      .optional()
      .describe("What checked the page for prompt injections, when the request asked for it"),
    unchanged: z.boolean().optional().describe("The page has not changed since last time, so its content is omitted"),
  })
  .meta({ id: "Metadata", description: "Metadata of a page; other meta tags appear under their own names" });

/** The content in its formats: also the fields of a search result whose page was scraped. */
export const contentFields = {
  ...outputFields,
  pages: z.array(z.object({ pageNumber: z.int(), markdown: z.string() })).optional(),
  blocks: fileBlocks.optional().describe("Blocks of each page of a file, in reading order"),
  actions: z
    .object({
      screenshots: list,
      scrapes: z.array(z.object({ url: z.string(), html: z.string() })).optional(),
      javascriptReturns: z.array(z.object({ type: z.string(), value: z.unknown() })).optional(),
      pdfs: list,
    })
    .optional()
    .describe("Results of the browser actions"),
  trace: trace.optional(),
  warning: optionalText,
};

const documentFields = {
  ...contentFields,
  success: z.boolean().optional().describe("Repeated for clients that look for it here"),
  metadata,
};

/** A name, which the compiler writes in place of all fields: the table of endpoints holds them many times. */
export interface DocumentFields extends Readonly<typeof documentFields> {}

export const document: z.ZodObject<DocumentFields> = z
  .object(documentFields)
  .meta({ id: "Document", description: "A page or file, in the requested formats" });

export type Document = z.output<typeof document>;
