// Selectors of style sheets, as far as pages hide text with them: names, classes, ids, attributes and positions. Others match
// nothing.
import type { AnyNode, Element } from "domhandler";
import { attribute, isElement } from "../../html/index.ts";
import { unescaped } from "./declarations.ts";

interface AttributeTest {
  name: string;
  operator: string;
  value: string;
}

interface Compound {
  name: string;
  ids: string[];
  classes: string[];
  attributes: AttributeTest[];
  not: Compound[];
  isRoot: boolean;
  child: "" | "first" | "last";
  /** Holds only while something is pointed at, opened or chosen: not now. */
  isState: boolean;
}

interface Step {
  combinator: string;
  compound: Compound;
}

export interface Selector {
  /** The last compound first, each with the combinator before it. */
  steps: Step[];
  specificity: number;
}

const maxSteps = 8;
const states =
  /^(?:hover|focus|focus-within|focus-visible|active|target|checked|open|popover-open|valid|invalid|indeterminate|visited|disabled|enabled|has\(.*|is\(.*|where\(.*|nth-.*|any-.*)$/;

const combinators = /\s*([>+~])\s*|\s+/y;

/** Null when it is not understood. Selectors of what is added before or after an element say nothing of it. */
export function readSelector(text: string): Selector | null {
  const steps: Step[] = [];
  const weight = { sum: 0 };
  let at = 0;
  let combinator = "";
  while (at < text.length) {
    if (steps.length >= maxSteps) return null;
    const read = readCompound(text, at, weight);
    if (read === null) return null;
    steps.unshift({ combinator, compound: read.compound });
    at = read.end;
    if (at >= text.length) break;
    combinators.lastIndex = at;
    const between = combinators.exec(text);
    if (between === null) return null;
    combinator = between[1] ?? " ";
    at = combinators.lastIndex;
  }
  return steps.length === 0 ? null : { steps, specificity: weight.sum };
}

const part =
  /([a-z][\w-]*|\*)|#((?:[\w-]|[^\0-\x7f]|\\[\da-f]{1,6}\s?|\\.)+)|\.((?:[\w-]|[^\0-\x7f]|\\[\da-f]{1,6}\s?|\\.)+)|\[\s*([\w:-]+)\s*(?:([~|^$*]?=)\s*("[^"]*"|'[^']*'|[^\]\s]+)\s*(?:[is]\s*)?)?\]|:(:?[a-z-]+(?:\([^()]*\))?)/iy;

/** Names count 1, classes 1,000, ids 1,000,000. */
function readCompound(
  text: string,
  start: number,
  weight: { sum: number },
): { compound: Compound; end: number } | null {
  const compound: Compound = {
    name: "",
    ids: [],
    classes: [],
    attributes: [],
    not: [],
    isRoot: false,
    child: "",
    isState: false,
  };
  let at = start;
  for (;;) {
    part.lastIndex = at;
    const match = part.exec(text);
    if (match === null) break;
    const [, name, id, className, attributeName, operator = "", value = "", pseudo] = match;
    if (name !== undefined && at !== start) break;
    at += match[0].length;
    if (name !== undefined) {
      compound.name = name === "*" ? "" : name.toLowerCase();
      weight.sum += name === "*" ? 0 : 1;
    } else if (id !== undefined) {
      compound.ids.push(unescaped(id));
      weight.sum += 1_000_000;
    } else if (className !== undefined) {
      compound.classes.push(unescaped(className));
      weight.sum += 1000;
    } else if (attributeName !== undefined) {
      compound.attributes.push({
        name: attributeName.toLowerCase(),
        operator,
        value: value.replace(/^(["'])(.*)\1$/, "$2"),
      });
      weight.sum += 1000;
    } else if (!addPseudo(compound, pseudo ?? "", weight)) return null;
  }
  return at === start ? null : { compound, end: at };
}

/** False when the selector cannot be used. */
function addPseudo(compound: Compound, written: string, weight: { sum: number }): boolean {
  const pseudo = written.toLowerCase();
  const [, inside] = /^not\((.*)\)$/.exec(written) ?? [];
  if (inside !== undefined) {
    const read = readCompound(inside.trim(), 0, weight);
    if (read === null || read.end !== inside.trim().length) return false;
    compound.not.push(read.compound);
    return true;
  }
  weight.sum += 1000;
  if (pseudo === "root") compound.isRoot = true;
  else if (pseudo === "first-child") compound.child = "first";
  else if (pseudo === "last-child") compound.child = "last";
  else if (states.test(pseudo)) compound.isState = true;
  else return false;
  return true;
}

/**
 * What an element has that a selector may match some day: an id or a class of the last compound, else its name. Read from the
 * text where that is plain: most selectors are never asked for more.
 */
export function keysOf(selector: string): readonly string[] {
  if (complicated.test(selector)) return keysOfCompound(readSelector(selector)?.steps[0]?.compound);
  let start = selector.length;
  while (start > 0 && !isBetween(selector.charCodeAt(start - 1))) start -= 1;
  const compound = start === 0 ? selector : selector.slice(start);
  if (addedParts.test(compound)) return noKeys;
  const names = compound.match(/[.#][^.#:]+/g);
  if (names) return names;
  const colon = compound.indexOf(":");
  const name = colon === -1 ? compound : compound.slice(0, colon);
  if (name !== "" && name !== "*") return [name.toLowerCase()];
  return [compound.includes(":root") ? "html" : "*"];
}

/** All ids and classes that a selector asks for. */
export function namesIn(selector: string): readonly string[] {
  if (!complicated.test(selector)) return selector.match(/[.#][^.#:\s>+~]+/g) ?? noKeys;
  return (readSelector(selector)?.steps ?? []).flatMap(({ compound }) => namesOfCompound(compound));
}

/** Ids, classes and names that ancestors of the matching element must have. */
export function namesAbove({ steps }: Selector): string[] {
  const names: string[] = [];
  for (let at = 1; at < steps.length; at += 1) {
    const { combinator } = steps[at - 1] as Step;
    if (combinator !== " " && combinator !== ">") continue;
    const { compound } = steps[at] as Step;
    names.push(...namesOfCompound(compound));
    if (compound.name !== "") names.push(compound.name);
  }
  return names;
}

function namesOfCompound({ ids, classes }: Compound): string[] {
  return [...ids.map((id) => `#${id}`), ...classes.map((name) => `.${name}`)];
}

/** Brackets and escapes: only the parser knows what is a name. */
const complicated = /[[(\\]/;

/** Whitespace, or one of > + ~. */
function isBetween(code: number): boolean {
  return code <= 32 || code === 62 || code === 43 || code === 126;
}

const noKeys: readonly string[] = [];
const addedParts = /::|:(?:before|after|first-l)/;

function keysOfCompound(compound: Compound | undefined): readonly string[] {
  if (compound === undefined) return noKeys;
  const names = namesOfCompound(compound);
  if (names.length > 0) return names;
  const { name, isRoot } = compound;
  return [name !== "" ? name : isRoot ? "html" : "*"];
}

/** What matching may still cost, in elements looked at. */
export interface MatchBudget {
  left: number;
}

export function matches(element: Element, { steps }: Selector, budget: MatchBudget): boolean {
  return matchesFrom(element, steps, 0, budget);
}

function matchesFrom(element: Element, steps: readonly Step[], at: number, budget: MatchBudget): boolean {
  budget.left -= 1;
  if (budget.left <= 0) return false;
  const { compound, combinator } = steps[at] as Step;
  if (!fits(element, compound)) return false;
  if (at + 1 === steps.length) return true;
  let other = combinator === ">" || combinator === " " ? parentOf(element) : before(element);
  const isFarther = combinator === " " || combinator === "~";
  while (other) {
    if (matchesFrom(other, steps, at + 1, budget)) return true;
    if (!isFarther || budget.left <= 0) return false;
    other = combinator === " " ? parentOf(other) : before(other);
  }
  return false;
}

function parentOf({ parent }: AnyNode): Element | null {
  return parent && isElement(parent) ? parent : null;
}

function before(element: Element): Element | null {
  let other = element.prev;
  while (other && !isElement(other)) other = other.prev;
  return other;
}

function after(element: Element): Element | null {
  let other = element.next;
  while (other && !isElement(other)) other = other.next;
  return other;
}

function fits(element: Element, compound: Compound): boolean {
  const { name, ids, classes, attributes, not, isRoot, child, isState } = compound;
  if (isState || (name !== "" && name !== element.name)) return false;
  if (isRoot && element.name !== "html") return false;
  if (ids.some((id) => attribute(element, "id") !== id)) return false;
  if (classes.length > 0 && !hasClasses(element, classes)) return false;
  if (attributes.some((test) => !holds(element, test))) return false;
  if (child === "first" && before(element)) return false;
  if (child === "last" && after(element)) return false;
  return !not.some((other) => fits(element, other));
}

function hasClasses({ attribs }: Element, classes: readonly string[]): boolean {
  if (attribs.class === undefined) return false;
  const all = classesOf(attribs.class);
  return classes.every((name) => all.includes(name));
}

const longClasses = 2000;
const noClasses: readonly string[] = [];
/** The same lists come again and again, on one page more than on others. */
const lists = new Map<string, readonly string[]>();
const maxLists = 5000;

export function classesOf(written: string): readonly string[] {
  if (written.length > longClasses) return noClasses;
  const known = lists.get(written);
  if (known) return known;
  const list = [...new Set(written.split(/\s+/))].filter((name) => name !== "");
  if (lists.size >= maxLists) lists.clear();
  lists.set(written, list);
  return list;
}

function holds(element: Element, { name, operator, value }: AttributeTest): boolean {
  const written = attribute(element, name);
  if (written === undefined) return false;
  switch (operator) {
    case "":
      return true;
    case "=":
      return written === value;
    case "~=":
      return value !== "" && written.split(/\s+/).includes(value);
    case "|=":
      return written === value || written.startsWith(`${value}-`);
    case "^=":
      return value !== "" && written.startsWith(value);
    case "$=":
      return value !== "" && written.endsWith(value);
    default:
      return value !== "" && written.includes(value);
  }
}
