// An extractor that was learnt from a page: data that says where each field stands, never code. It is checked against a schema before
// it is run, and its patterns run in linear time.
import { compileSchema } from "../schema/validator.ts";

/** Where a value may stand: in an element's text or attribute, or in a thing of the structured data. */
export interface RulePlace {
  /** CSS selector; "" is the item of a list itself. Absent for structured data. */
  selector?: string;
  attribute?: string;
  /** Type of a thing of the structured data, and the folded names that lead to the value in it. */
  type?: string;
  keys?: string[];
  /** re2js; the value is its first group. */
  pattern?: string;
}

export interface ValueRule {
  /** Names of fields, the outermost first. */
  path: string[];
  kind: "text" | "number" | "boolean";
  /** Tried in order. */
  places: RulePlace[];
}

export interface ListRule {
  path: string[];
  /** CSS selector of the items. */
  items: string;
  fields: ValueRule[];
}

export interface ExtractorRules {
  version: 1;
  values: ValueRule[];
  lists: ListRule[];
}

const names = { type: "array", items: { type: "string", maxLength: 500 }, maxItems: 10 };
const place = {
  type: "object",
  properties: {
    selector: { type: "string", maxLength: 1000 },
    attribute: { type: "string", maxLength: 100 },
    type: { type: "string", maxLength: 200 },
    keys: names,
    pattern: { type: "string", maxLength: 500 },
  },
  additionalProperties: false,
};
const value = {
  type: "object",
  properties: {
    path: names,
    kind: { enum: ["text", "number", "boolean"] },
    places: { type: "array", items: place, maxItems: 8 },
  },
  required: ["path", "kind", "places"],
  additionalProperties: false,
};
const list = {
  type: "object",
  properties: {
    path: names,
    items: { type: "string", maxLength: 1000 },
    fields: { type: "array", items: value, maxItems: 100 },
  },
  required: ["path", "items", "fields"],
  additionalProperties: false,
};
const rulesSchema = {
  type: "object",
  properties: {
    version: { const: 1 },
    values: { type: "array", items: value, maxItems: 300 },
    lists: { type: "array", items: list, maxItems: 50 },
  },
  required: ["version", "values", "lists"],
  additionalProperties: false,
};

/** Null for what is no extractor. */
export function readRules(written: unknown): ExtractorRules | null {
  const compiled = compileSchema(rulesSchema);
  return compiled.ok && compiled.errorsOf(written).length === 0 ? (written as ExtractorRules) : null;
}
