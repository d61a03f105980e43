// What crawls and batches answer alike: how far they are, what went wrong, that they were cancelled.
import { z } from "zod";
import { document } from "./document.ts";
import { success, time, warning } from "./fields.ts";

export const jobProgress = {
  status: z.enum(["scraping", "completed", "failed", "cancelled"]),
  total: z.int().describe("Pages started or waiting"),
  completed: z.int().describe("Pages done with a document"),
  creditsUsed: z.number(),
};

export const jobStatus = z
  .object({
    success,
    ...jobProgress,
    paused: z.boolean().optional().describe("The job waits until it is resumed"),
    createdAt: time.optional(),
    completedAt: time.optional(),
    duration: z.number().optional().describe("Seconds so far"),
    expiresAt: time.optional(),
    next: z.string().optional().describe("Address of the next part; absent on the last one"),
    data: z.array(document),
    warning,
    error: z.string().optional(),
    stopReason: z.string().optional().describe("Which budget ended the job"),
  })
  .meta({ id: "JobStatus", description: "How far a crawl or batch is, and its finished documents" });

export const jobErrors = z
  .object({
    success: success.optional(),
    errors: z.array(
      z.object({
        id: z.string().describe("Id of the page's own job"),
        timestamp: time.optional(),
        url: z.string(),
        code: z.string().optional(),
        error: z.string(),
      }),
    ),
    robotsBlocked: z.array(z.string()).describe("Addresses that robots.txt forbids"),
    warning,
  })
  .meta({ id: "JobErrors", description: "Pages that could not be read" });

export const jobCancelled = z.object({ success: success.optional(), status: z.literal("cancelled") });

/** The messages of a watched job, in order: catchup, any number of documents, done. */
export const jobMessage = z.discriminatedUnion("type", [
  z.object({ type: z.literal("catchup"), data: jobStatus }),
  z.object({ type: z.literal("document"), data: document }),
  z.object({ type: z.literal("done"), data: z.object(jobProgress) }),
  z.object({ type: z.literal("error"), error: z.string() }),
]);

/** Where a crawl or batch that was just accepted can be read. */
export const jobStarted = {
  success,
  id: z.string(),
  url: z.string().describe("Where the job can be read"),
};
