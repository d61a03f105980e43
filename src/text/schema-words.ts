// The words of a JSON Schema: names of fields, titles and descriptions.

/** The most that is examined, however large the schema. */
const maxNodes = 500;

/** In the order of the schema, from the outside in. */
export function schemaWords(schema: Readonly<Record<string, unknown>>): string[] {
  const words: string[] = [];
  const waiting: unknown[] = [schema];
  for (let nodes = 0; waiting.length > 0 && nodes < maxNodes; nodes += 1) {
    const node = waiting.shift();
    if (typeof node !== "object" || node === null) continue;
    for (const [key, value] of Object.entries(node)) {
      if ((key === "title" || key === "description") && typeof value === "string") words.push(value);
      else if (key === "properties" && typeof value === "object" && value !== null) {
        words.push(...Object.keys(value).map(spacedName));
        waiting.push(...Object.values(value));
      } else if (typeof value === "object") waiting.push(value);
    }
  }
  return [...new Set(words)];
}

/** `dateOfBirth`, `date_of_birth` and `person.date-of-birth` are words. */
export function spacedName(name: string): string {
  return name
    .replace(/\[\d*\]/g, " ")
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, "$1 $2")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()
    .toLowerCase();
}
