// Which process holds how many of a team's slots. A process that says nothing for the time of its lease holds none.
import type { Kysely } from "kysely";
import type { Tables } from "../schema/tables.ts";

export interface TeamSlots {
  teamId: string;
  owner: string;
  /** As many as it could use. */
  wanted: number;
  held: number;
  leaseUntil: number;
}

export type TeamSlotStatements = ReturnType<typeof createTeamSlotStatements>;

export function createTeamSlotStatements(db: Kysely<Tables>) {
  return {
    /** What the other processes hold. */
    listOthers(teamId: string, owner: string, now: number): Promise<Pick<TeamSlots, "wanted" | "held">[]> {
      return db
        .selectFrom("team_slots")
        .select(["wanted", "held"])
        .where("team_id", "=", teamId)
        .where("owner", "!=", owner)
        .where("lease_until", ">", now)
        .execute();
    },

    async put({ teamId, owner, wanted, held, leaseUntil }: TeamSlots): Promise<void> {
      await db
        .insertInto("team_slots")
        .values({ team_id: teamId, owner, wanted, held, lease_until: leaseUntil })
        .onConflict((conflict) =>
          conflict.columns(["team_id", "owner"]).doUpdateSet({ wanted, held, lease_until: leaseUntil }),
        )
        .execute();
    },

    async remove(teamId: string, owner: string): Promise<void> {
      await db.deleteFrom("team_slots").where("team_id", "=", teamId).where("owner", "=", owner).execute();
    },

    /** Rows of processes that ended without a word. */
    async removeEnded(teamId: string, now: number): Promise<void> {
      await db.deleteFrom("team_slots").where("team_id", "=", teamId).where("lease_until", "<=", now).execute();
    },
  };
}
