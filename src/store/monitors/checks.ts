// The checks of monitors. Their counters move with their pages; a check that is not over is held by the row of its monitor.
import { sql } from "kysely";
import type { Executor } from "../engine/executor.ts";
import type { CheckPageStatus, CheckStatus } from "../schema/monitor-tables.ts";
import type { RowOf } from "../schema/tables.ts";
import { createCheckTargetStatements } from "./check-targets.ts";

export type MonitorCheck = RowOf<"monitor_checks">;

export type CheckChanges = Partial<Omit<MonitorCheck, "id" | "monitorId" | "teamId">>;

/** The counter that each status of a page moves. */
export const counterOf = {
  same: "same",
  changed: "changed",
  new: "added",
  removed: "removed",
  error: "failed",
} as const satisfies Record<CheckPageStatus, keyof MonitorCheck>;

export function createCheckStatements({ db }: Executor) {
  const select = (rest: ReturnType<typeof sql>) =>
    sql<MonitorCheck>`select * from monitor_checks where ${rest}`.execute(db).then(({ rows }) => rows);

  return {
    ...createCheckTargetStatements(db),

    async insert(check: MonitorCheck): Promise<void> {
      await db.insertInto("monitor_checks").values(check).execute();
    },

    async read(id: string): Promise<MonitorCheck | null> {
      return (await select(sql`id = ${id}`))[0] ?? null;
    },

    /** The same inside a transaction; until it ends nothing else changes the check. */
    async lock(id: string): Promise<MonitorCheck | null> {
      await db.selectFrom("monitor_checks").select("id").where("id", "=", id).forUpdate().execute();
      return (await select(sql`id = ${id}`))[0] ?? null;
    },

    /** Newest first; those that have expired are gone. */
    list(
      monitorId: string,
      { limit, offset, status, now }: { limit: number; offset: number; status: CheckStatus | undefined; now: number },
    ): Promise<MonitorCheck[]> {
      const isWanted = status === undefined ? sql`1 = 1` : sql`status = ${status}`;
      return select(
        sql`monitor_id = ${monitorId} and ${isWanted} and expires_at > ${now}
          order by created_at desc, id desc limit ${limit} offset ${offset}`,
      );
    },

    async change(id: string, changes: CheckChanges): Promise<void> {
      await db.updateTable("monitor_checks").set(changes).where("id", "=", id).execute();
    },

    /** Those that are not over. */
    listOpen: (): Promise<MonitorCheck[]> => select(sql`finished_at is null`),

    /** Checks that are not over although their job is, or is gone. */
    async listAbandoned(limit: number): Promise<string[]> {
      const { rows } = await sql<{ id: string }>`select monitor_checks.id as id from monitor_checks
        left join jobs on jobs.id = monitor_checks.id
        where monitor_checks.finished_at is null and (jobs.id is null or jobs.status <> 'scraping')
        limit ${limit}`.execute(db);
      return rows.map(({ id }) => id);
    },

    /** An email that is due; the process that takes it has it until `until`. */
    async takeMail(now: number, until: number): Promise<MonitorCheck | null> {
      const [due] = await select(sql`mail_state = 'due' and mail_next_at <= ${now} order by mail_next_at limit 1`);
      if (!due) return null;
      const taken = await db
        .updateTable("monitor_checks")
        .set({ mailNextAt: until, mailAttempts: due.mailAttempts + 1 })
        .where((build) => build.and({ id: due.id, mailState: "due", mailNextAt: due.mailNextAt }))
        .executeTakeFirst();
      return taken.numUpdatedRows === 1n ? { ...due, mailAttempts: due.mailAttempts + 1, mailNextAt: until } : null;
    },

    /** For all checks of a monitor, from the start of each. */
    async setRetention(monitorId: string, ms: number): Promise<void> {
      await db
        .updateTable("monitor_checks")
        .set((build) => ({ expiresAt: build("createdAt", "+", ms) }))
        .where("monitorId", "=", monitorId)
        .execute();
    },
  };
}
