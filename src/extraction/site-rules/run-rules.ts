// Fills a schema by rules alone: every value is looked up where a page of its host had it before.
import type { Found } from "../findings/finding.ts";
import { define } from "../findings/merge.ts";
import type { Root, RuleReader } from "./rule-reader.ts";
import type { ListRule, RuleSet, ValueRule } from "./rule-set.ts";

export interface RuledPage {
  found: Found | null;
  /** Fields that the rules know. */
  known: number;
  /** Those of them that were not at their places. */
  missed: number;
}

const maxItems = 1000;
/** Of a value at a learned place. */
const confidence = 0.9;

export function runRules(reader: RuleReader, rules: RuleSet): RuledPage {
  const wholes = rules.lists.filter(({ path }) => path.length === 0);
  if (wholes.length > 0) {
    const found = firstOf(wholes, (rule) => listOf(reader, reader.root, rule));
    return { found, known: 1, missed: found ? 0 : 1 };
  }
  const { fields, known, missed } = fieldsOf(reader, reader.root, rules);
  return { found: isEmpty(fields) ? null : { kind: "object", fields }, known, missed };
}

function fieldsOf(reader: RuleReader, root: Root, { values, lists }: RuleSet) {
  const fields: Record<string, Found> = {};
  let known = 0;
  let missed = 0;
  const keep = (path: readonly string[], found: Found | null) => {
    known += 1;
    if (found) put(fields, path, found);
    else missed += 1;
  };
  for (const rule of values) keep(rule.path, ruledValue(reader, root, rule));
  // Pages of a host may list the same things in several ways.
  for (const [first, ...others] of byPath(lists)) {
    keep(
      first.path,
      firstOf([first, ...others], (rule) => listOf(reader, root, rule)),
    );
  }
  return { fields, known, missed };
}

function byPath(lists: readonly ListRule[]): [ListRule, ...ListRule[]][] {
  const groups = new Map<string, [ListRule, ...ListRule[]]>();
  for (const rule of lists) {
    const key = JSON.stringify(rule.path);
    const group = groups.get(key);
    if (group) group.push(rule);
    else groups.set(key, [rule]);
  }
  return [...groups.values()];
}

function firstOf<Item>(items: readonly Item[], find: (item: Item) => Found | null): Found | null {
  for (const item of items) {
    const found = find(item);
    if (found) return found;
  }
  return null;
}

function listOf(reader: RuleReader, root: Root, { items, of }: ListRule): Found | null {
  const [only] = of.values;
  const found = reader
    .all(items, root)
    .slice(0, maxItems)
    .flatMap((element): Found[] => {
      if (only?.path.length === 0) return [ruledValue(reader, element, only)].filter((value) => value !== null);
      const { fields } = fieldsOf(reader, element, of);
      return isEmpty(fields) ? [] : [{ kind: "object", fields }];
    });
  return found.length > 0 ? { kind: "list", items: found } : null;
}

function ruledValue(reader: RuleReader, root: Root, { places }: ValueRule): Found | null {
  const read = reader.first(root, places);
  if (!read) return null;
  const { value, text, method, place } = read;
  const at = { method, selector: place.selector ?? "", text: text.slice(0, 1000), confidence };
  return { kind: "value", value, place: at };
}

function isEmpty(fields: Record<string, Found>): boolean {
  return Object.keys(fields).length === 0;
}

function put(fields: Record<string, Found>, path: readonly string[], found: Found): void {
  const [name = "", ...rest] = path;
  if (rest.length === 0) {
    define(fields, name, found);
    return;
  }
  const before = Object.hasOwn(fields, name) ? fields[name] : undefined;
  const holder = before?.kind === "object" ? before : { kind: "object" as const, fields: {} };
  define(fields, name, holder);
  put(holder.fields, rest, found);
}
