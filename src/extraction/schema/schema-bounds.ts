// Bounds on a caller's schema that are checked first, before any engine sees it.

export type SchemaVerdict = { ok: true } | { ok: false; path: (string | number)[]; message: string };

const maxCharacters = 256 * 1024;
const maxDepth = 64;
const maxNodes = 20_000;
const maxPatternLength = 1000;

/** The first place where a schema is too large, too deep, or refers to another document; null for a schema within bounds. */
export function findExcess(schema: unknown): Extract<SchemaVerdict, { ok: false }> | null {
  if (typeof schema !== "object" || schema === null || Array.isArray(schema)) {
    return { ok: false, path: [], message: "A JSON Schema is an object" };
  }
  let nodes = 0;
  let characters = 0;
  const visit = (value: unknown, path: (string | number)[]): Extract<SchemaVerdict, { ok: false }> | null => {
    const refuse = (message: string) => ({ ok: false as const, path, message });
    nodes += 1;
    if (nodes > maxNodes) return refuse(`A schema has at most ${maxNodes} values`);
    if (path.length > maxDepth) return refuse(`A schema is nested at most ${maxDepth} levels deep`);
    if (typeof value === "string") characters += value.length;
    if (characters > maxCharacters) return refuse(`A schema has at most ${maxCharacters} characters`);
    if (typeof value !== "object" || value === null) return null;
    for (const [key, below] of Object.entries(value)) {
      characters += key.length;
      const place = [...path, Array.isArray(value) ? Number(key) : key];
      if (/^\$(?:ref|dynamicRef|recursiveRef)$/.test(key) && typeof below === "string" && !below.startsWith("#")) {
        return { ok: false, path: place, message: "References are followed within the schema only: they begin with #" };
      }
      if (key === "pattern" && typeof below === "string" && below.length > maxPatternLength) {
        return { ok: false, path: place, message: `A pattern has at most ${maxPatternLength} characters` };
      }
      const excess = visit(below, place);
      if (excess) return excess;
    }
    return null;
  };
  return visit(schema, []);
}
