// Things that a page describes in structured data, whatever way it is written: objects of properties and their values.

import type { Element } from "domhandler";
import { remember } from "../../base/index.ts";
import { readReferences } from "../../html/index.ts";
import type { FindingMethod } from "../findings/finding.ts";
import { keyOf } from "../lexicon/names.ts";

/** A text with the element that holds it: values of microdata and RDFa. */
export class Leaf {
  readonly text: string;
  readonly element: Element;

  constructor(text: string, element: Element) {
    this.text = text;
    this.element = element;
  }
}

export type Properties = Record<string, unknown>;

export interface Entity {
  method: FindingMethod;
  types: string[];
  properties: Properties;
  /** Its source: the script, or the element of the item. */
  element: Element;
}

export interface EntityText {
  text: string;
  element: Element;
}

const maxTexts = 500;
const maxDepth = 8;

export function isProperties(value: unknown): value is Properties {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Leaf);
}

export function typesOfThing(properties: Properties): string[] {
  return [properties["@type"] ?? []]
    .flat()
    .flatMap((type) => (typeof type === "string" ? [type.replace(/^.*[/#:]/, "")] : []));
}

/** Values at the end of a path of folded keys. Lists on the way are followed. */
export function valuesAt(properties: Properties, path: readonly string[]): unknown[] {
  let values: unknown[] = [properties];
  for (const key of path) {
    values = values
      .flatMap((value) => (isProperties(value) ? [propertyOf(value, key)].flat() : []))
      .filter((value) => value !== undefined && value !== null && value !== "");
    if (values.length === 0) return [];
  }
  return values.slice(0, maxTexts);
}

/** Names of properties are the same few on all pages, and each is compared with the keys of all fields. */
const keyOfName = remember(keyOf, 1000);
const longestName = 60;

/** The value of a property whose folded name is the key. */
export function propertyOf(properties: Properties, key: string): unknown {
  for (const own in properties) {
    if (own.length < key.length) continue;
    if ((own.length <= longestName ? keyOfName(own) : keyOf(own)) === key) return properties[own];
  }
  return undefined;
}

/** Texts of a value: of an object its name, text, address or value; of a list those of its members. */
export function textsOf(value: unknown, holder: Element, depth = 0): EntityText[] {
  if (value instanceof Leaf) return [{ text: value.text, element: value.element }];
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") {
    return [{ text: plainText(String(value)), element: holder }];
  }
  if (Array.isArray(value))
    return depth > maxDepth ? [] : value.slice(0, maxTexts).flatMap((one) => textsOf(one, holder, depth + 1));
  if (!isProperties(value) || depth > maxDepth) return [];
  const address = addressParts.flatMap((key) => textsOf(propertyOf(value, key), holder, depth + 1).slice(0, 1));
  if (address.length > 0)
    return [{ text: address.map(({ text }) => text).join(", "), element: address[0]?.element ?? holder }];
  if (value.itemListElement !== undefined) return textsOf(value.itemListElement, holder, depth + 1);
  for (const key of ["@value", "text", "name", "value", "url", "contentUrl", "address", "itemListElement", "@id"]) {
    const own = Object.hasOwn(value, key) ? value[key] : undefined;
    if (own !== undefined && own !== null && own !== "") return textsOf(own, holder, depth + 1);
  }
  return [];
}

const addressParts = ["streetaddress", "addresslocality", "addressregion", "postalcode"];

/** Without tags and character references, which many sites write into their data. */
function plainText(text: string): string {
  if (!/[<&]/.test(text)) return text.trim();
  const decoded = readReferences(readReferences(text.slice(0, 50_000)));
  return decoded
    .replace(/<br\s{0,5}\/?>|<\/(?:p|li|div)>/gi, "\n")
    .replace(/<[a-z/!][^<>]{0,500}>/gi, "")
    .trim();
}
