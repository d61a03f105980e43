// The servers of an installation that share its store, and when each last said that it lives.
import type { Executor } from "../engine/executor.ts";

export interface NodeRow {
  id: string;
  role: string;
  /** Where the others reach it. */
  url: string;
  hasBrowser: boolean;
  /** Whether it opens browser sessions for others. */
  hasSessions: boolean;
  /** Pages and sessions in its browsers. */
  load: number;
  seenAt: number;
}

export function createNodeStatements({ db }: Executor) {
  return {
    /** It lives; those that were last seen before `since` do not. */
    async note({ id, role, url, hasBrowser, hasSessions, load, seenAt }: NodeRow, since: number): Promise<void> {
      const has = { hasBrowser: Number(hasBrowser), hasSessions: Number(hasSessions) };
      const facts = { role, url, ...has, browserLoad: load, seenAt };
      await db
        .insertInto("nodes")
        .values({ id, ...facts })
        .onConflict((conflict) => conflict.column("id").doUpdateSet(facts))
        .execute();
      await db.deleteFrom("nodes").where("seenAt", "<", since).execute();
    },

    async listSince(since: number): Promise<NodeRow[]> {
      const rows = await db.selectFrom("nodes").selectAll().where("seenAt", ">=", since).orderBy("id").execute();
      return rows.map(({ browserLoad: load, ...row }) => ({
        ...row,
        load,
        hasBrowser: row.hasBrowser === 1,
        hasSessions: row.hasSessions === 1,
      }));
    },

    async remove(id: string): Promise<void> {
      await db.deleteFrom("nodes").where("id", "=", id).execute();
    },
  };
}
