import { sql } from "kysely";
import { changesRow } from "../engine/changes.ts";
import type { Executor } from "../engine/executor.ts";
import { insertRows } from "../engine/inserts.ts";
import type { ActivityOutcome } from "../schema/account-tables.ts";
import type { RowOf } from "../schema/tables.ts";

export type ActivityEntry = RowOf<"activity">;

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

const insertActivities = insertRows<RowOf<"activity">>("activity");

export function createActivityStatements({ db, insert }: Executor) {
  return {
    async insert(activities: readonly ActivityEntry[]): Promise<void> {
      await insert(insertActivities, activities);
    },

    /** False when the row is gone. */
    async setOutcome(
      { teamId, createdAt, rowId }: ActivityPlace & { teamId: string },
      outcome: ActivityOutcome,
    ): Promise<boolean> {
      const ofTeam = db.updateTable("activity").set({ outcome }).where("teamId", "=", teamId);
      return changesRow(ofTeam.where("createdAt", "=", createdAt).where("rowId", "=", rowId));
    },

    /** Newest first. Rows that arrive between two pages change nothing on the later one. */
    page(page: ActivityPage): Promise<ActivityEntry[]> {
      let query = db
        .selectFrom("activity")
        .selectAll()
        .where("teamId", "=", page.teamId)
        .where("createdAt", ">=", page.since)
        .orderBy("createdAt", "desc")
        .orderBy("rowId", "desc")
        .limit(page.limit);
      if (page.endpoint !== undefined) query = query.where("endpoint", "=", page.endpoint);
      const { before } = page;
      if (before) {
        query = query.where((build) =>
          build(
            build.refTuple("createdAt", "rowId"),
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
        .selectAll()
        .where("teamId", "=", teamId)
        .where("createdAt", ">=", since)
        .where("id", "=", id)
        .orderBy("createdAt", "desc")
        .limit(1)
        .executeTakeFirst();
      return row ?? null;
    },

    /** Whether the team has made this request, among the rows from this time on that are still kept. */
    async has({ teamId, id, endpoint, since }: ActivityKey): Promise<boolean> {
      const row = await db
        .selectFrom("activity")
        .select("id")
        .where("teamId", "=", teamId)
        .where("createdAt", ">=", since)
        .where((build) => build.and({ id, endpoint }))
        .limit(1)
        .executeTakeFirst();
      return row !== undefined;
    },

    /** When the team's latest successful request was made, among the rows that are still kept. */
    async lastSuccess(teamId: string): Promise<number | null> {
      const row = await db
        .selectFrom("activity")
        .select("createdAt")
        .where((build) => build.and({ teamId, outcome: "succeeded" }))
        .orderBy("createdAt", "desc")
        .limit(1)
        .executeTakeFirst();
      return row?.createdAt ?? null;
    },
  };
}
