// What is recorded of every page that was read: its document, cached copies for later requests, its charge, and its entry
// among the known pages.
import { type Clock, newId, withoutFragment } from "../../base/index.ts";
import type { SearchText } from "../../content/index.ts";
import { type Document, keepsNothing, type ScrapeOptions } from "../../contract/index.ts";
import {
  type KnownPage,
  type LedgerCharge,
  type PackBlob,
  type PackedBlob,
  type PackedFingerprint,
  type PackedSnapshot,
  type PageCopy,
  resultAgeMs,
  type Statements,
} from "../../store/index.ts";
import type { PageCache } from "../cache/page-cache.ts";
import type { Remake } from "../document/page-document.ts";
import { mediaBlobs } from "../media/kept-media.ts";
import type { PageReading } from "./page-reading.ts";

/** Who pays, and for what. */
export interface PageBill {
  teamId: string;
  keyId: string | null;
  /** The ledger counts a charge's id once, however often it is written. Null: the page is free. */
  chargeId: string | null;
  jobId: string;
  endpoint: string;
  credits: number;
}

/** What the local index takes of a page. */
export interface SearchablePage {
  teamId: string;
  metadata: Document["metadata"];
  content: SearchText;
  /** The source of the index that it was read for; absent: the team itself read it. */
  sourceId?: string | undefined;
}

/** Rows that are written together or not at all. */
export interface PageRows {
  blobs: PackedBlob[];
  copies: PageCopy[];
  charges: LedgerCharge[];
  knownPages: KnownPage[];
  snapshots: PackedSnapshot[];
  /** How the next crawl tells whether pages have changed. */
  fingerprints: PackedFingerprint[];
  /** Of pages that are gone. */
  goneFingerprints: { teamId: string; key: string }[];
  /** Indexed after the rows are committed. */
  searchable: SearchablePage[];
}

export interface PageRecord {
  rows: PageRows;
  /** Where the document is stored; null when nothing may be kept. */
  document: { blobId: string; sizeBytes: number; remake?: Remake } | null;
}

export interface Keeping {
  /** "own": in its own blob, until its owner deletes it; "shared": a cached copy will do; null: not at all. */
  document: "own" | "shared" | null;
  /** "copies": for later requests; "all": the page is also listed as known, indexed, and compared with its next scrape. */
  traces: "all" | "copies" | "none";
  /** Kept instead of the document. */
  bytes?: Uint8Array;
}

/** Where pages can be searched later. */
export interface IndexIntake {
  /** Never waits and never throws. */
  add(pages: readonly SearchablePage[]): void;
}

export type PageRecorder = ReturnType<typeof createPageRecorder>;

export interface PageRecorderDeps {
  cache: PageCache;
  clock: Clock;
  pack: PackBlob;
  /** Null when the local index is off. */
  index: IndexIntake | null;
}

export function emptyRows(): PageRows {
  return {
    blobs: [],
    copies: [],
    charges: [],
    knownPages: [],
    snapshots: [],
    fingerprints: [],
    goneFingerprints: [],
    searchable: [],
  };
}

export function createPageRecorder({ cache, clock, pack, index }: PageRecorderDeps) {
  return {
    /** Whether pages read with these options go into the local index. */
    isSearched: (options: ScrapeOptions) => index !== null && !keepsNothing(options),

    async record(bill: PageBill, reading: PageReading, keeping: Keeping): Promise<PageRecord> {
      const now = clock.now();
      const { teamId } = bill;
      const rows: PageRows = { ...emptyRows(), charges: chargesOf(bill, now, reading) };
      if (keeping.document === null) return { rows, document: null };
      rows.blobs = await mediaBlobs(pack, teamId, reading.media, now);
      if (keeping.traces !== "none") {
        const kept = await Promise.all(reading.keep.map((copy) => cache.makeCopy(teamId, copy)));
        rows.blobs.push(...kept.map(({ blob }) => blob));
        rows.copies = kept.map(({ copy }) => copy);
        if (keeping.traces === "all") addTraces(rows, teamId, reading, now);
        const { remake } = reading;
        // A cached page is the document, too, where that can be made from it again.
        const shown = kept.find(({ isDocument }) => isDocument || remake !== null);
        const blobId = reading.blobId ?? shown?.blob.id;
        if (blobId !== undefined && keeping.document !== "own")
          return { rows, document: { blobId, sizeBytes: 0, ...(remake ? { remake } : {}) } };
      }
      const data = keeping.bytes ?? reading.json.whole();
      const expiresAt = keeping.document === "own" ? null : now + resultAgeMs;
      const blob = await pack({ id: newId(now), teamId, createdAt: now, expiresAt, data });
      rows.blobs.push(blob);
      return { rows, document: { blobId: blob.id, sizeBytes: blob.sizeBytes } };
    },

    /** To be called once rows are committed: later requests find the new copies, and the local index takes the pages in. */
    onKept(pages: readonly PageRows[]): void {
      if (pages.length === 0) return;
      cache.noteNew(pages.flatMap(({ copies }) => copies));
      index?.add(pages.flatMap(({ searchable }) => searchable));
    },
  };
}

function chargesOf(bill: PageBill, at: number, { facts }: PageReading): LedgerCharge[] {
  const { chargeId, teamId, keyId, jobId, endpoint, credits } = bill;
  if (chargeId === null) return [];
  const isCacheHit = facts.cacheState === "hit";
  return [{ id: chargeId, teamId, keyId, jobId, endpoint, credits, reason: endpoint, at, isCacheHit }];
}

function addTraces(rows: PageRows, teamId: string, reading: PageReading, now: number): void {
  const { document, findings, snapshots, makesKnown } = reading;
  const { searchText } = findings;
  rows.snapshots = snapshots;
  if (makesKnown) rows.knownPages = [knownPageOf(teamId, document, now)];
  if (searchText) rows.searchable = [{ teamId, metadata: document.metadata, content: searchText }];
}

export async function writePages(statements: Statements, pages: readonly PageRows[]): Promise<void> {
  if (pages.length === 0) return;
  await statements.blobs.put(pages.flatMap((page) => page.blobs));
  await statements.copies.insert(pages.flatMap((page) => page.copies));
  await statements.charges.charge(pages.flatMap((page) => page.charges));
  await statements.knownPages.note(pages.flatMap((page) => page.knownPages));
  await statements.snapshots.put(pages.flatMap((page) => page.snapshots));
  await statements.pageFingerprints.put(pages.flatMap((page) => page.fingerprints));
  for (const { teamId, key } of pages.flatMap((page) => page.goneFingerprints))
    await statements.pageFingerprints.remove(teamId, [key]);
}

function knownPageOf(teamId: string, { metadata }: Document, seenAt: number): KnownPage {
  const { url = "", title = "", description = "" } = metadata;
  return { teamId, url: withoutFragment(url), title, description, seenAt };
}
