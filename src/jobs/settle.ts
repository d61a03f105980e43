// The transaction that ends pages: result, bill, found pages and counters move together or not at all. An ending counts only
// while its lease does, so each page has one result and one charge, however often it was fetched.
import { newId, ServiceError } from "../base/index.ts";
import type { ClaimedPage, Job, JobError, JobResult, NewJobPage, Statements } from "../store/index.ts";
import { failedAt, findEnd, joinWarnings, stoppedAt } from "./job-end.ts";
import type { Ending, FoundPage } from "./task.ts";

export interface Ended<Rows> {
  task: ClaimedPage;
  /** "lost": its worker died or fell silent. */
  ending: Ending<Rows> | { kind: "lost" };
}

/** A page that came to its end, as the job's owner wants to hear of it. */
export interface SettledPage {
  task: ClaimedPage;
  /** The place of its document, or why there is none. */
  result: { seq: number } | { code: string; message: string };
}

export interface Settlement<Rows> {
  job: Job;
  pages: SettledPage[];
  rows: Rows[];
  /** Keys of found pages that the job knows now. */
  found: string[];
  /** Its status tells how. */
  hasEnded: boolean;
}

export const maxTries = 3;
/** A page whose worker dies again and again may be what kills it. */
const maxLosses = 10;
/**
 * Pages beyond the limit that are taken in, in stead of those that turn out to be duplicates or forbidden. They are counted
 * and never given back: a site on which every address leads to the same page must come to an end, too.
 */
const spareFound = 500;
/** Of pages that wait for another try when their job ends: as many as an answer lists. */
const maxTriedListed = 10_000;

/** In a transaction. Null when the job is gone or over: then nothing is kept. */
export async function settleJob<Rows>(
  statements: Statements,
  jobId: string,
  endings: readonly Ended<Rows>[],
  now: number,
): Promise<Settlement<Rows> | null> {
  const job = await statements.jobs.lock(jobId);
  if (job?.status !== "scraping") return null;
  const tally = createTally<Rows>(job, now);
  for (const ended of endings) await settlePage(statements, tally, ended, now);
  const found = await addFound(statements, tally);
  await statements.jobResults.insert(tally.results);
  await statements.jobResults.insertErrors(tally.errors);

  const { changes, fault } = tally;
  // Counted from the end of a page, so that its requests are so far apart, however long each was on its way.
  if (changes.active < 0 && job.delayMs > 0) {
    tally.set.nextStartAt = Math.max(tally.set.nextStartAt ?? job.nextStartAt, now + job.delayMs);
  }
  const standing = {
    ...job,
    waiting: job.waiting + changes.waiting,
    active: job.active + changes.active,
    started: job.started + changes.started,
    completed: job.completed + changes.completed,
    failed: job.failed + changes.failed,
  };
  const end = fault === null ? await findEnd(statements, standing, changes.failed > 0, now) : failedAt(now, fault);
  if (end !== null && standing.waiting > 0) await listTried(statements, tally);
  const set = { ...tally.set, ...end };
  await statements.jobs.change(jobId, { ...changes, ...(Object.keys(set).length > 0 ? { set } : {}) });
  return { job: { ...job, ...set }, pages: tally.pages, rows: tally.rows, found, hasEnded: end !== null };
}

/** In a transaction. Ends a job that may start no further page; null when it is over or pages of it are in work. */
export async function stopJob(
  statements: Statements,
  jobId: string,
  reason: string,
  now: number,
): Promise<Settlement<never> | null> {
  const job = await statements.jobs.lock(jobId);
  if (job?.status !== "scraping" || job.active > 0) return null;
  const tally = createTally<never>(job, now);
  await listTried(statements, tally);
  const set = stoppedAt(now, job, reason);
  await statements.jobs.change(jobId, { set });
  return { job: { ...job, ...set }, pages: tally.pages, rows: [], found: [], hasEnded: true };
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
  /** Why the job cannot go on. */
  fault: string | null;
  set: { scopeUrl?: string; warning?: string; delayMs?: number; maxActive?: number; nextStartAt?: number };
  pages: SettledPage[];
  rows: Rows[];
  results: JobResult[];
  errors: JobError[];
  found: FoundPage[];
}

