import { type Kysely, type Migration, sql } from "kysely";
import type { ColumnTypes } from "../engine/engine.ts";
import { needed } from "./columns.ts";

export function createFeedbackMigration({ rowless }: ColumnTypes): Migration {
  return {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable("feedback")
        .addColumn("team_id", "text", needed)
        .addColumn("job_id", "text", needed)
        .addColumn("id", "text", needed)
        .addColumn("key_id", "text")
        .addColumn("endpoint", "text", needed)
        .addColumn("rating", "text", needed)
        .addColumn("created_at", "bigint", needed)
        .addColumn("details", "text", needed)
        .addPrimaryKeyConstraint("feedback_key", ["team_id", "job_id"])
        .modifyEnd(sql.raw(rowless))
        .execute();
      await db.schema.createIndex("feedback_by_age").on("feedback").column("created_at").execute();
    },
  };
}
