import type { Kysely, Migration } from "kysely";
import type { ColumnTypes } from "../engine/engine.ts";

export function createBlobsMigration(types: ColumnTypes): Migration {
  return {
    async up(db: Kysely<unknown>) {
      // The data stands last: SQLite reads a row from its front and need not touch it for the rest.
      await db.schema
        .createTable("blobs")
        .addColumn("id", "text", (column) => column.primaryKey())
        .addColumn("team_id", "text", (column) => column.notNull())
        .addColumn("created_at", "bigint", (column) => column.notNull())
        .addColumn("expires_at", "bigint")
        .addColumn("encoding", "text", (column) => column.notNull())
        .addColumn("size_bytes", "bigint", (column) => column.notNull())
        .addColumn("data", types.bytes, (column) => column.notNull())
        .execute();
      await db.schema.createIndex("blobs_by_expiry").on("blobs").column("expires_at").execute();

      await db.schema
        .createTable("health_probes")
        .addColumn("id", "text", (column) => column.primaryKey())
        .addColumn("at", "bigint", (column) => column.notNull())
        .addColumn("payload", "text", (column) => column.notNull())
        .execute();
    },
  };
}
