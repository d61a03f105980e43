import { type Kysely, type Migration, sql } from "kysely";
import type { ColumnTypes } from "../engine/engine.ts";
import { counter, needed } from "./columns.ts";

/** Tokens by key as well; those counted before belong to no key. */
export function createModelTokensByKeyMigration({ rowless }: ColumnTypes): Migration {
  return {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable("model_token_months")
        .addColumn("team_id", "text", needed)
        .addColumn("month", "integer", needed)
        .addColumn("key_id", "text", needed)
        .addColumn("input", "bigint", counter)
        .addColumn("output", "bigint", counter)
        .addPrimaryKeyConstraint("model_token_months_key", ["team_id", "month", "key_id"])
        .modifyEnd(sql.raw(rowless))
        .execute();
      await sql`insert into model_token_months (team_id, month, key_id, input, output)
        select team_id, month, '', input, output from model_tokens`.execute(db);
      await db.schema.dropTable("model_tokens").execute();
    },
  };
}
