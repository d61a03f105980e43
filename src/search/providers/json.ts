// Reading answers of unknown shape: what is not there or not what it should be is absent.

export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The object under a name, an empty one when there is none. */
export function objectAt(value: JsonObject, name: string): JsonObject {
  const found = value[name];
  return isObject(found) ? found : {};
}

/** The objects of the list under a name; null when something else stands there, empty when nothing does. */
export function listAt(value: JsonObject, name: string): JsonObject[] | null {
  const found = value[name] ?? [];
  return Array.isArray(found) ? found.filter(isObject) : null;
}

export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
