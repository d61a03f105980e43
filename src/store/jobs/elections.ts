// Roles that one process holds at a time, under a lease that it renews.
import { sql } from "kysely";
import type { Executor, FixedStatement } from "../engine/executor.ts";

export interface Candidacy {
  office: string;
  owner: string;
  leaseUntil: number;
  now: number;
  /** A holder that is known to have ended: its lease counts no longer. */
  ended: string | null;
}

const findHolder: FixedStatement<[office: string], { owner: string }> = (db, [office]) =>
  db.selectFrom("elections").select("owner").where("office", "=", office);

export function createElectionStatements({ db, run }: Executor) {
  return {
    /** Who holds the office, or held it last. */
    async findHolder(office: string): Promise<string | null> {
      return (await run(findHolder, [office]))[0]?.owner ?? null;
    },

    /** Takes the office or keeps it; false when another one holds it. */
    async acquire({ office, owner, leaseUntil, now, ended }: Candidacy): Promise<boolean> {
      const taken = await db
        .insertInto("elections")
        .values({ office, owner, leaseUntil })
        .onConflict((conflict) =>
          conflict
            .column("office")
            .doUpdateSet({ owner, leaseUntil })
            .where((build) =>
              build.or([
                build("elections.owner", "=", owner),
                build("elections.leaseUntil", "<=", now),
                build("elections.owner", "=", ended ?? owner),
              ]),
            ),
        )
        .returning(sql<number>`1`.as("taken"))
        .executeTakeFirst();
      return taken !== undefined;
    },

    /** Gives the office back, so that another process does not wait for the end of the lease. */
    async resign(office: string, owner: string): Promise<void> {
      await db.deleteFrom("elections").where("office", "=", office).where("owner", "=", owner).execute();
    },
  };
}
