// The formats in which a page can be returned: one table with the name, options and price of each. A bare name means the
// object with that type and its defaults. How each is made is not decided here.
import * as z from "zod";
import { brandingOutput } from "./branding.ts";
import { jsonSchemaField, promptField } from "./common-fields.ts";
import { networkEntries, networkOptions } from "./network.ts";
import {
  attributeValues,
  dataTables,
  evidence,
  list,
  mediaList,
  optionalText,
  passages,
  textChunks,
  trackedChanges,
} from "./outputs.ts";
import { menuOutput, productOutput } from "./things.ts";

/**
 * What makes it: `content` from the parsed page, in the content thread; a `thing` from the page's data and text, whose form is
 * fixed; a function of the finished markdown (`text`), in the extraction thread; an `answer` from text and data, with a language
 * model where one is configured; the response's `bytes`; a `browser`; or the page's `history`. Each room that makes formats has
 * a folder of them.
 */
export type FormatOrigin = "content" | "thing" | "text" | "answer" | "bytes" | "browser" | "history";

export interface FormatRow {
  description: string;
  madeFrom: FormatOrigin;
  /** Fields of the object form beside `type`. */
  options: z.ZodRawShape;
  /** What it costs on top of the page. */
  credits: number;
  /** True when an uploaded file can be returned in it, too. */
  isForFiles: boolean;
  /** Fields of the document that it fills. */
  returns: z.ZodRawShape;
  /** What keeps it from being asked for like this; null: nothing. */
  problem?(format: object, request: FormatRequest): FormatProblem | null;
}

/** The formats of a request that one is asked for in, by name. */
interface FormatRequest {
  all: readonly string[];
  before: readonly string[];
}

interface FormatProblem {
  /** The option that is wrong; absent: the format itself. */
  option?: string;
  message: string;
}

/** How a screenshot is taken, the same for the format and for the action. */
export const screenshotOptions = {
  fullPage: z.boolean().default(false).describe("Capture the whole page, not only the visible part"),
  quality: z.int().min(1).max(100).optional().describe("Image quality, in percent"),
  viewport: z
    .strictObject({
      width: z.int().min(1).max(7680).describe("Width in pixels"),
      height: z.int().min(1).max(4320).describe("Height in pixels"),
    })
    .optional()
    .describe("Size of the browser window"),
};

export const changeTrackingOptions = {
  modes: z
    .array(z.enum(["git-diff", "json"]))
    .max(64)
    .default([])
    .describe("How to report changes: as a diff of the text, as changed fields, or both"),
  schema: jsonSchemaField().optional(),
  prompt: promptField("What to compare in json mode").optional(),
  tag: z.string().max(256).nullable().default(null).describe("Keeps separate histories of the same page"),
};

const chunkOptions = {
  maxTokens: z.int().min(32).max(32_768).default(512).describe("Most tokens of a chunk, by the tokenizer o200k_base"),
  overlap: z
    .int()
    .min(0)
    .max(4096)
    .default(0)
    .describe("Tokens at the end of a chunk that the next one of its section begins with; at most half of maxTokens"),
};

/** Free, without options, and for files, too, unless `own` says otherwise. */
function row<
  const From extends FormatOrigin,
  Returns extends z.ZodRawShape,
  const Own extends Partial<FormatRow> = object,
>(madeFrom: From, description: string, returns: Returns, own?: Own) {
  const usual = { description, madeFrom, returns, options: {}, credits: 0, isForFiles: true };
  return { ...usual, ...own } as Omit<typeof usual & { madeFrom: From }, keyof Own> & Own;
}

