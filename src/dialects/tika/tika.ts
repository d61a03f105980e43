// Apache Tika's server: files to text, XHTML, markdown and metadata. Nothing is ever fetched for a header.
import * as z from "zod";
import type { ServiceError } from "../../base/index.ts";
import type { UploadedFile } from "../../contract/index.ts";
import { badField } from "../frame/cause.ts";
import {
  below,
  type Dialect,
  type DialectAnswer,
  type DialectCall,
  type DialectRequest,
  dialectRow,
} from "../frame/dialect.ts";
import { parseFile, plainName, requireText } from "../frame/files.ts";
import { acceptedTypes } from "../frame/texts.ts";
import { contentOf, csvOf, type Handler, jsonOf, metadataOf, type TikaFile } from "./answer.ts";

type Headers = Readonly<Record<string, string | undefined>>;
type FileRequest = DialectRequest<unknown>;

const plain = "text/plain; charset=utf-8";
const types: Readonly<Record<Handler, string>> = {
  text: plain,
  main: plain,
  md: "text/markdown; charset=utf-8",
  html: "text/html; charset=utf-8",
  xml: "text/xml; charset=utf-8",
};

/** Old servers fetched what these name. */
const fetching = ["fileurl", "fetchername", "fetchkey"];

function nameOf(headers: Headers): string {
  const disposition = headers["content-disposition"] ?? "";
  const [, encoded] = /filename\*\s*=\s*[\w-]*''([^;]+)/i.exec(disposition) ?? [];
  const [, quoted, bare] = /filename\s*=\s*(?:"([^"]*)"|([^;]+))/i.exec(disposition) ?? [];
  return plainName((encoded ?? quoted ?? bare ?? headers["file-name"] ?? "").trim());
}

function writeLimitOf({ writelimit: text }: Headers): number {
  if (text === undefined || text === "-1") return Number.POSITIVE_INFINITY;
  if (!/^\d{1,12}$/.test(text)) throw badField("writeLimit", "Must be a whole number");
  return Number(text);
}

const strategyHeader = "x-tika-pdfocrstrategy";
const modes: ReadonlyMap<string, string> = new Map([
  ["no_ocr", "fast"],
  ["ocr_only", "ocr"],
  ["auto", "auto"],
]);

/** How text in images is read; undefined for ways that are not known here. */
function modeOf(headers: Headers): string | undefined {
  return modes.get((headers[strategyHeader] ?? "auto").toLowerCase());
}

/** `reads`: whether the file is parsed. `writes`: whether its content is answered. */
function ignoredOf(headers: Headers, { reads = true, writes = true } = {}): string[] {
  return Object.keys(headers).filter((name) => {
    if (name === strategyHeader) return !reads || modeOf(headers) === undefined;
    if (name === "writelimit") return !writes;
    return name.startsWith("x-tika-") || name === "maxembeddedresources";
  });
}

function refuseFetching(headers: Headers): void {
  const named = fetching.find((name) => headers[name] !== undefined);
  if (named !== undefined) throw badField(named, "This endpoint fetches nothing. Send the file itself.");
}

async function read(
  { file: sent, headers }: FileRequest,
  call: DialectCall,
  onlyMainContent = false,
): Promise<TikaFile> {
  const startedAt = call.now();
  refuseFetching(headers);
  const writeLimit = writeLimitOf(headers);
  if (sent === null) throw badField("file", "Required: a file");
  const file: UploadedFile = { ...sent, filename: plainName(sent.filename) || nameOf(headers) };
  const mode = modeOf(headers) ?? "auto";
  const options = { formats: ["markdown", "html"], onlyMainContent, parsers: [{ type: "pdf", mode }] };
  const document = await parseFile(call, file, options);
  requireText(document.markdown ?? "");
  return {
    document,
    filename: file.filename,
    sizeBytes: file.bytes.byteLength,
    ms: Math.max(0, call.now() - startedAt),
    writeLimit,
  };
}

async function answerPlain(request: FileRequest, call: DialectCall): Promise<DialectAnswer> {
  const types = acceptedTypes(request.headers.accept);
  const file = await read(request, call);
  const signs = { ignored: ignoredOf(request.headers), warning: file.document.warning };
  const [first] = types;
  if (first === "text/plain") return { ...inForm(file, "text"), ...signs };
  if (first === "application/json") return { body: jsonOf(file, "xml"), ...signs };
  const handler = first === "text/xml" || first === "application/xml" ? "xml" : "html";
  return { ...inForm(file, handler), ...signs };
}

function inForm(file: TikaFile, handler: Handler): DialectAnswer {
  return { type: types[handler], body: contentOf(file, handler) };
}

