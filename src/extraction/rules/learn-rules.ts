// Learns from the data of one page where a host keeps each field: in its structured data, its meta tags, or in elements that can be
// found again by their names. A place is kept only when reading it gives the value back.
import type { Document, Element } from "domhandler";
import { attribute, findAll } from "../../content/index.ts";
import { keyOf } from "../lexicon/names.ts";
import { isProperties, type Properties, textsOf } from "../page/entities.ts";
import type { ParsedPage } from "../page/page.ts";
import { parentOf, selectorOf } from "../page/page-text.ts";
import type { ExtractorRules, ListRule, RulePlace, ValueRule } from "./rule.ts";
import { groupOf, readPlace, typed } from "./run-rules.ts";

const maxValues = 200;
const maxPlaces = 4;
const longestHolder = 300;
const maxDepth = 6;

type Scalar = string | number | boolean;

/** `before`: what is known of the host already; its places stay as further ones. */
export function learnRules(
  page: ParsedPage,
  root: Document,
  data: unknown,
  before: ExtractorRules | null,
): ExtractorRules {
  const learner = new Learner(page, root);
  learner.visit(data, []);
  return {
    version: 1,
    values: joined(learner.values, before?.values ?? []),
    lists: listsOf(learner.lists, before?.lists ?? []),
  };
}

function joined(now: readonly ValueRule[], before: readonly ValueRule[]): ValueRule[] {
  const key = ({ path }: ValueRule) => JSON.stringify(path);
  const rules = new Map(before.map((rule) => [key(rule), rule]));
  for (const rule of now) {
    const old = rules.get(key(rule))?.places ?? [];
    const all = [...rule.places, ...old].map((place) => JSON.stringify(place));
    const places = [...new Set(all)].slice(0, maxPlaces * 2).map((place) => JSON.parse(place) as RulePlace);
    rules.set(key(rule), { ...rule, places });
  }
  return [...rules.values()].slice(0, maxValues);
}

function listsOf(now: readonly ListRule[], before: readonly ListRule[]): ListRule[] {
  const key = ({ path }: ListRule) => JSON.stringify(path);
  return [...new Map([...before, ...now].map((rule) => [key(rule), rule])).values()].slice(0, 50);
}

class Learner {
  readonly values: ValueRule[] = [];
  readonly lists: ListRule[] = [];
  private readonly page: ParsedPage;
  private readonly root: Document;

  constructor(page: ParsedPage, root: Document) {
    this.page = page;
    this.root = root;
  }

  visit(data: unknown, path: string[]): void {
    if (path.length > maxDepth || this.values.length >= maxValues) return;
    if (Array.isArray(data)) {
      const rule = this.list(data, path);
      if (rule) this.lists.push(rule);
    } else if (typeof data === "object" && data !== null) {
      for (const [name, below] of Object.entries(data)) this.visit(below, [...path, name]);
    } else if (isScalar(data)) {
      const places = this.placesOf(data);
      if (places.length > 0) this.values.push({ path, kind: kindOf(data), places });
    }
  }

  private placesOf(value: Scalar): RulePlace[] {
    const candidates = [...this.inEntities(value), ...this.inMetas(value), ...this.inElements(value, this.root)];
    return candidates.filter((place) => this.gives(this.root, place, value)).slice(0, maxPlaces);
  }

  private gives(root: Document | Element, place: RulePlace, value: Scalar): boolean {
    const read = readPlace(this.page, root, place);
    const text = read && place.pattern !== undefined ? groupOf(place.pattern, read.text) : (read?.text ?? null);
    return text !== null && isSame(typed(text, kindOf(value)), value);
  }

  private inEntities(value: Scalar): RulePlace[] {
    const places: RulePlace[] = [];
    for (const { types, properties, element } of this.page.entities.slice(0, 50)) {
      const [type] = types;
      if (type === undefined || type === "" || places.length >= 2) continue;
      const visit = (own: Properties, keys: string[]): void => {
        for (const [name, below] of Object.entries(own).slice(0, 100)) {
          if (name.startsWith("@") || places.length >= 2) continue;
          const here = [...keys, keyOf(name)];
          const [first] = [below].flat();
          const text = textsOf(below, element)[0]?.text;
          if (text !== undefined && isSame(typed(text, kindOf(value)), value)) places.push({ type, keys: here });
          else if (isProperties(first) && here.length < 4) visit(first, here);
        }
      };
      visit(properties, []);
    }
    return places;
  }

  private inMetas(value: Scalar): RulePlace[] {
    return findAll("meta[property][content], meta[name][content], meta[itemprop][content]", this.root)
      .filter((meta) => isSame(typed(attribute(meta, "content")?.trim() ?? "", kindOf(value)), value))
      .flatMap((meta) => {
        const name = ["property", "name", "itemprop"].find((each) => attribute(meta, each) !== undefined) ?? "name";
        const named = attribute(meta, name) ?? "";
        return /^[\w:.-]{1,80}$/.test(named) ? [{ selector: `meta[${name}="${named}"]`, attribute: "content" }] : [];
      })
      .slice(0, 1);
  }

