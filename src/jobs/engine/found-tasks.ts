// Takes what tasks have found into the job, within its limit.
import { newId } from "../../base/index.ts";
import type { NewJobPage, Statements } from "../../store/index.ts";
import type { NewTask } from "./task.ts";
import type { TaskOutcomes } from "./task-outcomes.ts";

/**
 * Pages beyond the limit that are taken in, instead of those that turn out to be duplicates or disallowed. They are counted
 * and never given back: a site on which every URL leads to the same page must come to an end too.
 */
const extraFound = 500;
/** Where the best are read first, many more have to be known than are read. */
const mostRanked = 50_000;

/** In order, until the limit and a few more are known. Says which keys the job knows then. */
export async function addFound<Rows>(statements: Statements, outcomes: TaskOutcomes<Rows>): Promise<string[]> {
  const { job, counts, now } = outcomes;
  const first = new Map<string, NewTask>();
  for (const task of outcomes.found) if (!first.has(task.key)) first.set(task.key, task);
  let candidates = [...first.values()];
  const isRanked = candidates.some(({ kind, order }) => kind === "page" && order !== undefined);
  const most = 2 * job.pageLimit + extraFound;
  const room = (isRanked ? Math.max(most, mostRanked) : most) - job.known;
  if (candidates.length === 0 || (room <= 0 && candidates.every(({ kind }) => kind === "page"))) return [];
  let known = new Set<string>();
  if (candidates.length > room) {
    known = await statements.jobPages.known(
      job.id,
      candidates.map(({ key }) => key),
    );
    candidates = candidates.filter(({ key }) => !known.has(key)).slice(0, Math.max(room, 0));
  }
  const rows = candidates.map((task, index) => newRow(job.id, task, job.known + index, now));
  const added = await statements.jobPages.add(rows);
  counts.known += rows.filter(({ key, kind }) => kind === "page" && added.has(key)).length;
  counts.waiting += added.size;
  return [...known, ...candidates.map(({ key }) => key)];
}

/** More tasks than a job can have. */
const tasksOfOrder = 1_000_000_000;

export function newRow(jobId: string, task: NewTask, found: number, now: number): NewJobPage {
  const { order = 0, id = newId(now), ...row } = task;
  return { jobId, ...row, place: order * tasksOfOrder + found, id, state: "waiting" };
}
