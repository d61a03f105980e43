// Columns are snake_case in the database, as SQL is written, and camelCase in code. Statements are compiled with the former and
// rows come back with the latter, so a row needs no other shape in between. Only table names are the same on both sides.

export function columnName(property: string): string {
  return property.replace(/[A-Z]|(?<![_\d])\d/g, (sign) => `_${sign.toLowerCase()}`);
}

export function propertyName(column: string): string {
  return column.replace(/_([a-z\d])/g, (_, sign: string) => sign.toUpperCase());
}