const raw = new Set(["text/plain", "text/html", "text/xml", "application/xhtml+xml"]);

/** JSON as Tika 3 has it, or the content alone for those who take nothing but such a text, as Tika 4 has it. */
async function answerHandler(request: FileRequest, call: DialectCall): Promise<DialectAnswer> {
  const { rest: name, headers } = request;
  const isText = name === "text" || name === "html" || name === "xml";
  if (!isText && name !== "json" && name !== "md" && name !== "main") throw noHandler();
  const file = await read(request, call, name === "main");
  const signs = { ignored: ignoredOf(headers), warning: file.document.warning };
  if (name === "json") return { body: jsonOf(file, "md"), ...signs };
  const types = acceptedTypes(headers.accept);
  const isRaw = !isText || (types.length > 0 && types.every((type) => raw.has(type)));
  return isRaw ? { ...inForm(file, name), ...signs } : { body: jsonOf(file, name), ...signs };
}

function noHandler(): ServiceError {
  return badField("handler", "Must be one of text, html, xml, md, json, main");
}

async function answerRecursive(request: FileRequest, call: DialectCall): Promise<DialectAnswer> {
  const name = request.rest === "" ? "xml" : request.rest;
  if (!["text", "html", "xml", "md", "ignore"].includes(name))
    throw badField("handler", "Must be one of text, html, xml, md, ignore");
  const file = await read(request, call);
  const writes = name !== "ignore";
  const ignored = ignoredOf(request.headers, { writes });
  return { body: [jsonOf(file, writes ? (name as Handler) : null)], ignored, warning: file.document.warning };
}

async function answerMeta(request: FileRequest, call: DialectCall): Promise<DialectAnswer> {
  const file = await read(request, call);
  const metadata = metadataOf(file);
  const signs = { ignored: ignoredOf(request.headers, { writes: false }), warning: file.document.warning };
  if (acceptedTypes(request.headers.accept).includes("application/json")) return { body: metadata, ...signs };
  return { type: "text/csv; charset=utf-8", body: csvOf(metadata), ...signs };
}

async function answerDetect({ file, headers }: FileRequest, call: DialectCall): Promise<DialectAnswer> {
  refuseFetching(headers);
  const filename = nameOf(headers);
  const found = file === null ? null : call.detectFile({ ...file, filename });
  const ignored = ignoredOf(headers, { reads: false, writes: false });
  return { type: plain, body: found?.mimeType ?? "application/octet-stream", ignored };
}

const json = z.looseObject({ "X-TIKA:content": z.string().optional(), "Content-Type": z.string() });

export const tika: Dialect = {
  name: "tika",
  tag: "Tika",
  group: "parse",
  owns: below("/tika"),
  rows: [
    dialectRow("GET /tika /tika/tika", "tikaGreeting", "A greeting", {
      response: z.string(),
      responseType: plain,
      rateGroup: null,
      answer: async () => ({ type: plain, body: "This is Tika Server (Trawl). Please PUT\n" }),
    }),
    dialectRow("GET /tika/version", "tikaVersion", "Version of the API", {
      response: z.string(),
      responseType: plain,
      rateGroup: null,
      answer: async () => ({ type: plain, body: "Apache Tika 3.3.2" }),
    }),
    dialectRow("PUT /tika /tika/tika", "tikaParse", "Read a file, as text, JSON or XHTML by Accept", {
      response: z.union([z.string(), json]),
      answer: answerPlain,
      takes: "file",
    }),
    dialectRow(
      "PUT /tika/{handler+} /tika/tika/{handler+}",
      "tikaParseAs",
      "Read a file as text, html or xml (JSON with that content), md, json or main",
      { response: z.union([json, z.string()]), answer: answerHandler, takes: "file" },
    ),
    dialectRow("POST /tika/form /tika/tika/form", "tikaForm", "Read the first file of a form", {
      takes: "form",
      response: z.union([z.string(), json]),
      answer: answerPlain,
    }),
    dialectRow("PUT /tika/rmeta /tika/rmeta/{handler+}", "tikaRecursive", "Read a file as a list of one JSON object", {
      response: z.array(json),
      answer: answerRecursive,
      takes: "file",
    }),
    dialectRow("PUT /tika/meta", "tikaMeta", "Metadata of a file, as CSV or JSON", {
      response: z.union([json, z.string()]),
      answer: answerMeta,
      takes: "file",
    }),
    dialectRow(
      "PUT /tika/detect/stream /tika/detect",
      "tikaDetect",
      "The media type of a file; nothing is read or charged",
      { response: z.string(), responseType: plain, answer: answerDetect, takes: "file" },
    ),
  ],
  failure: ({ message }) => message,
  failureSchema: z.string().describe("What went wrong"),
};
