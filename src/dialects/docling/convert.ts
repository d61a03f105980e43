// A conversion in docling's shape.
import { ServiceError } from "../../base/index.ts";
import type { Document, ParseTerms, UploadedFile } from "../../contract/index.ts";
import { badField, faultOf } from "../frame/cause.ts";
import type { DialectAnswer, DialectCall } from "../frame/dialect.ts";
import { noText, parseFile, plainName } from "../frame/files.ts";
import { scrapePages } from "../frame/scrape-pages.ts";
import { plainTextOf } from "../frame/texts.ts";
import { type Conversion, type ConversionOptions, readConversion } from "./options.ts";

export type Source = { file: UploadedFile } | HttpSource;

interface HttpSource {
  url: string;
  headers: Record<string, string>;
  /** The field of the request that holds the URL. */
  at: readonly (string | number)[];
}

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
  { isTask = false, at = [] }: { isTask?: boolean; at?: readonly string[] } = {},
): Promise<Converted> {
  const startedAt = call.now();
  const conversion = readConversion(fields, at);
  const filename = "file" in source ? plainName(source.file.filename) : nameOf(source.url);
  const terms = isTask ? { note: JSON.stringify({ filename, fields } satisfies TaskNote) } : {};
  const document =
    "file" in source
      ? await parse({ ...source.file, filename }, fields, conversion, terms, call)
      : await scrape(source, fields, conversion, terms, call);
  if ((document.markdown ?? "").trim() === "") throw new ServiceError("PARSE_FILE_EMPTY", noText);
  return { document, filename, conversion, startedAt };
}

/** The end of its path, or all of it; what is no URL is refused where it is read. */
function nameOf(url: string): string {
  return (URL.canParse(url) && plainName(new URL(url).pathname)) || url;
}

async function parse(
  file: UploadedFile,
  fields: ConversionOptions,
  { options }: Conversion,
  terms: ParseTerms,
  call: DialectCall,
) {
  requireKind(file, fields, call);
  return parseFile(call, file, options, terms);
}

function requireKind(file: UploadedFile, { from_formats: kinds }: ConversionOptions, call: DialectCall): void {
  if (kinds !== undefined && !kinds.includes(kindName(file, call)))
    throw new ServiceError("UNSUPPORTED_FILE_TYPE", "The file type is not listed in from_formats.");
}

/** In docling's words. */
function kindName(file: UploadedFile, call: DialectCall): string {
  const { kind = "", mimeType = "" } = call.detectFile(file) ?? {};
  if (mimeType.startsWith("image/")) return "image";
  return ({ docm: "docx", xlsm: "xlsx", pptm: "pptx", xhtml: "html" } as Record<string, string>)[kind] ?? kind;
}

async function scrape(
  { url, headers, at }: HttpSource,
  fields: ConversionOptions,
  { options }: Conversion,
  terms: ParseTerms,
  call: DialectCall,
) {
  const sent = Object.keys(headers).length > 0 ? { headers } : {};
  const [page] = await scrapePages(call, [url], { ...options, ...sent }, terms);
  if (!page?.ok) throw page === undefined ? new ServiceError("INTERNAL_ERROR") : ofSource(page.error, at);
  // Only now it is known what there is.
  const { contentType = "" } = page.document.metadata;
  requireKind({ filename: contentType === "" ? nameOf(url) : "", contentType, bytes: new Uint8Array() }, fields, call);
  return page.document;
}

/** What is wrong with the URL is said of its place in the request. */
function ofSource(error: ServiceError, at: HttpSource["at"]): ServiceError {
  const { cause, issues } = faultOf(error);
  const [first] = issues;
  return cause === "badRequest" && first ? badField(at, first.message) : error;
}

const image = /!\[[^[\]\n]*\]\([^\s)[\]]*(?:[ \t]"[^"\n[\]]*")?\)/g;

/** `rangeName`: what the request calls the range of pages, if it has any. */
export function toAnswer(
  { document, filename, conversion, startedAt }: Converted,
  fields: ConversionOptions,
  call: DialectCall,
  { rangeName }: { rangeName?: string } = {},
): DialectAnswer {
  const { formats, unserved, range } = conversion;
  const { pages = [], html = null } = document;
  const separator = fields.md_page_break_placeholder === "" ? "\n\n" : `\n\n${fields.md_page_break_placeholder}\n\n`;
  const whole = pages.length > 0 ? pages.map(({ markdown }) => markdown).join(separator) : (document.markdown ?? "");
  const markdown = fields.image_export_mode === "placeholder" ? whole.replace(image, "<!-- image -->") : whole;
  return {
    body: {
      document: {
        filename,
        md_content: formats.has("md") ? markdown : null,
        html_content: formats.has("html") ? html : null,
        text_content: formats.has("text")
          ? plainTextOf(pages.length > 0 ? pages.map((page) => page.markdown).join("\n\n") : whole)
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
    ignored: range && pages.length === 0 && rangeName !== undefined ? [rangeName] : [],
    warning: document.warning,
  };
}
