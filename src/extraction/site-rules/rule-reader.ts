// Looks values up in a page for rules, within a bound on the work: neither a page nor a rule set can make it long.

import type { Document, Element } from "domhandler";
import { RE2JS } from "re2js";
import { attribute, findAll, isElement } from "../../html/index.ts";
import type { FindingMethod } from "../findings/finding.ts";
import { availabilityOf } from "../lexicon/availability-words.ts";
import { textsOf, valuesAt } from "../page/entities.ts";
import type { ParsedPage } from "../page/parsed-page.ts";
import { findDate } from "../values/dates.ts";
import { readAmount, readMinutes } from "../values/numbers.ts";
import type { RulePlace, ValueKind } from "./rule-set.ts";

export type Scalar = string | number | boolean;
export type Root = Document | Element;

export interface ReadValue {
  value: Scalar;
  /** The words that it was read from. */
  text: string;
  method: FindingMethod;
  element: Element;
}

/** Elements that may be looked at, by all lookups of a page together. */
const maxLooks = 2_000_000;
const longestText = 20_000;
/** Of texts that a pattern is matched with. */
const longestMatched = 1000;

interface Size {
  elements: number;
  /** What counting siblings costs in the whole of it. */
  siblings: number;
}

export class RuleReader {
  readonly page: ParsedPage;
  readonly root: Document;
  private looksLeft = maxLooks;
  private readonly sizes = new Map<Root, Size>();
  private readonly patterns = new Map<string, RE2JS | null>();

  constructor(page: ParsedPage, root: Document) {
    this.page = page;
    this.root = root;
    this.measure(root);
  }

  /** Elements that a selector finds below a root; none when the work is used up. */
  all(selector: string, root: Root): Element[] {
    const { elements, siblings } = this.sizes.get(root) ?? { elements: maxLooks, siblings: 0 };
    const cost = 50 + elements + (selector.includes(":") ? siblings : 0);
    if (cost > this.looksLeft) return [];
    this.looksLeft -= cost;
    return findAll(selector, root);
  }

  /** The first place that holds a value. */
  first(root: Root, places: readonly RulePlace[]): (ReadValue & { place: RulePlace }) | null {
    for (const place of places) {
      const read = this.read(root, place);
      if (read) return { ...read, place };
    }
    return null;
  }

  /** What a place holds, as the value that it is meant to be. */
  read(root: Root, place: RulePlace): ReadValue | null {
    const found = this.textAt(root, place);
    if (!found) return null;
    const text = place.pattern === undefined ? found.text : this.groupOf(place.pattern, found.text);
    const value = text === null ? null : this.valueOf(text, place.kind);
    return value === null ? null : { ...found, value };
  }

  /** A text as a value of a kind, or null. */
  valueOf(text: string, kind: ValueKind): Scalar | null {
    switch (kind) {
      case "text":
        return text;
      case "term":
        return text.startsWith("http") ? text.replace(/^https?:\/\/(?:\w+\.)?schema\.org\//, "") : null;
      case "date":
        return text.length <= 200 ? (findDate(text, this.page.isDayFirst)?.iso ?? null) : null;
      case "minutes":
        return text.length <= 60 ? readMinutes(text) : null;
      case "boolean":
        if (/^(?:true|yes)$/i.test(text)) return true;
        if (/^(?:false|no)$/i.test(text)) return false;
        return text.length <= 100 ? availabilityOf(text) : null;
      case "number":
        if (/^-?\d+(?:\.\d+)?$/.test(text)) return Number(text);
        return text.length <= 60 ? readAmount(text) : null;
    }
  }

  private textAt(root: Root, place: RulePlace): Omit<ReadValue, "value"> | null {
    const { selector, attribute: name, type, keys } = place;
    if (type !== undefined && keys !== undefined) {
      const entity = this.page.entities.find(({ types }) => types.includes(type));
      const [found] = entity ? valuesAt(entity.properties, keys).flatMap((one) => textsOf(one, entity.element)) : [];
      return entity && found ? { text: found.text, method: entity.method, element: found.element } : null;
    }
    const own = selector === "" && root !== this.root ? (root as Element) : null;
    const element = own ?? this.all(selector ?? "", root)[0];
    if (!element) return null;
    const written = name === undefined ? this.textOf(element) : (attribute(element, name)?.trim() ?? "");
    const text = isUrlName(name) ? (this.page.urls.web(written) ?? "") : written;
    return text === "" ? null : { text, method: element.name === "meta" ? "meta" : "named-element", element };
  }

  private textOf(element: Element): string {
    if (this.looksLeft <= 0) return "";
    const text = this.page.text.of(element, longestText);
    this.looksLeft -= text.length >> 3;
    return text;
  }

  private groupOf(pattern: string, text: string): string | null {
    let compiled = this.patterns.get(pattern);
    if (compiled === undefined) {
      compiled = compiledPattern(pattern);
      this.patterns.set(pattern, compiled);
    }
    if (!compiled || text.length > longestMatched) return null;
    this.looksLeft -= text.length * 8;
    const matcher = compiled.matcher(text);
    return matcher.find() && matcher.groupCount() > 0 ? (matcher.group(1) ?? null) : null;
  }

  /** Without recursion: a page may be as deep as it likes. */
  private measure(root: Root): void {
    const open: { node: Root; next: number; size: Size }[] = [{ node: root, next: 0, size: sizeOf(root) }];
    for (let top = open.at(-1); top; top = open.at(-1)) {
      const child = top.node.children[top.next];
      top.next += 1;
      if (child && isElement(child)) open.push({ node: child, next: 0, size: sizeOf(child) });
      else if (!child) {
        open.pop();
        this.sizes.set(top.node, top.size);
        const above = open.at(-1)?.size;
        if (above) {
          above.elements += top.size.elements;
          above.siblings += top.size.siblings;
        }
      }
    }
  }
}

export function isUrlName(attributeName: string | undefined): boolean {
  return attributeName === "href" || attributeName === "src";
}

function sizeOf({ children }: Root): Size {
  return { elements: 1, siblings: (children.length * children.length) / 2 };
}

function compiledPattern(pattern: string): RE2JS | null {
  try {
    return RE2JS.compile(pattern, RE2JS.DOTALL);
  } catch {
    return null;
  }
}
