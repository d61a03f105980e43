// What a page became (API.md 2.5). Only the outputs that were asked for are present.
import { z } from "zod";

const text = z.string().optional();
const list = z.array(z.string()).optional();
const open = z.record(z.string(), z.unknown());

export const trace = z
  .array(
    z.object({
      step: z.string(),
      engine: text,
      url: text,
      ms: z.number(),
      outcome: z.string(),
      detail: z.unknown().optional(),
    }),
  )
  .describe("The steps that were taken, in order");

export const evidence = z
  .record(z.string(), z.object({ url: z.string(), method: z.string(), selector: text, text, confidence: z.number() }))
  .describe("Where each field was found, by its path");

export const metadata = z
  .looseObject({
    title: text,
    description: text,
    sourceURL: z.string().optional().describe("The address asked for"),
    url: z.string().optional().describe("The address after redirects"),
    statusCode: z.int().optional().describe("Status the page answered with"),
    error: z.string().optional().describe("What the page's server complained about"),
    language: z.string().optional().describe("As the page says it, else told by its text"),
    publishedTime: z.string().optional().describe("ISO 8601, as exact as the page is; in UTC when it names a zone"),
    modifiedTime: z.string().optional().describe("ISO 8601, as publishedTime"),
    canonical: z.string().optional().describe("The address by which the page wants to be known"),
    feeds: z.array(z.string()).optional().describe("Addresses of the page's RSS, Atom and JSON feeds"),
    keywords: z.union([z.string(), z.array(z.string())]).optional(),
    robots: text,
    favicon: text,
    contentType: text,
    timezone: text,
    numPages: z.int().optional(),
    totalPages: z.int().optional(),
    scrapeId: z.string().optional().describe("Id under which this page can be read again or interacted with"),
    proxyUsed: z.enum(["basic", "stealth"]).optional(),
    cacheState: z.enum(["hit", "miss"]).optional(),
    cachedAt: text,
    creditsUsed: z.number().optional(),
    concurrencyLimited: z.boolean().optional(),
    concurrencyQueueDurationMs: z.number().optional(),
    quality: z
      .object({
        pageType: z.string(),
        mainTextShare: z.number(),
        boilerplateShare: z.number(),
        confidence: z.number(),
      })
      .optional()
      .describe("What kind of page it is, and how well its main text could be told from the rest"),
    hiddenText: z.int().optional().describe("Characters of invisible text that were left out"),
    unchanged: z.boolean().optional().describe("The page is as it was the last time and carries no content"),
  })
  .meta({ id: "Metadata", description: "What is known about a page; other meta tags stand under their own names" });

const changeTracking = z.object({
  previousScrapeAt: z.string().nullable(),
  changeStatus: z.enum(["new", "same", "changed", "removed"]),
  visibility: z.enum(["visible", "hidden"]),
  diff: z.object({ text, json: z.unknown().optional() }).optional(),
  json: z.unknown().optional(),
});

/** The outputs themselves: also the fields of a search result whose page was read. */
export const contentFields = {
  markdown: text,
  html: text,
  rawHtml: text,
  links: list,
  images: list,
  screenshot: z.string().optional().describe("Address or data URI of the picture"),
  summary: text,
  json: z.unknown().optional(),
  evidence: evidence.optional(),
  changeTracking: changeTracking.optional(),
  attributes: z
    .array(z.object({ selector: z.string(), attribute: z.string(), values: z.array(z.string()) }))
    .optional(),
  branding: open.optional(),
  product: z.unknown().optional(),
  menu: z.unknown().optional(),
  answer: text,
  passages: z
    .array(z.object({ url: z.string(), text: z.string() }))
    .optional()
    .describe("Lines of the page that the answer rests on, each looked up there"),
  highlights: z.unknown().optional(),
  audio: text,
  video: text,
  rawBase64: text,
  pages: z.array(z.object({ pageNumber: z.int(), markdown: z.string() })).optional(),
  blocks: z.array(z.unknown()).optional(),
  actions: z
    .object({
      screenshots: list,
      scrapes: z.array(z.object({ url: z.string(), html: z.string() })).optional(),
      javascriptReturns: z.array(z.object({ type: z.string(), value: z.unknown() })).optional(),
      pdfs: list,
    })
    .optional()
    .describe("What the browser steps produced"),
  trace: trace.optional(),
  warning: text,
};

export const document = z
  .object({
    ...contentFields,
    success: z.boolean().optional().describe("Sent to a client that looks for it here"),
    metadata,
  })
  .meta({ id: "Document", description: "A page or file, in the outputs that were asked for" });

export type Document = z.output<typeof document>;
