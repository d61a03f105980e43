// The transaction that ends pages: result, bill, found pages and counters move together or not at all. An ending counts only
// while its lease does, so each page has one result and one charge, however often it was fetched.
import { dayMs, newId } from "../base/index.ts";
import type { Job, JobError, JobResult, NewJobPage, Statements } from "../store/index.ts";
import type { Ending, FoundPage, Task } from "./task.ts";

export interface Ended<Rows> {
  task: Task;
  ending: Ending<Rows>;
}

/** A page that came to its end, as the job's owner wants to hear of it. */
export interface SettledPage {
  task: Task;
  /** The place of its document, or why there is none. */
  result: { seq: number } | { code: string; message: string };
}

export interface Settlement<Rows> {
  job: Job;
  pages: SettledPage[];
  rows: Rows[];
  /** This was the last page: how the job ended. */
  hasEnded: boolean;
}

/** Results are readable so long after the job's end. */
export const resultAgeMs = dayMs;
export const maxTries = 3;
/** Beyond the limit, in stead of pages that turn out to be others' duplicates. */
const spareFound = 500;

/** In a transaction. Null when the job is gone or over: then nothing is kept. */
export async function settleJob<Rows>(
  statements: Statements,
  jobId: string,
  endings: readonly Ended<Rows>[],
  now: number,
): Promise<Settlement<Rows> | null> {
  const job = await statements.jobs.lock(jobId);
  if (!job || job.status !== "scraping") return null;
  const tally = createTally<Rows>(job, now);
  for (const ended of endings) await settlePage(statements, tally, ended, now);
  await addFound(statements, tally);
  await statements.jobResults.insert(tally.results);
  await statements.jobResults.insertErrors(tally.errors);

  const { changes } = tally;
  const isIdle = job.active + changes.active === 0;
  const isSpent = job.started + changes.started >= job.pageLimit;
  const hasEnded = isIdle && (job.waiting + changes.waiting === 0 || isSpent);
  const end = { status: "completed", finishedAt: now, expiresAt: now + resultAgeMs, secrets: null } as const;
  const set = { ...tally.set, ...(hasEnded ? end : {}) };
  await statements.jobs.change(jobId, { ...changes, ...(Object.keys(set).length > 0 ? { set } : {}) });
  return { job: { ...job, ...set }, pages: tally.pages, rows: tally.rows, hasEnded };
}

interface Tally<Rows> {
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
  };
  set: { scopeUrl?: string; warning?: string; delayMs?: number; maxActive?: number; nextStartAt?: number };
  pages: SettledPage[];
  rows: Rows[];
  results: JobResult[];
  errors: JobError[];
  found: FoundPage[];
}

function createTally<Rows>(job: Job, now: number): Tally<Rows> {
  const changes = { known: 0, waiting: 0, active: 0, started: 0, completed: 0, failed: 0, credits: 0 };
  return { job, now, changes, set: {}, pages: [], rows: [], results: [], errors: [], found: [] };
}

async function settlePage<Rows>(
  statements: Statements,
  tally: Tally<Rows>,
  { task, ending }: Ended<Rows>,
  now: number,
): Promise<void> {
  const { job, changes } = tally;
  if (ending.kind === "released" || (ending.kind === "retry" && task.tries + 1 < maxTries)) {
    const { notBefore = 0 } = ending;
    if (!(await statements.jobPages.putBack(task, notBefore, ending.kind === "retry"))) return;
    if (ending.kind === "released" && ending.pausesJob) tally.set.nextStartAt = notBefore;
    changes.active -= 1;
    changes.waiting += 1;
    if (task.kind === "page") changes.started -= 1;
    return;
  }
  if (ending.kind === "progress") {
    if (await statements.jobPages.holds(task)) noteFindings(tally, ending);
    return;
  }
  if (!(await statements.jobPages.end(task))) return;
  changes.active -= 1;
  if (ending.kind === "retry" || ending.kind === "failed") {
    const { code, message } = ending;
    changes.failed += 1;
    tally.errors.push({ jobId: job.id, id: task.id, at: now, url: task.url, code, message });
    tally.pages.push({ task, result: { code, message } });
    if (ending.kind === "failed") noteFindings(tally, ending);
    return;
  }
  noteFindings(tally, ending);
  if (ending.kind === "nothing" || (await isDuplicate(statements, tally, task, ending.endKey))) {
    if (task.kind === "page") changes.started -= 1;
    return;
  }
  const seq = job.completed + changes.completed;
  changes.completed += 1;
  changes.credits += ending.credits;
  tally.results.push({ jobId: job.id, seq, pageId: task.id, ...ending.document });
  tally.rows.push(ending.rows);
  tally.pages.push({ task, result: { seq } });
}

function noteFindings<Rows>(
  tally: Tally<Rows>,
  { found, refused, scopeUrl, warning, delayMs = 0 }: Extract<Ending<Rows>, { found: FoundPage[] }>,
): void {
  tally.found.push(...found);
  tally.errors.push(...refused.map((error) => ({ jobId: tally.job.id, ...error })));
  if (scopeUrl !== undefined) tally.set.scopeUrl = scopeUrl;
  if (warning !== undefined) tally.set.warning = warning;
  if (delayMs > tally.job.delayMs) Object.assign(tally.set, { delayMs, maxActive: 1 });
}

/** Whether another page of the job has, or will have, the address at which this one ended. */
async function isDuplicate<Rows>(
  statements: Statements,
  { job, now }: Tally<Rows>,
  task: Task,
  endKey: string,
): Promise<boolean> {
  if (endKey === task.key) return false;
  const page = {
    jobId: job.id,
    key: endKey,
    place: 0,
    id: newId(now),
    url: "",
    depth: task.depth,
    kind: "page",
  } as const;
  return !(await statements.jobPages.add([{ ...page, state: "done" }])).has(endKey);
}

/** Takes new pages in, in order, until the limit and a few spare ones are known. */
async function addFound<Rows>(statements: Statements, tally: Tally<Rows>): Promise<void> {
  const { job, changes, now } = tally;
  const first = new Map<string, FoundPage>();
  for (const page of tally.found) if (!first.has(page.key)) first.set(page.key, page);
  let candidates = [...first.values()];
  const room = job.pageLimit + spareFound - job.known;
  if (candidates.length === 0 || (room <= 0 && !candidates.some(({ kind }) => kind === "site"))) return;
  if (candidates.length > room) {
    const known = await statements.jobPages.known(
      job.id,
      candidates.map(({ key }) => key),
    );
    candidates = candidates.filter(({ key }) => !known.has(key)).slice(0, Math.max(room, 0));
  }
  const pages: NewJobPage[] = candidates.map((page, index) => ({
    jobId: job.id,
    ...page,
    place: job.known + index,
    id: newId(now),
    state: "waiting",
  }));
  const added = await statements.jobPages.add(pages);
  changes.known += pages.filter(({ key, kind }) => kind === "page" && added.has(key)).length;
  changes.waiting += added.size;
}
