// Style sheets -> their rules, nested ones and those of conditions that hold among them. Bounded in length, number and depth. Only
// the positions of declarations are noted: most rules need no more.
import {
  bitsAt,
  type Declaration,
  endOfBlock,
  foundSize,
  readFound,
  scanDeclarations,
  splitOutside,
  withoutComments,
} from "./declarations.ts";
import { whenOf } from "./style-conditions.ts";

/** Puts the values of variables in their places. */
export type Replace = (value: string) => string;

export interface WrittenRule {
  selectors: string;
  /** Place among the rules of a page. */
  order: number;
  /** Holds in a window of another width: it shows what belongs to the page. */
  isElsewhere: boolean;
  /** The order of its cascade layer; null when it has none. */
  layer: number | null;
  /** What it sets. */
  bits: number;
  /** The conditions of the containers around it, one a line. */
  container: string;
  /** A variable in it may have another value at each element. */
  usesVariables: boolean;
  /** The sheet, and what was found in it: the rule's own part of that. */
  text: string;
  found: readonly number[];
  from: number;
  to: number;
}

/** Variables that are not set for the whole page, and containers. */
export interface WrittenSetting {
  selectors: string;
  body: string;
  order: number;
}

export interface WrittenRules {
  rules: WrittenRule[];
  replace: Replace;
  settings: WrittenSetting[];
  frozen: Frozen;
}

/** Whether an animation leaves its element hidden. */
export type Frozen = (animation: string) => boolean;

/** Of all sheets of a page together. */
const maxLength = 400_000;
const maxRules = 8000;
const maxDepth = 5;
const longestPrelude = 4000;
const maxVariables = 1000;
const maxNestedSelectors = 60;
const maxLayers = 900;

interface Reading {
  text: string;
  found: number[];
  rules: WrittenRule[];
  /** The bodies of rules that hold for the whole page: variables are set there. */
  wholeBodies: string[];
  /** The names of cascade layers in their order. */
  layers: Map<string, number>;
  settings: WrittenSetting[];
  /** Animations in which every frame hides, and in which the last one does. */
  frozen: Map<string, "always" | "end">;
  /** Whether its text sets variables or makes containers anywhere. */
  hasSettings: boolean;
}

/** Where rules are: what the blocks around them say. */
interface Context {
  depth: number;
  isElsewhere: boolean;
  /** The full name of the cascade layer, or null. */
  layer: string | null;
  /** Selectors of the rule around nested ones. */
  parent: string | null;
  /** The conditions of containers around them, one a line. */
  container: string;
  /** What is added to selectors: they hold within a part of the page. */
  within: string;
}

export function readRules(sheets: readonly string[]): WrittenRules {
  const reading: Reading = {
    text: "",
    found: [],
    rules: [],
    wholeBodies: [],
    layers: new Map(),
    settings: [],
    frozen: new Map(),
    hasSettings: false,
  };
  const context: Context = { depth: 0, isElsewhere: false, layer: null, parent: null, container: "", within: "" };
  let left = maxLength;
  for (const sheet of sheets) {
    if (left <= 0 || reading.rules.length >= maxRules) break;
    reading.text = withoutComments(sheet.length > left ? sheet.slice(0, left) : sheet).replace(/<!--|-->/g, " ");
    left -= sheet.length;
    reading.hasSettings = settingPart.test(reading.text);
    addRules(reading, 0, reading.text.length, context);
  }
  const places = placesOfLayers([...reading.layers.keys()]);
  for (const rule of reading.rules) if (rule.layer !== null) rule.layer = places[rule.layer] ?? rule.layer;
  return {
    rules: reading.rules,
    replace: replacer(reading.wholeBodies),
    settings: reading.settings,
    frozen: frozenBy(reading.frozen),
  };
}

const settingPart = /--[\w-]+\s*:|container(?:-(?:type|name))?\s*:/;
const maxSettings = 400;
const isWhole = /^(?::root|html|body|\*)\s*(?:,|$)/i;

function addRules(reading: Reading, start: number, end: number, context: Context): void {
  const { text, rules } = reading;
  let at = start;
  while (at < end && rules.length < maxRules) {
    const open = text.indexOf("{", at);
    const to = open === -1 || open >= end ? end : open;
    const prelude = preludeOf(text, at, to, reading, context);
    if (to === end) return;
    at = addBlock(reading, prelude, open, end, context) + 1;
  }
}

