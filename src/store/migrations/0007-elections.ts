// Who does what only one of several processes should do, such as starting the checks of monitors.
import type { Kysely, Migration } from "kysely";
import { needed } from "./baseline/columns.ts";

export function createElections(): Migration {
  return {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable("elections")
        .addColumn("office", "text", (column) => column.notNull().primaryKey())
        .addColumn("owner", "text", needed)
        .addColumn("lease_until", "bigint", needed)
        .execute();
    },
  };
}
