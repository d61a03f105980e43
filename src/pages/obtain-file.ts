// How a file that a caller sent is obtained: no fetch and no cache, otherwise like a page. Nothing is written here.
import { createDeadline, createTrace, type Slots } from "../base/index.ts";
import type { ScrapeOptions } from "../contract/index.ts";
import { fileKindRow, identifyFile } from "../documents/index.ts";
import type { Page } from "../engines/index.ts";
import type { OutputPlan } from "./formats/plan-outputs.ts";
import { createMediaCollector } from "./media/media.ts";
import type { ObtainedPage, ObtainFailure, Payer } from "./obtain-page.ts";
import { inSlot } from "./reading/in-slot.ts";
import type { PageOutcome } from "./reading/page-reading.ts";
import type { ByteReader } from "./reading/read-bytes.ts";
import { pagePrice } from "./record/page-price.ts";
import type { PageRecorder } from "./record/page-record.ts";

export interface SentFile {
  filename: string;
  /** As declared, "" when nothing was. */
  contentType: string;
  bytes: Uint8Array;
}

export interface FileRequestOfCaller {
  /** Under which the result can be read again: `metadata.scrapeId`. */
  id: string;
  payer: Payer;
  file: SentFile;
  options: ScrapeOptions;
  plan: OutputPlan;
  onPage?: ((page: number, total: number) => void) | undefined;
}

export interface FileObtainerDeps {
  recorder: PageRecorder;
  readBytes: ByteReader;
  slots: Slots;
}

export type ObtainFile = (request: FileRequestOfCaller, signal: AbortSignal) => Promise<ObtainedPage | ObtainFailure>;

export function createFileObtainer({ recorder, readBytes, slots }: FileObtainerDeps): ObtainFile {
  return async ({ id, payer, file, options, plan, onPage }, callerSignal) => {
    const { teamId, keyId } = payer;
    if (file.bytes.byteLength === 0) return { ok: false, code: "PARSE_FILE_EMPTY" };
    const page = pageOf(file);
    const trace = createTrace();
    const { signal, clear } = createDeadline(callerSignal, options.timeout);
    const request = { teamId, keyId, url: page.url, options, plan };
    const endsAt = performance.now() + options.timeout;
    const collector = createMediaCollector(options);
    const work = { request, signal, endsAt, trace, collector, source: "upload" as const, onPage };
    const outcome = await inSlot(slots, teamId, signal, async (): Promise<PageOutcome> => {
      const read = await readBytes(page, {}, work);
      if (!read.ok) return read;
      const { isFinal: _, content: __, ...reading } = read;
      const nothingKept = {
        blobId: null,
        makesKnown: false,
        receivedBytes: 0,
        version: null,
        keep: [],
        remake: null,
        media: collector.media,
        wasBlocked: false,
      };
      return { ...reading, ...nothingKept, facts: {}, warnings: plan.warnings };
    }).finally(clear);
    const steps = options.trace ? trace.steps : [];
    if (!outcome.ok) return options.trace ? { ...outcome, steps } : outcome;
    const credits = payer.chargeId === null ? 0 : pagePrice(options, outcome.document);
    const facts = { url: undefined, sourceURL: file.filename, scrapeId: id, creditsUsed: credits };
    return {
      ok: true,
      reading: outcome,
      details: { facts, warnings: outcome.warnings, ...(options.trace ? { trace: steps } : {}) },
      credits,
      steps,
      record: (keeping) => recorder.record({ credits, ...payer }, outcome, keeping),
    };
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
