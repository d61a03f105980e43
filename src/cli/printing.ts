// What commands print on a terminal.

/** Untrusted text, made safe for a terminal and shortened. */
export function printable(text: string): string {
  return text.replace(/\p{C}/gu, "?").slice(0, 80);
}

/** The same for text that is shown in full. */
export function oneLine(text: string): string {
  return text.replace(/\p{C}/gu, " ").trim();
}

export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

export function printRows(rows: readonly Record<string, string | number | null>[], json = false): void {
  const [first] = rows;
  if (json || !first) {
    print(json ? JSON.stringify(rows, null, 2) : "None yet.");
    return;
  }
  const table = [Object.keys(first), ...rows.map((row) => Object.values(row).map((value) => String(value ?? "-")))];
  const widths = Object.keys(first).map((_, column) => Math.max(...table.map((line) => line[column]?.length ?? 0)));
  for (const line of table)
    print(
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    );
}
