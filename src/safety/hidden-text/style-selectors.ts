// Selectors of style sheets: css-what parses them. They are matched here rather than by css-select, because every page pays for
// it, and because hostile sheets must stay within a budget.
import { type AttributeSelector, type PseudoSelector, parse, type Selector as Token } from "css-what";
import type { Element, ParentNode } from "domhandler";
import { attribute, elementAbove, elementAfter, elementBefore, isElement, isText, walk } from "../../html/index.ts";

/** What matching on one page may still cost, in elements looked at, and what it keeps. */
export class Matching {
  left: number;
  /** The element whose `:has()` is being matched. */
  scope: Element | null = null;
  private readonly places = new Map<Element, readonly [ofAll: number, ofType: number]>();
  private readonly totals = new Map<ParentNode, ReadonlyMap<string, number>>();

  constructor(left: number) {
    this.left = left;
  }

  /** The place of an element among its siblings, from 1; of its type only, or from the end. */
  placeOf(element: Element, isOfType: boolean, isFromEnd: boolean): number {
    if (!this.places.has(element)) this.readPlaces(element);
    const place = this.places.get(element)?.[isOfType ? 1 : 0] ?? 1;
    if (!isFromEnd || element.parent === null) return place;
    return (this.totals.get(element.parent)?.get(isOfType ? element.name : "") ?? 1) - place + 1;
  }

  private readPlaces({ parent }: Element): void {
    if (parent === null) return;
    const totals = new Map<string, number>();
    for (const child of parent.children) {
      this.left -= 1;
      if (!isElement(child)) continue;
      const ofAll = (totals.get("") ?? 0) + 1;
      const ofType = (totals.get(child.name) ?? 0) + 1;
      totals.set("", ofAll);
      totals.set(child.name, ofType);
      this.places.set(child, [ofAll, ofType]);
    }
    this.totals.set(parent, totals);
  }
}

type Test = (element: Element, matching: Matching) => boolean;

export interface Compound {
  name: string;
  ids: string[];
  classes: string[];
  tests: Test[];
  /** The lists of `:is()` and `:where()`. */
  options: (readonly Selector[])[];
}

interface Step {
  combinator: string;
  compound: Compound;
}

export interface Selector {
  /** The last compound first, each with the combinator before it. */
  steps: Step[];
  /** Types count 1, classes 1,000, ids 1,000,000. */
  specificity: number;
}

const maxSteps = 12;
const maxDepth = 6;
const ofClass = 1000;
const ofId = 1_000_000;
const combinators = new Map<string, string>([
  ["descendant", " "],
  ["child", ">"],
  ["adjacent", "+"],
  ["sibling", "~"],
]);

/** Null when it is not understood, and for pseudo-elements, which have no text of the page. */
export function readSelector(text: string): Selector | null {
  try {
    const [tokens, ...others] = parse(text);
    return tokens === undefined || others.length > 0 ? null : readTokens(tokens, 0);
  } catch {
    return null;
  }
}

/** `anchor`: what a relative selector begins at. */
function readTokens(tokens: readonly Token[], depth: number, anchor?: Test): Selector | null {
  const steps: Step[] = [];
  let specificity = 0;
  let step: Step = { combinator: anchor ? " " : "", compound: emptyCompound() };
  for (const [place, token] of tokens.entries()) {
    const combinator = combinators.get(token.type);
    if (combinator === undefined) {
      const weight = addToken(step.compound, token, depth);
      if (weight === null) return null;
      specificity += weight;
    } else if (place === 0) step.combinator = combinator;
    else {
      steps.unshift(step);
      step = { combinator, compound: emptyCompound() };
    }
  }
  steps.unshift(step);
  if (anchor) steps.push({ combinator: "", compound: { ...emptyCompound(), tests: [anchor] } });
  return steps.length > maxSteps || (!anchor && steps.at(-1)?.combinator !== "") ? null : { steps, specificity };
}

function emptyCompound(): Compound {
  return { name: "", ids: [], classes: [], tests: [], options: [] };
}

/** Its specificity; null when the selector cannot be used. */
function addToken(compound: Compound, token: Token, depth: number): number | null {
  switch (token.type as string) {
    case "universal":
      return 0;
    case "tag":
      compound.name = (token as { name: string }).name.toLowerCase();
      return 1;
    case "attribute":
      return addAttribute(compound, token as AttributeSelector);
    case "pseudo":
      return depth > maxDepth ? null : addPseudo(compound, token as PseudoSelector, depth);
    default:
      return null;
  }
}

