// Learns rules from the data of one page. A place is kept only when reading it gives the value back.
import type { Element } from "domhandler";
import { parentOf } from "../page/text-pieces.ts";
import { PlaceFinder } from "./place-finder.ts";
import type { Root, RuleReader, Scalar } from "./rule-reader.ts";
import {
  type ListRule,
  maxListDepth,
  maxRulesLength,
  type RulePlace,
  type RuleSet,
  type SiteRuleSet,
  type ValueRule,
} from "./rule-set.ts";

const maxValues = 200;
const maxLists = 20;
const maxPlaces = 4;
const maxDepth = 6;
/** Items of a list that a rule is learned from, and those that it is tried with. */
const maxSamples = 20;
/** How much of a list must come back, and how many of its items must have a value where others have it. */
const leastCovered = 0.8;
const leastAgreeing = 0.6;

interface Leaf {
  path: string[];
  value: Scalar;
}

/** `before`: rules of the host so far; their places stay as further ones. */
export function learnFromData(reader: RuleReader, data: unknown, before: SiteRuleSet | null): SiteRuleSet {
  const learner = new Learner(reader);
  const now = Array.isArray(data) ? learner.whole(data) : learner.set(data, reader.root, maxListDepth);
  const rules: SiteRuleSet = { version: 1, ...joined(now, before ?? { values: [], lists: [] }) };
  while (JSON.stringify(rules).length > maxRulesLength) {
    if (rules.lists.length > 0) rules.lists.pop();
    else rules.values.length >>= 1;
  }
  return rules;
}

function joined(now: RuleSet, before: RuleSet): RuleSet {
  const keyOf = ({ path }: { path: string[] }) => JSON.stringify(path);
  const values = new Map(before.values.map((rule) => [keyOf(rule), rule]));
  for (const rule of now.values) {
    const all = [...rule.places, ...(values.get(keyOf(rule))?.places ?? [])].map((place) => JSON.stringify(place));
    const places = [...new Set(all)].slice(0, maxPlaces * 2).map((place) => JSON.parse(place) as RulePlace);
    values.set(keyOf(rule), { ...rule, places });
  }
  const lists = new Map([...now.lists, ...before.lists].map((rule) => [`${keyOf(rule)} ${rule.items}`, rule]));
  return { values: [...values.values()].slice(0, maxValues), lists: [...lists.values()].slice(0, maxLists) };
}

class Learner {
  private readonly reader: RuleReader;
  private readonly finder: PlaceFinder;

  constructor(reader: RuleReader) {
    this.reader = reader;
    this.finder = new PlaceFinder(reader);
  }

  whole(data: readonly unknown[]): RuleSet {
    const list = this.list(data, [], this.reader.root, maxListDepth);
    return { values: [], lists: list ? [list] : [] };
  }

  set(data: unknown, root: Root, depth: number): RuleSet {
    const { leaves, lists } = partsOf(data);
    const values = leaves.slice(0, maxValues).flatMap(({ path, value }): ValueRule[] => {
      const places = this.finder.places(value, path.at(-1) ?? "", root, maxPlaces);
      return places.length > 0 ? [{ path, places }] : [];
    });
    const found = lists.slice(0, maxLists).map(({ path, items }) => this.list(items, path, root, depth));
    return { values, lists: found.filter((rule) => rule !== null) };
  }

  /** Items that look alike: the same names, one item each. */
  private list(data: readonly unknown[], path: string[], root: Root, depth: number): ListRule | null {
    if (depth === 0 || data.length === 0) return null;
    const rows = data.slice(0, maxSamples).map((item) => partsOf(item));
    let best: ListRule | null = null;
    for (const sample of samplesOf(rows[0]?.leaves ?? [])) {
      const name = sample.path.at(-1) ?? path.at(-1) ?? "";
      const holders = this.finder.candidates(sample.value, name, root).slice(0, 6);
      for (const { element } of holders) {
        let item: Element | null = element;
        for (let steps = 0; item && item !== root && steps < 6; steps += 1) {
          const rule = this.listOf(item, { rows, count: data.length, sample, path, root, depth });
          if (rule && sizeOf(rule.of) > (best ? sizeOf(best.of) : 0)) best = rule;
          item = parentOf(item);
        }
        if (best && isWhole(best, rows)) return best;
      }
    }
    return best;
  }

