// Options of a docling conversion: fields of a form, where each value is a text, or of a JSON object.
import * as z from "zod";
import { splitList } from "../../base/index.ts";
import { badField } from "../frame/cause.ts";

/** What a form or JSON says for a list: repeated fields, a JSON list, or names separated by commas. */
const names = z
  .union([z.string().max(2000), z.array(z.union([z.string().max(200), z.number()])).max(100)])
  .transform((value) => (Array.isArray(value) ? value.map(String) : readList(value)));

function readList(text: string): string[] {
  try {
    const list: unknown = JSON.parse(text);
    if (Array.isArray(list)) return list.map(String);
  } catch {
    // Not JSON: names separated by commas.
  }
  return splitList(text);
}

const flag = z
  .union([z.boolean(), z.enum(["true", "false", "True", "False", "1", "0"])])
  .transform((value) => [true, "true", "True", "1"].includes(value));
const seconds = z.union([z.number(), z.string().regex(/^\d+(?:\.\d+)?$/, "Must be a number")]).transform(Number);

export const conversionFields = {
  to_formats: names.default(["md"]).describe("md, html, text"),
  from_formats: names.optional().describe("Kinds of files to accept"),
  md_page_break_placeholder: z.string().max(1000).default("").describe("Text between pages in the markdown"),
  page_range: names.optional().describe("First and last page, from 1, both included"),
  image_export_mode: z
    .enum(["placeholder", "embedded", "referenced"])
    .default("placeholder")
    .describe("How images are shown"),
  do_ocr: flag.default(true).describe("false reads the text layer only"),
  force_ocr: flag.default(false).describe("true recognizes text in images of all pages"),
  document_timeout: seconds.default(120).describe("Seconds"),
};

export const conversionOptions = z.strictObject(conversionFields);
export type ConversionOptions = z.output<typeof conversionOptions>;

const served = ["md", "html", "text"];
const unserved = ["json", "yaml", "doctags", "doclang", "vtt", "chunks", "html_split_page"];

export interface Conversion {
  formats: ReadonlySet<string>;
  unserved: string[];
  range: [first: number, last: number] | null;
  /** Options of a v2 parse or scrape. */
  options: object;
}

/** `at`: the path of the options in the request. */
export function readConversion(fields: ConversionOptions, at: readonly string[] = []): Conversion {
  const unknown = fields.to_formats.find((name) => !served.includes(name) && !unserved.includes(name));
  if (unknown !== undefined)
    throw badField([...at, "to_formats"], `Must be among ${[...served, ...unserved].join(", ")}`);
  const range = rangeOf(fields.page_range, [...at, "page_range"]);
  const mode = fields.force_ocr ? "ocr" : fields.do_ocr ? "auto" : "fast";
  const formats = new Set(fields.to_formats);
  return {
    formats,
    unserved: fields.to_formats.filter((name) => unserved.includes(name)),
    range,
    options: {
      formats: ["markdown", ...(formats.has("html") ? ["html"] : [])],
      parsers: [{ type: "pdf", mode, pages: true, ...(range ? pagesOf(range) : {}) }],
      timeout: Math.round(Math.min(300, Math.max(1, fields.document_timeout)) * 1000),
    },
  };
}

function rangeOf(list: readonly string[] | undefined, at: readonly string[]): [number, number] | null {
  if (list === undefined || list.length === 0) return null;
  const [first = Number.NaN, last = Number.NaN, ...more] = list.map(Number);
  const isRange = Number.isInteger(first) && Number.isInteger(last) && first >= 1 && last >= first && more.length === 0;
  if (!isRange) throw badField(at, "Must be two whole numbers from 1, the first not after the second");
  return [first, last];
}

const mostPages = 10_000;

function pagesOf([first, last]: [number, number]): { firstPage: number; maxPages: number } {
  return { firstPage: Math.min(first, mostPages), maxPages: Math.min(last - first + 1, mostPages) };
}
