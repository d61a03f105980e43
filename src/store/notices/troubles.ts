// Faults that are not over, so that each is told once, and then that it is over.
import { sql } from "kysely";
import type { Executor } from "../engine/executor.ts";
import type { RowOf } from "../schema/tables.ts";

export type Trouble = RowOf<"troubles">;

export function createTroubleStatements({ db }: Executor) {
  return {
    /** Seen once more; says how often in a row. */
    async note({ id, teamId, message, since }: Omit<Trouble, "failures">): Promise<number> {
      const row = await db
        .insertInto("troubles")
        .values({ id, teamId, message, since, failures: 1 })
        .onConflict((conflict) =>
          conflict.column("id").doUpdateSet({ message, failures: sql<number>`troubles.failures + 1` }),
        )
        .returning("failures")
        .executeTakeFirstOrThrow();
      return row.failures;
    },

    /** What is over now; null when there was no such fault. */
    async end(id: string): Promise<Trouble | null> {
      const row = await db.deleteFrom("troubles").where("id", "=", id).returningAll().executeTakeFirst();
      return row ?? null;
    },
  };
}
