import type { Kysely } from "kysely";
import type { Tables } from "../schema/tables.ts";

export interface Team {
  id: string;
  name: string;
  /** Null means the server's own default; 0 means no limit. */
  requestsPerMinute: number | null;
  createdAt: number;
}

const columns = ["id", "name", "requestsPerMinute", "createdAt"] as const;

export type TeamStatements = ReturnType<typeof createTeamStatements>;

export function createTeamStatements(db: Kysely<Tables>) {
  return {
    /** In a transaction: until it ends no other transaction counts the active pages of the team. Before any lock on a job. */
    async lock(id: string): Promise<void> {
      await db.selectFrom("teams").select("id").where("id", "=", id).forNoKeyUpdate().execute();
    },

    /** False when a team of this name exists; nothing is changed then. */
    async insert(team: Team): Promise<boolean> {
      const result = await db
        .insertInto("teams")
        .values({
          id: team.id,
          name: team.name,
          requestsPerMinute: team.requestsPerMinute,
          createdAt: team.createdAt,
        })
        .onConflict((conflict) => conflict.column("name").doNothing())
        .executeTakeFirst();
      return result.numInsertedOrUpdatedRows === 1n;
    },

    async findByName(name: string): Promise<Team | null> {
      return (await db.selectFrom("teams").select(columns).where("name", "=", name).executeTakeFirst()) ?? null;
    },

    /** All teams, by name. */
    list(): Promise<Team[]> {
      return db.selectFrom("teams").select(columns).orderBy("name").execute();
    },

    /** False when there is no such team. */
    async setRequestsPerMinute(teamId: string, requestsPerMinute: number | null): Promise<boolean> {
      const result = await db
        .updateTable("teams")
        .set({ requestsPerMinute })
        .where("id", "=", teamId)
        .executeTakeFirst();
      return result.numUpdatedRows === 1n;
    },
  };
}
