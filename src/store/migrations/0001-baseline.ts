// Makes the tables of release 0.1.0.
import { type Kysely, type Migration, sql } from "kysely";
import { columnName } from "../engine/column-names.ts";
import type { ColumnTypes } from "../engine/store-engine.ts";
import type { TableDefinitions } from "../schema/table-definition.ts";
import { baselineIndexes, baselineTables } from "../schema/tables.ts";

export function createBaseline(types: ColumnTypes): Migration {
  const tables = createTables(baselineTables, types);
  return {
    async up(db: Kysely<unknown>) {
      for (const each of [...tables, ...baselineIndexes, ...types.wordTables]) await sql.raw(each).execute(db);
    },
  };
}

export function createTables(definitions: TableDefinitions, types: ColumnTypes): string[] {
  return Object.entries(definitions).map((each) => createTable(each, types));
}

function createTable(
  [table, { primaryKey, clusteredKey, ...columns }]: [string, TableDefinitions[string]],
  types: ColumnTypes,
): string {
  const lines = Object.entries(columns).map(([name, text]) => `${columnName(name)} ${inEngine(String(text), types)}`);
  const key = primaryKey ?? clusteredKey;
  if (Array.isArray(key) && !lines.some((line) => line.endsWith(" primary key"))) {
    const name = `${table}_${key.length > 1 ? "key" : "id"}`;
    lines.push(`constraint ${name} primary key (${key.map(columnName).join(", ")})`);
  }
  return `create table ${table} (${lines.join(", ")}) ${clusteredKey ? types.rowless : ""}`;
}

/** Types that have no common name are the first word. */
function inEngine(column: string, { bytes, orderedText, rowNumber, serial }: ColumnTypes): string {
  const names: Record<string, string> = { bytes, ordered_text: orderedText, row_number: rowNumber, serial };
  return column.replace(/^\w+/, (name) => names[name] ?? name);
}
