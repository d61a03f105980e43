// What scrapes store. Every scrape writes to most of these tables, and each index is one more write: they lie in the
// order in which they are read and have no index that reading could do without.
import { type Kysely, sql } from "kysely";
import type { ColumnTypes } from "../../engine/engine.ts";
import { needed } from "./columns.ts";

export async function createPageTables(
  db: Kysely<unknown>,
  { bytes, rowless, orderedText }: ColumnTypes,
): Promise<void> {
  // The data comes last: SQLite reads a row from its front and does not touch the data for the other columns.
  await db.schema
    .createTable("blobs")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("team_id", "text", needed)
    .addColumn("created_at", "bigint", needed)
    .addColumn("expires_at", "bigint")
    .addColumn("encoding", "text", needed)
    .addColumn("size_bytes", "bigint", needed)
    .addColumn("data", bytes, needed)
    .execute();
  await db.schema.createIndex("blobs_by_expiry").on("blobs").column("expires_at").execute();

  await createCopyTable(db);
  await createScrapeTable(db);

  // Keyed by the URL's hash: PostgreSQL takes no key as long as a URL may be.
  await db.schema
    .createTable("known_pages")
    .addColumn("team_id", "text", needed)
    .addColumn("host_key", sql.raw(orderedText), needed)
    .addColumn("url_hash", "text", needed)
    .addColumn("seen_at", "bigint", needed)
    .addColumn("url", "text", needed)
    .addColumn("title", "text", needed)
    .addColumn("description", "text", needed)
    .addPrimaryKeyConstraint("known_pages_key", ["team_id", "host_key", "url_hash"])
    .modifyEnd(sql.raw(rowless))
    .execute();
  await db.schema.createIndex("known_pages_by_age").on("known_pages").column("seen_at").execute();

  await db.schema
    .createTable("change_snapshots")
    .addColumn("team_id", "text", needed)
    .addColumn("snapshot_key", "text", needed)
    .addColumn("scraped_at", "bigint", needed)
    .addColumn("encoding", "text", needed)
    .addColumn("size_bytes", "bigint", needed)
    .addColumn("data", bytes, needed)
    .addPrimaryKeyConstraint("change_snapshots_key", ["team_id", "snapshot_key"])
    .execute();
  await db.schema.createIndex("change_snapshots_by_age").on("change_snapshots").column("scraped_at").execute();

  await db.schema
    .createTable("health_probes")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("at", "bigint", needed)
    .addColumn("payload", "text", needed)
    .execute();
}

/** Their rows lie in the order in which they come: in that of their keys, which is random, each would change a block of its own. */
export async function createCopyTable(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("page_copies")
    .addColumn("copy_key", "text", needed)
    .addColumn("fetched_at", "bigint", needed)
    .addColumn("id", "text", needed)
    .addColumn("team_id", "text", needed)
    .addColumn("expires_at", "bigint", needed)
    .addColumn("is_shared", "bigint", needed)
    .addColumn("blob_id", "text", needed)
    .addColumn("size_bytes", "bigint", needed)
    .addColumn("details", "text", needed)
    .addPrimaryKeyConstraint("page_copies_key", ["copy_key", "fetched_at", "id"])
    .execute();
  await db.schema.createIndex("page_copies_until").on("page_copies").column("expires_at").execute();
}

/** Rows of more than a quarter of a block would spill into blocks of their own if they lay in the tree of their keys. */
export async function createScrapeTable(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("scrapes")
    .addColumn("id", "text", needed)
    .addColumn("team_id", "text", needed)
    .addColumn("created_at", "bigint", needed)
    .addColumn("expires_at", "bigint", needed)
    .addColumn("blob_id", "text")
    .addColumn("details", "text", needed)
    .addPrimaryKeyConstraint("scrapes_id", ["id"])
    .execute();
}
