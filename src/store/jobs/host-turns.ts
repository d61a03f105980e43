// When a host that asks for a delay may next be asked, for all processes that share the store.
import { sql } from "kysely";
import type { Executor } from "../engine/executor.ts";

export function createHostTurnStatements({ db }: Executor) {
  return {
    /** The time of this turn; the next one is `delayMs` later. */
    async take(host: string, delayMs: number, now: number): Promise<number> {
      const known = sql.ref<number>("host_turns.nextAt");
      const { nextAt } = await db
        .insertInto("host_turns")
        .values({ host, nextAt: now + delayMs })
        .onConflict((conflict) =>
          conflict.column("host").doUpdateSet({
            nextAt: sql<number>`case when ${known} > ${now} then ${known} + ${delayMs} else ${now + delayMs} end`,
          }),
        )
        .returning("nextAt")
        .executeTakeFirstOrThrow();
      return nextAt - delayMs;
    },

    /** Those whose time is over. */
    async forget(before: number): Promise<void> {
      await db.deleteFrom("host_turns").where("nextAt", "<", before).execute();
    },
  };
}
