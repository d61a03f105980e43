// An extractor that was learnt from a page: data that says where each field stands, never code. It is checked against a schema before
// it is run, and its patterns run in linear time.
import { compileSchema, type Validator } from "../schema/validator.ts";

/** How a text becomes a value. */
const valueKinds = ["text", "number", "boolean", "date", "minutes", "term"] as const;
export type ValueKind = (typeof valueKinds)[number];

/** Where a value may stand: in an element's text or attribute, or in a thing of the structured data. */
export interface RulePlace {
  kind: ValueKind;
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
  /** Names of fields, the outermost first; none for a list of plain values. */
  path: string[];
  /** Tried in order. */
  places: RulePlace[];
}

export interface RuleSet {
  values: ValueRule[];
  lists: ListRule[];
}

export interface ListRule {
  /** None when the whole of the data is a list. */
  path: string[];
  /** CSS selector of the items. */
  items: string;
  /** What is in an item. */
  of: RuleSet;
}

export interface ExtractorRules extends RuleSet {
  version: 1;
}

/** What an extractor may take as JSON. */
export const maxRulesLength = 64 * 1024;

const names = { type: "array", items: { type: "string", maxLength: 500 }, maxItems: 10 };
const place = {
  type: "object",
  properties: {
    kind: { enum: valueKinds },
    selector: { type: "string", maxLength: 1000 },
    attribute: { type: "string", maxLength: 100 },
    type: { type: "string", maxLength: 200 },
    keys: names,
    pattern: { type: "string", maxLength: 1000 },
  },
  required: ["kind"],
  additionalProperties: false,
};
const value = {
  type: "object",
  properties: { path: names, places: { type: "array", items: place, maxItems: 8 } },
  required: ["path", "places"],
  additionalProperties: false,
};

/** Lists may hold lists, and these no further ones: so the depth is bounded. */
function setSchema(depth: number): { properties: Record<string, unknown>; required: string[] } {
  const list = depth > 0 && {
    type: "object",
    properties: {
      path: names,
      items: { type: "string", maxLength: 1000 },
      of: { type: "object", ...setSchema(depth - 1), additionalProperties: false },
    },
    required: ["path", "items", "of"],
    additionalProperties: false,
  };
  return {
    properties: {
      values: { type: "array", items: value, maxItems: 300 },
      lists: { type: "array", items: list, maxItems: 50 },
    },
    required: ["values", "lists"],
  };
}

export const maxListDepth = 2;

function rulesSchema(): Record<string, unknown> {
  const { properties, required } = setSchema(maxListDepth);
  return {
    type: "object",
    properties: { version: { const: 1 }, ...properties },
    required: ["version", ...required],
    additionalProperties: false,
  };
}

let validator: Validator | null = null;

/** Null for what is no extractor. */
export function asExtractorRules(written: unknown): ExtractorRules | null {
  if (!validator) {
    const compiled = compileSchema(rulesSchema());
    if (!compiled.ok) throw new Error(compiled.message);
    validator = compiled;
  }
  const isOne = validator.errorsOf(written).length === 0 && JSON.stringify(written).length <= maxRulesLength;
  return isOne ? (written as ExtractorRules) : null;
}
