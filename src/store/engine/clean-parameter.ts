// The one place where values become fit for every engine. PostgreSQL refuses U+0000 in text and SQLite (libsql) cuts the
// text there; half a surrogate pair cannot be written as UTF-8; a boolean kills the process inside libsql.

export type Bindable = string | number | bigint | Uint8Array | null;

// In Node since 20, in TypeScript's library only from es2024 on.
interface WellFormedText {
  isWellFormed(): boolean;
  toWellFormed(): string;
}

export function cleanParameter(value: unknown): Bindable {
  switch (typeof value) {
    case "string":
      return cleanText(value);
    case "number":
      if (Number.isFinite(value)) return value;
      break;
    case "bigint":
      return value;
    case "boolean":
      return value ? 1 : 0;
    case "object":
      if (value === null || value instanceof Uint8Array) return value;
      break;
  }
  throw new TypeError(
    `The store takes text, finite numbers, bigints, booleans, bytes and null, not ${describe(value)}. Times are numbers.`,
  );
}

function cleanText(text: string): string {
  const whole = text.includes("\0") ? text.replaceAll("\0", "\uFFFD") : text;
  const checked = whole as string & WellFormedText;
  return checked.isWellFormed() ? whole : checked.toWellFormed();
}

function describe(value: unknown): string {
  if (typeof value === "object" && value !== null) return value.constructor?.name ?? "an object";
  return typeof value === "number" ? String(value) : typeof value;
}
