import { type Kysely, type Migration, sql } from "kysely";
import type { ColumnTypes } from "../engine/engine.ts";
import { counter, needed } from "./columns.ts";

export function createModelTokensMigration({ rowless }: ColumnTypes): Migration {
  return {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable("model_tokens")
        .addColumn("team_id", "text", needed)
        .addColumn("month", "integer", needed)
        .addColumn("input", "bigint", counter)
        .addColumn("output", "bigint", counter)
        .addPrimaryKeyConstraint("model_tokens_key", ["team_id", "month"])
        .modifyEnd(sql.raw(rowless))
        .execute();
    },
  };
}
