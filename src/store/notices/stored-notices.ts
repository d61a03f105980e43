// Notices from what happened until a message is made of them: first one row, then one for each entry that is told, until its time
// has come. A row is taken by deleting it, in the transaction that writes what follows from it.
import type { Executor } from "../engine/executor.ts";
import { insertRows } from "../engine/inserts.ts";
import type { RowOf } from "../schema/tables.ts";

export type StoredNotice = RowOf<"notices">;
export type NewNotice = Omit<StoredNotice, "entryId" | "dueAt">;

const insertNotices = insertRows<StoredNotice>("notices");

export function createNoticeStatements({ db, insert }: Executor) {
  return {
    /** To be called in the transaction that makes them true. */
    async add(notices: readonly (NewNotice & Partial<Pick<StoredNotice, "entryId" | "dueAt">>)[]): Promise<void> {
      const rows = notices.map((notice) => ({ entryId: "", dueAt: notice.createdAt, ...notice }));
      await insert(insertNotices, rows);
    },

    listDue(now: number, limit: number): Promise<StoredNotice[]> {
      return db
        .selectFrom("notices")
        .selectAll()
        .where("dueAt", "<=", now)
        .orderBy("dueAt")
        .orderBy("id")
        .limit(limit)
        .execute();
    },

    /** In a transaction. Those of them that no other process has taken. */
    async take(ids: readonly string[]): Promise<Set<string>> {
      const taken = await db.deleteFrom("notices").where("id", "in", ids).returning("id").execute();
      return new Set(taken.map(({ id }) => id));
    },
  };
}
