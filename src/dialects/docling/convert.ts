// A conversion in docling's shape.
import { ServiceError } from "../../base/index.ts";
import type { Document, ParseTerms, UploadedFile } from "../../contract/index.ts";
import type { DialectAnswer, DialectCall } from "../frame/dialect.ts";
import { noText, parseFile, plainName } from "../frame/files.ts";
import { scrapePages } from "../frame/pages.ts";
import { plainTextOf } from "../frame/texts.ts";
import { type Conversion, type ConversionOptions, readConversion } from "./options.ts";

export type Source = { file: UploadedFile } | { url: string; headers: Record<string, string> };

export interface Converted {
  document: Document;
  filename: string;
  conversion: Conversion;
  startedAt: number;
}

/** What the result of a task needs besides the document. */
export interface TaskNote {
  filename: string;
  fields: ConversionOptions;
}

export async function convert(
  source: Source,
  fields: ConversionOptions,
  call: DialectCall,
  { isTask = false } = {},
): Promise<Converted> {
  const startedAt = call.now();
  const conversion = readConversion(fields);
  const filename =
    "file" in source ? plainName(source.file.filename) : plainName(new URL(source.url).pathname) || source.url;
  const terms = isTask ? { note: JSON.stringify({ filename, fields } satisfies TaskNote) } : {};
  const document =
    "file" in source
      ? await parse({ ...source.file, filename }, fields, conversion, terms, call)
      : await scrape(source, conversion, terms, call);
  if ((document.markdown ?? "").trim() === "") throw new ServiceError("PARSE_FILE_EMPTY", noText);
  return { document, filename, conversion, startedAt };
}

async function parse(
  file: UploadedFile,
  { from_formats: kinds }: ConversionOptions,
  { options }: Conversion,
  terms: ParseTerms,
  call: DialectCall,
) {
  if (kinds !== undefined && !kinds.includes(kindName(file, call)))
    throw new ServiceError("UNSUPPORTED_FILE_TYPE", "The file is of a kind that from_formats does not name.");
  return parseFile(call, file, options, terms);
}

/** In docling's words. */
function kindName(file: UploadedFile, call: DialectCall): string {
  const { kind = "", mimeType = "" } = call.detectFile(file) ?? {};
  if (mimeType.startsWith("image/")) return "image";
  return ({ docm: "docx", xlsm: "xlsx", pptm: "pptx", xhtml: "html" } as Record<string, string>)[kind] ?? kind;
}

async function scrape(
  { url, headers }: { url: string; headers: Record<string, string> },
  { options }: Conversion,
  terms: ParseTerms,
  call: DialectCall,
) {
  const sent = Object.keys(headers).length > 0 ? { headers } : {};
  const [page] = await scrapePages(call, [url], { ...options, ...sent }, terms);
  if (page?.ok) return page.document;
  throw page?.error ?? new ServiceError("INTERNAL_ERROR");
}

const image = /!\[[^[\]\n]*\]\([^\s)[\]]*(?:[ \t]"[^"\n[\]]*")?\)/g;

export function toAnswer(
  { document, filename, conversion, startedAt }: Converted,
  fields: ConversionOptions,
  call: DialectCall,
): DialectAnswer {
  const { formats, unserved, range } = conversion;
  const { pages = [], html = null } = document;
  const shown = range ? pages.filter(({ pageNumber }) => pageNumber >= range[0] && pageNumber <= range[1]) : pages;
  const separator = fields.md_page_break_placeholder === "" ? "\n\n" : `\n\n${fields.md_page_break_placeholder}\n\n`;
  const whole = pages.length > 0 ? shown.map(({ markdown }) => markdown).join(separator) : (document.markdown ?? "");
  const markdown = fields.image_export_mode === "placeholder" ? whole.replace(image, "<!-- image -->") : whole;
  return {
    body: {
      document: {
        filename,
        md_content: formats.has("md") ? markdown : null,
        html_content: formats.has("html") ? html : null,
        text_content: formats.has("text")
          ? plainTextOf(pages.length > 0 ? shown.map((page) => page.markdown).join("\n\n") : whole)
          : null,
        json_content: null,
        doctags_content: null,
      },
      status: unserved.length > 0 ? "partial_success" : "success",
      errors: unserved.map((name) => ({
        component_type: "user_input",
        module_name: "trawl",
        error_message: `The format ${name} is not available.`,
      })),
      processing_time: Math.round((call.now() - startedAt) / 10) / 100,
      timings: {},
    },
    ignored: range && pages.length === 0 ? ["page_range"] : [],
    warning: document.warning,
  };
}
