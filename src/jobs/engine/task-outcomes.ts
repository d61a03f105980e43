// What the ends of several tasks change of their job, gathered while they are settled in one transaction.
import { newId, ServiceError } from "../../base/index.ts";
import type { ClaimedPage, Job, JobError, JobResult, RemovedPage, Statements } from "../../store/index.ts";
import { joinWarnings } from "./job-end.ts";
import { fitsBudget } from "./job-limits.ts";
import type { Ending, NewTask, TaskFindings } from "./task.ts";

export interface Ended<Rows> {
  task: ClaimedPage;
  /** "lost": its worker died or fell silent. */
  ending: Ending<Rows> | { kind: "lost" };
}

/** A task that came to its end, as its caller is told. */
export interface SettledTask {
  task: ClaimedPage;
  /** The place of its document, or why it has no document. */
  result: { seq: number } | { code: string; message: string };
}

export interface TaskOutcomes<Rows> {
  job: Job;
  now: number;
  counts: {
    known: number;
    waiting: number;
    active: number;
    started: number;
    completed: number;
    failed: number;
    credits: number;
    bytes: number;
  };
  /** Why the job cannot go on. */
  fault: string | null;
  /** Why it does not have to go on. */
  stopReason: string | null;
  set: { scopeUrl?: string; warning?: string; delayMs?: number; maxActive?: number; nextStartAt?: number };
  settled: SettledTask[];
  rows: Rows[];
  results: JobResult[];
  errors: JobError[];
  removed: RemovedPage[];
  found: NewTask[];
  /** To be called when all of it is in the store. */
  onTaken: (() => void)[];
}

export const maxTries = 3;
/** A task whose worker dies again and again may be what kills it. */
const maxLostLeases = 10;

export function openOutcomes<Rows>(job: Job, now: number): TaskOutcomes<Rows> {
  const counts = { known: 0, waiting: 0, active: 0, started: 0, completed: 0, failed: 0, credits: 0, bytes: 0 };
  const lists = { settled: [], rows: [], results: [], errors: [], removed: [], found: [], onTaken: [] };
  return { job, now, counts, fault: null, stopReason: null, set: {}, ...lists };
}

/** An ending counts only while its lease does. */
export async function settleTasks<Rows>(
  statements: Statements,
  outcomes: TaskOutcomes<Rows>,
  endings: readonly Ended<Rows>[],
): Promise<void> {
  const over = endings.filter(({ task, ending }) => ending.kind !== "progress" && againOf(task, ending) === null);
  const held = await statements.jobPages.end(
    outcomes.job.id,
    over.map(({ task }) => task),
  );
  for (const ended of endings) await settleTask(statements, outcomes, ended, held);
}

async function settleTask<Rows>(
  statements: Statements,
  outcomes: TaskOutcomes<Rows>,
  ended: Ended<Rows>,
  held: ReadonlySet<ClaimedPage>,
): Promise<void> {
  const { task, ending } = ended;
  const again = againOf(task, ending);
  if (again) return putBack(statements, outcomes, ended, again);
  if (ending.kind === "progress") {
    if (await statements.jobPages.holds(task)) noteFindings(outcomes, ending);
    return;
  }
  if (!held.has(task)) return;
  outcomes.counts.active -= 1;
  switch (ending.kind) {
    case "released":
      return;
    case "fatal":
      outcomes.fault = ending.message;
      return noteFailure(outcomes, task, ending);
    case "lost":
      return noteFailure(outcomes, task, new ServiceError("SCRAPE_WORKER_LOST"));
    case "retry":
      return noteFailure(outcomes, task, ending);
    case "failed":
      outcomes.stopReason ??= ending.stopReason ?? null;
      noteFailure(outcomes, task, ending);
      return noteFindings(outcomes, ending);
    case "nothing":
      noteFindings(outcomes, ending);
      if (ending.rows !== undefined) outcomes.rows.push(ending.rows);
      if (task.kind === "page") outcomes.counts.started -= 1;
      return;
    case "document":
      noteFindings(outcomes, ending);
      return noteDocument(statements, outcomes, task, ending);
  }
}

interface Again {
  notBefore: number;
  tries: number;
  lostLeases: number;
}

