// A page as it enters the stages, wherever it comes from.
import type { Trace } from "../../base/index.ts";
import type { Document } from "../../contract/index.ts";
import type { Page } from "../../engines/index.ts";
import type { FileSource } from "../files/page-file.ts";
import type { MediaCollector } from "../media/kept-media.ts";
import type { ReadRequest } from "../record/page-reading.ts";

/** One reading under way: for whom, and how long it may take. */
export interface ReadingWork {
  request: ReadRequest;
  signal: AbortSignal;
  /** When the signal will end it, by performance.now(). */
  endsAt: number;
  trace: Trace;
}

export interface EnteredPage extends ReadingWork {
  page: Page;
  /** Outputs that a browser has made already. */
  rendered: Partial<Document>;
  /** Takes the pictures that the document shows. */
  collector: MediaCollector;
  /** Another attempt may bring more than a consent page or an empty shell: they end the reading like block pages. */
  wantsBetter: boolean;
  /** No site answered an "upload", so no block page can have come instead. What is "stored" was judged when it came. */
  source: FileSource;
  /** Called for each page of a file that was read. */
  onPage?: ((page: number, total: number) => void) | undefined;
}
