// Which open search sources rest, and how many requests each was sent: the same for all processes, and after a restart.
import { sql } from "kysely";
import type { Executor, FixedStatement, InsertStatement } from "../engine/executor.ts";
import type { SearchPacesTable } from "../schema/search-tables.ts";

export interface SourceState {
  name: string;
  /** In a row, since the last answer or rest. */
  failures: number;
  /** In a row, since the last answer. */
  rests: number;
  restUntil: number;
  lastError: string | null;
  lastErrorAt: number | null;
}

/** At most so many requests in so many milliseconds, counted from the first of them. */
export interface PaceBucket {
  bucket: string;
  most: number;
  windowMs: number;
}

export type SearchSourceStatements = ReturnType<typeof createSearchSourceStatements>;

const list: FixedStatement<[], SourceState> = {
  valueCount: 0,
  build: (db) =>
    db.selectFrom("search_sources").select(["name", "failures", "rests", "restUntil", "lastError", "lastErrorAt"]),
};

// One statement, so it is atomic on every engine. A bucket without room is not changed and not returned.
const take: InsertStatement<SearchPacesTable, { bucket: string }> = {
  build: (db, rows) =>
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
      .returning("bucket"),
};
const isOver = sql`search_paces.started_at + excluded.window_ms <= excluded.started_at`;

export function createSearchSourceStatements({ db, run, insert }: Executor) {
  return {
    /** Only sources that ever failed have a row. */
    list: (): Promise<SourceState[]> => run(list, []),

    async put({ name, failures, rests, restUntil, lastError, lastErrorAt }: SourceState): Promise<void> {
      const row = { failures, rests, restUntil, lastError, lastErrorAt };
      await db
        .insertInto("search_sources")
        .values({ name, ...row })
        .onConflict((conflict) => conflict.column("name").doUpdateSet(row))
        .execute();
    },

    /** Whoever moves the end of a rest that is over may send the one request that tries the source again. */
    async claimTrial(name: string, restUntil: number, until: number): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable("search_sources")
        .set({ restUntil: until })
        .where("name", "=", name)
        .where("restUntil", "=", restUntil)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },

    /** Counts one request in each of these buckets and returns those that had room for it. */
    async take(buckets: readonly PaceBucket[], now: number): Promise<Set<string>> {
      const rows = buckets.map(({ bucket, most, windowMs }) => ({
        bucket,
        startedAt: now,
        used: 1,
        windowMs,
        most,
      }));
      return new Set((await insert(take, rows)).map(({ bucket }) => bucket));
    },

    /** How much of each bucket is used. */
    async listPaces(now: number): Promise<{ bucket: string; used: number }[]> {
      const rows = await db.selectFrom("search_paces").select(["bucket", "used", "startedAt", "windowMs"]).execute();
      return rows.map(({ bucket, used, startedAt, windowMs }) => ({
        bucket,
        used: Number(startedAt) + Number(windowMs) <= now ? 0 : used,
      }));
    },
  };
}
