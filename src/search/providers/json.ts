// Reads answers of unknown shape: what is missing or of another type counts as absent.

export type AnswerObject = Readonly<Record<string, unknown>>;

export function isAnswerObject(value: unknown): value is AnswerObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Undefined for what is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The object under a name; an empty one without it. */
export function objectAt(value: AnswerObject, name: string): AnswerObject {
  const found = value[name];
  return isAnswerObject(found) ? found : {};
}

/** The objects of the list under a name; null when it is no list, empty when it is missing. */
export function listAt(value: AnswerObject, name: string): AnswerObject[] | null {
  const found = value[name] ?? [];
  return Array.isArray(found) ? found.filter(isAnswerObject) : null;
}

export function asText(value: unknown): string {
  return typeof value === "string" ? value : "";
}
