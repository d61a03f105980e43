// Finds where a page holds a value, as places that can be looked up on other pages of its host: in structured data, meta tags, or
// in elements that can be found again by their names or, failing that, by their position.

import type { Element } from "domhandler";
import { attribute } from "../../html/index.ts";
import { keyOf, wordsOfName } from "../lexicon/names.ts";
import { isProperties, type Properties, textsOf } from "../page/entities.ts";
import { parentOf, selectorOf, selectorStep } from "../page/text-pieces.ts";
import { isUrlName, type Root, type RuleReader, type Scalar } from "./rule-reader.ts";
import type { RulePlace, ValueKind } from "./rule-set.ts";

/** Nothing is learned from elements after these. */
const maxElements = 20_000;
/** Of an element that holds more words than the value. */
const maxWordsAround = 80;
const longestShort = 400;
const maxCandidates = 8;
/** Elements with the same value that are looked at more closely. */
const maxMatches = 100;
const attributes = ["href", "src", "datetime", "content"];

interface Candidate {
  element: Element;
  kind: ValueKind;
  attribute?: string;
  pattern?: string;
}

/** Value -> indexes, in page order, of the elements that hold it. */
type ValueIndex = Map<Scalar, number[]>;

export class PlaceFinder {
  private readonly reader: RuleReader;
  private readonly elements: Element[];
  private readonly texts: string[];
  private readonly depths: number[] = [];
  private readonly order = new Map<Element, number>();
  private readonly byKind = new Map<ValueKind, ValueIndex>();
  private readonly byAttribute: Record<string, ValueIndex> = {};

  constructor(reader: RuleReader) {
    this.reader = reader;
    const { text, urls } = reader.page;
    this.elements = text.elements.slice(0, maxElements);
    this.texts = this.elements.map((element) => text.of(element, longestShort));
    for (const name of attributes) this.byAttribute[name] = new Map();
    for (const [index, element] of this.elements.entries()) {
      const parent = parentOf(element);
      this.order.set(element, index);
      this.depths.push(((parent && this.depths[this.order.get(parent) ?? -1]) ?? 0) + 1);
      for (const name of attributes) {
        const written = attribute(element, name)?.trim();
        const value = written && isUrlName(name) ? urls.web(written) : written;
        if (value) note(this.byAttribute[name], value, index);
      }
    }
  }

  /** The surest first. Each gives the value back. */
  places(value: Scalar, name: string, root: Root, limit: number): RulePlace[] {
    const whole = root === this.reader.root ? [...this.inEntities(value), ...this.inMetas(value)] : [];
    const found: RulePlace[] = [];
    for (const place of whole) if (found.length < limit && this.gives(root, place, value)) found.push(place);
    for (const { element, ...how } of this.candidates(value, name, root)) {
      if (found.length >= limit) break;
      const selector = this.selectorFor(element, root);
      const place = selector === null ? null : { ...how, selector };
      if (place && this.gives(root, place, value)) found.push(place);
    }
    return found;
  }

  gives(root: Root, place: RulePlace, value: Scalar): boolean {
    return isSame(this.reader.read(root, place)?.value ?? null, value);
  }

  /** Elements below a root that hold a value: those named like its field first, then in the order of the page. */
  candidates(value: Scalar, name: string, root: Root): Candidate[] {
    const [from, to] = this.rangeOf(root);
    const within = (index: ValueIndex | undefined) => between(index?.get(plain(value)) ?? [], from, to);
    const exact: Candidate[] = [];
    for (const kind of kindsOf(value)) {
      for (const place of within(this.indexOf(kind))) exact.push({ element: this.elements[place] as Element, kind });
    }
    for (const own of attributes) {
      for (const place of within(this.byAttribute[own]))
        exact.push({ element: this.elements[place] as Element, kind: "text", attribute: own });
    }
    if (exact.length === 0 && typeof value === "string") return this.looseCandidates(plain(value), from, to);
    const words = wordsOfName(name);
    const named = exact.filter(({ element }) => this.hasName(element, words));
    return [...named, ...exact.filter((one) => !named.includes(one))].slice(0, maxCandidates);
  }

