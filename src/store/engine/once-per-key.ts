/**
 * Rows for one upsert. One statement cannot write the same row twice: the last one counts. They come in the same order for
 * everybody, so that transactions that write the same rows wait for each other without a deadlock.
 */
export function oncePerKey<Row>(rows: readonly Row[], keyOf: (row: Row) => string): Row[] {
  const latest = new Map(rows.map((row) => [keyOf(row), row]));
  return [...latest].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}
