// Concepts of fields: their names in schemas, their labels on pages in several languages, and their keys in structured data. The
// table is concepts.json; of concepts that share a name, the first one is meant.
import table from "./concepts.json" with { type: "json" };

/** What values of a field look like. */
export const kinds = [
  "title",
  "text",
  "long",
  "names",
  "terms",
  "money",
  "currency",
  "availability",
  "number",
  "rating",
  "date",
  "minutes",
  "phone",
  "email",
  "url",
  "image",
  "code",
  "gtin",
  "isbn",
  "address",
  "measure",
] as const;
export type Kind = (typeof kinds)[number];

export interface Concept {
  kind: Kind;
  /** Names of fields in schemas; the first names the concept. They are labels and keys, too. */
  fields: string[];
  /** Labels on pages; ~ marks those that often mean something else. */
  labels: string[];
  /** Properties of schema.org and of page state; a dot leads into an object. */
  keys: string[];
  metas: string[];
  /** What a value looks like where nothing names it. */
  pattern?: RegExp;
}

const list = (text: string | undefined, by: string) => text?.split(by) ?? [];

export const concepts: readonly Concept[] = table.map(({ kind, fields, labels, keys, metas, pattern }) => ({
  kind: kind as Kind,
  fields: list(fields, " | "),
  labels: list(labels, " | "),
  keys: list(keys, " "),
  metas: list(metas, " "),
  ...(pattern === undefined ? {} : { pattern: new RegExp(pattern, "i") }),
}));