  /** Elements with words around the value, and those that hold a long text. */
  private looseCandidates(value: string, from: number, to: number): Candidate[] {
    const found: Candidate[] = [];
    for (let place = from; place < to && found.length < maxCandidates; place += 1) {
      const text = this.texts[place] ?? "";
      const element = this.elements[place] as Element;
      if (text.length >= longestShort) {
        const isStart = value.length >= longestShort && text.startsWith(value.slice(0, 50));
        if (isStart && this.reader.page.text.of(element, value.length + 1) === value)
          found.push({ element, kind: "text" });
        continue;
      }
      const pattern = patternAround(text, value);
      if (pattern !== null) found.push({ element, kind: "text", pattern });
    }
    return found;
  }

  /** Selectors below a root that an item shares with those beside it. */
  repeatedNames(item: Element, root: Root): string[] {
    const parent = parentOf(item);
    const own = namesOf(item).filter((name) => !name.startsWith("#"));
    const below = parent ? namesOf(parent).map((name) => `${name} > ${item.name}`) : [];
    const isRow = parent !== null && /^(?:ul|ol|dl|tbody|table)$/.test(parent.name);
    const above = isRow && (root === this.reader.root ? selectorOf(parent) : parent.name);
    return [...own, ...below, ...(above ? [`${above} > ${item.name}`] : [])];
  }

  private rangeOf(root: Root): [from: number, to: number] {
    const at = root === this.reader.root ? undefined : this.order.get(root as Element);
    if (at === undefined) return root === this.reader.root ? [0, this.elements.length] : [0, 0];
    let to = at + 1;
    while (to < this.elements.length && (this.depths[to] ?? 0) > (this.depths[at] ?? 0)) to += 1;
    return [at, to];
  }

  /** What the texts of the elements are as values of a kind. */
  private indexOf(kind: ValueKind): ValueIndex {
    const known = this.byKind.get(kind);
    if (known) return known;
    const index: ValueIndex = new Map();
    for (const [place, text] of this.texts.entries()) {
      if (text === "" || text.length >= longestShort) continue;
      const value = kind === "text" || isTelling(text, kind) ? this.reader.valueOf(text, kind) : null;
      if (value !== null) note(index, value, place);
    }
    this.byKind.set(kind, index);
    return index;
  }

  private inEntities(value: Scalar): RulePlace[] {
    const places: RulePlace[] = [];
    for (const { types, properties, element } of this.reader.page.entities.slice(0, 50)) {
      const [type] = types;
      if (!type || places.length >= 2) continue;
      const visit = (own: Properties, above: string[]): void => {
        for (const [name, below] of Object.entries(own).slice(0, 100)) {
          if (name.startsWith("@") || places.length >= 2) continue;
          const keys = [...above, keyOf(name)];
          const [first] = [below].flat();
          const text = textsOf(below, element)[0]?.text;
          const kind =
            text === undefined
              ? undefined
              : kindsOf(value).find((each) => isSame(this.reader.valueOf(text, each), value));
          if (kind) places.push({ kind, type, keys });
          else if (isProperties(first) && keys.length < 4) visit(first, keys);
        }
      };
      visit(properties, []);
    }
    return places;
  }

  private inMetas(value: Scalar): RulePlace[] {
    const metas = this.reader.all("meta[content]", this.reader.root).slice(0, 300);
    return metas
      .flatMap((meta): RulePlace[] => {
        const content = attribute(meta, "content")?.trim() ?? "";
        const kind = kindsOf(value).find((each) => isSame(this.reader.valueOf(content, each), value));
        const name = ["property", "name", "itemprop"].find((each) => attribute(meta, each) !== undefined) ?? "name";
        const named = attribute(meta, name) ?? "";
        return kind && isPlainName(named) ? [{ kind, selector: `meta[${name}="${named}"]`, attribute: "content" }] : [];
      })
      .slice(0, 1);
  }