function createTally<Rows>(job: Job, now: number): Tally<Rows> {
  const changes = { known: 0, waiting: 0, active: 0, started: 0, completed: 0, failed: 0, credits: 0 };
  return { job, now, changes, fault: null, set: {}, pages: [], rows: [], results: [], errors: [], found: [] };
}

async function settlePage<Rows>(
  statements: Statements,
  tally: Tally<Rows>,
  { task, ending }: Ended<Rows>,
  now: number,
): Promise<void> {
  const { job, changes } = tally;
  const again = againOf(task, ending);
  if (again || ending.kind === "released") {
    const { notBefore = 0, tries = 0, losses = 0 } = again ?? {};
    if (!(await statements.jobPages.putBack(task, { notBefore, tries, losses }))) return;
    if (ending.kind === "released" && ending.pausesJob) {
      tally.set.nextStartAt = Math.max(tally.set.nextStartAt ?? job.nextStartAt, notBefore);
    }
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
  if (ending.kind === "fatal") tally.fault = ending.message;
  if (ending.kind === "retry" || ending.kind === "failed" || ending.kind === "fatal" || ending.kind === "lost") {
    const { code, message } = ending.kind === "lost" ? new ServiceError("SCRAPE_WORKER_LOST") : ending;
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

/** How a page that is to be worked on again waits for it; null for one that has come to its end. */
function againOf<Rows>(
  { tries, losses }: ClaimedPage,
  ending: Ended<Rows>["ending"],
): { notBefore?: number; tries?: number; losses?: number } | null {
  switch (ending.kind) {
    case "released":
      return { notBefore: ending.notBefore ?? 0 };
    case "retry":
      return tries + 1 < maxTries ? { notBefore: ending.notBefore, tries: 1 } : null;
    case "lost":
      return losses + 1 < maxLosses ? { losses: 1 } : null;
    default:
      return null;
  }
}

function noteFindings<Rows>(
  tally: Tally<Rows>,
  { found, refused, scopeUrl, warning, delayMs = 0 }: Extract<Ending<Rows>, { found: FoundPage[] }>,
): void {
  tally.found.push(...found);
  tally.errors.push(...refused.map((error) => ({ jobId: tally.job.id, ...error })));
  if (scopeUrl !== undefined) tally.set.scopeUrl = scopeUrl;
  if (warning !== undefined) tally.set.warning = joinWarnings(tally.set.warning ?? tally.job.warning, warning);
  if (delayMs > tally.job.delayMs) Object.assign(tally.set, { delayMs, maxActive: 1 });
}

/** Whether another page of the job has, or will have, the address at which this one ended. */
async function isDuplicate<Rows>(
  statements: Statements,
  { job, now }: Tally<Rows>,
  task: ClaimedPage,
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

/**
 * A page that waits for another try gives its place in the limit to others. When they fill it, the page has no result and no
 * error yet, though its site was asked for it.
 */
async function listTried<Rows>(statements: Statements, { job, now, pages }: Tally<Rows>): Promise<void> {
  const { code, message } = new ServiceError("SCRAPE_NOT_TRIED_AGAIN");
  const tried = await statements.jobPages.listTried(job.id, maxTriedListed);
  await statements.jobResults.insertErrors(
    tried.map(({ id, url }) => ({ jobId: job.id, id, at: now, url, code, message })),
  );
  pages.push(...tried.map((task) => ({ task, result: { code, message } })));
}

/** Takes new pages in, in order, until the limit and a few spare ones are known; says which are known then. */
async function addFound<Rows>(statements: Statements, tally: Tally<Rows>): Promise<string[]> {
  const { job, changes, now } = tally;
  const first = new Map<string, FoundPage>();
  for (const page of tally.found) if (!first.has(page.key)) first.set(page.key, page);
  let candidates = [...first.values()];
  const room = 2 * job.pageLimit + spareFound - job.known;
  if (candidates.length === 0 || (room <= 0 && !candidates.some(({ kind }) => kind === "site"))) return [];
  let known = new Set<string>();
  if (candidates.length > room) {
    known = await statements.jobPages.known(
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
  return [...known, ...candidates.map(({ key }) => key)];
}
