/**
 * Text of a value that a caller, a page or a model sent: strings, numbers and booleans as they are, "" for everything else.
 * `String(value)` would call the value's own toString, which throws for {"toString": 1}.
 */
export function scalarText(value: unknown): string {
  if (typeof value === "string") return value;
  return typeof value === "number" || typeof value === "boolean" ? String(value) : "";
}

/** Of a JSON value. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isRegularExpression(text: string): boolean {
  try {
    return new RegExp(text) !== null;
  } catch {
    return false;
  }
}
