// What columns of most tables are.
import type { ColumnDefinitionBuilder } from "kysely";

export const needed = (column: ColumnDefinitionBuilder) => column.notNull();
export const counter = (column: ColumnDefinitionBuilder) => column.notNull().defaultTo(0);
