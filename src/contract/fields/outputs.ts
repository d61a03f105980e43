// What formats return, where that is more than a text or a list.
import { z } from "zod";
import { box } from "./file-blocks.ts";

export const optionalText = z.string().optional();
export const list = z.array(z.string()).optional();
export const open = z.record(z.string(), z.unknown());

export const evidence = z
  .record(
    z.string(),
    z.object({
      url: z.string(),
      method: z.string(),
      selector: optionalText,
      text: optionalText,
      page: z.int().optional().describe("Page of the file, from 1"),
      bbox: box.optional(),
      confidence: z.number(),
    }),
  )
  .describe("Where each field was found, keyed by its path");

export const trackedChanges = z
  .object({
    previousScrapeAt: z.string().nullable(),
    changeStatus: z.enum(["new", "same", "changed", "removed"]),
    visibility: z.enum(["visible", "hidden"]),
    diff: z.object({ text: optionalText, json: z.unknown().optional() }).optional(),
    json: z.unknown().optional(),
  })
  .optional();

export const attributeValues = z
  .array(z.object({ selector: z.string(), attribute: z.string(), values: z.array(z.string()) }))
  .optional();

export const passages = z
  .array(z.object({ url: z.string(), text: z.string() }))
  .optional()
  .describe("Quotes from the page that support the answer, each verified against the page");
