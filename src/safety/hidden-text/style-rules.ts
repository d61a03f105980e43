// Style sheets -> their rules, those in media queries that hold for a screen among them. Bounded in length and number. Of what a
// rule declares only the places are noted: most rules are never asked for more.
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

/** Puts the values of variables in their places. */
export type Replace = (value: string) => string;

export interface WrittenRule {
  selectors: string;
  /** Place among the rules of a page. */
  order: number;
  /** Holds in a window of another width: it shows what belongs to the page. */
  isElsewhere: boolean;
  /** What it sets. */
  bits: number;
  /** The sheet, and what was found in it: the rule's own part of that. */
  text: string;
  found: readonly number[];
  from: number;
  to: number;
}

export interface WrittenRules {
  rules: WrittenRule[];
  replace: Replace;
}

/** Of all sheets of a page together. */
const maxLength = 400_000;
const maxRules = 8000;
const maxDepth = 5;
const longestPrelude = 4000;
const maxVariables = 1000;
/** The window that media queries are asked about. */
const width = 1280;

interface Reading {
  text: string;
  found: number[];
  rules: WrittenRule[];
  /** The bodies of rules that hold for the whole page: variables are set there. */
  wholeBodies: string[];
}

export function readRules(sheets: readonly string[]): WrittenRules {
  const reading: Reading = { text: "", found: [], rules: [], wholeBodies: [] };
  let left = maxLength;
  for (const sheet of sheets) {
    if (left <= 0 || reading.rules.length >= maxRules) break;
    reading.text = withoutComments(sheet.length > left ? sheet.slice(0, left) : sheet);
    left -= sheet.length;
    addRules(reading, 0, reading.text.length, 0, false);
  }
  return { rules: reading.rules, replace: replacer(reading.wholeBodies) };
}

const isWhole = /^(?::root|html|body|\*)\s*(?:,|$)/i;

function addRules(reading: Reading, start: number, end: number, depth: number, isElsewhere: boolean): void {
  const { text, rules, found } = reading;
  let at = start;
  while (at < end && rules.length < maxRules) {
    const open = text.indexOf("{", at);
    if (open === -1 || open >= end) return;
    const selectors = preludeOf(text, at, open);
    if (selectors.startsWith("@")) {
      const close = endOfBlock(text, open, end);
      const when = depth < maxDepth ? whenOf(selectors) : "never";
      if (when !== "never") addRules(reading, open + 1, close, depth + 1, isElsewhere || when === "elsewhere");
      at = close + 1;
      continue;
    }
    const from = found.length;
    const close = scanDeclarations(text, open + 1, end, true, found);
    if (!isElsewhere && isWhole.test(selectors)) reading.wholeBodies.push(text.slice(open + 1, close));
    const to = found.length;
    if (to > from && selectors !== "" && selectors.length <= longestPrelude) {
      let bits = 0;
      for (let place = from; place < to; place += foundSize) bits |= bitsAt(found, place);
      rules.push({ selectors, order: rules.length, isElsewhere, bits, text, found, from, to });
    }
    at = close + 1;
  }
}

/** Statements like @import end before the rule begins. */
function preludeOf(text: string, start: number, open: number): string {
  const written = text.slice(start, open);
  const statement = written.lastIndexOf(";");
  return (statement === -1 ? written : written.slice(statement + 1)).trim();
}

/** What a rule declares. */
export function declarationsOf({ text, found, from, to }: WrittenRule, replace: Replace): Declaration[] {
  const declarations: Declaration[] = [];
  for (let at = from; at < to; at += foundSize) declarations.push(...readFound(text, found, at, replace));
  return declarations;
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

/** Whether the rules in a block hold here, in another window, or never where a person looks at the page. */
type When = "here" | "elsewhere" | "never";

function whenOf(prelude: string): When {
  const [name = ""] = /^@[\w-]+/.exec(prelude) ?? [];
  if (name === "@layer" || name === "@supports") return "here";
  return name === "@media" ? whenOfMedia(prelude.slice(name.length)) : "never";
}

/** A list of media queries: types and widths are understood, everything else does not hold. */
export function whenOfMedia(queries: string): When {
  if (queries.trim() === "") return "here";
  const each = splitOutside(queries.toLowerCase(), ",", 20).map(whenOfQuery);
  return each.includes("here") ? "here" : each.includes("elsewhere") ? "elsewhere" : "never";
}

function whenOfQuery(query: string): When {
  let when: When = "here";
  for (const part of query.split(/\band\b/)) {
    const asked = part.trim().replace(/^only\s+/, "");
    if (asked === "screen" || asked === "all") continue;
    const [, side, digits, unit] = /^\(\s*(min|max)-width\s*:\s*([\d.]+)(px|em|rem)\s*\)$/.exec(asked) ?? [];
    if (side === undefined) return "never";
    const pixels = Number(digits) * (unit === "px" ? 1 : 16);
    if (side === "min" ? width < pixels : width > pixels) when = "elsewhere";
  }
  return when;
}
