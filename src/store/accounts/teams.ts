import type { Kysely } from "kysely";
import { changesRow } from "../engine/changes.ts";
import type { RowOf, Tables } from "../schema/tables.ts";

export type Team = RowOf<"teams">;

export function createTeamStatements(db: Kysely<Tables>) {
  return {
    /** In a transaction: until it ends no other transaction counts the active pages of the team. Before any lock on a job. */
    async lock(id: string): Promise<void> {
      await db.selectFrom("teams").select("id").where("id", "=", id).forNoKeyUpdate().execute();
    },

    /** False when a team of this name exists; nothing is changed then. */
    async insert(team: Team): Promise<boolean> {
      return changesRow(
        db
          .insertInto("teams")
          .values(team)
          .onConflict((conflict) => conflict.column("name").doNothing()),
      );
    },

    async findByName(name: string): Promise<Team | null> {
      return (await db.selectFrom("teams").selectAll().where("name", "=", name).executeTakeFirst()) ?? null;
    },

    /** All teams, by name. */
    list(): Promise<Team[]> {
      return db.selectFrom("teams").selectAll().orderBy("name").execute();
    },

    /** False when there is no such team. */
    async setRequestsPerMinute(teamId: string, requestsPerMinute: number | null): Promise<boolean> {
      return changesRow(db.updateTable("teams").set({ requestsPerMinute }).where("id", "=", teamId));
    },
  };
}
