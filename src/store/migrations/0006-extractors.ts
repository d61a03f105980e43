// Extractors that were learnt from pages of a host, for a team's schema and prompt.
import { type Kysely, type Migration, sql } from "kysely";
import type { ColumnTypes } from "../engine/engine.ts";
import { needed } from "./baseline/columns.ts";

export function createExtractors({ rowless }: ColumnTypes): Migration {
  return {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable("extractors")
        .addColumn("team_id", "text", needed)
        .addColumn("host", "text", needed)
        .addColumn("form", "text", needed)
        .addColumn("id", "text", needed)
        .addColumn("rules", "text", needed)
        .addColumn("version", "integer", needed)
        .addColumn("created_at", "bigint", needed)
        .addColumn("updated_at", "bigint", needed)
        .addColumn("used_at", "bigint", needed)
        .addColumn("tried_at", "bigint", needed)
        .addColumn("tries", "integer", needed)
        .addPrimaryKeyConstraint("extractors_key", ["team_id", "host", "form"])
        .modifyEnd(sql.raw(rowless))
        .execute();
      await db.schema.createIndex("extractors_by_use").on("extractors").column("used_at").execute();
    },
  };
}
