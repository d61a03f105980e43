// A page in work, and how work on it can end.
import type { ClaimedPage, JobError } from "../store/index.ts";

export interface Task extends ClaimedPage {
  teamId: string;
  /** Where the job's scope begins now. */
  scopeUrl: string;
}

/** A page that was found and may be read in turn. */
export interface FoundPage {
  key: string;
  url: string;
  depth: number;
  kind: "page" | "site";
}

export interface TaskDocument {
  blobId: string;
  sizeBytes: number;
  /** What this reading adds to the stored document, as JSON text. */
  details: string;
}

interface Findings {
  found: FoundPage[];
  /** Addresses that were refused on the way; they are listed, not read. */
  refused: Omit<JobError, "jobId">[];
  /** Where the job's scope begins from now on. */
  scopeUrl?: string;
  warning?: string;
  /** The site wants its pages read one at a time, so far apart. */
  delayMs?: number;
}

export type Ending<Rows> =
  /** `endKey`: of the address where a redirect led; if another page has it, this one is a duplicate and counts for nothing. */
  | (Findings & { kind: "document"; document: TaskDocument; rows: Rows; credits: number; endKey: string })
  /** Nothing to show, nothing to pay, and no page of the limit used: a sitemap, a page that robots.txt forbids. */
  | (Findings & { kind: "nothing" })
  | (Findings & { kind: "failed"; code: string; message: string })
  /** Nothing of the job can be worked on: it ends with this reason. */
  | { kind: "fatal"; code: string; message: string }
  /** Worth another try later; after the last try it is a failure. */
  | { kind: "retry"; notBefore: number; code: string; message: string }
  /** Not an ending yet: what was found so far is taken in. */
  | (Findings & { kind: "progress" })
  /** Not its turn yet, or the process stops: the page waits again. With `pausesJob` so do all others of the job. */
  | { kind: "released"; notBefore?: number; pausesJob?: boolean };
