// Which pages are files for a reader, and what the reader makes of them.
import { sentence, type Trace } from "../../base/index.ts";
import type { FileRequest } from "../../content/index.ts";
import { asksModelToRead, type Document, type ScrapeOptions } from "../../contract/index.ts";
import {
  type FileFaultKind,
  type FileKind,
  fileKindList,
  fileKindRow,
  type IdentifiedFile,
  identifyFile,
  isReadable,
  type ParsedFile,
} from "../../documents/index.ts";
import type { Page } from "../../engines/index.ts";
import type { LanguageModel } from "../../llm/index.ts";
import type { FileTask, RecognitionSettings } from "./file-messages.ts";
import type { FileRun, FileRunner } from "./file-runner.ts";
import { createPageTranscriber, type PageTranscriber } from "./page-transcriber.ts";

/** A page whose bytes are a file, and how it is to be read. */
export interface PageFile {
  kind: FileKind;
  warnings: string[];
  request: FileRequest;
}

/**
 * An upload is a file whatever it is; a page only where the page reader does not take its bytes. "stored": a page whose document is
 * made again.
 */
export type FileSource = "upload" | "page" | "stored";

export interface UnknownFile {
  ok: false;
  code: "UNSUPPORTED_FILE_TYPE";
  message: string;
}

/** Null: the page reader takes the bytes as they are. */
export function findFile(page: Page, options: ScrapeOptions, source: FileSource): PageFile | UnknownFile | null {
  const { body, contentType, finalUrl } = page;
  const found = identifyFile(body, { name: fileName(finalUrl), contentType });
  if (source === "upload") {
    if (!found) return unknownFile(fileName(finalUrl));
    if (found.kind !== "md" && fileKindRow(found.kind).isText) return null;
  } else if (!found || !isMet(found, contentType, options)) return null;
  const { kind, contradiction } = found;
  const pdf = options.parsers.find((parser) => parser.type === "pdf");
  const { pages = false, blocks = false, pageMarkers = false } = pdf ?? {};
  const request = { pages, blocks, pageMarkers, places: false };
  return { kind, warnings: contradiction ? [contradiction] : [], request };
}

/** Of the kinds that pages can be: those that only a name tells need a type that does not contradict it. */
function isMet({ kind, isOnlyNamed }: IdentifiedFile, contentType: string, { parsers }: ScrapeOptions): boolean {
  if (!isReadable(kind) || fileKindRow(kind).isText || kind === "md") return false;
  if (fileKindRow(kind).kind === "image") return parsers.some(({ type }) => type === "image");
  if (kind === "pdf") return parsers.some(({ type }) => type === "pdf");
  const isSaid = /^(?:text\/html|application\/xhtml\+xml)\b/i.test(contentType);
  return !(isSaid && isOnlyNamed);
}

function unknownFile(name: string): UnknownFile {
  const message = `The type of ${name || "the file"} is not supported. Supported types: ${fileKindList}.`;
  return { ok: false, code: "UNSUPPORTED_FILE_TYPE", message };
}

