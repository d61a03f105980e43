import { type Kysely, type Migration, sql } from "kysely";

/** Agents are listed after their end, too; other jobs only while they run. */
export const agentsMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createIndex("jobs_agents")
      .on("jobs")
      .columns(["team_id", "created_at"])
      .where(sql.ref("kind"), "=", sql.lit("agent"))
      .execute();
  },
};
