import { sql } from "kysely";
import type { Executor, FixedStatement } from "../engine/executor.ts";

export interface RateReservation {
  teamId: string;
  /** Requests of one group share a window. */
  group: string;
  windowStart: number;
  count: number;
  /** Of the whole window, over all processes. */
  limit: number;
}

export interface Granted {
  /** From 0 to the count that was asked for. */
  granted: number;
  /** Taken from the window by all processes, this reservation included. */
  used: number;
}

// One statement, so it is atomic on every engine: the right sides of SET see the row as it was before.
const reserve: FixedStatement<
  [teamId: string, group: string, windowStart: number, first: number, count: number, limit: number],
  Granted
> = (db, [teamId, group, windowStart, first, count, limit]) => {
  const granted = sql<number>`case
      when rate_windows.used + ${count} <= ${limit} then ${count}
      when rate_windows.used < ${limit} then ${limit} - rate_windows.used
      else 0 end`;
  return db
    .insertInto("rate_windows")
    .values({ teamId, rateGroup: group, windowStart, used: first, lastGranted: first })
    .onConflict((conflict) =>
      conflict
        .columns(["teamId", "rateGroup", "windowStart"])
        .doUpdateSet({ used: sql<number>`rate_windows.used + ${granted}`, lastGranted: granted }),
    )
    .returning(["lastGranted as granted", "used"]);
};

export function createRateStatements({ run }: Executor) {
  return {
    /** Takes up to `count` from the window; what is granted over all processes never exceeds `limit`. */
    async reserve({ teamId, group, windowStart, count, limit }: RateReservation): Promise<Granted> {
      if (count <= 0 || limit <= 0) return { granted: 0, used: 0 };
      const rows = await run(reserve, [teamId, group, windowStart, Math.min(count, limit), count, limit]);
      return rows[0] as Granted;
    },
  };
}