  private listOf(item: Element, asked: AskedList): ListRule | null {
    const { count, sample, root, path, depth } = asked;
    for (const items of this.finder.repeatedNames(item, root)) {
      const all = this.reader.all(items, root);
      if (!all.includes(item) || all.length < count * leastCovered || all.length > count * 2 + 2) continue;
      for (const place of this.finder.places(sample.value, sample.path.at(-1) ?? "", item, maxPlaces)) {
        const pairs = this.aligned(all, place, asked);
        if (pairs.length < asked.rows.length * leastCovered) continue;
        const of = this.itemRules(pairs, depth);
        if (of) return { path, items, of };
      }
    }
    return null;
  }

  /** Each item of the data with the element that has its sample value. */
  private aligned(all: readonly Element[], place: RulePlace, { rows, sample }: AskedList): Pair[] {
    const key = JSON.stringify(sample.path);
    const free = new Set(all);
    return rows.flatMap((parts): Pair[] => {
      const own = parts.leaves.find(({ path }) => JSON.stringify(path) === key);
      const element = own && [...free].find((each) => this.finder.gives(each, place, own.value));
      if (element) free.delete(element);
      return element ? [{ element, parts }] : [];
    });
  }

  /** Null when less than half of what the items have was found again. */
  private itemRules(pairs: readonly Pair[], depth: number): RuleSet | null {
    const byPath = new Map<string, { element: Element; leaf: Leaf }[]>();
    for (const { element, parts } of pairs) {
      for (const leaf of parts.leaves) {
        const key = JSON.stringify(leaf.path);
        byPath.set(key, [...(byPath.get(key) ?? []), { element, leaf }]);
      }
    }
    const values = [...byPath.values()].flatMap((held): ValueRule[] => {
      const [first] = held;
      if (!first) return [];
      const { path, value } = first.leaf;
      const places = this.finder
        .places(value, path.at(-1) ?? "", first.element, maxPlaces * 2)
        .map((place) => ({ place, right: held.filter((one) => this.isRight(one, place)).length / held.length }))
        .filter(({ right }) => right >= leastAgreeing)
        .sort((one, other) => other.right - one.right)
        .map(({ place }) => place);
      return places.length > 0 ? [{ path, places: places.slice(0, maxPlaces) }] : [];
    });
    if (values.length === 0 || values.length * 2 < byPath.size) return null;
    const inner = pairs.find(({ parts }) => parts.lists.length > 0);
    const lists = (inner?.parts.lists ?? []).map(({ path, items }) =>
      this.list(items, path, inner?.element as Element, depth - 1),
    );
    return { values, lists: lists.filter((rule) => rule !== null) };
  }

  private isRight({ element, leaf }: { element: Element; leaf: Leaf }, place: RulePlace): boolean {
    return this.finder.gives(element, place, leaf.value);
  }
}

interface Parts {
  leaves: Leaf[];
  lists: { path: string[]; items: unknown[] }[];
}

interface Pair {
  element: Element;
  parts: Parts;
}

interface AskedList {
  rows: Parts[];
  /** Items of the whole list. */
  count: number;
  sample: Leaf;
  path: string[];
  root: Root;
  depth: number;
}

/** The plain values of an object, and its lists, under their paths. A plain value is a leaf without a path. */
function partsOf(data: unknown): Parts {
  const parts: Parts = { leaves: [], lists: [] };
  const visit = (value: unknown, path: string[]): void => {
    if (isScalar(value)) parts.leaves.push({ path, value });
    else if (Array.isArray(value)) parts.lists.push({ path, items: value });
    else if (typeof value === "object" && value !== null && path.length < maxDepth)
      for (const [name, below] of Object.entries(value)) visit(below, [...path, name]);
  };
  visit(data, []);
  return parts;
}

function sizeOf({ values, lists }: RuleSet): number {
  return values.length + lists.length;
}

/** Whether a rule knows everything that the items have. */
function isWhole({ of }: ListRule, rows: readonly Parts[]): boolean {
  const paths = rows.flatMap(({ leaves, lists }) => [...leaves, ...lists].map(({ path }) => JSON.stringify(path)));
  return sizeOf(of) >= new Set(paths).size;
}

/** Values that distinguish an item from others: texts before numbers. */
function samplesOf(leaves: readonly Leaf[]): Leaf[] {
  const texts = leaves.filter(({ value }) => typeof value === "string");
  const numbers = leaves.filter(({ value }) => typeof value === "number");
  return [...texts, ...numbers].slice(0, 3);
}

function isScalar(value: unknown): value is Scalar {
  return (typeof value === "string" && value !== "") || typeof value === "number" || typeof value === "boolean";
}
