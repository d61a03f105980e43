// What a monitor checks, when, and which changes of a page count.
import * as z from "zod";
import { hostnamesField, promptField, timeZoneField, urlField, uuidField } from "./common-fields.ts";
import { crawlFields } from "./crawl-options.ts";
import { scrapeOptions } from "./scrape-options.ts";

export const schedule = z
  .strictObject({
    cron: z
      .string()
      .max(256)
      .regex(/^\s*[\w*/,-]+(?:\s+[\w*/,-]+){4}\s*$/, "Must be a cron expression with five fields")
      .optional()
      .describe("Cron expression with five fields; every five minutes at most"),
    text: z
      .string()
      .min(1)
      .max(256)
      .optional()
      .describe("In words: hourly, every 30 minutes, daily at 9am, weekdays at 18:00, weekly, monthly"),
    timezone: timeZoneField(),
  })
  .refine((given) => (given.cron === undefined) !== (given.text === undefined), {
    message: "A schedule needs either cron or text",
  });

const id = uuidField("Id of an existing target to keep").optional();
// A check always reads whole pages.
const { dryRun: _, changedSince: __, ...watchedCrawlFields } = crawlFields;

export const target = z
  .discriminatedUnion("type", [
    z.strictObject({
      type: z.literal("scrape"),
      id,
      urls: z.array(urlField("URL of a page")).min(1).max(1000).describe("URLs to check"),
      scrapeOptions: scrapeOptions.prefault({}),
    }),
    z.strictObject({
      type: z.literal("crawl"),
      id,
      url: urlField("URL to start from"),
      crawlOptions: z
        .strictObject({ ...watchedCrawlFields, prompt: promptField("What to crawl, in plain language").optional() })
        .prefault({})
        .describe("Crawl options"),
      scrapeOptions: scrapeOptions.prefault({}),
    }),
    z
      .strictObject({
        type: z.literal("search"),
        id,
        queries: z.array(z.string().min(1).max(500)).min(1).max(12).describe("What to search for"),
        searchWindow: z.enum(["5m", "15m", "1h", "6h", "24h", "7d"]).optional().describe("Maximum age of results"),
        maxResults: z.int().min(1).max(50).optional().describe("Maximum number of results of all queries together"),
        includeDomains: hostnamesField("Only results from these hosts").optional(),
        excludeDomains: hostnamesField("No results from these hosts").optional(),
      })
      .refine(({ includeDomains = [], excludeDomains = [] }) => includeDomains.length * excludeDomains.length === 0, {
        message: "includeDomains and excludeDomains cannot be combined",
        path: ["excludeDomains"],
      }),
  ])
  .meta({ id: "MonitorTarget", description: "Pages, a site, or searches to check" });

export type MonitorTarget = z.output<typeof target>;

const words = (description: string) =>
  z.array(z.string().trim().min(1).max(500)).max(100).optional().describe(description);
const fieldPath = z.string().min(1).max(256);

export const changeRules = z
  .strictObject({
    ignore: z
      .array(z.string().min(1).max(512))
      .max(50)
      .optional()
      .describe("Regular expressions: text that matches is ignored"),
    selectors: z
      .array(z.string().min(1).max(4096))
      .max(100)
      .optional()
      .describe("CSS selectors: only these parts count"),
    tolerance: z
      .record(fieldPath, z.number().min(0))
      .refine((given) => Object.keys(given).length <= 100, "At most 100 fields")
      .optional()
      .describe("By field: numbers that differ by no more than this are the same; `*` means every number"),
    minChangedShare: z
      .number()
      .min(0)
      .max(1)
      .optional()
      .describe("Share of the words that must have changed, from 0 to 1"),
    fields: z.array(fieldPath).max(100).optional().describe("Only these fields of the JSON data count"),
    appears: words("A change counts when one of these words appears"),
    disappears: words("A change counts when one of these words disappears"),
  })
  .meta({ id: "ChangeRules", description: "Which changes count, without a language model" });

export type ChangeRules = z.output<typeof changeRules>;
