// What crawls and batches have in common: status, errors, cancellation.
import * as z from "zod";
import { success, time, warning } from "./common-fields.ts";
import { document } from "./document.ts";

export const retentionHours = z
  .int()
  .min(1)
  .describe("Hours to keep the results after the end instead of 24, up to the limit of the server");

export const jobProgress = {
  status: z.enum(["scraping", "completed", "failed", "cancelled"]),
  total: z.int().describe("Number of pages found so far"),
  completed: z.int().describe("Number of pages scraped successfully"),
  creditsUsed: z.number(),
};

export const jobStatus = z
  .object({
    success,
    ...jobProgress,
    paused: z.boolean().optional().describe("Whether the job is paused"),
    createdAt: time.optional(),
    completedAt: time.optional(),
    duration: z.number().optional().describe("Duration in seconds so far"),
    expiresAt: time.optional(),
    next: z.string().optional().describe("URL of the next part of the documents; absent on the last one"),
    data: z.array(document),
    warning,
    error: z.string().optional(),
    stopReason: z.string().optional().describe("The limit that ended the job"),
    removed: z
      .array(z.string())
      .optional()
      .describe("With changedSince: URLs of pages that an earlier crawl read and that no longer exist"),
  })
  .meta({ id: "JobStatus", description: "Status of a crawl or batch scrape, with its documents" });

export const jobErrors = z
  .object({
    success: success.optional(),
    errors: z.array(
      z.object({
        id: z.string().describe("Id of the page's scrape"),
        timestamp: time.optional(),
        url: z.string(),
        code: z.string().optional(),
        error: z.string(),
      }),
    ),
    robotsBlocked: z.array(z.string()).describe("URLs that robots.txt disallows"),
    warning,
  })
  .meta({ id: "JobErrors", description: "Pages that could not be scraped" });

/** A file that is made while it is sent. */
export interface FileStream {
  type: string;
  /** As a browser would save it. */
  name: string;
  chunks: AsyncIterable<Uint8Array | string>;
}

const exportFormats = ["jsonl", "csv", "md.zip", "parquet", "llmstxt", "llms-full", "wacz", "warc"] as const;
export type ExportFormat = (typeof exportFormats)[number];

export const exportQuery = z.strictObject({
  format: z
    .enum(exportFormats)
    .default("jsonl")
    .describe(
      "jsonl: one document per line; csv and parquet: one row per document; md.zip: one markdown file per document; llmstxt and llms-full: llms.txt and llms-full.txt of the site; wacz and warc: its web archive",
    ),
});

/** Nothing to check: the bytes are what they are. */
export const exportFile = z.unknown() as unknown as z.ZodType<FileStream>;

export const jobPaused = z.object({ success, status: jobProgress.status, paused: z.boolean() });

export const jobCancelled = z.object({ success: success.optional(), status: z.literal("cancelled") });

/** The messages of a followed job, in order: catchup, any number of documents, done. */
export const jobMessage = z.discriminatedUnion("type", [
  z.object({ type: z.literal("catchup"), data: jobStatus }),
  z.object({ type: z.literal("document"), data: document }),
  z.object({ type: z.literal("done"), data: z.object(jobProgress) }),
  z.object({ type: z.literal("error"), error: z.string() }),
]);

/** A crawl or batch that was just accepted. */
export const jobStarted = {
  success,
  id: z.string(),
  url: z.string().describe("URL of the job's status"),
};
