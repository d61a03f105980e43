// Passkeys of people, and the challenges that were answered: each counts once.
import type { Kysely, Migration } from "kysely";
import { counter, needed } from "./baseline/columns.ts";

export function createPasskeyTables(): Migration {
  return {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable("passkeys")
        .addColumn("id", "text", (column) => column.notNull().primaryKey())
        .addColumn("person_id", "text", needed)
        .addColumn("name", "text", needed)
        .addColumn("public_key", "text", needed)
        .addColumn("sign_count", "bigint", counter)
        .addColumn("created_at", "bigint", needed)
        .addColumn("used_at", "bigint")
        .execute();
      await db.schema.createIndex("passkeys_by_person").on("passkeys").column("person_id").execute();
      await db.schema
        .createTable("spent_challenges")
        .addColumn("hash", "text", (column) => column.notNull().primaryKey())
        .addColumn("expires_at", "bigint", needed)
        .execute();
    },
  };
}
