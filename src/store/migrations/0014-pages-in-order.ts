// SQLite: the pages of jobs lie in the order in which they were found, not in that of their keys, which is random. Pages that are
// claimed and ended together then lie side by side: a claim changes few blocks of the file instead of one for every page. In
// PostgreSQL rows lie in that order anyway.
import { type Kysely, type Migration, sql } from "kysely";
import type { ColumnTypes } from "../engine/engine.ts";
import { createJobPageTable } from "./baseline/jobs.ts";

export function createPagesInOrder(types: ColumnTypes): Migration {
  return {
    async up(db: Kysely<unknown>) {
      if (types.rowless === "") return;
      const columns = sql.raw(
        "job_id, page_key, place, id, url, depth, task, step, state, tries, losses, claims, not_before, lease_owner, lease_until, lastmod",
      );
      for (const name of ["job_pages_waiting", "job_pages_leased"]) await db.schema.dropIndex(name).execute();
      await db.schema.alterTable("job_pages").renameTo("job_pages_by_key").execute();
      await createJobPageTable(db, { ...types, rowless: "" });
      await db.schema.alterTable("job_pages").addColumn("lastmod", "bigint").execute();
      await sql`insert into job_pages (${columns}) select ${columns} from job_pages_by_key order by job_id, place`.execute(
        db,
      );
      await db.schema.dropTable("job_pages_by_key").execute();
    },
  };
}