/** The rules of one block; returns where it ends. */
function addBlock(reading: Reading, prelude: string, open: number, end: number, context: Context): number {
  const { text } = reading;
  if (!prelude.startsWith("@")) return addRule(reading, prelude, open, end, context);
  const close = endOfBlock(text, open, end);
  const [, animation] = /^@(?:-webkit-)?keyframes\s+["']?([\w-]+)/i.exec(prelude) ?? [];
  if (animation !== undefined) noteFrames(animation, text.slice(open + 1, close), reading.frozen);
  const when = context.depth < maxDepth ? whenOf(prelude) : "never";
  if (when === "never") return close;
  const inner = {
    ...context,
    depth: context.depth + 1,
    isElsewhere: context.isElsewhere || when === "elsewhere",
    layer: layerOf(prelude, reading, context),
    container: withContainer(context.container, prelude),
    within: context.within + withinOf(prelude),
  };
  if (inner.parent === null) addRules(reading, open + 1, close, inner);
  else addRule(reading, "&", open, close + 1, inner);
  return close;
}

const hidingFrame = /(?:opacity\s*:\s*0(?:\.0+)?%?|visibility\s*:\s*hidden|display\s*:\s*none)\s*(?:[;!]|$)/i;
const maxFrozen = 50;

function noteFrames(name: string, body: string, frozen: Map<string, "always" | "end">): void {
  const frames = [...body.matchAll(/([^{}]+)\{([^{}]*)\}/g)];
  const hiding = frames.filter(([, , declared = ""]) => hidingFrame.test(declared.trim()));
  const starts = (at: RegExp) => hiding.some(([, places = ""]) => at.test(places));
  const hasEnd = starts(/(?:^|[\s,])(?:to|100%)(?=$|[\s,])/i);
  if (!hasEnd || frozen.size >= maxFrozen) return;
  const isAlways = hiding.length === frames.length && starts(/(?:^|[\s,])(?:from|0%)(?=$|[\s,])/i);
  frozen.set(name, isAlways ? "always" : "end");
}

function frozenBy(frozen: ReadonlyMap<string, "always" | "end">): Frozen {
  return (animation) => {
    if (frozen.size === 0) return false;
    const how = animation
      .split(/[\s,]+/)
      .map((word) => frozen.get(word))
      .find((each) => each !== undefined);
    const stays = /\b(?:forwards|both)\b/i.test(animation);
    return (
      how !== undefined &&
      (how === "always"
        ? stays || /\b(?:infinite|paused)\b/i.test(animation)
        : stays && !/infinite|reverse|alternate/i.test(animation))
    );
  };
}

function withContainer(outer: string, prelude: string): string {
  const [, condition] = /^@container\b\s*(.*)$/is.exec(prelude) ?? [];
  if (condition === undefined) return outer;
  return `${outer === "" ? "" : `${outer}\n`}${condition.replace(/\s+/g, " ").trim()}`;
}

/** `@scope (start) to (end)`: elements at or below the one and not at or below the other. */
function withinOf(prelude: string): string {
  const [, start, end] = /^@scope\s*\((.+?)\)(?:\s*to\s*\((.+)\))?\s*$/is.exec(prelude) ?? [];
  if (start === undefined) return "";
  const part = `:where(${start},:where(${start}) *)`;
  return end === undefined ? part : `${part}:not(:where(:where(${start}) :is(${end}),:where(${start}) :is(${end}) *))`;
}

function scoped(selectors: string, within: string): string {
  const [, start = ""] = /^:where\((.*?),:where\(/.exec(within) ?? [];
  return splitOutside(selectors, ",", maxNestedSelectors)
    .map(
      (each) =>
        `${each
          .trim()
          .replace(/:scope\b/g, `:where(${start})`)
          .replaceAll("&", `:is(${start})`)}${within}`,
    )
    .join(",");
}

/** A rule with those that are nested in it; returns where it ends. */
function addRule(reading: Reading, prelude: string, open: number, end: number, context: Context): number {
  const { text, rules, found } = reading;
  const own = context.parent === null ? prelude : nestedSelectors(prelude, context.parent);
  const selectors = context.within === "" || context.parent !== null ? own : scoped(own, context.within);
  const from = found.length;
  const nested: number[] = [];
  const close = scanDeclarations(text, open + 1, end, true, found, nested);
  const to = found.length;
  if (selectors === "" || selectors.length > longestPrelude) return close;
  const { isElsewhere, layer, depth } = context;
  if (!isElsewhere && isWhole.test(selectors) && context.within === "")
    reading.wholeBodies.push(text.slice(open + 1, close));
  else if (reading.hasSettings && !isElsewhere && reading.settings.length < maxSettings) {
    const body = text.slice(open + 1, close);
    if (settingPart.test(body)) reading.settings.push({ selectors, body, order: rules.length });
  }
  if (to > from) {
    let bits = 0;
    for (let place = from; place < to; place += foundSize) bits |= bitsAt(found, place);
    // The place of a layer is known when all sheets are read.
    const order = layer === null ? null : (reading.layers.get(layer) ?? null);
    const usesVariables = text.slice(found[from + 1], found[to - 1]).includes("var(");
    rules.push({
      selectors,
      order: rules.length,
      isElsewhere,
      layer: order,
      bits,
      container: context.container,
      usesVariables,
      text,
      found,
      from,
      to,
    });
  }
  if (depth >= maxDepth) return close;
  for (let at = 0; at < nested.length && rules.length < maxRules; at += 2) {
    const inner = { ...context, depth: depth + 1, parent: selectors };
    const nestedOpen = nested[at + 1] as number;
    addBlock(reading, text.slice(nested[at], nestedOpen).trim(), nestedOpen, close, inner);
  }
  return close;
}

/** Selectors of a nested rule as those of a plain one: `&` is what the rule around it matches. */
function nestedSelectors(prelude: string, parent: string): string {
  if (prelude === "&") return parent;
  const isPlain = /^[.#]?[\w-]+$/.test(parent) && !/[\w-]&|&[\w-]/.test(prelude);
  const outer = isPlain ? parent : `:is(${parent})`;
  if (prelude.length + prelude.split("&").length * outer.length > 2 * longestPrelude) return "";
  return splitOutside(prelude, ",", maxNestedSelectors)
    .map((each) => {
      const selector = each.trim();
      return selector.includes("&") ? selector.replaceAll("&", outer) : `${outer} ${selector}`;
    })
    .join(",");
}

/** The layer of a block, and its place when it is named for the first time. */
function layerOf(prelude: string, { layers }: Reading, { layer }: Context): string | null {
  const [, name] = /^@layer\b\s*(.*)$/is.exec(prelude) ?? [];
  return name === undefined ? layer : addLayer(name.trim() || `anonymous ${layers.size}`, layer, layers);
}

function addLayer(name: string, outer: string | null, layers: Map<string, number>): string {
  const full = outer === null ? name : `${outer}.${name}`;
  if (!layers.has(full) && layers.size < maxLayers) layers.set(full, layers.size);
  return full;
}

/** A layer comes after those that are nested in it, and siblings come in the order of their names. */
function placesOfLayers(names: readonly string[]): number[] {
  const order = new Map(names.map((name, place) => [name, place]));
  const keyOf = (name: string): number[] => {
    const steps = name.split(".");
    return [...steps.map((_, depth) => order.get(steps.slice(0, depth + 1).join(".")) ?? 0), Number.MAX_SAFE_INTEGER];
  };
  const sorted = names
    .map((name, place) => ({ key: keyOf(name), place }))
    .sort((one, other) => {
      const at = one.key.findIndex((step, depth) => step !== other.key[depth]);
      return at === -1 ? 0 : (one.key[at] as number) - (other.key[at] ?? 0);
    });
  const places: number[] = [];
  for (const [rank, { place }] of sorted.entries()) places[place] = rank;
  return places;
}

/** Statements end before the rule begins: imports, and the order of layers. */
function preludeOf(text: string, start: number, open: number, { layers }: Reading, { layer }: Context): string {
  const written = text.slice(start, open);
  const statement = written.lastIndexOf(";");
  if (statement === -1) return written.trim();
  for (const [, names = ""] of written.slice(0, statement + 1).matchAll(/@layer\s([^;{}]{1,300});/gi)) {
    for (const name of names.split(",")) addLayer(name.trim(), layer, layers);
  }
  return written.slice(statement + 1).trim();
}

/** What a rule declares. */
export function declarationsOf(
  { text, found, from, to }: WrittenRule,
  replace: Replace,
  frozen: Frozen,
): Declaration[] {
  const declarations: Declaration[] = [];
  for (let at = from; at < to; at += foundSize) declarations.push(...readFound(text, found, at, replace));
  // What an animation sets counts more than any rule.
  return declarations.map((each) => (each[0] === "moves" && frozen(each[1]) ? ["opacity", "0", true] : each));
}

/** The variables of the whole page; one that is not set stays as it is written. */
function replacer(bodies: readonly string[]): Replace {
  let values: Map<string, string> | null = null;
  const once = (value: string, known: ReadonlyMap<string, string>) =>
    value.replace(/var\(\s*(--[\w-]{1,80})\s*(?:,([^()]{0,100}))?\)/g, (all, name: string, otherwise?: string) =>
      (known.get(name) ?? otherwise ?? all).slice(0, 200),
    );
  return (value) => {
    values ??= variablesOf(bodies);
    return once(once(once(value, values), values), values).slice(0, 500);
  };
}

function variablesOf(bodies: readonly string[]): Map<string, string> {
  const values = new Map<string, string>();
  for (const body of bodies) {
    for (const [, name = "", value = ""] of body.matchAll(/(--[\w-]{1,80})\s*:\s*([^;{}]{1,200})/g)) {
      if (values.size < maxVariables) values.set(name, value.trim());
    }
  }
  return values;
}
