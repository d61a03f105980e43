// Browser storage that outlives one request, sealed, by team and name. Any number may read one; a lease lets one save it.

import type { Kysely } from "kysely";
import { changesRow } from "../engine/changes.ts";
import { countAll } from "../engine/totals.ts";
import type { Tables } from "../schema/tables.ts";

export interface ProfileWriter {
  teamId: string;
  name: string;
  /** The holder of the lease. */
  writer: string;
}

export function createProfileStatements(db: Kysely<Tables>) {
  return {
    /** What is saved, null when nothing is; the profile counts as used now. */
    async open(teamId: string, name: string, now: number): Promise<string | null> {
      const row = await db
        .updateTable("browser_profiles")
        .set({ usedAt: now })
        .where((build) => build.and({ teamId, name }))
        .returning("sealed")
        .executeTakeFirst();
      return row?.sealed ?? null;
    },

    /** Makes the profile where it is missing. False while another writer holds it. */
    async lock({ teamId, name, writer }: ProfileWriter, now: number, until: number): Promise<boolean> {
      const row = await db
        .insertInto("browser_profiles")
        .values({ teamId, name, usedAt: now, writer, writerUntil: until, sealed: null })
        .onConflict((conflict) =>
          conflict
            .columns(["teamId", "name"])
            .doUpdateSet({ writer, writerUntil: until })
            .where((build) =>
              build.or([
                build("browser_profiles.writer", "is", null),
                build("browser_profiles.writerUntil", "<=", now),
              ]),
            ),
        )
        .returning("writer")
        .executeTakeFirst();
      return row?.writer === writer;
    },

    /** Ends the writer's lease, with what is to be saved or without. False when the lease was lost. */
    async release({ teamId, name, writer }: ProfileWriter, sealed: string | null): Promise<boolean> {
      return changesRow(
        db
          .updateTable("browser_profiles")
          .set({ writer: null, writerUntil: null, ...(sealed === null ? {} : { sealed }) })
          .where((build) => build.and({ teamId, name, writer })),
      );
    },

    /** Ends the leases of a writer that is gone. */
    async releaseWriter(teamId: string, writer: string): Promise<void> {
      await db
        .updateTable("browser_profiles")
        .set({ writer: null, writerUntil: null })
        .where((build) => build.and({ teamId, writer }))
        .execute();
    },

    /** How many the team has beside this one. */
    countOthers: (teamId: string, name: string): Promise<number> =>
      countAll(db.selectFrom("browser_profiles").where("teamId", "=", teamId).where("name", "!=", name)),

    /** False when the team has no such profile. */
    async delete(teamId: string, name: string): Promise<boolean> {
      return changesRow(db.deleteFrom("browser_profiles").where("teamId", "=", teamId).where("name", "=", name));
    },
  };
}
