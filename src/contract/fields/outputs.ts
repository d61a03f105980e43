// What formats return, where that is more than a text or a list.
import * as z from "zod";
import { box } from "./file-blocks.ts";

export const optionalText = z.string().optional();
export const list = z.array(z.string()).optional();

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

const captions = z.object({
  url: optionalText.describe("File with the captions; absent where the page itself holds the text"),
  kind: z.string().describe("subtitles, captions, descriptions or transcript"),
  language: optionalText,
  label: optionalText,
  text: optionalText.describe("What is said"),
});

export const mediaList = z
  .array(
    z.object({
      url: z.string().describe("Of the file, or of the player that shows it"),
      type: optionalText.describe("Media type; text/html for a player"),
      title: optionalText,
      duration: z.number().optional().describe("In seconds"),
      poster: optionalText.describe("URL of the picture that is shown before it plays"),
      captions: z.array(captions).optional(),
    }),
  )
  .optional();

export const dataTables = z
  .array(
    z.object({
      position: z.int().describe("Among the tables of the page, from 1"),
      caption: z.string(),
      headers: z.array(z.string()).describe("Names of the columns; empty when the table has none"),
      rows: z.array(z.array(z.string())),
      csv: z.string().describe("Headers and rows as CSV"),
      page: z.int().optional().describe("Page of the file, from 1"),
    }),
  )
  .optional();

export const textChunks = z
  .array(
    z.object({
      position: z.int().describe("From 1"),
      headings: z.array(z.string()).describe("Headings above the chunk, outermost first"),
      text: z.string().describe("A piece of the markdown"),
      tokens: z.int().describe("Tokens of the text, counted by the tokenizer o200k_base"),
      markdownSpan: z.tuple([z.int(), z.int()]).describe("Its range in the markdown, in characters: from, to"),
    }),
  )
  .optional();

export const passages = z
  .array(z.object({ url: z.string(), text: z.string() }))
  .optional()
  .describe("Quotes from the page that support the answer, each verified against the page");
