// Monitors: one row each. Whoever starts or ends a check of a monitor holds its row, so one runs at a time.
import { sql } from "kysely";
import type { Executor } from "../engine/executor.ts";
import type { RowOf } from "../schema/tables.ts";

export type Monitor = RowOf<"monitors">;

export type MonitorChanges = Partial<Omit<Monitor, "id" | "teamId" | "keyId" | "createdAt">>;

/** Written into the statement, not bound: only so do the partial indexes apply. */
const active = sql.lit("active" as const);

export function createMonitorStatements({ db }: Executor) {
  const select = (rest: ReturnType<typeof sql>) =>
    sql<Monitor>`select * from monitors where ${rest}`.execute(db).then(({ rows }) => rows);

  return {
    async insert(monitor: Monitor): Promise<void> {
      await db.insertInto("monitors").values(monitor).execute();
    },

    /** Null when the team has no such monitor. */
    async find(teamId: string, id: string): Promise<Monitor | null> {
      const [monitor] = await select(sql`id = ${id} and team_id = ${teamId} and status <> 'deleted'`);
      return monitor ?? null;
    },

    /** Whoever it belongs to. */
    async read(id: string): Promise<Monitor | null> {
      return (await select(sql`id = ${id} and status <> 'deleted'`))[0] ?? null;
    },

    /** The same inside a transaction; until it ends nothing else changes the monitor. */
    async lock(id: string): Promise<Monitor | null> {
      await db.selectFrom("monitors").select("id").where("id", "=", id).forUpdate().execute();
      return (await select(sql`id = ${id} and status <> 'deleted'`))[0] ?? null;
    },

    /** Newest first. */
    list(teamId: string, { limit, offset }: { limit: number; offset: number }): Promise<Monitor[]> {
      return select(
        sql`team_id = ${teamId} and status <> 'deleted' order by created_at desc, id desc limit ${limit} offset ${offset}`,
      );
    },

    /** Those whose time has come, the longest waiting first, and those that were scheduled by a clock that has been set back. */
    listDue(now: number, latestScheduled: number, limit: number): Promise<Monitor[]> {
      const isDue = sql`next_run_at <= ${now} or scheduled_at > ${latestScheduled}`;
      return select(sql`status = ${active} and (${isDue}) order by next_run_at limit ${limit}`);
    },

    async change(id: string, changes: MonitorChanges): Promise<void> {
      await db.updateTable("monitors").set(changes).where("id", "=", id).execute();
    },
  };
}
