// SQLite: cached copies and scrapes lie in the order in which they came instead of that of their keys. A fresh scrape changes fewer
// blocks of the file, and takes 2 KB less of it. In PostgreSQL rows lie in that order anyway, and a new store is made like this.
import { type Kysely, type Migration, sql } from "kysely";
import type { ColumnTypes } from "../engine/engine.ts";
import { createCopyTable, createScrapeTable } from "./baseline/pages.ts";

export function createCopiesInOrder({ rowless }: ColumnTypes): Migration {
  return {
    async up(db: Kysely<unknown>) {
      if (rowless === "" || !(await liesByKey(db, "page_copies"))) return;
      await db.schema.dropIndex("page_copies_until").execute();
      await db.schema.alterTable("page_copies").renameTo("page_copies_by_key").execute();
      await createCopyTable(db);
      const copy = sql.raw("copy_key, fetched_at, id, team_id, expires_at, is_shared, blob_id, size_bytes, details");
      await sql`insert into page_copies (${copy}) select ${copy} from page_copies_by_key order by fetched_at`.execute(
        db,
      );
      await db.schema.dropTable("page_copies_by_key").execute();

      await db.schema.alterTable("scrapes").renameTo("scrapes_by_key").execute();
      await createScrapeTable(db);
      const scrape = sql.raw("id, team_id, created_at, expires_at, blob_id, details");
      await sql`insert into scrapes (${scrape}) select ${scrape} from scrapes_by_key order by created_at`.execute(db);
      await db.schema.dropTable("scrapes_by_key").execute();
    },
  };
}

async function liesByKey(db: Kysely<unknown>, table: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from sqlite_schema where name = ${table} and sql like '%without rowid'`.execute(db);
  return rows.length > 0;
}
