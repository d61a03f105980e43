// What commands print. Data goes to standard output, everything else to standard error.

/** Text of pages without what a terminal would obey: controls other than line breaks and tabs, and overrides of direction. */
export function harmless(text: string): string {
  return text.replace(/\p{Cc}|[\u202a-\u202e\u2066-\u2069]/gu, (sign) => (sign === "\n" || sign === "\t" ? sign : ""));
}

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

/** On standard error, as one line. */
export function tell(text: string): void {
  process.stderr.write(`trawl: ${oneLine(text)}\n`);
}

/** What a response warns of. */
export function warn({ warning }: { warning?: string | null | undefined }): void {
  if (warning) tell(warning);
}

/** JSON on one line, or on many where a person reads it. */
export function toText(value: unknown, isPretty: boolean = process.stdout.isTTY === true): string {
  const text = isPretty ? JSON.stringify(value, null, 2) : JSON.stringify(value);
  return text.replace(/[\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g, escaped);
}

function escaped(sign: string): string {
  return `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

export function printRows(rows: readonly Record<string, string | number | null>[], json = false): void {
  const [first] = rows;
  if (json || !first) {
    print(json ? JSON.stringify(rows, null, 2) : "None yet.");
    return;
  }
  const table = [
    Object.keys(first),
    ...rows.map((row) => Object.values(row).map((value) => oneLine(String(value ?? "-")))),
  ];
  const widths = Object.keys(first).map((_, column) => Math.max(...table.map((line) => line[column]?.length ?? 0)));
  for (const line of table)
    print(
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    );
}
