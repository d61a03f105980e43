/**
 * Text of a value that a caller, a page or a model sent: strings, numbers and booleans as they are, "" for everything else.
 * `String(value)` would call the value's own toString, which throws for {"toString": 1}.
 */
export function scalarText(value: unknown): string {
  if (typeof value === "string") return value;
  return typeof value === "number" || typeof value === "boolean" ? String(value) : "";
}