/** How a task that is to be worked on again waits for it; null for one that has come to its end. */
function againOf<Rows>({ tries, lostLeases }: ClaimedPage, ending: Ended<Rows>["ending"]): Again | null {
  switch (ending.kind) {
    case "released":
      return { notBefore: ending.notBefore ?? 0, tries: 0, lostLeases: 0 };
    case "retry":
      return tries + 1 < maxTries ? { notBefore: ending.notBefore, tries: 1, lostLeases: 0 } : null;
    case "lost":
      return lostLeases + 1 < maxLostLeases ? { notBefore: 0, tries: 0, lostLeases: 1 } : null;
    default:
      return null;
  }
}

async function putBack<Rows>(
  statements: Statements,
  { job, counts, set }: TaskOutcomes<Rows>,
  { task, ending }: Ended<Rows>,
  again: Again,
): Promise<void> {
  if (!(await statements.jobPages.putBack(task, again))) return;
  if (ending.kind === "released" && ending.pausesJob) {
    set.nextStartAt = Math.max(set.nextStartAt ?? job.nextStartAt, again.notBefore);
  }
  counts.active -= 1;
  counts.waiting += 1;
  if (task.kind === "page") counts.started -= 1;
}

function noteFailure<Rows>(
  { job, now, counts, errors, settled }: TaskOutcomes<Rows>,
  task: ClaimedPage,
  { code, message }: { code: string; message: string },
): void {
  counts.failed += 1;
  errors.push({ jobId: job.id, id: task.id, at: now, url: task.url, code, message });
  settled.push({ task, result: { code, message } });
}

function noteFindings<Rows>(outcomes: TaskOutcomes<Rows>, findings: TaskFindings): void {
  const { found, refused, removed = [], scopeUrl, warning, delayMs = 0, mostActive = Infinity } = findings;
  for (const page of removed) outcomes.removed.push({ jobId: outcomes.job.id, ...page });
  outcomes.found.push(...found);
  if (findings.onTaken) outcomes.onTaken.push(findings.onTaken);
  outcomes.errors.push(...refused.map((error) => ({ jobId: outcomes.job.id, ...error })));
  if (scopeUrl !== undefined) outcomes.set.scopeUrl = scopeUrl;
  if (warning !== undefined) outcomes.set.warning = joinWarnings(outcomes.set.warning ?? outcomes.job.warning, warning);
  if (delayMs > outcomes.job.delayMs) Object.assign(outcomes.set, { delayMs, maxActive: 1 });
  if (mostActive < (outcomes.set.maxActive ?? outcomes.job.maxActive)) outcomes.set.maxActive = mostActive;
}

async function noteDocument<Rows>(
  statements: Statements,
  outcomes: TaskOutcomes<Rows>,
  task: ClaimedPage,
  ending: Extract<Ending<Rows>, { kind: "document" }>,
): Promise<void> {
  const { document, rows, credits, endKey, receivedBytes = 0, stopReason, error } = ending;
  const { job, counts } = outcomes;
  counts.bytes += receivedBytes;
  if (await isDuplicate(statements, outcomes, task, endKey)) {
    if (task.kind === "page") counts.started -= 1;
    return;
  }
  if (job.maxCredits !== null && !fitsBudget(withoutPage(outcomes), credits)) {
    return noteFailure(outcomes, task, new ServiceError("CRAWL_BUDGET_EXCEEDED"));
  }
  outcomes.stopReason ??= stopReason ?? null;
  outcomes.fault ??= error ?? null;
  const seq = job.completed + counts.completed;
  counts.completed += 1;
  counts.credits += credits;
  outcomes.results.push({ jobId: job.id, seq, pageId: task.id, ...document });
  if (rows !== null) outcomes.rows.push(rows);
  outcomes.settled.push({ task, result: { seq } });
}

/** The job's counters so far, as if the page that is settled just now had not been started. */
function withoutPage<Rows>({ job, counts }: TaskOutcomes<Rows>): Job {
  return {
    ...job,
    credits: job.credits + counts.credits,
    started: job.started + counts.started - 1,
    completed: job.completed + counts.completed,
    failed: job.failed + counts.failed,
  };
}

/** Whether another page of the job has, or will have, the URL at which this one ended. */
async function isDuplicate<Rows>(
  statements: Statements,
  { job, now }: TaskOutcomes<Rows>,
  task: ClaimedPage,
  endKey: string,
): Promise<boolean> {
  if (endKey === task.key) return false;
  const page = { jobId: job.id, key: endKey, place: 0, id: newId(now), url: "", depth: task.depth, step: null };
  return !(await statements.jobPages.add([{ ...page, kind: "page", state: "done" }])).has(endKey);
}
