// What is stored next to a document.
import type { ErrorCode, TraceStep } from "../../base/index.ts";
import { resultAgeMs, type ScrapeRecord } from "../../store/index.ts";
import type { PageFacts } from "../document/answered-document.ts";
import type { Remake } from "../document/page-document.ts";

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
