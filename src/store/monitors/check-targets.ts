// What a check looks at: one row a target of its monitor, each read by one job.
import type { Kysely } from "kysely";
import type { MonitorCheckTargetsTable } from "../schema/monitor-tables.ts";
import type { Tables } from "../schema/tables.ts";

export interface CheckTarget {
  checkId: string;
  targetId: string;
  place: number;
  type: MonitorCheckTargetsTable["type"];
  jobId: string | null;
  state: MonitorCheckTargetsTable["state"];
  compared: number;
  error: string | null;
}

export function createCheckTargetStatements(db: Kysely<Tables>) {
  return {
    async addTargets(targets: readonly CheckTarget[]): Promise<void> {
      await db
        .insertInto("monitor_check_targets")
        .values(
          targets.map((target) => ({
            check_id: target.checkId,
            target_id: target.targetId,
            place: target.place,
            type: target.type,
            job_id: target.jobId,
            state: target.state,
            compared: target.compared,
            error: target.error,
          })),
        )
        .execute();
    },

    listTargets(checkId: string): Promise<CheckTarget[]> {
      return db
        .selectFrom("monitor_check_targets")
        .select(["check_id as checkId", "target_id as targetId", "place", "type", "job_id as jobId", "state"])
        .select(["compared", "error"])
        .where("check_id", "=", checkId)
        .orderBy("place")
        .execute();
    },

    async changeTarget(
      { checkId, targetId }: Pick<CheckTarget, "checkId" | "targetId">,
      { jobId, state, compared, error }: Partial<Pick<CheckTarget, "jobId" | "state" | "compared" | "error">>,
    ): Promise<void> {
      await db
        .updateTable("monitor_check_targets")
        .set({
          ...(jobId === undefined ? {} : { job_id: jobId }),
          ...(state === undefined ? {} : { state }),
          ...(compared === undefined ? {} : { compared }),
          ...(error === undefined ? {} : { error }),
        })
        .where("check_id", "=", checkId)
        .where("target_id", "=", targetId)
        .execute();
    },

    /** Credits of the jobs that read a check's pages. */
    async sumJobCredits(checkId: string): Promise<number> {
      const row = await db
        .selectFrom("monitor_check_targets")
        .innerJoin("jobs", "jobs.id", "monitor_check_targets.job_id")
        .select((build) => build.fn.sum<number | null>("jobs.credits").as("credits"))
        .where("monitor_check_targets.check_id", "=", checkId)
        .executeTakeFirst();
      return Number(row?.credits ?? 0);
    },
  };
}
