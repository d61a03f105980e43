// SQLite: cached copies and scrapes lie in the order in which they came. A fresh scrape changes fewer blocks of the file, and fills
// fewer. In PostgreSQL rows lie in that order anyway, and a new store is made like this.
import { type Kysely, type Migration, sql } from "kysely";
import type { ColumnTypes } from "../engine/engine.ts";
import { createCopyTable, createScrapeTable } from "./baseline/pages.ts";
import { putInOrder } from "./put-in-order.ts";

export function createCopiesInOrder({ rowless }: ColumnTypes): Migration {
  return {
    async up(db: Kysely<unknown>) {
      if (rowless === "" || !(await liesByKey(db, "page_copies"))) return;
      await putInOrder(db, {
        name: "page_copies",
        columns: "copy_key, fetched_at, id, team_id, expires_at, is_shared, blob_id, size_bytes, details",
        orderBy: "fetched_at",
        indexes: ["page_copies_until"],
        create: () => createCopyTable(db),
      });
      await putInOrder(db, {
        name: "scrapes",
        columns: "id, team_id, created_at, expires_at, blob_id, details",
        orderBy: "created_at",
        indexes: [],
        create: () => createScrapeTable(db),
      });
    },
  };
}

async function liesByKey(db: Kysely<unknown>, table: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from sqlite_schema where name = ${table} and sql like '%without rowid'`.execute(db);
  return rows.length > 0;
}
