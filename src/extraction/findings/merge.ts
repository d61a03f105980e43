// Merges the findings of several pages: values by confidence and then by how many pages agree, lists collected.

import { fold, wordsOfName } from "../lexicon/names.ts";
import type { Evidence, Found } from "./finding.ts";

/** As found, with the page of each value; null means not found. */
export type Merged =
  | { kind: "value"; value: string | number | boolean; evidence: Evidence; rank: number }
  | { kind: "object"; fields: Record<string, Merged> }
  | { kind: "list"; items: Merged[] }
  | { kind: "null" };

const maxItems = 10_000;
/** Names of fields that tell one item of a list from another, the surest first. */
const keyNames = [
  ["id", "sku", "gtin", "isbn", "ean", "upc", "mpn", "email"],
  ["url", "link", "href"],
  ["name", "title"],
];

/** Null when no page gave anything. */
export function mergeFound(pages: readonly { url: string; found: Found; rank: number }[]): Merged | null {
  return join(pages.map(({ url, found, rank }) => withPage(found, url, rank)));
}

function withPage(found: Found, url: string, rank: number): Merged {
  if (found.kind === "value") return { kind: "value", value: found.value, evidence: { url, ...found.place }, rank };
  if (found.kind === "list") return { kind: "list", items: found.items.map((item) => withPage(item, url, rank)) };
  const fields: Record<string, Merged> = {};
  for (const [name, below] of Object.entries(found.fields)) define(fields, name, withPage(below, url, rank));
  return { kind: "object", fields };
}

function join(all: readonly Merged[]): Merged | null {
  const [first] = all;
  if (!first || all.length === 1) return first ?? null;
  const objects = all.filter((one) => one.kind === "object");
  if (objects.length > 0) {
    const names = new Set(objects.flatMap(({ fields }) => Object.keys(fields)));
    const fields: Record<string, Merged> = {};
    for (const name of names) {
      const joined = join(
        objects.flatMap((one) => (Object.hasOwn(one.fields, name) ? [one.fields[name] as Merged] : [])),
      );
      if (joined) define(fields, name, joined);
    }
    return { kind: "object", fields };
  }
  const lists = all.filter((one) => one.kind === "list");
  if (lists.length > 0) return { kind: "list", items: distinct(lists.flatMap(({ items }) => items)) };
  return bestOf(all.filter((one) => one.kind === "value"));
}

function bestOf(all: readonly Extract<Merged, { kind: "value" }>[]): Merged | null {
  const first = Math.min(...all.map(({ rank }) => rank));
  const values = all.filter(({ rank }) => rank === first);
  const groups = new Map<string, (typeof values)[number][]>();
  for (const one of values) groups.set(keyOf(one.value), [...(groups.get(keyOf(one.value)) ?? []), one]);
  let best: { confidence: number; pages: number; value: Merged } | null = null;
  for (const group of groups.values()) {
    const surest = group.reduce((one, other) => (other.evidence.confidence > one.evidence.confidence ? other : one));
    // In steps of a tenth: smaller differences say less than one page more.
    const confidence = Math.round(surest.evidence.confidence * 10);
    const isBetter =
      !best || confidence > best.confidence || (confidence === best.confidence && group.length > best.pages);
    if (isBetter) best = { confidence, pages: group.length, value: surest };
  }
  return best?.value ?? null;
}

interface Group {
  items: Merged[];
  /** Its surest fields and their values. */
  keys: Map<string, string>;
}

/** Items are the same when an identifying field is equal and no surer one differs. */
function distinct(items: readonly Merged[]): Merged[] {
  const groups: Group[] = [];
  const byKey = new Map<string, Group>();
  for (const item of items) {
    const keys = keysOf(item);
    const known = keys.map((key) => byKey.get(key.join("=")));
    const place = known.findIndex(
      (group) => group !== undefined && keys.every(([field, value]) => (group.keys.get(field) ?? value) === value),
    );
    let group = known[place];
    if (!group) {
      if (groups.length >= maxItems) continue;
      group = { items: [], keys: new Map() };
      groups.push(group);
    }
    group.items.push(item);
    for (const [field, value] of keys) {
      if (!group.keys.has(field)) group.keys.set(field, value);
      if (!byKey.has(`${field}=${value}`)) byKey.set(`${field}=${value}`, group);
    }
  }
  return groups.flatMap((group) => join(group.items) ?? []);
}

/** Fields that tell an item from others, with their values, the surest first. */
function keysOf(item: Merged): [field: string, value: string][] {
  if (item.kind === "value") return [["", keyOf(item.value)]];
  const keys: [string, string][] = [];
  if (item.kind === "object") {
    for (const names of keyNames) {
      for (const [field, below] of Object.entries(item.fields)) {
        const last = wordsOfName(field).at(-1) ?? "";
        if (below.kind === "value" && names.includes(last)) keys.push([field, keyOf(below.value)]);
      }
    }
  }
  return keys.length > 0 ? keys : [["", JSON.stringify(plain(item))]];
}

function keyOf(value: string | number | boolean): string {
  return typeof value === "string"
    ? fold(value)
        .replace(/[^\p{L}\p{N}]+/gu, " ")
        .trim() || value
    : String(value);
}

/** The value alone. */
export function plain(merged: Merged): unknown {
  if (merged.kind === "value") return merged.value;
  if (merged.kind === "list") return merged.items.map(plain);
  if (merged.kind === "null") return null;
  const object: Record<string, unknown> = {};
  for (const [name, below] of Object.entries(merged.fields)) define(object, name, plain(below));
  return object;
}

/** Sets a field under a caller's name, `__proto__` included. */
export function define<Value>(object: Record<string, Value>, name: string, value: Value): void {
  Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
}
