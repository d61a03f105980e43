// What the servers on this store share about hosts: who asks a host for how many pages at the same time, and which hosts asked for
// a pause.
import type { Kysely, Migration } from "kysely";
import { needed } from "./baseline/columns.ts";

export function createHostPaces(): Migration {
  return {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable("host_paces")
        .addColumn("host", "text", (column) => column.notNull().primaryKey())
        .addColumn("paused_until", "bigint", needed)
        .addColumn("refusals", "bigint", needed)
        .addColumn("noted_at", "bigint", needed)
        .execute();
      await db.schema.createIndex("host_paces_by_news").on("host_paces").column("noted_at").execute();
      await db.schema
        .createTable("host_slots")
        .addColumn("host", "text", needed)
        .addColumn("owner", "text", needed)
        .addColumn("wanted", "bigint", needed)
        .addColumn("held", "bigint", needed)
        .addColumn("lease_until", "bigint", needed)
        .addPrimaryKeyConstraint("host_slots_key", ["host", "owner"])
        .execute();
    },
  };
}