function addAttribute(compound: Compound, { name, action, value, ignoreCase }: AttributeSelector): number | null {
  if (ignoreCase === "quirks") {
    (name === "id" ? compound.ids : compound.classes).push(value);
    return name === "id" ? ofId : ofClass;
  }
  const compare = comparisons[action];
  if (compare === undefined) return null;
  const key = name.toLowerCase();
  const wanted = ignoreCase === true ? value.toLowerCase() : value;
  compound.tests.push((element) => {
    const written = attribute(element, key);
    return written !== undefined && compare(ignoreCase === true ? written.toLowerCase() : written, wanted);
  });
  return ofClass;
}

const comparisons: Readonly<Record<string, (written: string, value: string) => boolean>> = {
  exists: () => true,
  equals: (written, value) => written === value,
  element: (written, value) => value !== "" && written.split(/\s+/).includes(value),
  hyphen: (written, value) => written === value || written.startsWith(`${value}-`),
  start: (written, value) => value !== "" && written.startsWith(value),
  end: (written, value) => value !== "" && written.endsWith(value),
  any: (written, value) => value !== "" && written.includes(value),
};

/** They hold only while something is pointed at, opened, chosen or filled in: not now. */
const states =
  /^(?:hover|active|focus|focus-within|focus-visible|target|target-within|visited|valid|invalid|user-valid|user-invalid|indeterminate|popover-open|modal|fullscreen|playing|paused|autofill|-webkit-autofill|placeholder-shown|in-range|out-of-range|default|current|past|future)$/;

const controls = new Set(["button", "fieldset", "input", "optgroup", "option", "select", "textarea"]);
const plainTests: Readonly<Record<string, Test>> = {
  root: ({ name }) => name === "html",
  scope: ({ name }) => name === "html",
  defined: () => true,
  empty: ({ children }) => children.every((child) => !isElement(child) && !(isText(child) && child.data !== "")),
  link: isLink,
  "any-link": isLink,
  open: ({ attribs }) => attribs["open"] !== undefined,
  checked: ({ name, attribs }) => attribs[name === "option" ? "selected" : "checked"] !== undefined,
  disabled: ({ name, attribs }) => controls.has(name) && attribs["disabled"] !== undefined,
  enabled: ({ name, attribs }) => controls.has(name) && attribs["disabled"] === undefined,
  required: ({ attribs }) => attribs["required"] !== undefined,
  optional: ({ name, attribs }) => /^(?:input|select|textarea)$/.test(name) && attribs["required"] === undefined,
  "first-child": (element) => elementBefore(element) === null,
  "last-child": (element) => elementAfter(element) === null,
  "only-child": (element) => elementBefore(element) === null && elementAfter(element) === null,
  "first-of-type": (element, matching) => matching.placeOf(element, true, false) === 1,
  "last-of-type": (element, matching) => matching.placeOf(element, true, true) === 1,
  "only-of-type": (element, matching) =>
    matching.placeOf(element, true, false) === 1 && matching.placeOf(element, true, true) === 1,
};

function addPseudo(compound: Compound, { name, data }: PseudoSelector, depth: number): number | null {
  const plain = Object.hasOwn(plainTests, name) ? plainTests[name] : undefined;
  if (data === null) {
    if (plain) compound.tests.push(plain);
    else if (states.test(name)) compound.tests.push(() => false);
    else return null;
    return ofClass;
  }
  if (typeof data === "string") {
    return name === "lang" ? addLanguage(compound, data) : addPlace(compound, name, data, depth);
  }
  const lists = data.map((tokens) => readTokens(tokens, depth + 1, name === "has" ? isScope : undefined));
  const known = lists.filter((each) => each !== null);
  const specificity = Math.max(0, ...known.map((each) => each.specificity));
  switch (name) {
    case "is":
    case "matches":
    case "where":
      compound.options.push(known);
      compound.tests.push((element, matching) => known.some((each) => matches(element, each, matching)));
      return name === "where" ? 0 : specificity;
    case "not":
      if (known.length < lists.length) return null;
      compound.tests.push((element, matching) => !known.some((each) => matches(element, each, matching)));
      return specificity;
    case "has":
      compound.tests.push((element, matching) => known.some((each) => hasMatch(element, each, matching)));
      return specificity;
    default:
      return null;
  }
}

const isScope: Test = (element, matching) => element === matching.scope;

/** Whether an element below or after this one matches a relative selector. */
function hasMatch(element: Element, selector: Selector, matching: Matching): boolean {
  const outer = matching.scope;
  matching.scope = element;
  const isBelow = /^[ >]$/.test(selector.steps.at(-2)?.combinator ?? "");
  const test = (each: Element) => matches(each, selector, matching);
  let isFound = false;
  const search = (root: Element) =>
    walk(root, (each) => {
      isFound = isElement(each) && test(each);
      return isFound || matching.left <= 0 ? "stop" : true;
    });
  if (isBelow) search(element);
  else {
    for (let other = elementAfter(element); other && !isFound && matching.left > 0; other = elementAfter(other)) {
      isFound = test(other);
      if (!isFound) search(other);
    }
  }
  matching.scope = outer;
  return isFound;
}

