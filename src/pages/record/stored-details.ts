// What is stored next to a document, and the row by which it is read again.
import type { ErrorCode, TraceStep } from "../../base/index.ts";
import { keepsNothing, type ScrapeOptions } from "../../contract/index.ts";
import { resultAgeMs, type ScrapeRecord } from "../../store/index.ts";
import type { Remake } from "../document/page-document.ts";
import type { PageFacts } from "../document/shown-document.ts";
import type { Keeping, PageRecord, PageRows } from "./page-record.ts";

/** What a page that was read adds to its document. */
export interface PageDetails extends PageFacts {
  /** Where the options ask for it. */
  trace?: TraceStep[];
  /** What reopens the page in a browser, sealed; absent where its URL is enough. */
  replay?: string;
  /** Of a caller inside this server. */
  note?: string;
}

export interface StoredDetails extends PageDetails {
  /** Where the blob holds the page: what makes the document from it. */
  remake?: Remake;
  /** Of a request that failed. */
  failure?: { code: ErrorCode; message: string };
  /** The job that reads it, and has its document or its failure. */
  jobId?: string;
  /** A search: its document is a list of results, not a page. */
  isSearch?: true;
}

/** The row by which an answer can be read again for a day. */
export function scrapeRecord(
  { id, teamId }: { id: string; teamId: string },
  blobId: string | null,
  details: StoredDetails,
  now: number,
): ScrapeRecord {
  return { id, teamId, createdAt: now, expiresAt: now + resultAgeMs, blobId, details: JSON.stringify(details) };
}

interface RecordablePage {
  details: PageDetails;
  record(keeping: Keeping): Promise<PageRecord>;
}

/** Keeps an obtained page so that it can be read again by its id for a day. `scrapes` is empty when nothing may be kept. */
export async function rememberPage(
  page: RecordablePage,
  { id, teamId, options }: { id: string; teamId: string; options: ScrapeOptions },
  now: number,
): Promise<{ rows: PageRows; scrapes: ScrapeRecord[] }> {
  const isKept = !keepsNothing(options);
  const { rows, document } = await page.record({
    document: isKept ? "shared" : null,
    traces: isKept ? "all" : "none",
  });
  if (!document) return { rows, scrapes: [] };
  const { remake } = document;
  const details = remake ? Object.assign({}, page.details, { remake }) : page.details;
  return { rows, scrapes: [scrapeRecord({ id, teamId }, document.blobId, details, now)] };
}
