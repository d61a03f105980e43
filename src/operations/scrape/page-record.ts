// What a page that was read leaves behind, whoever asked for it: its document, copies for later requests, its charge, and
// the knowledge that it exists. Scrape and crawl write these rows in one transaction with their own.
import { prices } from "../../accounts/index.ts";
import { type Clock, knowJson, newId, withoutFragment } from "../../base/index.ts";
import { type Document, formatCredits, type ScrapeOptions } from "../../contract/index.ts";
import {
  type Charge,
  type KnownPage,
  type PackedBlob,
  type PackedSnapshot,
  type PageCopy,
  packBlob,
  type Statements,
} from "../../store/index.ts";
import type { PageIndexer } from "../search/page-indexer.ts";
import { documentText, textWith } from "./document-text.ts";
import { mediaBlobs } from "./media.ts";
import { type PageCache, resultAgeMs } from "./page-cache.ts";
import type { Remake } from "./page-document.ts";
import type { PageReading } from "./read-page.ts";

/** Who pays, and for what. */
export interface PageBill {
  teamId: string;
  keyId: string | null;
  /** The ledger counts a charge's id once, however often it is written. */
  chargeId: string;
  jobId: string;
  endpoint: string;
  credits: number;
}

/** Rows that are written together or not at all. */
export interface PageRows {
  blobs: PackedBlob[];
  copies: PageCopy[];
  charges: Charge[];
  knownPages: KnownPage[];
  snapshots: PackedSnapshot[];
}

export interface PageRecord {
  rows: PageRows;
  /** Where the document lies; null when nothing may be kept. */
  document: { blobId: string; sizeBytes: number; remake?: Remake } | null;
}

export interface Keeping {
  /** "own": in a blob of its own, until its owner deletes it; "shared": a stored copy will do; null: not at all. */
  document: "own" | "shared" | null;
  /** Copies for later requests, and the knowledge that the page exists. */
  traces: boolean;
}

export type PageRecorder = ReturnType<typeof createPageRecorder>;

export interface PageRecorderDeps {
  cache: PageCache;
  clock: Clock;
  /** Null when pages are not to be searched. */
  indexer: PageIndexer | null;
}

export function createPageRecorder({ cache, clock, indexer }: PageRecorderDeps) {
  return {
    /** Whether pages read with these options go into the search index. */
    isSearched: (options: ScrapeOptions) => indexer !== null && !keepsNothing(options),

    async record(bill: PageBill, reading: PageReading, keeping: Keeping): Promise<PageRecord> {
      const now = clock.now();
      const { teamId, keyId, jobId, endpoint, credits, chargeId: id } = bill;
      const charges = [{ id, teamId, keyId, jobId, endpoint, credits, reason: endpoint, at: now }];
      const rows: PageRows = { blobs: [], copies: [], charges, knownPages: [], snapshots: [] };
      if (keeping.document === null) return { rows, document: null };
      rows.blobs.push(...mediaBlobs(teamId, reading.media, now));
      if (keeping.traces) {
        const kept = await Promise.all(reading.keep.map((copy) => cache.makeCopy(teamId, copy)));
        rows.blobs.push(...kept.map(({ blob }) => blob));
        rows.snapshots = reading.snapshots;
        rows.copies = kept.map(({ copy }) => copy);
        if (reading.makesKnown) rows.knownPages = [knownPageOf(teamId, reading, now)];
        if (reading.searchText) indexer?.add(teamId, reading.document.metadata, reading.searchText);
        const { remake } = reading;
        // A page that is kept is the document, too, where that can be made of it again.
        const shown = kept.find(({ isDocument }) => isDocument || remake !== null);
        const blobId = reading.blobId ?? shown?.blob.id;
        if (blobId !== undefined && keeping.document !== "own")
          return { rows, document: { blobId, sizeBytes: 0, ...(remake ? { remake } : {}) } };
      }
      const data = reading.bytes ?? Buffer.from(documentText(reading.document));
      const expiresAt = keeping.document === "own" ? null : now + resultAgeMs;
      const blob = await packBlob({ id: newId(now), teamId, createdAt: now, expiresAt, data });
      rows.blobs.push(blob);
      return { rows, document: { blobId: blob.id, sizeBytes: blob.sizeBytes } };
    },
  };
}

export function pagePrice(options: ScrapeOptions): number {
  const extra = formatCredits(options.formats);
  if (options.lockdown) return prices.lockdownHit + extra;
  return prices.page + extra + (options.zeroDataRetention ? prices.zeroDataRetention : 0);
}

/** Of such a page only the bill is kept. */
export function keepsNothing(options: ScrapeOptions): boolean {
  return options.zeroDataRetention || options.lockdown;
}

/** What one request adds to a document that others may share. */
export interface PageFacts {
  facts?: Document["metadata"];
  warnings?: string[];
}

export function assembleDocument(document: Document, { facts, warnings = [] }: PageFacts): Document {
  const metadata = Object.assign({ ...document.metadata }, facts);
  const whole = { ...document };
  whole.metadata = metadata;
  if (warnings.length > 0) whole.warning = [...warnings, document.warning].filter(Boolean).join(" ");
  const text = textWith(document, { warning: whole.warning, metadata });
  if (text !== null) knowJson(whole, text);
  return whole;
}

export async function writePages(statements: Statements, pages: readonly PageRows[]): Promise<void> {
  await statements.blobs.put(pages.flatMap((page) => page.blobs));
  await statements.copies.insert(pages.flatMap((page) => page.copies));
  await statements.charges.charge(pages.flatMap((page) => page.charges));
  await statements.knownPages.note(pages.flatMap((page) => page.knownPages));
  await statements.snapshots.put(pages.flatMap((page) => page.snapshots));
}

function knownPageOf(teamId: string, { document }: PageReading, seenAt: number): KnownPage {
  const { url = "", title = "", description = "" } = document.metadata;
  return { teamId, url: withoutFragment(url), title, description, seenAt };
}
