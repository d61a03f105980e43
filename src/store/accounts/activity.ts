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

export interface ListedActivity extends ActivityEntry {
  /** Null for a request without a key. */
  keyName: string | null;
  /** What the job of the request has cost so far; null for a request without a job. */
  jobCredits: number | null;
}

export type ActivityEnd = Pick<ActivityEntry, "outcome" | "endedAt"> &
  Partial<Pick<ActivityEntry, "credits" | "error">>;

export interface ActivityKey {
  teamId: string;
  id: string;
  endpoint: string;
  since: number;
}

export interface ActivityPage {
  teamId: string;
  endpoint?: string | undefined;
  outcome?: ActivityOutcome | undefined;
  /** Name of the key. */
  keyName?: string | undefined;
  /** Whether requests without a key go by that name, too. */
  isKeyless?: boolean;
  /** Rows from this time on. */
  since: number;
  /** The last row of the page before: only older rows follow. */
  before?: ActivityPlace | undefined;
  limit: number;
}

const insertActivities = insertRows<RowOf<"activity">>("activity");

export function createActivityStatements({ db, insert }: Executor) {
  /** Newest first. */
  function listed(teamId: string, since: number) {
    return db
      .selectFrom("activity")
      .leftJoin("api_keys", "api_keys.id", "activity.keyId")
      .leftJoin("jobs", (join) =>
        join.onRef("jobs.id", "=", "activity.id").onRef("jobs.activityRowId", "=", "activity.rowId"),
      )
      .selectAll("activity")
      .select(["api_keys.name as keyName", "jobs.credits as jobCredits"])
      .where("activity.teamId", "=", teamId)
      .where("activity.createdAt", ">=", since)
      .orderBy("activity.createdAt", "desc");
  }

  return {
    async insert(activities: readonly ActivityEntry[]): Promise<void> {
      await insert(insertActivities, activities);
    },

    /** False when the row is gone. */
    async setOutcome(
      { teamId, createdAt, rowId }: ActivityPlace & { teamId: string },
      { outcome, endedAt, ...end }: ActivityEnd,
    ): Promise<boolean> {
      const ofTeam = db
        .updateTable("activity")
        .set({ outcome, endedAt, ...end })
        .where("teamId", "=", teamId);
      return changesRow(ofTeam.where("createdAt", "=", createdAt).where("rowId", "=", rowId));
    },

    /** Newest first. Rows that arrive between two pages change nothing on the later one. */
    page(page: ActivityPage): Promise<ListedActivity[]> {
      const { teamId, since, limit, endpoint, outcome, keyName, isKeyless = false, before } = page;
      let query = listed(teamId, since).orderBy("activity.rowId", "desc").limit(limit);
      if (endpoint !== undefined) query = query.where("activity.endpoint", "=", endpoint);
      if (outcome !== undefined) query = query.where("activity.outcome", "=", outcome);
      if (keyName !== undefined) {
        query = query.where((build) =>
          build.or([build("api_keys.name", "=", keyName), ...(isKeyless ? [build("activity.keyId", "is", null)] : [])]),
        );
      }
      if (before) {
        query = query.where((build) =>
          build(
            build.refTuple("activity.createdAt", "activity.rowId"),
            "<",
            sql<[number, string]>`(${before.createdAt}, ${before.rowId})`,
          ),
        );
      }
      return query.execute();
    },

    /** The team's latest request of this id, among the rows from this time on that are still kept. */
    async find({ teamId, id, endpoint, since }: Omit<ActivityKey, "endpoint"> & { endpoint?: string | undefined }) {
      const ofId = listed(teamId, since).where("activity.id", "=", id).limit(1);
      const row = await (endpoint === undefined
        ? ofId
        : ofId.where("activity.endpoint", "=", endpoint)
      ).executeTakeFirst();
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
