// What fields are called: by schemas, by labels on pages in several languages, and by structured data.

/** What values of a field look like. */
export type Kind =
  | "title"
  | "text"
  | "long"
  | "names"
  | "terms"
  | "money"
  | "currency"
  | "availability"
  | "number"
  | "rating"
  | "date"
  | "minutes"
  | "phone"
  | "email"
  | "url"
  | "image"
  | "code"
  | "gtin"
  | "isbn"
  | "address"
  | "measure";

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

export function concept(kind: Kind, fields: string, labels = "", keys = "", metas = "", pattern?: RegExp): Concept {
  const list = (text: string, by: string) => (text === "" ? [] : text.split(by));
  return {
    kind,
    fields: list(fields, "|"),
    labels: list(labels, "|"),
    keys: list(keys, " "),
    metas: list(metas, " "),
    ...(pattern ? { pattern } : {}),
  };
}
