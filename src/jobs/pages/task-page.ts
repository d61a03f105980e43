// The page of a job's task: how it is asked for, and what a performer gets of it.
import type { ArchiveReplay, Capture } from "../../archive/index.ts";
import type { Trace } from "../../base/index.ts";
import type { ObtainedPage, OutputPlan, PageDetails, PageRequest, PageRows } from "../../pages/index.ts";
import type { NotModified, PageConditions, RobotsRefusal } from "../../reach/index.ts";
import type { JobKind, PageFingerprint } from "../../store/index.ts";
import type { JobSettings, SettingsOf } from "../engine/job-settings.ts";
import type { ContextOf } from "../engine/perform-task.ts";
import type { Ending, TaskFindings, TaskOf } from "../engine/task.ts";

/** Pages of a host that blocks some that are read at the same time. */
export const pagesOfBlockingHost = 2;

export type PageEnding = Ending<PageRows>;

/** What a page led to. */
export type Findings = Pick<TaskFindings, "found" | "refused">;

/** A job whose tasks read pages. */
export interface PageContextOf<Settings extends JobSettings> extends ContextOf<Settings> {
  plan: OutputPlan;
}

export type PageJobContext<Kind extends JobKind = JobKind> = PageContextOf<SettingsOf<Kind>>;

/** What is kept of a result besides its document. */
export interface ResultDetails extends PageDetails {
  /** The only page that its crawl found links to pages of its host that lie outside of the start's path. */
  leadsOutside?: true;
}

export interface TaskPageRequest extends Pick<PageRequest, "robots" | "mayFollow"> {
  task: TaskOf<"page">;
  context: PageJobContext;
  /** Whether the page's links are wanted. */
  outlinks: boolean;
  /** Whether the job's headers may be sent there: they may hold secrets. */
  sendsHeaders: boolean;
  signal: AbortSignal;
  trace?: Trace;
}

/** A page that cannot be shown now, or at all. */
export interface UnreadPage {
  ok: false;
  ending: PageEnding;
  /** Where robots.txt is the reason. */
  refusal: RobotsRefusal | null;
}

/** Reads the page of a task, or says how the task ends without one. */
export type ReadTaskPage = (request: TaskPageRequest) => Promise<ObtainedPage | UnreadPage>;

/** The same for a page that is wanted only if it has changed. */
export type ReadChangedPage = (
  request: TaskPageRequest & { conditions: PageConditions },
) => Promise<ObtainedPage | UnreadPage | NotModified>;

export interface EndedPage {
  page: ObtainedPage;
  /** Of the page's final URL. */
  endKey: string;
  findings: Findings;
  notes?: Pick<ResultDetails, "leadsOutside">;
  /** Kept instead of the document. */
  bytes?: Uint8Array;
  /** For the next crawl. */
  fingerprint?: PageFingerprint | null;
}

export interface TaskPages {
  /** Until when the URL's host wants no request; 0: it may be asked now. */
  pausedUntil(url: string): number;
  /** What is kept of, or answers, what sites say about themselves; undefined where the job has nothing to do with archives. */
  siteArchive(context: PageJobContext): Capture | ArchiveReplay | undefined;
  /** Writes what was kept of that since. */
  keepSite(context: PageJobContext): Promise<void>;
  read: ReadTaskPage;
  readChanged: ReadChangedPage;
  /** The task's end: the page is charged and kept. */
  end(context: PageJobContext, ended: EndedPage): Promise<PageEnding>;
}