  /** Elements that hold just the value, or the value with words around it. */
  private inElements(value: Scalar, root: Document | Element): RulePlace[] {
    const exact: RulePlace[] = [];
    const around: RulePlace[] = [];
    const wanted = String(value);
    const elements = root === this.root ? this.page.text.elements : [root as Element, ...this.below(root as Element)];
    for (const element of elements) {
      if (exact.length >= maxPlaces) break;
      for (const name of ["href", "src", "datetime", "content"]) {
        const written = attribute(element, name);
        if (typeof value !== "string" || written === undefined) continue;
        const shown = name === "href" || name === "src" ? this.page.urls.web(written) : written.trim();
        if (shown === value)
          exact.push(...this.selectorsOf(element, root).map((selector) => ({ selector, attribute: name })));
      }
      const text = this.page.text.of(element, longestHolder + 1);
      if (text === "" || text.length > Math.max(longestHolder, wanted.length)) continue;
      const isWhole = text.length < 60 || typeof value === "string" ? isSame(typed(text, kindOf(value)), value) : false;
      if (isWhole) exact.push(...this.selectorsOf(element, root).map((selector) => ({ selector })));
      else if (typeof value === "string" && value.length > 1 && around.length < 2) {
        const at = text.indexOf(value);
        if (at < 0 || text.length > value.length + 80) continue;
        const pattern = `^${quoted(text.slice(0, at))}(.+?)${quoted(text.slice(at + value.length))}$`;
        around.push(...this.selectorsOf(element, root).map((selector) => ({ selector, pattern })));
      }
    }
    return [...exact, ...around];
  }

  private below(root: Element): Element[] {
    return findAll("*", root).slice(0, 300);
  }

  /** By its names where they find it alone; else by its place in the page. */
  private selectorsOf(element: Element, root: Document | Element): string[] {
    if (element === root) return [""];
    const own = namesOf(element);
    const parent = parentOf(element);
    const above = parent && parent !== root ? namesOf(parent).map((name) => `${name} > ${element.name}`) : [];
    const named = [...own, ...above].find((selector) => findAll(selector, root)[0] === element);
    if (named) return [named];
    return root === this.root ? [selectorOf(element)] : [];
  }

  /** Items that look alike: the same names, one item each. */
  private list(data: readonly unknown[], path: string[]): ListRule | null {
    const first = data[0];
    const sample = typeof first === "object" && first !== null ? Object.values(first).find(isScalar) : first;
    if (!isScalar(sample)) return null;
    for (const { selector } of this.inElements(sample, this.root)) {
      const [element] = findAll(selector ?? "", this.root);
      for (
        let place: Element | null = element ?? null, steps = 0;
        place && steps < 5;
        place = parentOf(place), steps += 1
      ) {
        const rule = this.listOf(place, first, data.length, path);
        if (rule) return rule;
      }
    }
    return null;
  }

  private listOf(item: Element, first: unknown, count: number, path: string[]): ListRule | null {
    for (const items of repeatedNames(item)) {
      const all = findAll(items, this.root);
      if (all.length !== count || all[0] !== item || (count === 1 && item.name === "body")) continue;
      const entries: [string[], unknown][] =
        typeof first === "object" && first !== null
          ? Object.entries(first).map(([name, value]) => [[name], value])
          : [[[], first]];
      const fields = entries.flatMap(([name, value]): ValueRule[] => {
        if (!isScalar(value)) return [];
        const places = this.inElements(value, item).filter((place) => this.gives(item, place, value));
        return places.length > 0 ? [{ path: name, kind: kindOf(value), places: places.slice(0, maxPlaces) }] : [];
      });
      const wanted = entries.filter(([, value]) => isScalar(value)).length;
      if (fields.length > 0 && fields.length * 2 >= wanted) return { path, items, fields };
    }
    return null;
  }
}

function namesOf(element: Element): string[] {
  const classes = (attribute(element, "class") ?? "").split(/\s+/).filter((name) => /^[A-Za-z][\w-]{1,60}$/.test(name));
  const marks = ["itemprop", "data-testid", "data-test", "data-qa", "data-field"].flatMap((name) => {
    const value = attribute(element, name) ?? "";
    return /^[\w:.-]{1,80}$/.test(value) ? [`[${name}="${value}"]`] : [];
  });
  const id = attribute(element, "id") ?? "";
  return [
    ...marks,
    ...(/^[A-Za-z][\w-]{1,60}$/.test(id) && !/\d{3}/.test(id) ? [`#${id}`] : []),
    ...classes.slice(0, 4).map((name) => `${element.name}.${name}`),
    ...(element.name === "h1" ? ["h1"] : []),
  ];
}

/** Selectors that an item shares with those beside it. */
function repeatedNames(item: Element): string[] {
  const parent = parentOf(item);
  const own = namesOf(item).filter((name) => !name.startsWith("#"));
  const below = parent ? namesOf(parent).map((name) => `${name} > ${item.name}`) : [];
  const rows = parent && /^(?:ul|ol|tbody|table)$/.test(parent.name) ? [`${selectorOf(parent)} > ${item.name}`] : [];
  return [...own, ...below, ...rows];
}

function isScalar(value: unknown): value is Scalar {
  return (typeof value === "string" && value !== "") || typeof value === "number" || typeof value === "boolean";
}

function kindOf(value: Scalar): ValueRule["kind"] {
  return typeof value === "string" ? "text" : typeof value === "number" ? "number" : "boolean";
}

function isSame(read: Scalar | null, value: Scalar): boolean {
  return typeof read === "string" && typeof value === "string"
    ? read.replace(/\s+/g, " ").trim() === value.replace(/\s+/g, " ").trim()
    : read === value;
}

function quoted(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&").replace(/\d+/g, "\\d+");
}
