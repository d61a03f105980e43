// Every scrape writes a row into each of these tables, and every index of a table is one more place to write to: these
// tables lie in the order in which they are read, without an index beside it.
import { type CreateTableBuilder, type Kysely, type Migration, sql } from "kysely";
import type { ColumnTypes } from "../engine/engine.ts";
import { needed } from "./columns.ts";

type Build = (table: CreateTableBuilder<string>) => CreateTableBuilder<string>;

export function createLeanTablesMigration({ rowless }: ColumnTypes): Migration {
  async function rebuild(db: Kysely<unknown>, table: string, build: Build): Promise<void> {
    const old = `${table}_before_0005`;
    await db.schema.alterTable(table).renameTo(old).execute();
    await build(db.schema.createTable(table)).modifyEnd(sql.raw(rowless)).execute();
    const columns = (await db.introspection.getTables()).find(({ name }) => name === table)?.columns ?? [];
    const names = sql.join(columns.map(({ name }) => sql.ref(name)));
    await sql`insert into ${sql.table(table)} (${names}) select ${names} from ${sql.table(old)}`.execute(db);
    await db.schema.dropTable(old).execute();
  }

  return {
    async up(db: Kysely<unknown>) {
      await rebuild(db, "activity", (table) =>
        table
          .addColumn("team_id", "text", needed)
          .addColumn("created_at", "bigint", needed)
          .addColumn("row_id", "text", needed)
          .addColumn("id", "text", needed)
          .addColumn("key_id", "text")
          .addColumn("endpoint", "text", needed)
          .addColumn("api_version", "text", needed)
          .addColumn("target", "text", needed)
          .addColumn("outcome", "text", needed)
          .addPrimaryKeyConstraint("activity_key", ["team_id", "created_at", "row_id"]),
      );
      await db.schema
        .createIndex("activity_of_endpoint")
        .on("activity")
        .columns(["team_id", "endpoint", "created_at", "row_id"])
        .execute();

      await rebuild(db, "credit_ledger", (table) =>
        table
          .addColumn("id", "text", needed)
          .addColumn("team_id", "text", needed)
          .addColumn("key_id", "text")
          .addColumn("job_id", "text", needed)
          .addColumn("endpoint", "text", needed)
          .addColumn("credits", "bigint", needed)
          .addColumn("reason", "text", needed)
          .addColumn("at", "bigint", needed)
          .addPrimaryKeyConstraint("credit_ledger_id", ["id"]),
      );

      await rebuild(db, "page_copies", (table) =>
        table
          .addColumn("copy_key", "text", needed)
          .addColumn("fetched_at", "bigint", needed)
          .addColumn("id", "text", needed)
          .addColumn("team_id", "text", needed)
          .addColumn("expires_at", "bigint", needed)
          .addColumn("is_shared", "bigint", needed)
          .addColumn("blob_id", "text", needed)
          .addColumn("size_bytes", "bigint", needed)
          .addColumn("details", "text", needed)
          .addPrimaryKeyConstraint("page_copies_key", ["copy_key", "fetched_at", "id"]),
      );
      await db.schema.createIndex("page_copies_until").on("page_copies").column("expires_at").execute();

      await rebuild(db, "scrapes", (table) =>
        table
          .addColumn("id", "text", needed)
          .addColumn("team_id", "text", needed)
          .addColumn("created_at", "bigint", needed)
          .addColumn("expires_at", "bigint", needed)
          .addColumn("blob_id", "text")
          .addColumn("details", "text", needed)
          .addPrimaryKeyConstraint("scrapes_id", ["id"]),
      );
    },
  };
}
