import { createDeadline, type Slots, type Trace } from "../../base/index.ts";
import type { ScrapeOptions } from "../../contract/index.ts";
import { fileKindRow, identifyFile } from "../../documents/index.ts";
import type { Page } from "../../engines/index.ts";
import type { OutputPlan } from "../formats/plan-outputs.ts";
import { createMediaCollector } from "../media/kept-media.ts";
import type { Payer } from "./asked-page.ts";
import type { Fetched } from "./fetch-page.ts";
import { inSlot } from "./in-slot.ts";
import type { StageResult } from "./list-of-stages.ts";
import type { MakeDocument } from "./make-document.ts";

export interface SentFile {
  filename: string;
  /** As declared, "" when nothing was. */
  contentType: string;
  bytes: Uint8Array;
}

/** A file of the caller as it enters the stages. */
export interface SentPage {
  request: {
    /** Under which the result can be read again: `metadata.scrapeId`. */
    id: string;
    payer: Payer;
    options: ScrapeOptions;
    plan: OutputPlan;
  };
  file: SentFile;
  onPage?: ((page: number, total: number) => void) | undefined;
  signal: AbortSignal;
  trace: Trace;
}

const nothingKept = {
  blobId: null,
  makesKnown: false,
  receivedBytes: 0,
  version: null,
  keep: [],
  remake: null,
  wasBlocked: false,
};

/** Has the document of a caller's file made: no fetch and no cache, otherwise like a page. */
export function createFileStage(slots: Slots, makeDocument: MakeDocument) {
  return async ({ request, file, onPage, signal: callerSignal, trace }: SentPage): Promise<StageResult<Fetched>> => {
    const { payer, options, plan } = request;
    const { teamId, keyId } = payer;
    const page = pageOf(file);
    const { signal, clear } = createDeadline(callerSignal, options.timeout);
    const asked = { teamId, keyId, url: page.url, options, plan };
    const work = { request: asked, signal, endsAt: performance.now() + options.timeout, trace };
    const collector = createMediaCollector(options);
    const entered = { page, rendered: {}, wantsBetter: false, source: "upload" as const, collector, onPage, ...work };
    const read = await inSlot(slots, teamId, signal, () => makeDocument(entered)).finally(clear);
    if (!read.ok) return read;
    const { isFinal: _, lacksText: __, ...reading } = read;
    const told = { facts: { url: undefined }, warnings: plan.warnings };
    return { reading: { ...reading, ...nothingKept, ...told, media: collector.media } };
  };
}

/** The file as a page at a URL that leads nowhere, so that nothing in it resolves to an address outside. */
function pageOf(file: SentFile): Page {
  const { filename, bytes } = file;
  const url = `file:///${encodeURIComponent(filename.split(/[/\\]/).at(-1) ?? "")}`;
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const nothing = { headers: {}, redirects: [], ignoredHeaders: [], proxy: "none" as const };
  const type = declaredType(file, body);
  return { url, finalUrl: url, status: 200, contentType: type, body, engine: "http", isPrivate: true, ...nothing };
}

/** Texts are read by their type, and clients send any file as bytes: its kind says more. The declared encoding counts. */
function declaredType({ filename, contentType }: SentFile, bytes: Buffer): string {
  const kind = identifyFile(bytes, { name: filename, contentType })?.kind;
  if (kind === undefined || !fileKindRow(kind).isText) return contentType;
  const charset = /;\s*charset=[^;]+/i.exec(contentType)?.[0] ?? "";
  return fileKindRow(kind).mimeTypes[0] + charset;
}
