// An extractor that was learned from a page: data that says where each field is, never code. It is checked against a schema before
// it is run, and its patterns run in linear time.
// The checker of callers' schemas would be half of what a content thread loads; this one needs a few keywords only.

/** How a text becomes a value. */
const valueKinds = ["text", "number", "boolean", "date", "minutes", "term"] as const;
export type ValueKind = (typeof valueKinds)[number];

/** Where a value may be: in an element's text or attribute, or in a thing of the structured data. */
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

/** The keywords of JSON Schema that are needed here. Fields that are not named are refused. */
type Shape =
  | { enum: readonly unknown[] }
  | { maxLength: number }
  | { items: Shape; maxItems: number }
  | { properties: Record<string, Shape>; required: readonly string[] };

const names: Shape = { items: { maxLength: 500 }, maxItems: 10 };
const place: Shape = {
  properties: {
    kind: { enum: valueKinds },
    selector: { maxLength: 1000 },
    attribute: { maxLength: 100 },
    type: { maxLength: 200 },
    keys: names,
    pattern: { maxLength: 1000 },
  },
  required: ["kind"],
};
const value: Shape = {
  properties: { path: names, places: { items: place, maxItems: 8 } },
  required: ["path", "places"],
};

/** Lists may hold lists, and these no further ones: so the depth is bounded. */
function setProperties(depth: number): Record<string, Shape> {
  const inner = depth > 0 ? setProperties(depth - 1) : {};
  const list: Shape = {
    properties: {
      path: names,
      items: { maxLength: 1000 },
      of: { properties: inner, required: ["values", "lists"] },
    },
    required: ["path", "items", "of"],
  };
  return { values: { items: value, maxItems: 300 }, lists: { items: list, maxItems: depth > 0 ? 50 : 0 } };
}

export const maxListDepth = 2;

const rulesShape: Shape = {
  properties: { version: { enum: [1] }, ...setProperties(maxListDepth) },
  required: ["version", "values", "lists"],
};

function hasShape(shape: Shape, written: unknown): boolean {
  if ("enum" in shape) return shape.enum.includes(written);
  if ("maxLength" in shape) return typeof written === "string" && written.length <= shape.maxLength;
  if ("items" in shape) {
    const { items, maxItems } = shape;
    return Array.isArray(written) && written.length <= maxItems && written.every((one) => hasShape(items, one));
  }
  if (typeof written !== "object" || written === null || Array.isArray(written)) return false;
  const { properties, required } = shape;
  const isKnown = ([name, below]: [string, unknown]) => {
    const own = Object.hasOwn(properties, name) ? properties[name] : undefined;
    return own !== undefined && hasShape(own, below);
  };
  return required.every((name) => Object.hasOwn(written, name)) && Object.entries(written).every(isKnown);
}

/** Null for what is no extractor. */
export function asExtractorRules(written: unknown): ExtractorRules | null {
  const isOne = hasShape(rulesShape, written) && JSON.stringify(written).length <= maxRulesLength;
  return isOne ? (written as ExtractorRules) : null;
}
