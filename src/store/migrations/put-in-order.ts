// SQLite: makes the rows of a table lie in the order in which they came instead of that of their keys. Its tables cannot be changed
// so; a new one takes the rows of the old one.
import { type Kysely, sql } from "kysely";

export interface TableToOrder {
  name: string;
  /** Of all its columns, in SQL. */
  columns: string;
  orderBy: string;
  /** Their names are free again before the table is created. */
  indexes: readonly string[];
  /** Creates the table and its indexes. */
  create(): Promise<void>;
}

export async function putInOrder(db: Kysely<unknown>, table: TableToOrder): Promise<void> {
  const before = `${table.name}_by_key`;
  for (const name of table.indexes) await db.schema.dropIndex(name).execute();
  await db.schema.alterTable(table.name).renameTo(before).execute();
  await table.create();
  const columns = sql.raw(table.columns);
  await sql`insert into ${sql.table(table.name)} (${columns})
    select ${columns} from ${sql.table(before)} order by ${sql.raw(table.orderBy)}`.execute(db);
  await db.schema.dropTable(before).execute();
}
