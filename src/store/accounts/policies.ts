// What a team has decided about its own requests: from where, whereto, and how carefully.
import type { Kysely } from "kysely";
import { excluded } from "../engine/changes.ts";
import type { RowOf, Tables } from "../schema/tables.ts";

export type TeamPolicy = RowOf<"team_policies">;

export type PolicyChange = Partial<Omit<TeamPolicy, "teamId">>;

export function createPolicyStatements(db: Kysely<Tables>) {
  return {
    async find(teamId: string): Promise<TeamPolicy | null> {
      return (await db.selectFrom("team_policies").selectAll().where("teamId", "=", teamId).executeTakeFirst()) ?? null;
    },

    async set(teamId: string, change: PolicyChange): Promise<void> {
      const columns = Object.keys(change) as (keyof PolicyChange)[];
      const nothing = { ipRanges: null, targets: null, safeMode: null, targetsSetAt: null };
      await db
        .insertInto("team_policies")
        .values({ ...nothing, ...change, teamId })
        .onConflict((conflict) => conflict.column("teamId").doUpdateSet(excluded(columns)))
        .execute();
    },
  };
}
