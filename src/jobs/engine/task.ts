// A task, and how work on it can end. Most tasks read a page; the others find pages, plan them or answer from them.
import type { ClaimedPage, JobError, JobKind, TaskKind } from "../../store/index.ts";
import type { TasksOfKinds } from "./job-kinds.ts";

/** The number of an agent's step: its own, or that of the step that asked for the task. */
type StepOf<Kind extends TaskKind> = Kind extends "step" | "action"
  ? number
  : Kind extends "page"
    ? number | null
    : null;

export type TaskOf<Kind extends TaskKind> = Omit<ClaimedPage, "kind" | "step"> & {
  kind: Kind;
  step: StepOf<Kind>;
  teamId: string;
  /** Where the job's scope begins now. */
  scopeUrl: string;
};

export type Task = { [Kind in TaskKind]: TaskOf<Kind> }[TaskKind];

export interface NewTaskOf<Kind extends TaskKind> {
  /** Of its page, where it was told before; a new one unless given. */
  id?: string | undefined;
  /** Tasks of a job with the same key are one task. */
  key: string;
  url: string;
  depth: number;
  kind: Kind;
  step: StepOf<Kind>;
  /** When the page changed at the latest, as a sitemap tells. */
  lastmod?: number | null;
  /** Tasks of a lower order come first; 0 unless given. Those of the same order come as they were found. */
  order?: number;
}

/** A task to be done in its turn, unless the job knows its key. */
export type NewTask = { [Kind in TaskKind]: NewTaskOf<Kind> }[TaskKind];

/** A task with which a job of the kind can start. */
export type FirstTask<Kind extends JobKind> = Extract<NewTask, { kind: TasksOfKinds[Kind] }>;

/** Tasks that a caller named, and the authorization that came with their URLs, by their keys. */
export interface NamedTasks<Kind extends JobKind> {
  tasks: FirstTask<Kind>[];
  credentials: Record<string, string>;
}

export interface TaskDocument {
  blobId: string;
  sizeBytes: number;
  /** What this reading adds to the stored document, as JSON text. */
  details: string;
}

export interface TaskFindings {
  found: NewTask[];
  /** URLs that were refused during the task: they are listed, not read. */
  refused: Omit<JobError, "jobId">[];
  /** Where the job's scope begins from now on. */
  scopeUrl?: string;
  warning?: string;
  /** Pages that are gone since an earlier job. */
  removed?: { key: string; url: string }[];
  /** The site wants its pages read one at a time, this far apart. */
  delayMs?: number;
  /** The site lets no more of its pages be read at the same time. */
  mostActive?: number;
  /** Called when all of this is in the store; never when the task was lost meanwhile. */
  onTaken?(): void;
}

export type Ending<Rows> =
  /** `endKey`: of the URL where a redirect led. If another task has it, this one is a duplicate and counts for nothing. */
  | (TaskFindings & {
      kind: "document";
      document: TaskDocument;
      /** Null when nothing is to be written. */
      rows: Rows | null;
      credits: number;
      endKey: string;
      /** For the limit of bytes; 0 unless given. */
      receivedBytes?: number;
      /** Why the job is over with this page. */
      stopReason?: string;
      /** Why it has failed, although it has this to show. */
      error?: string;
    })
  /** Nothing to show, nothing to pay and no page of the limit used: sitemaps, a page that robots.txt disallows. */
  | (TaskFindings & { kind: "nothing"; rows?: Rows })
  | (TaskFindings & { kind: "failed"; code: string; message: string; stopReason?: string })
  /** No task of the job can be worked on: the job ends with this reason. */
  | { kind: "fatal"; code: string; message: string }
  /** Worth another try later; after the last try it is a failure. */
  | { kind: "retry"; notBefore: number; code: string; message: string }
  /** Not an ending yet: what was found so far is taken in. */
  | (TaskFindings & { kind: "progress" })
  /** Not its turn yet, or the process stops: the task waits again. With `pausesJob` all others of the job wait too. */
  | { kind: "released"; notBefore?: number; pausesJob?: boolean };

/** Takes tasks in before the task that found them has ended. */
export type Report = (found: NewTask[]) => Promise<void>;

/** Does the work on one task. What it throws is this server's fault, and the task is tried again. */
export type PerformTask<Rows> = (task: Task, signal: AbortSignal, report: Report) => Promise<Ending<Rows>>;

export function failed(
  code: string,
  message: string,
): TaskFindings & { kind: "failed"; code: string; message: string } {
  return { kind: "failed", code, message, found: [], refused: [] };
}
