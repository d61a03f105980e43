// Flows, their versions and their runs. Every statement names the team.
import { sql } from "kysely";
import type { Executor } from "../engine/executor.ts";
import { countAll } from "../engine/totals.ts";
import type { RowOf } from "../schema/tables.ts";

export type FlowRow = RowOf<"flows">;
export type FlowVersionRow = RowOf<"flow_versions">;
export type FlowRunRow = RowOf<"flow_runs">;

export interface FlowPlace {
  createdAt: number;
  rowId: string;
}

const keptVersions = 50;

export function createFlowStatements({ db }: Executor) {
  return {
    count: (teamId: string): Promise<number> => countAll(db.selectFrom("flows").where("teamId", "=", teamId)),

    async insert(flow: FlowRow, version: FlowVersionRow): Promise<void> {
      await db.insertInto("flows").values(flow).execute();
      await db.insertInto("flow_versions").values(version).execute();
    },

    /** Null when the team has no such flow. */
    async find(teamId: string, id: string): Promise<FlowRow | null> {
      const query = db
        .selectFrom("flows")
        .selectAll()
        .where((build) => build.and({ id, teamId }));
      return (await query.executeTakeFirst()) ?? null;
    },

    /** Inside a transaction; until it ends nothing else changes the flow. */
    async lock(teamId: string, id: string): Promise<FlowRow | null> {
      const query = db
        .selectFrom("flows")
        .selectAll()
        .where((build) => build.and({ id, teamId }));
      return (await query.forUpdate().executeTakeFirst()) ?? null;
    },

    /** Newest first. */
    list(teamId: string, limit: number, before?: FlowPlace): Promise<FlowRow[]> {
      let query = db.selectFrom("flows").selectAll().where("teamId", "=", teamId);
      if (before) {
        const place = sql<[number, string]>`(${before.createdAt}, ${before.rowId})`;
        query = query.where((build) => build(build.refTuple("createdAt", "id"), "<", place));
      }
      return query.orderBy("createdAt", "desc").orderBy("id", "desc").limit(limit).execute();
    },

    async change(teamId: string, id: string, changes: Partial<Omit<FlowRow, "id" | "teamId">>): Promise<void> {
      await db
        .updateTable("flows")
        .set(changes)
        .where((build) => build.and({ id, teamId }))
        .execute();
    },

    async remove(teamId: string, id: string): Promise<void> {
      await db.deleteFrom("flow_versions").where("flowId", "=", id).execute();
      await db
        .deleteFrom("flows")
        .where((build) => build.and({ id, teamId }))
        .execute();
    },

    /** Of a flow that was found or locked; the oldest beyond what is kept goes. */
    async addVersion(version: FlowVersionRow): Promise<void> {
      await db.insertInto("flow_versions").values(version).execute();
      const oldest = version.version - keptVersions;
      await db
        .deleteFrom("flow_versions")
        .where("flowId", "=", version.flowId)
        .where("version", "<=", oldest)
        .execute();
    },

    async readVersion(flowId: string, version: number): Promise<FlowVersionRow | null> {
      const query = db
        .selectFrom("flow_versions")
        .selectAll()
        .where((build) => build.and({ flowId, version }));
      return (await query.executeTakeFirst()) ?? null;
    },

    /** Newest first. */
    listVersions: (flowId: string): Promise<FlowVersionRow[]> =>
      db.selectFrom("flow_versions").selectAll().where("flowId", "=", flowId).orderBy("version", "desc").execute(),

    async addRun(run: FlowRunRow): Promise<void> {
      await db.insertInto("flow_runs").values(run).execute();
    },

    /** Newest first. */
    listRuns(teamId: string, flowId: string, limit: number, before?: FlowPlace): Promise<FlowRunRow[]> {
      let query = db
        .selectFrom("flow_runs")
        .selectAll()
        .where((build) => build.and({ teamId, flowId }));
      if (before) {
        const place = sql<[number, string]>`(${before.createdAt}, ${before.rowId})`;
        query = query.where((build) => build(build.refTuple("startedAt", "id"), "<", place));
      }
      return query.orderBy("startedAt", "desc").orderBy("id", "desc").limit(limit).execute();
    },

    async keepEvents(events: RowOf<"session_events">): Promise<void> {
      await db.deleteFrom("session_events").where("id", "=", events.id).execute();
      await db.insertInto("session_events").values(events).execute();
    },

    async readEvents(teamId: string, id: string, now: number): Promise<string | null> {
      const query = db
        .selectFrom("session_events")
        .select("sealed")
        .where((build) => build.and({ id, teamId }));
      return (await query.where("expiresAt", ">", now).executeTakeFirst())?.sealed ?? null;
    },

    async removeEvents(teamId: string, id: string): Promise<void> {
      await db
        .deleteFrom("session_events")
        .where((build) => build.and({ id, teamId }))
        .execute();
    },
  };
}
