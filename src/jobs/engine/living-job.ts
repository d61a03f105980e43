// How jobs end early, and how long they can be read.
import { type ErrorCode, ServiceError } from "../../base/index.ts";
import type { Job, Statements } from "../../store/index.ts";

/** Throws for a job that is gone, or whose results have expired. */
export function requireLiving<Kind extends Job>(
  job: Kind | null,
  now: number,
  code: ErrorCode = "JOB_NOT_FOUND",
): Kind {
  if (!job) throw new ServiceError(code);
  if (job.expiresAt !== null && job.expiresAt <= now) throw new ServiceError(code, "Job expired");
  return job;
}

/** In a transaction that has locked the job. */
export async function cancelRunning(statements: Statements, job: Job, now: number): Promise<void> {
  const end = { status: "cancelled", finishedAt: now, expiresAt: now + job.retentionMs, secrets: null } as const;
  await statements.jobs.change(job.id, { set: end });
  const { teamId, createdAt, activityRowId: rowId } = job;
  await statements.activity.setOutcome({ teamId, createdAt, rowId }, "failed");
}
