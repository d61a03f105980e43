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
            checkId: target.checkId,
            targetId: target.targetId,
            place: target.place,
            type: target.type,
            jobId: target.jobId,
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
        .select(["checkId", "targetId", "place", "type", "jobId", "state"])
        .select(["compared", "error"])
        .where("checkId", "=", checkId)
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
          ...(jobId === undefined ? {} : { jobId }),
          ...(state === undefined ? {} : { state }),
          ...(compared === undefined ? {} : { compared }),
          ...(error === undefined ? {} : { error }),
        })
        .where("checkId", "=", checkId)
        .where("targetId", "=", targetId)
        .execute();
    },

    /** Credits of the jobs that read a check's pages. */
    async sumJobCredits(checkId: string): Promise<number> {
      const row = await db
        .selectFrom("monitor_check_targets")
        .innerJoin("jobs", "jobs.id", "monitor_check_targets.jobId")
        .select((build) => build.fn.sum<number | null>("jobs.credits").as("credits"))
        .where("monitor_check_targets.checkId", "=", checkId)
        .executeTakeFirst();
      return Number(row?.credits ?? 0);
    },
  };
}