/** `:nth-child(2n+1 of .x)` and its like. */
function addPlace(compound: Compound, name: string, written: string, depth: number): number | null {
  const [, last, type] = /^nth-(last-)?(child|of-type)$/.exec(name) ?? [];
  const [formula = "", list] = written.trim().split(/\s+of\s+/i);
  const places = readFormula(formula);
  if (type === undefined || places === null || (list !== undefined && type !== "child")) return null;
  const isFromEnd = last !== undefined;
  if (list === undefined) {
    const isOfType = type === "of-type";
    compound.tests.push((element, matching) => places(matching.placeOf(element, isOfType, isFromEnd)));
    return ofClass;
  }
  const wanted = parse(list).map((tokens) => readTokens(tokens, depth + 1));
  const known = wanted.filter((each) => each !== null);
  const isCounted: Test = (element, matching) => known.some((each) => matches(element, each, matching));
  compound.tests.push((element, matching) => {
    if (!isCounted(element, matching)) return false;
    let place = 1;
    for (
      let other = isFromEnd ? elementAfter(element) : elementBefore(element);
      other;
      other = isFromEnd ? elementAfter(other) : elementBefore(other)
    ) {
      if (isCounted(other, matching)) place += 1;
    }
    return places(place);
  });
  return ofClass + Math.max(0, ...known.map((each) => each.specificity));
}

/** Which places an+b means. */
function readFormula(written: string): ((place: number) => boolean) | null {
  const plain = written
    .replace(/\s/g, "")
    .toLowerCase()
    .replace(/^odd$/, "2n+1")
    .replace(/^even$/, "2n");
  const [, factor, offset = "0"] = /^(?:([+-]?\d*)n)?([+-]?\d+)?$/.exec(plain) ?? [];
  if (plain === "" || (factor === undefined && offset === "0" && plain !== "0")) return null;
  const step = factor === undefined ? 0 : /^[+-]?$/.test(factor) ? Number(`${factor}1`) : Number(factor);
  const first = Number(offset);
  return (place) => (step === 0 ? place === first : (place - first) % step === 0 && (place - first) / step >= 0);
}

function addLanguage(compound: Compound, languages: string): number {
  const wanted = languages.split(",").map((each) =>
    each
      .trim()
      .replace(/^["']|["']$/g, "")
      .toLowerCase(),
  );
  compound.tests.push((element) => {
    let at: Element | null = element;
    while (at && attribute(at, "lang") === undefined) at = elementAbove(at);
    const language = at ? (attribute(at, "lang") ?? "").toLowerCase() : "";
    return wanted.some((each) => language === each || language.startsWith(`${each}-`));
  });
  return ofClass;
}

export function matches(element: Element, { steps }: Selector, matching: Matching): boolean {
  return matchesFrom(element, steps, 0, matching);
}

function matchesFrom(element: Element, steps: readonly Step[], at: number, matching: Matching): boolean {
  matching.left -= 1;
  if (matching.left <= 0) return false;
  const { compound, combinator } = steps[at] as Step;
  if (!fits(element, compound, matching) || matching.left <= 0) return false;
  if (at + 1 === steps.length) return true;
  let other = combinator === ">" || combinator === " " ? elementAbove(element) : elementBefore(element);
  const isFarther = combinator === " " || combinator === "~";
  while (other) {
    if (matchesFrom(other, steps, at + 1, matching)) return true;
    if (!isFarther || matching.left <= 0) return false;
    other = combinator === " " ? elementAbove(other) : elementBefore(other);
  }
  return false;
}

function fits(element: Element, { name, ids, classes, tests }: Compound, matching: Matching): boolean {
  if (name !== "" && name !== element.name) return false;
  if (ids.some((id) => attribute(element, "id") !== id)) return false;
  if (classes.length > 0 && !hasClasses(element, classes)) return false;
  return tests.every((test) => test(element, matching));
}

function isLink({ name, attribs }: Element): boolean {
  return (name === "a" || name === "area") && attribs["href"] !== undefined;
}

function hasClasses({ attribs }: Element, classes: readonly string[]): boolean {
  if (attribs.class === undefined) return false;
  const all = classesOf(attribs.class);
  return classes.every((name) => all.includes(name));
}

const longClasses = 2000;
const noClasses: readonly string[] = [];
/** The same lists come again and again, on one page and on the next. */
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
