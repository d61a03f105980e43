// What a page that was read leaves behind, whoever asked for it: its document, copies for later requests, its charge, and
// the knowledge that it exists. Scrape and crawl write these rows in one transaction with their own.
import { prices } from "../accounts/index.ts";
import { type Clock, newId, withoutFragment } from "../base/index.ts";
import type { Document, ScrapeOptions } from "../contract/index.ts";
import {
  type Charge,
  type KnownPage,
  type PackedBlob,
  type PageCopy,
  packBlob,
  type Statements,
} from "../store/index.ts";
import type { PageCache } from "./page-cache.ts";
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
}

export interface PageRecord {
  rows: PageRows;
  /** Where the document lies; null when nothing may be kept. */
  blobId: string | null;
}

export type PageRecorder = ReturnType<typeof createPageRecorder>;

export function createPageRecorder({ cache, clock }: { cache: PageCache; clock: Clock }) {
  return {
    /** `keptMs`: how long the document stays readable; null when nothing may be kept. */
    async record(bill: PageBill, reading: PageReading, keptMs: number | null): Promise<PageRecord> {
      const now = clock.now();
      const { teamId } = bill;
      const { chargeId, ...charge } = bill;
      const charges = [{ ...charge, id: chargeId, reason: bill.endpoint, at: now }];
      if (keptMs === null) return { rows: { blobs: [], copies: [], charges, knownPages: [] }, blobId: null };
      const kept = await Promise.all(reading.keep.map((copy) => cache.makeCopy({ teamId, ...copy })));
      const blobs = kept.map(({ blob }) => blob);
      let blobId = reading.blobId ?? kept.find(({ isDocument }) => isDocument)?.blob.id;
      if (blobId === undefined) {
        const data = reading.bytes ?? Buffer.from(JSON.stringify(reading.document));
        const blob = await packBlob({ id: newId(now), teamId, createdAt: now, expiresAt: now + keptMs, data });
        blobs.push(blob);
        blobId = blob.id;
      }
      const knownPages = reading.makesKnown ? [knownPageOf(teamId, reading, now)] : [];
      return { rows: { blobs, copies: kept.map(({ copy }) => copy), charges, knownPages }, blobId };
    },
  };
}

export function pagePrice(options: ScrapeOptions): number {
  if (options.lockdown) return prices.lockdownHit;
  return prices.page + (options.zeroDataRetention ? prices.zeroDataRetention : 0);
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
  const sentences = [...warnings, ...(document.warning ? [document.warning] : [])];
  return {
    ...document,
    ...(sentences.length > 0 ? { warning: sentences.join(" ") } : {}),
    metadata: { ...document.metadata, ...facts },
  };
}

export async function writePages(statements: Statements, pages: readonly PageRows[]): Promise<void> {
  await statements.blobs.put(pages.flatMap((page) => page.blobs));
  await statements.copies.insert(pages.flatMap((page) => page.copies));
  await statements.charges.charge(pages.flatMap((page) => page.charges));
  await statements.knownPages.note(pages.flatMap((page) => page.knownPages));
}

function knownPageOf(teamId: string, { document }: PageReading, seenAt: number): KnownPage {
  const { url = "", title = "", description = "" } = document.metadata;
  return { teamId, url: withoutFragment(url), title, description, seenAt };
}