function fileName(url: string): string {
  const last = (url.split(/[?#]/, 1)[0] ?? "").split("/").at(-1) ?? "";
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}

const faultCodes = {
  encrypted: "PARSE_FILE_ENCRYPTED",
  broken: "PARSE_FILE_BROKEN",
  empty: "PARSE_FILE_EMPTY",
  limit: "PARSE_LIMIT",
  unsupported: "SCRAPE_UNSUPPORTED_FILE_ERROR",
} as const satisfies Record<FileFaultKind, string>;

export interface FileWork {
  teamId: string;
  /** Whose tokens of a language model are used. */
  keyId: string | null;
  signal: AbortSignal;
  /** When the signal will end it, by performance.now(). */
  endsAt: number;
  trace: Trace;
  onPage?: ((page: number, total: number) => void) | undefined;
}

/** A file that was read. */
export interface FileRead {
  ok: true;
  file: ParsedFile;
  warnings: string[];
  /** False when the language model could not be used: a later request may get a better text. */
  isFinal: boolean;
}

export interface FileReadFailure {
  ok: false;
  code: (typeof faultCodes)[FileFaultKind];
  message: string;
}

/** One file under way. */
export interface DocumentRun extends FileRun {
  /** How long the reading may take; pages that are left then are named in a warning. */
  timeLimitMs: number;
}

/** Reads bytes of a known kind in a separate process. */
export type ReadDocument = (
  kind: FileKind,
  bytes: Uint8Array,
  options: FileTask["options"],
  run: DocumentRun,
) => Promise<ParsedFile | FileReadFailure>;

export type ReadPageFile = (
  page: Page,
  file: PageFile,
  options: ScrapeOptions,
  work: FileWork,
) => Promise<FileRead | FileReadFailure>;

/** Kept back of a request's time for what comes after the file was read. */
const reserveMs = 1000;

const lockedWarning = "With lockdown the language model is not used: text in images was read without it";

export function createDocumentReader(runner: FileRunner, recognition: RecognitionSettings): ReadDocument {
  return async (kind, bytes, options, { timeLimitMs, ...run }) => {
    const read = await runner.read({ kind, bytes, options, timeLimitMs, recognition }, run);
    if (!("fault" in read)) return read;
    return { ok: false, code: faultCodes[read.fault], message: sentence(read.message) };
  };
}

export function createPageFileReader(readDocument: ReadDocument, model: LanguageModel | null): ReadPageFile {
  function transcriberFor(options: ScrapeOptions, work: FileWork): PageTranscriber | null {
    if (!asksModelToRead(options) || !model || options.lockdown) return null;
    const { teamId, keyId, signal, endsAt, trace } = work;
    return createPageTranscriber(model, { teamId, keyId, signal, endsAt: endsAt - reserveMs }, trace);
  }

  return async (page, { kind }, options, work) => {
    const { teamId, signal, endsAt, trace, onPage } = work;
    const transcriber = transcriberFor(options, work);
    const pdf = options.parsers.find((parser) => parser.type === "pdf");
    const asked = {
      mode: pdf?.mode ?? ("auto" as const),
      ...(pdf?.firstPage === undefined ? {} : { firstPage: pdf.firstPage }),
      ...(pdf?.maxPages === undefined ? {} : { maxPages: pdf.maxPages }),
      withAttachments: options.parsers.some(({ type }) => type === "attachments"),
    };
    const timeLimitMs = Math.max(0, endsAt - performance.now() - reserveMs);
    const run = { teamId, signal, onPage, transcribe: transcriber?.transcribe, timeLimitMs };
    const read = await trace.run(
      "file",
      () => readDocument(kind, page.body, asked, run),
      (found) => ({ outcome: "code" in found ? found.code : "read", detail: { kind } }),
    );
    if ("code" in read) return read;
    const isLocked = options.lockdown && asksModelToRead(options);
    const warnings = [...read.warnings, ...(transcriber?.warnings() ?? []), ...(isLocked ? [lockedWarning] : [])];
    return { ok: true, file: read, warnings, isFinal: !isLocked && (transcriber?.isFinal() ?? true) };
  };
}

/** What a file adds to the metadata of its document. */
export function fileFacts(kind: FileKind, file: ParsedFile, title: string | undefined): Document["metadata"] {
  const { author, createdAt, modifiedAt, totalPages, pagesRead } = file;
  return {
    contentType: fileKindRow(kind).mimeTypes[0] ?? "",
    ...(title || !file.title ? {} : { title: file.title }),
    ...(author ? { author } : {}),
    ...(createdAt ? { createdTime: createdAt } : {}),
    ...(modifiedAt ? { modifiedTime: modifiedAt } : {}),
    ...(totalPages === undefined ? {} : { totalPages, numPages: pagesRead ?? totalPages }),
  };
}
