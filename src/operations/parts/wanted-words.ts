// The words by which pages are chosen for an extraction: those of the prompt, and the names and descriptions of the schema.
import { schemaWords, spacedName } from "../../text/index.ts";

const maxLength = 2000;

/** `only`: names of fields that are still missing; all of them unless given. */
export function wantedWords(
  schema: Record<string, unknown> | null,
  prompt: string | null,
  only: readonly string[] | null = null,
): string {
  const words: string[] = prompt === null ? [] : [prompt];
  if (only) words.push(...only.map(spacedName));
  else if (schema) words.push(...schemaWords(schema));
  return [...new Set(words)].join(" ").slice(0, maxLength);
}
