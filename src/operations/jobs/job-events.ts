// What the pages and the end of a job mean outside of it: webhook events and its line in the activity list, written in the
// transaction that settles the pages.
import { type Clock, newId } from "../../base/index.ts";
import { endpointOf, hasAnswer, isFreeWhenFailed, type Settlement } from "../../jobs/index.ts";
import { type PageRows, writePages } from "../../pages/index.ts";
import type { Job, NewWebhookEvent, Statements } from "../../store/index.ts";
import { shownSettings } from "./job-settings.ts";

export interface JobSaverDeps {
  clock: Clock;
  /** Told of a job that is over. */
  forget(jobId: string): void;
}

export function createJobSaver({ clock, forget }: JobSaverDeps) {
  return async (statements: Statements, settlements: readonly Settlement<PageRows>[]): Promise<void> => {
    await writePages(
      statements,
      settlements.flatMap(({ rows }) => rows),
    );
    await statements.webhooks.enqueue(settlements.flatMap((settlement) => eventsOf(settlement, clock.now())));
    for (const settlement of settlements) {
      const { job, hasEnded } = settlement;
      if (!hasEnded && hasAnswer(job.kind)) await askForAnswer(statements, job.id, clock.now());
      if (!hasEnded) continue;
      const { teamId, createdAt, activityRowId: rowId } = job;
      const error = errorOf(settlement);
      if (error !== null && job.status !== "failed")
        await statements.jobs.change(job.id, { set: { status: "failed", error } });
      if (error !== null && isFreeWhenFailed(job.kind)) await giveBack(statements, job.id, clock.now());
      await statements.activity.setOutcome({ teamId, createdAt, rowId }, error === null ? "succeeded" : "failed");
      forget(job.id);
    }
  };
}

function eventsOf(settlement: Settlement<PageRows>, now: number): NewWebhookEvent[] {
  const { job, tasks, hasEnded } = settlement;
  if (job.webhook === null) return [];
  const { events } = shownSettings(job);
  const found: NewWebhookEvent[] = [];
  if (events.includes("page")) {
    for (const { task, result } of tasks) {
      const isRead = "seq" in result;
      found.push({
        ...makeEvent(job, "page", now),
        result: isRead ? { seq: result.seq } : null,
        pageError: isRead ? null : { url: task.url, ...result },
      });
    }
  }
  if (events.includes("action")) {
    for (const { task, result } of tasks) {
      if ((task.kind === "page" || task.kind === "action") && "seq" in result)
        found.push({ ...makeEvent(job, "action", now), result });
    }
  }
  const error = errorOf(settlement);
  if (!hasEnded) return found;
  if (error !== null && isFreeWhenFailed(job.kind)) return [...found, ...agentEndEvent(job, "failed", error, now)];
  const end = error === null ? "completed" : "failed";
  if (events.includes(end)) found.push({ ...makeEvent(job, end, now), result: endingOf(settlement), error });
  return found;
}

/** The place of no result: such an event tells of the job itself. */
export const jobItself = -1;

/** An agent that ends without an answer tells what it cost. */
export function agentEndEvent(job: Job, name: "failed" | "cancelled", error: string, now: number): NewWebhookEvent[] {
  if (job.webhook === null || !shownSettings(job).events.includes(name)) return [];
  return [{ ...makeEvent(job, name, now), result: { seq: jobItself }, error }];
}

/** When only the answer waits, its page is written: once, because it has one key. */
async function askForAnswer(statements: Statements, jobId: string, now: number): Promise<void> {
  const job = await statements.jobs.read(jobId);
  if (job?.active !== 0 || job.waiting !== 1) return;
  const page = { jobId, key: "answer", place: job.known, id: newId(now), url: job.scopeUrl, depth: 0 };
  await statements.jobPages.add([{ ...page, kind: "answer", step: null, state: "waiting" }]);
}

/** A failed agent costs nothing (API.md 6.1), whatever it has read. */
async function giveBack(statements: Statements, jobId: string, at: number): Promise<void> {
  const job = await statements.jobs.read(jobId);
  if (!job || job.credits === 0) return;
  const { teamId, keyId, credits } = job;
  const endpoint = endpointOf(job.kind);
  const refund = { id: newId(at), teamId, keyId, jobId, endpoint, credits: -credits, reason: "refund", at };
  await statements.charges.charge([refund]);
  await statements.jobs.change(jobId, { credits: -credits });
}

function answerOf({ tasks }: Settlement<PageRows>) {
  return tasks.find(({ task }) => task.kind === "answer")?.result ?? null;
}

/** Why a job ended without what it was started for. */
function errorOf(settlement: Settlement<PageRows>): string | null {
  const { job, hasEnded } = settlement;
  if (!hasEnded) return null;
  if (job.status === "failed") return job.error ?? "";
  if (!hasAnswer(job.kind)) return null;
  const answer = answerOf(settlement);
  return answer !== null && "message" in answer ? answer.message : null;
}

/** What an event of the end carries: the answer. */
function endingOf(settlement: Settlement<PageRows>): { seq: number } | null {
  const answer = answerOf(settlement);
  return answer !== null && "seq" in answer ? { seq: answer.seq } : null;
}

function makeEvent({ id: jobId, teamId, kind }: Job, name: string, createdAt: number): NewWebhookEvent {
  const type = `${endpointOf(kind)}.${name}`;
  return { id: newId(createdAt), teamId, jobId, type, createdAt, result: null, pageError: null, error: null };
}
