// Hosts that asked for a pause, for all processes that share the store; and the row that is locked while they share out its places.
import { sql } from "kysely";
import type { Executor } from "../engine/executor.ts";

export interface NotedPause {
  /** When the host wants the next request; 0: it has answered well since. */
  until: number;
  /** Refusals in a row. */
  refusals: number;
  /** When this became known. */
  notedAt: number;
}

export function createHostPaceStatements({ db }: Executor) {
  const known = (column: string) => sql.ref<number>(`host_paces.${column}`);
  return {
    /** In a transaction: until it ends nothing else shares out the places at this host. */
    async lock(host: string): Promise<void> {
      await db
        .insertInto("host_paces")
        .values({ host, pausedUntil: 0, refusals: 0, notedAt: 0 })
        .onConflict((conflict) => conflict.column("host").doUpdateSet({ refusals: known("refusals") }))
        .execute();
    },

    /** Under the lock: the row goes, unless the host wants a pause or has refused of late. */
    async unlock(host: string, now: number): Promise<void> {
      await db
        .deleteFrom("host_paces")
        .where("host", "=", host)
        .where("pausedUntil", "<", now)
        .where("refusals", "=", 0)
        .execute();
    },

    /** A pause never shortens one that is known; only a good answer ends it. */
    async note(host: string, { until, refusals, notedAt }: NotedPause): Promise<void> {
      await db
        .insertInto("host_paces")
        .values({ host, pausedUntil: until, refusals, notedAt })
        .onConflict((conflict) =>
          conflict.column("host").doUpdateSet({
            pausedUntil:
              until === 0
                ? 0
                : sql<number>`case when ${known("pausedUntil")} > ${until} then ${known("pausedUntil")} else ${until} end`,
            refusals,
            notedAt,
          }),
        )
        .execute();
    },

    /** What became known since then, the oldest first. */
    listSince(notedAt: number, limit: number): Promise<(NotedPause & { host: string })[]> {
      return db
        .selectFrom("host_paces")
        .select(["host", "pausedUntil as until", "refusals", "notedAt"])
        .where("notedAt", ">=", notedAt)
        .orderBy("notedAt")
        .limit(limit)
        .execute();
    },

    /** Those whose time is over. */
    async forget(before: number): Promise<void> {
      await db.deleteFrom("host_paces").where("pausedUntil", "<", before).where("notedAt", "<", before).execute();
    },
  };
}
