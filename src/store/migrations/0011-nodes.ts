// The servers that share this store: where each is reached, what it can do for the others, and when a host that asks for a delay
// may next be asked by any of them.
import type { Kysely, Migration } from "kysely";
import { needed } from "./baseline/columns.ts";

export function createNodes(): Migration {
  return {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable("nodes")
        .addColumn("id", "text", (column) => column.notNull().primaryKey())
        .addColumn("role", "text", needed)
        .addColumn("url", "text", needed)
        .addColumn("has_browser", "integer", needed)
        .addColumn("has_sessions", "integer", needed)
        .addColumn("browser_load", "integer", needed)
        .addColumn("seen_at", "bigint", needed)
        .execute();
      await db.schema
        .createTable("host_turns")
        .addColumn("host", "text", (column) => column.notNull().primaryKey())
        .addColumn("next_at", "bigint", needed)
        .execute();
    },
  };
}
