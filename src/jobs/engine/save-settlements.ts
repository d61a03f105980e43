// What settled tasks and the end of a job mean outside of the job's own rows, written in the transaction that settles them:
// rows of pages, webhook events, the line in the activity list, the task of the answer.
import { type Clock, newId } from "../../base/index.ts";
import type { Job, Statements } from "../../store/index.ts";
import { answerOf, eventsOf } from "./job-events.ts";
import { endpointOf, hasAnswer, isFreeWhenFailed } from "./job-kinds.ts";
import type { Settlement } from "./settle-job.ts";

export interface JobSaverDeps<Rows> {
  clock: Clock;
  writeRows(statements: Statements, rows: readonly Rows[]): Promise<void>;
  /** Told of a job that is over. */
  forget(jobId: string): void;
}

export function createJobSaver<Rows>({ clock, writeRows, forget }: JobSaverDeps<Rows>) {
  return async (statements: Statements, settlements: readonly Settlement<Rows>[]): Promise<void> => {
    const now = clock.now();
    await writeRows(
      statements,
      settlements.flatMap(({ rows }) => rows),
    );
    await statements.webhooks.enqueue(settlements.flatMap((each) => eventsOf(each, errorOf(each), now)));
    for (const settlement of settlements) {
      const { job, hasEnded } = settlement;
      if (hasEnded) {
        await saveEnd(statements, settlement, now);
        if (!hasAnswer(job.kind)) await noteFailure(statements, settlement, now);
        forget(job.id);
      } else if (hasAnswer(job.kind)) await askForAnswer(statements, job.id, now);
    }
  };
}

async function saveEnd(statements: Statements, settlement: Settlement<unknown>, now: number): Promise<void> {
  const { job } = settlement;
  const { teamId, createdAt, activityRowId: rowId } = job;
  const error = errorOf(settlement);
  if (error !== null && job.status !== "failed")
    await statements.jobs.change(job.id, { set: { status: "failed", error } });
  // What a run has done until its limit was asked for, and is paid.
  if (error !== null && isFreeWhenFailed(job.kind) && job.stopReason === null) await giveBack(statements, job.id, now);
  const end =
    error === null
      ? { outcome: "succeeded" as const }
      : { outcome: "failed" as const, error: JSON.stringify({ ...codeOf(settlement), message: error }) };
  await statements.activity.setOutcome({ teamId, createdAt, rowId }, { ...end, endedAt: now });
}

/** When only the answer waits, its task is written: once, because it has one key. */
async function askForAnswer(statements: Statements, jobId: string, now: number): Promise<void> {
  const job = await statements.jobs.read(jobId);
  if (job?.active !== 0 || job.waiting !== 1) return;
  const task = { jobId, key: "answer", place: job.known, id: newId(now), url: job.scopeUrl, depth: 0 };
  await statements.jobPages.add([{ ...task, kind: "answer", step: null, state: "waiting" }]);
}

/** Its team is told of a crawl or batch that failed, read no page, or was stopped by something other than its own limits. */
async function noteFailure(statements: Statements, settlement: Settlement<unknown>, now: number): Promise<void> {
  const { id: jobId, teamId } = settlement.job;
  const ended = await statements.jobs.read(jobId);
  if (
    !ended ||
    (ended.status !== "failed" && settlement.stopped !== true && (await hasReadSomething(statements, ended)))
  )
    return;
  const facts = JSON.stringify({ jobId });
  await statements.notices.add([
    { id: newId(now), teamId, ownerId: teamId, kind: "job.failed", facts, createdAt: now },
  ]);
}

/**
 * A page that robots.txt keeps from being read, because its host does not answer or disallows it, is an error and does not count as
 * failed. That pages are gone is what a crawl for changes found out.
 */
async function hasReadSomething(
  { jobResults }: Statements,
  { id, completed, failed, stopReason }: Job,
): Promise<boolean> {
  if (completed > 0) return true;
  return failed === 0 && (stopReason !== null || (await jobResults.listRemoved(id, 1)).length > 0);
}

/** Whatever it has read. */
async function giveBack(statements: Statements, jobId: string, at: number): Promise<void> {
  const job = await statements.jobs.read(jobId);
  if (!job || job.credits === 0) return;
  const { teamId, keyId, credits } = job;
  const endpoint = endpointOf(job.kind);
  const refund = { id: newId(at), teamId, keyId, jobId, endpoint, credits: -credits, reason: "refund", at };
  await statements.charges.charge([refund]);
  await statements.jobs.change(jobId, { credits: -credits });
}

/** Only an answer that failed has one. */
function codeOf(settlement: Settlement<unknown>): { code?: string } {
  const answer = answerOf(settlement);
  return answer !== null && "message" in answer ? { code: answer.code } : {};
}

/** Why a job ended without what it was started for. */
function errorOf(settlement: Settlement<unknown>): string | null {
  const { job, hasEnded } = settlement;
  if (!hasEnded) return null;
  if (job.status === "failed") return job.error ?? "";
  if (!hasAnswer(job.kind)) return null;
  const answer = answerOf(settlement);
  return answer !== null && "message" in answer ? answer.message : null;
}
