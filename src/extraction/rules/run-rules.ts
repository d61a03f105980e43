// Runs an extractor on a page: every value is looked up where a page of its host had it before. No language model takes part.
import type { Document, Element } from "domhandler";
import { RE2JS } from "re2js";
import { attribute, findAll } from "../../content/index.ts";
import type { FindingMethod, Found } from "../findings/finding.ts";
import { define } from "../findings/merge.ts";
import { availabilityOf } from "../lexicon/availability-words.ts";
import { textsOf, valuesAt } from "../page/entities.ts";
import type { ParsedPage } from "../page/page.ts";
import { selectorOf } from "../page/page-text.ts";
import { readAmount } from "../values/numbers.ts";
import type { ExtractorRules, RulePlace, ValueRule } from "./rule.ts";

export interface RuledPage {
  found: Found | null;
  /** Fields that the extractor knows, and those of them that were not where it looked. */
  known: number;
  missed: string[];
}

const maxItems = 1000;
const longestText = 20_000;
const confidence = 0.9;

export function runRules(page: ParsedPage, root: Document, rules: ExtractorRules): RuledPage {
  const fields: Record<string, Found> = {};
  const missed: string[] = [];
  for (const rule of rules.values) {
    const found = foundBy(page, root, rule);
    if (found) put(fields, rule.path, found);
    else missed.push(rule.path.join("."));
  }
  for (const { path, items, fields: inner } of rules.lists) {
    const found = findAll(items, root)
      .slice(0, maxItems)
      .flatMap((element) => itemOf(page, element, inner) ?? []);
    if (found.length > 0) put(fields, path, { kind: "list", items: found });
    else missed.push(path.join("."));
  }
  const isEmpty = Object.keys(fields).length === 0;
  return {
    found: isEmpty ? null : { kind: "object", fields },
    known: rules.values.length + rules.lists.length,
    missed,
  };
}

/** A list of plain values has one rule without a name. */
function itemOf(page: ParsedPage, element: Element, rules: readonly ValueRule[]): Found | null {
  const fields: Record<string, Found> = {};
  for (const rule of rules) {
    const found = foundBy(page, element, rule);
    if (found && rule.path.length === 0) return found;
    if (found) put(fields, rule.path, found);
  }
  return Object.keys(fields).length > 0 ? { kind: "object", fields } : null;
}

function foundBy(page: ParsedPage, root: Document | Element, { kind, places }: ValueRule): Found | null {
  for (const place of places) {
    const read = readPlace(page, root, place);
    const text = read && place.pattern !== undefined ? groupOf(place.pattern, read.text) : (read?.text ?? null);
    const value = text === null ? null : typed(text, kind);
    if (read && value !== null) {
      const at = {
        method: read.method,
        selector: selectorOf(read.element),
        text: read.text.slice(0, 1000),
        confidence,
      };
      return { kind: "value", value, place: at };
    }
  }
  return null;
}

interface ReadText {
  text: string;
  element: Element;
  method: FindingMethod;
}

export function readPlace(page: ParsedPage, root: Document | Element, place: RulePlace): ReadText | null {
  const { selector, attribute: name, type, keys } = place;
  if (type !== undefined && keys !== undefined) {
    const entity = page.entities.find((one) => one.types.includes(type));
    const [found] = entity ? valuesAt(entity.properties, keys).flatMap((one) => textsOf(one, entity.element)) : [];
    return entity && found ? { ...found, method: entity.method } : null;
  }
  const element = selector === "" ? (root as Element) : (findAll(selector ?? "", root)[0] ?? null);
  if (!element) return null;
  const written = name === undefined ? page.text.of(element, longestText) : (attribute(element, name)?.trim() ?? "");
  const isUrl = name === "href" || name === "src";
  const text = isUrl ? (page.urls.web(written) ?? "") : written;
  return text === "" ? null : { text, element, method: name === "content" ? "meta" : "named-element" };
}

export function groupOf(pattern: string, text: string): string | null {
  try {
    const matcher = RE2JS.compile(pattern, RE2JS.DOTALL).matcher(text);
    return matcher.find() ? (matcher.group(1) ?? null) : null;
  } catch {
    return null;
  }
}

export function typed(text: string, kind: ValueRule["kind"]): string | number | boolean | null {
  if (kind === "text") return text;
  if (kind === "boolean")
    return /^(?:true|yes|1)$/i.test(text) ? true : /^(?:false|no|0)$/i.test(text) ? false : availabilityOf(text);
  return /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : readAmount(text);
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
