// What a check looks at: one row a target of its monitor, each read by one job.

import type { Kysely } from "kysely";
import { sumAll } from "../engine/totals.ts";
import type { RowOf, Tables } from "../schema/tables.ts";

export type CheckTarget = RowOf<"monitor_check_targets">;

export function createCheckTargetStatements(db: Kysely<Tables>) {
  return {
    async addTargets(targets: readonly CheckTarget[]): Promise<void> {
      await db.insertInto("monitor_check_targets").values(targets).execute();
    },

    listTargets(checkId: string): Promise<CheckTarget[]> {
      return db
        .selectFrom("monitor_check_targets")
        .selectAll()
        .where("checkId", "=", checkId)
        .orderBy("place")
        .execute();
    },

    async changeTarget(
      { checkId, targetId }: Pick<CheckTarget, "checkId" | "targetId">,
      changes: Partial<Pick<CheckTarget, "jobId" | "state" | "compared" | "error">>,
    ): Promise<void> {
      await db
        .updateTable("monitor_check_targets")
        .set(changes)
        .where((build) => build.and({ checkId, targetId }))
        .execute();
    },

    /** Credits of the jobs that read a check's pages. */
    /** Whether the check of a monitor has started this job. */
    async ownsJob(jobId: string): Promise<boolean> {
      const target = await db
        .selectFrom("monitor_check_targets")
        .select("checkId")
        .where("jobId", "=", jobId)
        .limit(1)
        .executeTakeFirst();
      return target !== undefined;
    },

    sumJobCredits(checkId: string): Promise<number> {
      const jobs = db.selectFrom("monitor_check_targets").innerJoin("jobs", "jobs.id", "monitor_check_targets.jobId");
      return sumAll(jobs.where("monitor_check_targets.checkId", "=", checkId), "jobs.credits");
    },
  };
}
