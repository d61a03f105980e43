// What the pages of a host taught about the fields of a schema, as data and never code: places and counts, no values. Rule sets
// are checked against a shape before they are used, and their patterns run in linear time.
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
  /** Names of fields, the outermost first; empty for a list of plain values. */
  path: string[];
  /** Tried in order. */
  places: RulePlace[];
  /** Places that said the same on every page they were learned from: that may be the site's own name. */
  constants?: RulePlace[];
  /** Whether its places held on the last pages that checked them, the latest last. */
  recent?: boolean[];
}

export interface RuleSet {
  values: ValueRule[];
  lists: ListRule[];
}

export interface ListRule {
  /** Empty when the whole of the data is a list. */
  path: string[];
  /** CSS selector of the items. */
  items: string;
  /** Rules of an item. */
  of: RuleSet;
}

/** A place that pages are still compared for. */
export interface CountedPlace {
  place: RulePlace;
  /** Pages on which it held the value that was taken, and those on which it did not. */
  held: number;
  missed: number;
  /** A short hash of what it held first; "" once it held something else. */
  first: string;
}

/** A field whose pages are still compared. */
export interface OpenField {
  path: string[];
  places: CountedPlace[];
  /** Short hashes of the pages that were counted: a page that is read again counts once. Empty: the pages do not agree. */
  pages: string[];
}

export interface SiteRuleSet extends RuleSet {
  version: 1;
  /** Only in rules that are learned from several pages. */
  open?: OpenField[];
}

/** What a rule set may take as JSON. */
export const maxRulesLength = 64 * 1024;

/** The keywords of JSON Schema that are needed here. Fields that are not named are refused. */
type Shape =
  | { enum: readonly unknown[] }
  | { type: "number" }
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
const places: Shape = { items: place, maxItems: 8 };
const value: Shape = {
  properties: { path: names, places, constants: places, recent: { items: { enum: [true, false] }, maxItems: 3 } },
  required: ["path", "places"],
};
const hash: Shape = { maxLength: 16 };
const counted: Shape = {
  properties: { place, held: { type: "number" }, missed: { type: "number" }, first: hash },
  required: ["place", "held", "missed", "first"],
};
const openField: Shape = {
  properties: { path: names, places: { items: counted, maxItems: 16 }, pages: { items: hash, maxItems: 15 } },
  required: ["path", "places", "pages"],
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
  properties: { version: { enum: [1] }, ...setProperties(maxListDepth), open: { items: openField, maxItems: 60 } },
  required: ["version", "values", "lists"],
};

function hasShape(shape: Shape, written: unknown): boolean {
  if ("enum" in shape) return shape.enum.includes(written);
  if ("type" in shape) return typeof written === shape.type;
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

/** Null for anything but a rule set. */
export function asSiteRules(written: unknown): SiteRuleSet | null {
  const isOne = hasShape(rulesShape, written) && JSON.stringify(written).length <= maxRulesLength;
  return isOne ? (written as SiteRuleSet) : null;
}
