// What the ends of several tasks of one job come to, counted while they are settled in one transaction.
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

/** A task that came to its end, as the job's owner hears of it. */
export interface SettledTask {
  task: ClaimedPage;
  /** The place of its document, or why there is none. */
  result: { seq: number } | { code: string; message: string };
}

export interface Tally<Rows> {
  job: Job;
  now: number;
  changes: {
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

export function createTally<Rows>(job: Job, now: number): Tally<Rows> {
  const changes = { known: 0, waiting: 0, active: 0, started: 0, completed: 0, failed: 0, credits: 0, bytes: 0 };
  const lists = { settled: [], rows: [], results: [], errors: [], removed: [], found: [], onTaken: [] };
  return { job, now, changes, fault: null, stopReason: null, set: {}, ...lists };
}

/** An ending counts only while its lease does. */
export async function settleTasks<Rows>(
  statements: Statements,
  tally: Tally<Rows>,
  endings: readonly Ended<Rows>[],
): Promise<void> {
  const over = endings.filter(({ task, ending }) => ending.kind !== "progress" && againOf(task, ending) === null);
  const held = await statements.jobPages.end(
    tally.job.id,
    over.map(({ task }) => task),
  );
  for (const ended of endings) await settleTask(statements, tally, ended, held);
}

async function settleTask<Rows>(
  statements: Statements,
  tally: Tally<Rows>,
  ended: Ended<Rows>,
  held: ReadonlySet<ClaimedPage>,
): Promise<void> {
  const { task, ending } = ended;
  const again = againOf(task, ending);
  if (again) return putBack(statements, tally, ended, again);
  if (ending.kind === "progress") {
    if (await statements.jobPages.holds(task)) noteFindings(tally, ending);
    return;
  }
  if (!held.has(task)) return;
  tally.changes.active -= 1;
  switch (ending.kind) {
    case "released":
      return;
    case "fatal":
      tally.fault = ending.message;
      return noteFailure(tally, task, ending);
    case "lost":
      return noteFailure(tally, task, new ServiceError("SCRAPE_WORKER_LOST"));
    case "retry":
      return noteFailure(tally, task, ending);
    case "failed":
      noteFailure(tally, task, ending);
      return noteFindings(tally, ending);
    case "nothing":
      noteFindings(tally, ending);
      if (ending.rows !== undefined) tally.rows.push(ending.rows);
      if (task.kind === "page") tally.changes.started -= 1;
      return;
    case "document":
      noteFindings(tally, ending);
      return noteDocument(statements, tally, task, ending);
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
  { job, changes, set }: Tally<Rows>,
  { task, ending }: Ended<Rows>,
  again: Again,
): Promise<void> {
  if (!(await statements.jobPages.putBack(task, again))) return;
  if (ending.kind === "released" && ending.pausesJob) {
    set.nextStartAt = Math.max(set.nextStartAt ?? job.nextStartAt, again.notBefore);
  }
  changes.active -= 1;
  changes.waiting += 1;
  if (task.kind === "page") changes.started -= 1;
}

function noteFailure<Rows>(
  { job, now, changes, errors, settled }: Tally<Rows>,
  task: ClaimedPage,
  { code, message }: { code: string; message: string },
): void {
  changes.failed += 1;
  errors.push({ jobId: job.id, id: task.id, at: now, url: task.url, code, message });
  settled.push({ task, result: { code, message } });
}

function noteFindings<Rows>(tally: Tally<Rows>, findings: TaskFindings): void {
  const { found, refused, removed = [], scopeUrl, warning, delayMs = 0, mostActive = Infinity } = findings;
  for (const page of removed) tally.removed.push({ jobId: tally.job.id, ...page });
  tally.found.push(...found);
  if (findings.onTaken) tally.onTaken.push(findings.onTaken);
  tally.errors.push(...refused.map((error) => ({ jobId: tally.job.id, ...error })));
  if (scopeUrl !== undefined) tally.set.scopeUrl = scopeUrl;
  if (warning !== undefined) tally.set.warning = joinWarnings(tally.set.warning ?? tally.job.warning, warning);
  if (delayMs > tally.job.delayMs) Object.assign(tally.set, { delayMs, maxActive: 1 });
  if (mostActive < (tally.set.maxActive ?? tally.job.maxActive)) tally.set.maxActive = mostActive;
}

async function noteDocument<Rows>(
  statements: Statements,
  tally: Tally<Rows>,
  task: ClaimedPage,
  { document, rows, credits, endKey, receivedBytes = 0, stopReason }: Extract<Ending<Rows>, { kind: "document" }>,
): Promise<void> {
  const { job, changes } = tally;
  changes.bytes += receivedBytes;
  if (await isDuplicate(statements, tally, task, endKey)) {
    if (task.kind === "page") changes.started -= 1;
    return;
  }
  if (job.maxCredits !== null && !fitsBudget(withoutPage(tally), credits)) {
    return noteFailure(tally, task, new ServiceError("CRAWL_BUDGET_EXCEEDED"));
  }
  tally.stopReason ??= stopReason ?? null;
  const seq = job.completed + changes.completed;
  changes.completed += 1;
  changes.credits += credits;
  tally.results.push({ jobId: job.id, seq, pageId: task.id, ...document });
  if (rows !== null) tally.rows.push(rows);
  tally.settled.push({ task, result: { seq } });
}

/** The job's counters so far, as if the page that is settled just now had not been started. */
function withoutPage<Rows>({ job, changes }: Tally<Rows>): Job {
  return {
    ...job,
    credits: job.credits + changes.credits,
    started: job.started + changes.started - 1,
    completed: job.completed + changes.completed,
    failed: job.failed + changes.failed,
  };
}

/** Whether another page of the job has, or will have, the URL at which this one ended. */
async function isDuplicate<Rows>(
  statements: Statements,
  { job, now }: Tally<Rows>,
  task: ClaimedPage,
  endKey: string,
): Promise<boolean> {
  if (endKey === task.key) return false;
  const page = { jobId: job.id, key: endKey, place: 0, id: newId(now), url: "", depth: task.depth, step: null };
  return !(await statements.jobPages.add([{ ...page, kind: "page", state: "done" }])).has(endKey);
}
