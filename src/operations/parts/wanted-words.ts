// The words by which pages are chosen for an extraction: those of the prompt, and the names and descriptions of the schema.

/** Bounds of what is looked at, whatever a schema holds. */
const maxNodes = 500;
const maxLength = 2000;

/** `only`: names of fields that are still missing; all of them unless given. */
export function wantedWords(
  schema: Record<string, unknown> | null,
  prompt: string | null,
  only: readonly string[] | null = null,
): string {
  const words: string[] = prompt === null ? [] : [prompt];
  if (only) words.push(...only.map(splitName));
  else if (schema) collect(schema, words);
  return [...new Set(words)].join(" ").slice(0, maxLength);
}

function collect(schema: Record<string, unknown>, words: string[]): void {
  const waiting: unknown[] = [schema];
  for (let nodes = 0; waiting.length > 0 && nodes < maxNodes; nodes += 1) {
    const node = waiting.shift();
    if (typeof node !== "object" || node === null) continue;
    for (const [key, value] of Object.entries(node)) {
      if ((key === "title" || key === "description") && typeof value === "string") words.push(value);
      else if (key === "properties" && typeof value === "object" && value !== null) {
        words.push(...Object.keys(value).map(splitName));
        waiting.push(...Object.values(value));
      } else if (typeof value === "object") waiting.push(value);
    }
  }
}

/** `dateOfBirth`, `date_of_birth` and `person.date-of-birth` are words. */
function splitName(name: string): string {
  return name
    .replace(/\[\d*\]/g, " ")
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, "$1 $2")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()
    .toLowerCase();
}
