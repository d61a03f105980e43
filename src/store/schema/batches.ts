/** Rows of one multi-row statement: engines limit the parameters (SQLite 32,766, PostgreSQL 65,535). */
const rowsPerStatement = 1000;

/** Cuts a list into batches that fit one statement each. */
export function* inBatches<Row>(rows: readonly Row[]): Generator<readonly Row[]> {
  for (let start = 0; start < rows.length; start += rowsPerStatement) yield rows.slice(start, start + rowsPerStatement);
}
