import { sql } from "kysely";
import type { Executor, InsertStatement } from "../engine/executor.ts";
import type { ActivityOutcome, ActivityTable } from "../schema/tables.ts";

export interface ActivityEntry {
  /** UUID v7, the row's own; `id` is the job's public one and may be in several rows. */
  rowId: string;
  id: string;
  teamId: string;
  keyId: string | null;
  endpoint: string;
  apiVersion: string;
  target: string;
  outcome: ActivityOutcome;
  createdAt: number;
}

export interface ActivityPlace {
  createdAt: number;
  rowId: string;
}

export interface ActivityKey {
  teamId: string;
  id: string;
  endpoint: string;
  since: number;
}

export interface ActivityPage {
  teamId: string;
  endpoint?: string | undefined;
  /** Rows from this time on. */
  since: number;
  /** The last row of the page before: only older rows follow. */
  before?: ActivityPlace | undefined;
  limit: number;
}

export type ActivityStatements = ReturnType<typeof createActivityStatements>;

const insertActivities: InsertStatement<ActivityTable, unknown> = {
  build: (db, rows) => db.insertInto("activity").values(rows),
};

const entryColumns = [
  "row_id as rowId",
  "id",
  "team_id as teamId",
  "key_id as keyId",
  "endpoint",
  "api_version as apiVersion",
  "target",
  "outcome",
  "created_at as createdAt",
] as const;

export function createActivityStatements({ db, insert }: Executor) {
  return {
    async insert(activities: readonly ActivityEntry[]): Promise<void> {
      await insert(insertActivities, activities.map(toRow));
    },

    /** False when the row is gone. */
    async setOutcome(
      { teamId, createdAt, rowId }: ActivityPlace & { teamId: string },
      outcome: ActivityOutcome,
    ): Promise<boolean> {
      const result = await db
        .updateTable("activity")
        .set({ outcome })
        .where("team_id", "=", teamId)
        .where("created_at", "=", createdAt)
        .where("row_id", "=", rowId)
        .executeTakeFirst();
      return result.numUpdatedRows === 1n;
    },

    /** Newest first. Rows that arrive between two pages change nothing on the later one. */
    page(page: ActivityPage): Promise<ActivityEntry[]> {
      let query = db
        .selectFrom("activity")
        .select(entryColumns)
        .where("team_id", "=", page.teamId)
        .where("created_at", ">=", page.since)
        .orderBy("created_at", "desc")
        .orderBy("row_id", "desc")
        .limit(page.limit);
      if (page.endpoint !== undefined) query = query.where("endpoint", "=", page.endpoint);
      const { before } = page;
      if (before) {
        query = query.where((build) =>
          build(
            build.refTuple("created_at", "row_id"),
            "<",
            sql<[number, string]>`(${before.createdAt}, ${before.rowId})`,
          ),
        );
      }
      return query.execute();
    },

    /** The team's latest request of this id, among the rows from this time on that are still kept. */
    async find({ teamId, id, since }: Omit<ActivityKey, "endpoint">): Promise<ActivityEntry | null> {
      const row = await db
        .selectFrom("activity")
        .select(entryColumns)
        .where("team_id", "=", teamId)
        .where("created_at", ">=", since)
        .where("id", "=", id)
        .orderBy("created_at", "desc")
        .limit(1)
        .executeTakeFirst();
      return row ?? null;
    },

    /** Whether the team has made this request, among the rows from this time on that are still kept. */
    async has({ teamId, id, endpoint, since }: ActivityKey): Promise<boolean> {
      const row = await db
        .selectFrom("activity")
        .select("id")
        .where("team_id", "=", teamId)
        .where("created_at", ">=", since)
        .where("id", "=", id)
        .where("endpoint", "=", endpoint)
        .limit(1)
        .executeTakeFirst();
      return row !== undefined;
    },

    /** When the team's latest successful request was made, among the rows that are still kept. */
    async lastSuccess(teamId: string): Promise<number | null> {
      const row = await db
        .selectFrom("activity")
        .select("created_at as createdAt")
        .where("team_id", "=", teamId)
        .where("outcome", "=", "succeeded")
        .orderBy("created_at", "desc")
        .limit(1)
        .executeTakeFirst();
      return row?.createdAt ?? null;
    },
  };
}

function toRow(activity: ActivityEntry): ActivityTable {
  return {
    row_id: activity.rowId,
    id: activity.id,
    team_id: activity.teamId,
    key_id: activity.keyId,
    endpoint: activity.endpoint,
    api_version: activity.apiVersion,
    target: activity.target,
    outcome: activity.outcome,
    created_at: activity.createdAt,
  };
}
