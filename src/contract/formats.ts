// The outputs a caller can ask for (API.md 2.2). A bare name means the object with that type and its defaults.
import { z } from "zod";
import { scalarText } from "../base/index.ts";
import { jsonSchemaField, promptField } from "./fields.ts";

/** Looks of a screenshot, the same for the format and for the action. */
export const screenshotLook = {
  fullPage: z.boolean().default(false).describe("The whole page, not only what the window shows"),
  quality: z.int().min(1).max(100).optional().describe("Quality of the picture in percent"),
  viewport: z
    .strictObject({
      width: z.int().min(1).max(7680).describe("Width in pixels"),
      height: z.int().min(1).max(4320).describe("Height in pixels"),
    })
    .optional()
    .describe("Size of the window"),
};

export const changeTrackingOptions = {
  modes: z
    .array(z.enum(["git-diff", "json"]))
    .max(64)
    .default([])
    .describe("How changes are shown"),
  schema: jsonSchemaField().optional(),
  prompt: promptField("What to compare in json mode").optional(),
  tag: z.string().max(256).nullable().default(null).describe("Separate histories of the same page"),
};

const markdown = z.strictObject({ type: z.literal("markdown") });
const html = z.strictObject({ type: z.literal("html") });
const rawHtml = z.strictObject({ type: z.literal("rawHtml") });
const links = z.strictObject({ type: z.literal("links") });
const images = z.strictObject({ type: z.literal("images") });
const summary = z.strictObject({ type: z.literal("summary") });
const branding = z.strictObject({ type: z.literal("branding") });
const product = z.strictObject({ type: z.literal("product") });
const menu = z.strictObject({ type: z.literal("menu") });
const audio = z.strictObject({ type: z.literal("audio") });
const video = z.strictObject({ type: z.literal("video") });
const rawBase64 = z.strictObject({ type: z.literal("rawBase64") });
const screenshot = z.strictObject({ type: z.literal("screenshot"), ...screenshotLook });
const changeTracking = z.strictObject({ type: z.literal("changeTracking"), ...changeTrackingOptions });
const json = z.strictObject({
  type: z.literal("json"),
  schema: jsonSchemaField().optional(),
  prompt: promptField("What to take from the page").optional(),
  checkPromptInjection: z.boolean().default(false).describe("Look for instructions hidden in the page"),
  evidence: z.boolean().default(false).describe("Say for each field where on the page it was found"),
});
const attributes = z.strictObject({
  type: z.literal("attributes"),
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
});
const question = z.strictObject({ type: z.literal("question"), question: promptField("Question about the page") });
const highlights = z.strictObject({ type: z.literal("highlights"), query: promptField("What to look for") });
const query = z.strictObject({
  type: z.literal("query"),
  prompt: promptField("Question about the page"),
  mode: z.enum(["freeform", "directQuote"]).default("freeform").describe("Answer in own words or with quotes"),
});

/** Outputs that make sense for a file as well as for a page. */
const fileFormats = [
  markdown,
  html,
  rawHtml,
  links,
  images,
  summary,
  json,
  attributes,
  question,
  highlights,
  query,
  product,
  menu,
] as const;

const formatObject = z.discriminatedUnion("type", [
  ...fileFormats,
  screenshot,
  changeTracking,
  branding,
  audio,
  video,
  rawBase64,
]);
const fileFormatObject = z.discriminatedUnion("type", fileFormats);

export type Format = z.output<typeof formatObject>;
type FileFormat = z.output<typeof fileFormatObject>;

const fileFormatNames = [
  "markdown",
  "html",
  "rawHtml",
  "links",
  "images",
  "summary",
  "json",
  "product",
  "menu",
] as const;
const formatNames = [
  ...fileFormatNames,
  "screenshot",
  "changeTracking",
  "branding",
  "audio",
  "video",
  "rawBase64",
] as const;
const namesWithOptions = ["attributes", "question", "highlights", "query"];

/** The format of a bare name, with its defaults. */
export function plainFormat(type: (typeof formatNames)[number]): Format {
  return formatObject.parse({ type });
}

function formatName<const Names extends readonly string[]>(names: Names) {
  return z.enum(names, {
    error: ({ input }) =>
      namesWithOptions.includes(scalarText(input))
        ? `The format ${scalarText(input)} takes an object with its type and options`
        : `Unknown format: expected one of ${[...names, ...namesWithOptions].join(", ")}`,
  });
}

export const format = z
  .union([formatName(formatNames).transform(plainFormat), formatObject])
  .meta({ id: "Format", description: "An output: its name, or an object with its name as type and its options" });

export const fileFormat = z
  .union([
    formatName(fileFormatNames).transform((type): FileFormat => fileFormatObject.parse({ type })),
    fileFormatObject,
  ])
  .meta({ id: "FileFormat", description: "An output that a file can be turned into" });
