// SQLite: the pages of jobs lie in the order in which they were found, not in that of their keys, which is random. Pages that are
// claimed and ended together then lie side by side: a claim changes few blocks of the file instead of one for every page. In
// PostgreSQL rows lie in that order anyway.
import type { Kysely, Migration } from "kysely";
import type { ColumnTypes } from "../engine/engine.ts";
import { createJobPageTable } from "./baseline/jobs.ts";
import { putInOrder } from "./put-in-order.ts";

export function createPagesInOrder(types: ColumnTypes): Migration {
  return {
    async up(db: Kysely<unknown>) {
      if (types.rowless === "") return;
      await putInOrder(db, {
        name: "job_pages",
        columns:
          "job_id, page_key, place, id, url, depth, task, step, state, tries, lost_leases, claims, not_before, lease_owner, lease_until, lastmod",
        orderBy: "job_id, place",
        indexes: ["job_pages_waiting", "job_pages_leased"],
        async create() {
          await createJobPageTable(db, { ...types, rowless: "" });
          await db.schema.alterTable("job_pages").addColumn("lastmod", "bigint").execute();
        },
      });
    },
  };
}