export const formats = {
  markdown: row("content", "The content as markdown", { markdown: optionalText }),
  html: row("content", "The content as clean HTML", { html: optionalText }),
  rawHtml: row("content", "The HTML as the server sent it or the browser rendered it", { rawHtml: optionalText }),
  links: row("content", "Every link on the page, as absolute URLs", { links: list }),
  images: row("content", "Every image on the page, as absolute URLs", { images: list }),
  summary: row("answer", "A short summary of the page", { summary: optionalText }),
  json: row(
    "answer",
    "Structured data that matches a JSON Schema, a prompt, or both",
    { json: z.unknown().optional(), evidence: evidence.optional() },
    {
      options: {
        schema: jsonSchemaField().optional(),
        prompt: promptField("What to extract from the page").optional(),
        checkPromptInjection: z.boolean().default(false).describe("Look for instructions hidden in the page"),
        evidence: z.boolean().default(false).describe("Report where on the page each field was found"),
      },
      credits: 4,
    },
  ),
  deterministicJson: row(
    "answer",
    "Structured data by an extractor that is learned once for a host, then run without a language model and repaired when it stops fitting; not beside json",
    { json: z.unknown().optional() },
    {
      options: {
        schema: jsonSchemaField(),
        prompt: promptField("What to extract from the page").optional(),
      },
      credits: 4,
      problem: (_format: object, { all }: FormatRequest) =>
        all.includes("json")
          ? { message: "deterministicJson and json fill the same field. Ask for one of them." }
          : null,
    },
  ),
  attributes: row(
    "content",
    "Attribute values of the elements that match CSS selectors",
    { attributes: attributeValues },
    {
      options: {
        selectors: z
          .array(
            z.strictObject({
              selector: z.string().min(1).max(4096).describe("CSS selector of the elements"),
              attribute: z.string().min(1).max(256).describe("Name of the attribute"),
            }),
          )
          .min(1)
          .max(1000)
          .describe("Which attributes of which elements"),
      },
    },
  ),
  tables: row("content", "Every data table of the page or file as rows and as CSV, merged cells repeated", {
    tables: dataTables,
  }),
  chunks: row(
    "text",
    "The markdown cut at headings and paragraphs, for embedding",
    { chunks: textChunks },
    {
      options: chunkOptions,
      problem: ({ overlap, maxTokens }: { overlap: number; maxTokens: number }) =>
        overlap > maxTokens / 2 ? { option: "overlap", message: "overlap must be at most half of maxTokens" } : null,
    },
  ),
  question: row(
    "answer",
    "An answer to a question about the page",
    { answer: optionalText, passages },
    { options: { question: promptField("Question about the page") }, credits: 4 },
  ),
  highlights: row(
    "answer",
    "The passages of the page that best match a query",
    { highlights: z.unknown().optional() },
    {
      options: {
        query: promptField("What to look for"),
        maxTokens: z.int().min(50).max(100_000).optional().describe("Maximum length, at four characters per token"),
      },
      credits: 4,
    },
  ),
  query: row(
    "answer",
    "An answer to a question about the page; the older form of question",
    { answer: optionalText, passages },
    {
      options: {
        prompt: promptField("Question about the page"),
        mode: z.enum(["freeform", "directQuote"]).default("freeform").describe("Answer freely, or with quotes only"),
      },
      credits: 4,
    },
  ),
  product: row("thing", "The product that the page sells, with its variants, prices and availability", {
    product: productOutput,
  }),
  menu: row("thing", "The menu of a restaurant: sections with dishes and prices", { menu: menuOutput }),
  screenshot: row(
    "browser",
    "A screenshot of the page, as a URL",
    { screenshot: z.string().optional().describe("URL or data URI of the image") },
    {
      options: screenshotOptions,
      isForFiles: false,
      problem: (_format: object, { before }: FormatRequest) =>
        before.includes("screenshot") ? { message: "Only one screenshot can be requested" } : null,
    },
  ),
  changeTracking: row(
    "history",
    "What changed since the page was last scraped; the json mode costs as much as the json format",
    { changeTracking: trackedChanges },
    {
      options: changeTrackingOptions,
      isForFiles: false,
      problem: (_format: object, { all }: FormatRequest) =>
        all.includes("markdown") ? null : { message: "changeTracking also requires the markdown format" },
    },
  ),
  branding: row(
    "browser",
    "Colors, fonts, spacing, buttons and logo of the rendered page; its tone and personality with a language model",
    { branding: brandingOutput },
    { isForFiles: false },
  ),
  audio: row(
    "content",
    "The audio that the page embeds, links or describes, with captions as text; nothing of it is loaded",
    {
      audio: optionalText.describe("URL of the first audio"),
      audios: mediaList.describe("Every audio of the page"),
    },
    { credits: 4, isForFiles: false },
  ),
  video: row(
    "content",
    "The videos that the page embeds, links or describes, with captions as text; nothing of them is loaded",
    {
      video: optionalText.describe("URL of the first video"),
      videos: mediaList.describe("Every video of the page"),
    },
    { credits: 4, isForFiles: false },
  ),
  rawBase64: row(
    "bytes",
    "The bytes of the response, as base64; must be the only format",
    { rawBase64: optionalText },
    {
      isForFiles: false,
      problem: (_format: object, { all }: FormatRequest) =>
        all.length > 1 ? { message: "rawBase64 must be the only format" } : null,
    },
  ),
  network: row(
    "browser",
    "What the page asked servers for and what they answered, without headers; values of names that let someone in are masked",
    { network: networkEntries },
    {
      options: networkOptions,
      isForFiles: false,
      problem: (_format: object, { before }: FormatRequest) =>
        before.includes("network") ? { message: "Only one network can be requested" } : null,
    },
  ),
} as const;

export type { NetworkKind } from "./network.ts";

export type FormatName = keyof typeof formats;

export const formatNames = Object.keys(formats) as FormatName[];

/** Names of the formats with an origin. */
export type FormatsFrom<Origin extends FormatOrigin> = {
  [Name in FormatName]: (typeof formats)[Name]["madeFrom"] extends Origin ? Name : never;
}[FormatName];

type Together<Shapes> = (Shapes extends unknown ? (shape: Shapes) => void : never) extends (shape: infer All) => void
  ? All
  : never;

/** The fields of a document that formats fill. */
export const outputFields = Object.assign({}, ...Object.values(formats).map(({ returns }) => returns)) as Together<
  (typeof formats)[FormatName]["returns"]
>;
