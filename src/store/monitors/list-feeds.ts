// Feeds of list pages. Lists of feeds leave out their items, which may be large.
import { sql } from "kysely";
import type { Executor } from "../engine/executor.ts";
import type { RowOf } from "../schema/tables.ts";

export type ListFeedRow = RowOf<"list_feeds">;
/** Without its items. */
export type ListFeed = Omit<ListFeedRow, "items">;
export type ListFeedChanges = Partial<Omit<ListFeedRow, "id" | "teamId" | "createdAt">>;

const withoutItems = [
  "id",
  "teamId",
  "keyId",
  "name",
  "url",
  "item",
  "cron",
  "timezone",
  "jitterMs",
  "nextRunAt",
  "lastRunAt",
  "lastSuccessAt",
  "jobId",
  "error",
  "tokenHash",
  "sealed",
  "baseUrl",
  "itemCount",
  "changedAt",
  "createdAt",
] as const;

export function createListFeedStatements({ db }: Executor) {
  const select = () => db.selectFrom("list_feeds").select(withoutItems);

  return {
    async insert(feed: ListFeedRow): Promise<void> {
      await db.insertInto("list_feeds").values(feed).execute();
    },

    /** Null when the team has no such feed. */
    async find(teamId: string, id: string): Promise<ListFeed | null> {
      const query = select().where((build) => build.and({ id, teamId }));
      return (await query.executeTakeFirst()) ?? null;
    },

    async findByToken(tokenHash: string): Promise<ListFeedRow | null> {
      const query = db.selectFrom("list_feeds").selectAll().where("tokenHash", "=", tokenHash);
      return (await query.executeTakeFirst()) ?? null;
    },

    /** Inside a transaction; until it ends nothing else changes the feed. */
    async lock(id: string): Promise<ListFeedRow | null> {
      const query = db.selectFrom("list_feeds").selectAll().where("id", "=", id).forUpdate();
      return (await query.executeTakeFirst()) ?? null;
    },

    /** Newest first. */
    list(teamId: string, limit: number, before?: { createdAt: number; rowId: string }): Promise<ListFeed[]> {
      let query = select().where("teamId", "=", teamId);
      if (before) {
        const place = sql<[number, string]>`(${before.createdAt}, ${before.rowId})`;
        query = query.where((build) => build(build.refTuple("createdAt", "id"), "<", place));
      }
      return query.orderBy("createdAt", "desc").orderBy("id", "desc").limit(limit).execute();
    },

    /** Those to be read now, and not being read. */
    listDue: (now: number, limit: number): Promise<ListFeed[]> =>
      select().where("nextRunAt", "<=", now).where("jobId", "is", null).orderBy("nextRunAt").limit(limit).execute(),

    /** Those that are being read. */
    listRead: (): Promise<ListFeed[]> => select().where("jobId", "is not", null).orderBy("id").execute(),

    async change(id: string, changes: ListFeedChanges): Promise<void> {
      await db.updateTable("list_feeds").set(changes).where("id", "=", id).execute();
    },

    async remove(id: string): Promise<void> {
      await db.deleteFrom("list_feeds").where("id", "=", id).execute();
    },
  };
}
