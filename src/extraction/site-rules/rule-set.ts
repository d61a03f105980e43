// What the pages of a host taught about the fields of a schema, as data and never code: places and counts, no values. Rule sets
// are checked against a shape before they are used, and their patterns run in linear time.
// The checker of callers' schemas would be half of what a content thread loads; this one needs a few keywords only.
import stored from "./rule-shapes.json" with { type: "json" };

/** How a text becomes a value. */
export type ValueKind = "text" | "number" | "boolean" | "date" | "minutes" | "term";

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

/**
 * A few keywords of JSON Schema, where shapes name each other. Fields that are not named are refused. Lists may hold lists, and these no
 * further ones, so the depth is bounded.
 */
interface Shape {
  enum?: readonly unknown[];
  type?: string;
  maxLength?: number;
  items?: string;
  maxItems?: number;
  properties?: Readonly<Record<string, string>>;
  required?: readonly string[];
}

const shapes: Readonly<Record<string, Shape>> = stored;
export const maxListDepth = 2;

function hasShape(name: string, written: unknown): boolean {
  const { enum: choices, type, maxLength, items, maxItems = 0, properties = {}, required = [] } = shapes[name] ?? {};
  if (choices) return choices.includes(written);
  if (type) return typeof written === type;
  if (maxLength !== undefined) return typeof written === "string" && written.length <= maxLength;
  if (items)
    return Array.isArray(written) && written.length <= maxItems && written.every((one) => hasShape(items, one));
  if (typeof written !== "object" || written === null || Array.isArray(written)) return false;
  const isKnown = ([field, below]: [string, unknown]) =>
    Object.hasOwn(properties, field) && hasShape(properties[field] as string, below);
  return required.every((field) => Object.hasOwn(written, field)) && Object.entries(written).every(isKnown);
}

/** Null for anything but a rule set. */
export function asSiteRules(written: unknown): SiteRuleSet | null {
  const isOne = hasShape("rules", written) && JSON.stringify(written).length <= maxRulesLength;
  return isOne ? (written as SiteRuleSet) : null;
}
