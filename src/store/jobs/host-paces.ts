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

export type HostPaceStatements = ReturnType<typeof createHostPaceStatements>;

export function createHostPaceStatements({ db }: Executor) {
  const known = (column: string) => sql.ref<number>(`host_paces.${column}`);
  return {
    /** In a transaction: until it ends nothing else shares out the places at this host. */
    async lock(host: string): Promise<void> {
      await db
        .insertInto("host_paces")
        .values({ host, paused_until: 0, refusals: 0, noted_at: 0 })
        .onConflict((conflict) => conflict.column("host").doUpdateSet({ refusals: known("refusals") }))
        .execute();
    },

    /** Under the lock: the row goes, unless the host wants a pause or has refused of late. */
    async unlock(host: string, now: number): Promise<void> {
      await db
        .deleteFrom("host_paces")
        .where("host", "=", host)
        .where("paused_until", "<", now)
        .where("refusals", "=", 0)
        .execute();
    },

    /** A pause never shortens one that is known; only a good answer ends it. */
    async note(host: string, { until, refusals, notedAt }: NotedPause): Promise<void> {
      await db
        .insertInto("host_paces")
        .values({ host, paused_until: until, refusals, noted_at: notedAt })
        .onConflict((conflict) =>
          conflict.column("host").doUpdateSet({
            paused_until:
              until === 0
                ? 0
                : sql<number>`case when ${known("paused_until")} > ${until} then ${known("paused_until")} else ${until} end`,
            refusals,
            noted_at: notedAt,
          }),
        )
        .execute();
    },

    /** What became known since then, the oldest first. */
    listSince(notedAt: number, limit: number): Promise<(NotedPause & { host: string })[]> {
      return db
        .selectFrom("host_paces")
        .select(["host", "paused_until as until", "refusals", "noted_at as notedAt"])
        .where("noted_at", ">=", notedAt)
        .orderBy("noted_at")
        .limit(limit)
        .execute();
    },

    /** Those whose time is over. */
    async forget(before: number): Promise<void> {
      await db.deleteFrom("host_paces").where("paused_until", "<", before).where("noted_at", "<", before).execute();
    },
  };
}
