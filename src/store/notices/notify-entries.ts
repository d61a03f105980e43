// Whom notices go to: the entries of a team or a monitor, in their order.
import type { Executor } from "../engine/executor.ts";
import { insertRows } from "../engine/inserts.ts";
import type { RowOf } from "../schema/tables.ts";

export type NotifyRow = RowOf<"notify_entries">;

const insertEntries = insertRows<NotifyRow>("notify_entries");

export function createNotifyStatements({ db, insert }: Executor) {
  return {
    list(ownerIds: readonly string[]): Promise<NotifyRow[]> {
      if (ownerIds.length === 0) return Promise.resolve([]);
      return db.selectFrom("notify_entries").selectAll().where("ownerId", "in", ownerIds).orderBy("place").execute();
    },

    /** Null when the team has no such entry. */
    async find(teamId: string, id: string): Promise<NotifyRow | null> {
      const row = await db
        .selectFrom("notify_entries")
        .selectAll()
        .where((build) => build.and({ id, teamId }))
        .executeTakeFirst();
      return row ?? null;
    },

    /** Whoever they belong to. */
    read(ids: readonly string[]): Promise<NotifyRow[]> {
      if (ids.length === 0) return Promise.resolve([]);
      return db.selectFrom("notify_entries").selectAll().where("id", "in", ids).execute();
    },

    /** In a transaction. Removes those that are not named again. */
    async replace(ownerId: string, rows: readonly NotifyRow[]): Promise<void> {
      await db.deleteFrom("notify_entries").where("ownerId", "=", ownerId).execute();
      await insert(insertEntries, rows);
    },
  };
}
