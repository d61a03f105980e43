// The result of reading a page: a document with everything to keep, or the reason for the failure.

import type { ArchiveReplay, Capture } from "../../archive/index.ts";
import type { ErrorCode } from "../../base/index.ts";
import type { Outlinks, SearchText, TextPlace } from "../../content/index.ts";
import type { Document, ScrapeOptions } from "../../contract/index.ts";
import type { PageFinding } from "../../extraction/index.ts";
import type { PageConditions } from "../../reach/index.ts";
import type { PageVerdict } from "../../safety/index.ts";
import type { PackedSnapshot } from "../../store/index.ts";
import type { NewCopy } from "../cache/page-cache.ts";
import type { DocumentJson } from "../document/document-json.ts";
import type { Remake } from "../document/page-document.ts";
import type { PreparedFlow } from "../flows/prepare-flow.ts";
import type { OutputPlan } from "../formats/plan-outputs.ts";
import type { NewMedia } from "../media/kept-media.ts";

export interface ReadRequest {
  teamId: string;
  /** Whose tokens of a language model are used; null where it is not asked. */
  keyId: string | null;
  url: string;
  /** The flow of the options, ready to be run. */
  flow?: PreparedFlow | undefined;
  options: ScrapeOptions;
  plan: OutputPlan;
  /** Jobs keep their documents themselves: no cached documents are used or made for them. */
  isJob?: boolean;
  /** Pages that should keep to one proxy per host, such as those of a job, share this. */
  keepWith?: string | undefined;
  /** Whether its text may be searched later, if the page is the same for everybody. */
  forSearch?: boolean;
  /** Whether a redirect may be followed to a URL; any may unless given. */
  mayFollow?: ((url: string) => Promise<boolean>) | undefined;
  /** Given: no cached copy will do, and the page may answer that it has not changed. */
  conditions?: PageConditions | undefined;
  archive?: Capture | ArchiveReplay | undefined;
}

/** How a page can be asked later whether it has changed. */
export interface FetchedVersion {
  fetchedAt: number;
  etag: string | null;
  lastModified: string | null;
}

/** What was found on the page besides its document. */
export interface ReadFindings {
  /** Where the page leads, when the plan asks for it. */
  outlinks: Outlinks | null;
  /** The data that the plan looks for, as the page has it; null when nothing was looked for. */
  finding: PageFinding | null;
  /** Of a file that has pages: where which place of the file each part of its markdown is from, when a model will read it. */
  places: readonly TextPlace[] | null;
  /** What the local index keeps of the page; null when that is nothing. */
  searchText: SearchText | null;
}

export interface PageReading {
  ok: true;
  findings: ReadFindings;
  /** What the page's next changes are compared with. */
  snapshots: PackedSnapshot[];
  /** Shared by readings and frozen. */
  document: Readonly<Document>;
  json: DocumentJson;
  /** What this reading adds to the document's metadata. */
  facts: Document["metadata"];
  /** Warnings about this reading, besides those of the document. */
  warnings: string[];
  /** The cached document that was served. */
  blobId: string | null;
  /** Read from the web just now, by nothing but its URL: it may be listed as a page of its site. */
  makesKnown: boolean;
  /** That came over the network for this reading; 0 from a cached copy. */
  receivedBytes: number;
  /** Null for a document that was cached as such. */
  version: FetchedVersion | null;
  /** Copies for later requests; empty when the page may not be kept. */
  keep: NewCopy[];
  /** What makes the document from the page that is kept: then the document itself is not stored. */
  remake: Remake | null;
  /** Pictures and files that the document shows by their paths. */
  media: NewMedia[];
  /** The host blocked an attempt, and a later one got past it. */
  wasBlocked: boolean;
}

export interface PageFailure {
  ok: false;
  code: ErrorCode;
  message?: string | undefined;
  /** More for the caller to know. */
  details?: unknown;
  /** Present when a block page came instead of the page. */
  verdict?: PageVerdict;
  /** How often the site was asked in vain; once unless given. */
  asks?: number;
  /** Pictures that the trace shows. */
  media?: NewMedia[];
}

export type PageOutcome = PageReading | PageFailure;

export const noFindings: ReadFindings = { outlinks: null, finding: null, places: null, searchText: null };