  /** By its names where they find it alone; else by its position. */
  private selectorFor(element: Element, root: Root): string | null {
    if (element === root) return "";
    const parent = parentOf(element);
    const above = parent && parent !== root ? namesOf(parent).map((name) => `${name} > ${element.name}`) : [];
    const inItem = root === this.reader.root ? [selectorOf(element)] : [element.name, selectorStep(element)];
    const all = [...namesOf(element), ...above, ...inItem];
    return all.find((selector) => this.reader.all(selector, root)[0] === element) ?? null;
  }

  private hasName(element: Element, words: readonly string[]): boolean {
    return this.reader.page.text.namesOf(element).some((name) => words.some((word) => name.includes(word)));
  }
}

function namesOf(element: Element): string[] {
  const classes = (attribute(element, "class") ?? "").split(/\s+/).filter((name) => /^[A-Za-z][\w-]{1,60}$/.test(name));
  const marks = ["itemprop", "data-testid", "data-test", "data-qa", "data-field"].flatMap((name) => {
    const value = attribute(element, name) ?? "";
    return isPlainName(value) ? [`[${name}="${value}"]`] : [];
  });
  const id = attribute(element, "id") ?? "";
  return [
    ...marks,
    // An id with a long number in it belongs to one page.
    ...(/^[A-Za-z][\w-]{1,60}$/.test(id) && !/\d{3}/.test(id) ? [`#${id}`] : []),
    ...classes.slice(0, 4).map((name) => `${element.name}.${name}`),
    ...(element.name === "h1" ? ["h1"] : []),
  ];
}

function isPlainName(name: string): boolean {
  return /^[\w:.-]{1,80}$/.test(name);
}

function kindsOf(value: Scalar): readonly ValueKind[] {
  if (typeof value === "boolean") return ["boolean"];
  if (typeof value === "number") return ["number", "minutes"];
  return /^\d{4}(?:-\d\d){0,2}$/.test(value) ? ["text", "date"] : ["text", "term"];
}

/** Whether a text is little more than the value: a number or a day within a sentence is seldom the right one. */
function isTelling(text: string, kind: ValueKind): boolean {
  return kind === "number" ? /^\D{0,20}\d[\d.,'’\s\u00a0\u202f]*\D{0,20}$/.test(text) : text.length <= 60;
}

function note(index: ValueIndex | undefined, value: Scalar, place: number): void {
  const places = index?.get(plain(value));
  if (places) places.push(place);
  else index?.set(plain(value), [place]);
}

/** The first ones of a range. */
function between(places: readonly number[], from: number, to: number): number[] {
  let low = 0;
  for (let high = places.length; low < high; ) {
    const middle = (low + high) >> 1;
    if ((places[middle] ?? 0) < from) low = middle + 1;
    else high = middle;
  }
  const found: number[] = [];
  for (let at = low; at < places.length && found.length < maxMatches; at += 1) {
    const place = places[at] ?? to;
    if (place >= to) break;
    found.push(place);
  }
  return found;
}

function isSame(read: Scalar | null, value: Scalar): boolean {
  return read === value || (read !== null && plain(read) === plain(value));
}

function plain<Value extends Scalar>(value: Value): Value {
  return typeof value === "string" ? (value.replace(/\s+/g, " ").trim() as Value) : value;
}

/** Null where the text does not hold the value, or too much beside it. Numbers around it may differ from page to page. */
function patternAround(text: string, value: string): string | null {
  if (value.length < 2 || text.length > value.length + maxWordsAround) return null;
  const at = text.indexOf(value);
  if (at < 0) return null;
  return `^${quoted(text.slice(0, at))}(.+?)${quoted(text.slice(at + value.length))}$`;
}

function quoted(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&").replace(/\d+/g, "\\d+");
}
