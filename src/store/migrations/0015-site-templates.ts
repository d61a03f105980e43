// Templates of hosts: where pages kept the fields of a team's schema.
import { type Kysely, type Migration, sql } from "kysely";
import type { ColumnTypes } from "../engine/engine.ts";
import { needed } from "./baseline/columns.ts";

export function createSiteTemplateTable({ rowless }: ColumnTypes): Migration {
  return {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable("site_templates")
        .addColumn("team_id", "text", needed)
        .addColumn("host", "text", needed)
        .addColumn("form", "text", needed)
        .addColumn("template", "text", needed)
        .addColumn("version", "integer", needed)
        .addColumn("used_at", "bigint", needed)
        .addPrimaryKeyConstraint("site_templates_key", ["team_id", "host", "form"])
        .modifyEnd(sql.raw(rowless))
        .execute();
      await db.schema.createIndex("site_templates_by_use").on("site_templates").column("used_at").execute();
    },
  };
}
