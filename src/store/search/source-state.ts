// Which open search sources rest, and how many requests each was sent: the same for all processes, and after a restart.
import { sql } from "kysely";
import { changesRow } from "../engine/changes.ts";
import type { Executor, FixedStatement, InsertStatement } from "../engine/executor.ts";
import type { RowOf } from "../schema/tables.ts";

export type SourceState = RowOf<"search_sources">;

/** At most so many requests in so many milliseconds, counted from the first of them. */
export type PaceBucket = Pick<RowOf<"search_paces">, "bucket" | "most" | "windowMs">;

const list: FixedStatement<[], SourceState> = (db) =>
  db.selectFrom("search_sources").select(["name", "failures", "rests", "restUntil", "lastError", "lastErrorAt"]);

// One statement, so it is atomic on every engine. A bucket without room is not changed and not returned.
const take: InsertStatement<RowOf<"search_paces">, { bucket: string }> = (db, rows) =>
  db
    .insertInto("search_paces")
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .column("bucket")
        .doUpdateSet({
          used: sql<number>`case when ${isOver} then 1 else search_paces.used + 1 end`,
          startedAt: sql<number>`case when ${isOver} then excluded.started_at else search_paces.started_at end`,
          windowMs: sql<number>`excluded.window_ms`,
          most: sql<number>`excluded.most`,
        })
        .where(sql<boolean>`${isOver} or search_paces.used < excluded.most`),
    )
    .returning("bucket");
const isOver = sql`search_paces.started_at + excluded.window_ms <= excluded.started_at`;

export function createSearchSourceStatements({ db, run, insert }: Executor) {
  return {
    /** Only sources that ever failed have a row. */
    list: (): Promise<SourceState[]> => run(list, []),

    async put(state: SourceState): Promise<void> {
      await db
        .insertInto("search_sources")
        .values(state)
        .onConflict((conflict) => conflict.column("name").doUpdateSet(state))
        .execute();
    },

    /** Whoever moves the end of a rest that is over may send the one request that tries the source again. */
    async claimTrial(name: string, restUntil: number, until: number): Promise<boolean> {
      return changesRow(
        db
          .updateTable("search_sources")
          .set({ restUntil: until })
          .where((build) => build.and({ name, restUntil })),
      );
    },

    /** Counts one request in each of these buckets and returns those that had room for it. */
    async take(buckets: readonly PaceBucket[], now: number): Promise<Set<string>> {
      const rows = buckets.map((bucket) => ({ startedAt: now, used: 1, ...bucket }));
      return new Set((await insert(take, rows)).map(({ bucket }) => bucket));
    },

    /** How much of each bucket is used. */
    async listPaces(now: number): Promise<{ bucket: string; used: number }[]> {
      const rows = await db.selectFrom("search_paces").select(["bucket", "used", "startedAt", "windowMs"]).execute();
      return rows.map(({ bucket, used, startedAt, windowMs }) => ({
        bucket,
        used: startedAt + windowMs <= now ? 0 : used,
      }));
    },
  };
}
