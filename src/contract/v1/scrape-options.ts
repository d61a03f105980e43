// v1's scrape options: formats are names, their options are separate fields, defaults differ.
import * as z from "zod";
import { scalarText } from "../../base/index.ts";
import { jsonSchemaField, promptField } from "../fields/common-fields.ts";
import { type Format, plainFormat } from "../fields/format-field.ts";
import { changeTrackingOptions } from "../fields/formats.ts";
import { parsers } from "../fields/parsers.ts";
import { checkScrapeOptions, pageFields, resolveScrapeOptions, type ScrapeOptions } from "../fields/scrape-options.ts";

const v1FormatNames = [
  "markdown",
  "html",
  "rawHtml",
  "links",
  "screenshot",
  "screenshot@fullPage",
  "json",
  "extract",
  "changeTracking",
  "summary",
] as const;
type V1FormatName = (typeof v1FormatNames)[number];

const jsonOptions = z
  .strictObject({
    schema: jsonSchemaField().optional(),
    prompt: promptField("What to extract from the page").optional(),
    systemPrompt: promptField("Instructions for the language model").optional(),
    checkPromptInjection: z.boolean().optional().describe("Look for instructions hidden in the page"),
  })
  .meta({ id: "JsonOptionsV1", description: "Options of the json and extract formats" });

type V1Json = z.output<typeof jsonOptions>;

const { parsers: _, ...sharedFields } = pageFields;

const formatsField = z.array(z.enum(v1FormatNames)).max(64);

export const v1ScrapeFields = {
  ...sharedFields,
  formats: formatsField.default(["markdown"]).describe("Formats to return"),
  jsonOptions: jsonOptions.optional(),
  extract: jsonOptions.optional(),
  changeTrackingOptions: z
    .strictObject(changeTrackingOptions)
    .prefault({})
    .describe("Options of the changeTracking format"),
  parsePDF: z.boolean().default(true).describe("Parse PDFs; otherwise they are returned as base64"),
  timeout: z.int().min(1000).max(300_000).default(30_000).describe("Timeout of the whole request, in milliseconds"),
};

const fieldObject = z.strictObject(v1ScrapeFields);
type V1Fields = z.output<typeof fieldObject>;

function toFormat(name: V1FormatName, options: V1Fields): Format {
  if (name === "screenshot@fullPage") return { type: "screenshot", fullPage: true };
  if (name === "changeTracking") return { type: "changeTracking", ...options.changeTrackingOptions };
  if (name !== "json" && name !== "extract") return plainFormat(name);
  const { schema, prompt, systemPrompt, checkPromptInjection = false } = { ...options.extract, ...options.jsonOptions };
  const words = [systemPrompt, prompt].filter((text) => text !== undefined).join("\n\n");
  return { type: "json", schema, prompt: words || undefined, checkPromptInjection, evidence: false };
}

function toFields(options: V1Fields) {
  const { jsonOptions, extract, changeTrackingOptions, parsePDF, formats, ...shared } = options;
  return {
    ...shared,
    formats: formats.map((name) => toFormat(name, options)),
    parsers: parsers.parse(parsePDF ? ["pdf"] : []),
    maxAge: shared.maxAge ?? (shared.lockdown || shared.minAge !== undefined ? undefined : 0),
    skipTlsVerification: shared.skipTlsVerification ?? false,
  };
}

/** The rules of v2, applied to the v1 fields. Options of a format that is not requested count as unknown. */
export function checkV1ScrapeOptions(options: V1Fields, context: z.RefinementCtx): void {
  const asksForJson = options.formats.some((name) => name === "json" || name === "extract");
  const keys = (["extract", "jsonOptions"] as const).filter((key) => options[key] !== undefined && !asksForJson);
  // Last, because unknown fields are removed: an invalid value in one of these is still refused.
  const isSound = context.issues.length === 0;
  if (isSound && keys.length > 0) context.issues.push({ code: "unrecognized_keys", keys, input: options });
  checkScrapeOptions(toFields(options), context);
}

export function toV2ScrapeOptions(options: V1Fields): ScrapeOptions {
  const fields = toFields(options);
  // Two names of the same format are one format.
  const isFirstJson = (index: number) => fields.formats.findIndex(({ type }) => type === "json") === index;
  const formats = fields.formats.filter(({ type }, index) => type !== "json" || isFirstJson(index));
  return resolveScrapeOptions({ ...fields, formats });
}

/** The path in a v1 body of an option that v2 has inside a format. */
export function toV1FieldPath(path: readonly (string | number)[], body: unknown): (string | number)[] {
  const [at, inside] = path[0] === "scrapeOptions" ? [path.slice(0, 1), path.slice(1)] : [[], path];
  const [list, index, option = ""] = inside;
  if (list !== "formats" || typeof index !== "number") return [...path];
  const options = (at.length > 0 ? (body as { scrapeOptions: unknown }).scrapeOptions : body) as Partial<V1Fields>;
  const types = (options.formats ?? []).map((name) => (name === "extract" ? "json" : name));
  const type = types.filter((name, own) => name !== "json" || types.indexOf("json") === own)[index];
  if (option === "" || (type !== "json" && type !== "changeTracking")) return [...path];
  const isExtract = options.jsonOptions?.[option as keyof V1Json] === undefined;
  const beside = type === "changeTracking" ? "changeTrackingOptions" : isExtract ? "extract" : "jsonOptions";
  return [...at, beside, ...inside.slice(2)];
}

interface ShownOptions {
  [name: string]: unknown;
  formats?: (string | Record<string, unknown>)[] | undefined;
  parsers?: (string | Record<string, unknown>)[] | undefined;
}

/** How v1 shows options: formats by name, their options as separate fields. */
export function fromV2ScrapeOptions({ formats = [], parsers: read, ...shared }: ShownOptions): ShownOptions {
  const shown: ShownOptions = { ...shared, formats: [], parsePDF: read === undefined || read.length > 0 };
  shown.formats = formats.map((format) => {
    const { type, ...options } = typeof format === "string" ? { type: format } : format;
    if (type === "screenshot" && "fullPage" in options && options.fullPage === true) return "screenshot@fullPage";
    const beside = type === "json" ? "jsonOptions" : type === "changeTracking" ? "changeTrackingOptions" : null;
    if (beside !== null && Object.keys(options).length > 0) shown[beside] = options;
    return scalarText(type);
  });
  return shown;
}

export const v1ScrapeOptions = fieldObject
  .superRefine(checkV1ScrapeOptions)
  .transform(toV2ScrapeOptions)
  .meta({ id: "ScrapeOptionsV1", description: "How each page is scraped" });

export const v1OptionalScrapeOptions = fieldObject
  .safeExtend({ formats: formatsField.default([]).describe("Formats to return; without any, results are not scraped") })
  .superRefine(checkV1ScrapeOptions)
  .transform(toV2ScrapeOptions)
  .meta({
    id: "OptionalScrapeOptionsV1",
    description: "How each result is scraped; without formats, results are not scraped",
  });
