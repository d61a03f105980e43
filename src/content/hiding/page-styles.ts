// Which style holds for an element by the page's own <style> elements and its style attribute. Sheets from elsewhere are not
// known.
import type { Element } from "domhandler";
import { attribute, isText, noAttributes, orderOf } from "../tree/nodes.ts";
import type { PageParts } from "../tree/page-parts.ts";
import { areAlike, type Colour, colourOf, white } from "./css-values.ts";
import {
  type Declaration,
  isFontTiny,
  isHidingValue,
  readDeclarations,
  type ShownStyle,
  type Trick,
  trickOf,
} from "./declarations.ts";
import {
  classesOf,
  type MatchBudget,
  matches,
  readSelectors,
  ruleKey,
  type Selector,
  selectorNames,
} from "./simple-selectors.ts";
import { readRules, type WrittenRule, whenOfMedia } from "./style-rules.ts";

/**
 * What a rule, or an attribute, makes worth a closer look, as bits: a trick; small letters; letters in the colour of the whole
 * page's background, or of some other background; such a background.
 */
export const hint = { trick: 1, small: 2, pageColour: 4, otherColour: 8, background: 16 } as const;

interface Rule {
  selector: Selector;
  declarations: readonly Declaration[];
  hints: number;
  /** Specificity, then place in the page. */
  weight: number;
  isElsewhere: boolean;
}

/** Elements looked at while rules are matched, of a whole page. */
const maxMatching = 500_000;
const maxVariables = 1000;
const longStyle = 2000;
const ofOrder = 1_000_000;
/** More than any selector has. */
const inlineWeight = 900_000_000 * ofOrder;
const importantWeight = 1_000_000_000 * ofOrder;

const noStyle: ShownStyle = new Map();

/** The rules of a page's sheets, by what they can be found by. */
class StyleRules {
  readonly rules = new Map<string, Rule[]>();
  /** Those of them that give a hint: on most pages few, so that most elements cost little. */
  readonly hinting = new Map<string, Rule[]>();
  private readonly all: Rule[] = [];
  private shown: Map<string, Rule[]> | null = null;

  constructor(sheets: readonly string[]) {
    const written = readRules(sheets);
    const variables = variablesOf(written);
    const read = written.map(({ body }) => readDeclarations(body, variables.replace));
    const counting = countingProperties(read);
    const hintsOf = hintReader(written, read);
    for (const [order, { selectors, isElsewhere }] of written.entries()) {
      const isCounting = ([property, , isImportant]: Declaration) => isImportant || counting.has(property);
      const declarations = (read[order] as Declaration[]).filter(isCounting);
      if (declarations.length > 0)
        this.add(selectors, { declarations, isElsewhere, hints: hintsOf(declarations) }, order);
    }
  }

  private add(selectors: string, given: Omit<Rule, "selector" | "weight">, order: number): void {
    for (const selector of readSelectors(selectors)) {
      const weight = Math.min(selector.specificity, 899_999_999) * ofOrder + order;
      const rule: Rule = { ...given, selector, weight };
      put(this.rules, ruleKey(selector), rule);
      if (given.hints !== 0 && !given.isElsewhere) put(this.hinting, ruleKey(selector), rule);
      this.all.push(rule);
    }
  }

  /** By the names that their elements have: rules that show what another rule hides. */
  get showing(): ReadonlyMap<string, Rule[]> {
    if (this.shown) return this.shown;
    const showing = new Map<string, Rule[]>();
    for (const rule of this.all) {
      const { declarations, selector } = rule;
      const isHiding = trickOf(new Map(declarations.map(([property, value]) => [property, value]))) !== null;
      if (isHiding || declarations.every(([property]) => colouring.test(property))) continue;
      for (const name of selectorNames(selector)) put(showing, name, rule);
    }
    this.shown = showing;
    return showing;
  }
}

/** The pages of a site have the same sheets: those that were read last are kept, the oldest first. */
const lastRead = new Map<string, StyleRules>();
const maxKept = 8;
const noRules = new StyleRules([]);

function rulesOf(sheets: readonly string[]): StyleRules {
  const key = sheets.join("\0");
  if (key === "") return noRules;
  const known = lastRead.get(key);
  if (known) lastRead.delete(key);
  else if (lastRead.size >= maxKept) lastRead.delete(lastRead.keys().next().value as string);
  const rules = known ?? new StyleRules(sheets);
  lastRead.set(key, rules);
  return rules;
}

export class PageStyles {
  private readonly sheets: StyleRules;
  private readonly budget: MatchBudget = { left: maxMatching };
  /** By the order of the elements. */
  private readonly styles: ShownStyle[] = [];

  constructor(parts: PageParts) {
    this.sheets = rulesOf(
      parts.styles.filter(isApplied).map(({ children: [text] }) => (text && isText(text) ? text.data : "")),
    );
  }

  /** Why an element may be worth a closer look, 0 when it is not. */
  hints(element: Element): number {
    let hints = 0;
    const { hinting } = this.sheets;
    if (hinting.size > 0) {
      for (const rule of this.rulesFor(element, hinting)) {
        if ((rule.hints | hints) !== hints && matches(element, rule.selector, this.budget)) hints |= rule.hints;
      }
    }
    const { attribs } = element;
    if (attribs === noAttributes || attribs.style === undefined) return hints;
    for (const [property, value] of this.inline(element)) hints |= inlineHint(property, value);
    return hints;
  }

  /** The style that holds for an element; empty when nobody said anything that counts. */
  of(element: Element): ShownStyle {
    if (this.sheets.rules.size === 0) return this.inline(element);
    const known = this.styles[orderOf(element)];
    if (known) return known;
    const style = this.cascade(element);
    this.styles[orderOf(element)] = style;
    return style;
  }

  /** What its own attribute says. */
  inline({ attribs }: Element): ShownStyle {
    const written = attribs === noAttributes ? undefined : attribs.style;
    if (written === undefined || written.length > longStyle) return noStyle;
    const declarations = readDeclarations(written);
    return declarations.length === 0 ? noStyle : new Map(declarations.map(([property, value]) => [property, value]));
  }

  private cascade(element: Element): ShownStyle {
    let values: Map<string, string> | null = null;
    const weights = new Map<string, number>();
    const take = (declarations: readonly Declaration[], weight: number) => {
      values ??= new Map<string, string>();
      for (const [property, value, isImportant] of declarations) {
        const all = weight + (isImportant ? importantWeight : 0);
        if (all < (weights.get(property) ?? 0)) continue;
        weights.set(property, all);
        values.set(property, value);
      }
    };
    for (const rule of this.rulesFor(element, this.sheets.rules)) {
      if (!rule.isElsewhere && matches(element, rule.selector, this.budget)) take(rule.declarations, rule.weight);
    }
    const { style: written } = element.attribs;
    if (written !== undefined && written.length <= longStyle) take(readDeclarations(written), inlineWeight);
    return values ?? noStyle;
  }

  /** Nothing once the page has cost too much. */
  private rulesFor({ name, attribs }: Element, rules: ReadonlyMap<string, Rule[]>): Rule[] {
    const found: Rule[] = [];
    const add = (key: string) => {
      const more = rules.get(key);
      if (more === undefined || this.budget.left <= 0) return;
      this.budget.left -= more.length;
      for (const rule of more) found.push(rule);
    };
    add("*");
    add(name);
    if (attribs === noAttributes) return found;
    if (attribs.id !== undefined) add(`#${attribs.id}`);
    if (attribs.class !== undefined) for (const key of classesOf(attribs.class)) add(`.${key}`);
    return found;
  }

  /** Whether a rule that does not hold now would show what a trick hides: on a click, in another window. */
  canShow(element: Element, trick: Trick): boolean {
    for (const { selector, declarations, isElsewhere } of this.rulesFor(element, this.sheets.showing)) {
      if (!declarations.some(([property]) => undoes[trick].test(property))) continue;
      if (isElsewhere || !matches(element, selector, this.budget)) return true;
    }
    return false;
  }
}

function inlineHint(property: string, value: string): number {
  if (property === "color" || property === "-webkit-text-fill-color") return hint.pageColour;
  if (property === "background-color") return hint.background;
  if (property === "font-size") return isFontTiny(new Map([[property, value]])) ? hint.small | hint.trick : 0;
  return isHidingValue(property, value) ? hint.trick : 0;
}

/** Colours count where letters and a background of the page are alike. */
function hintReader(written: readonly WrittenRule[], read: readonly (readonly Declaration[])[]) {
  const letters = new Map<string, Colour>();
  const grounds = new Map<string, Colour>();
  const pageGrounds: Colour[] = [white];
  for (const [place, declarations] of read.entries()) {
    for (const [property, value] of declarations) {
      const colour = isLetterColour(property) || property === "background-color" ? colourOf(value) : null;
      if (colour === null) continue;
      if (isLetterColour(property)) letters.set(value, colour);
      else if (colour.alpha > 0) {
        grounds.set(value, colour);
        if (/^\s*(?::root|html|body)\b/i.test(written[place]?.selectors ?? "")) pageGrounds.push(colour);
      }
    }
  }
  const hints = new Map<string, number>();
  const hintOf = (property: string, value: string): number => {
    if (property === "background-color") {
      const ground = grounds.get(value);
      return ground && [...letters.values()].some((letter) => areAlike(letter, ground)) ? hint.background : 0;
    }
    if (!isLetterColour(property)) return isHidingValue(property, value) ? hint.trick : 0;
    const letter = letters.get(value);
    if (!letter) return 0;
    if (letter.alpha < 0.1 || pageGrounds.some((ground) => areAlike(letter, ground))) return hint.pageColour;
    return [...grounds.values()].some((ground) => areAlike(letter, ground)) ? hint.otherColour : 0;
  };
  return (declarations: readonly Declaration[]): number => {
    let all = 0;
    for (const [property, value] of declarations) {
      const key = `${property}:${value}`;
      let known = hints.get(key);
      if (known === undefined) {
        known =
          property === "font-size" && isFontTiny(new Map([[property, value]])) ? hint.small : hintOf(property, value);
        hints.set(key, known);
      }
      all |= known;
    }
    return all;
  };
}

function isLetterColour(property: string): boolean {
  return property === "color" || property === "-webkit-text-fill-color";
}

/** The properties with which some rule of a page hides something: all others make no difference. */
function countingProperties(read: readonly (readonly Declaration[])[]): Set<string> {
  const counting = new Set([
    "opacity",
    "font-size",
    "color",
    "-webkit-text-fill-color",
    "background-color",
    "background-image",
    "background-clip",
  ]);
  for (const declarations of read) {
    if (!declarations.some(([property, value]) => isHidingValue(property, value))) continue;
    for (const [property] of declarations) counting.add(property);
    for (const property of ["position", "overflow", "padding"]) counting.add(property);
  }
  return counting;
}

const colouring = /^(?:color|background|font|-webkit-text|position|padding|moves)/;
const undoes: Record<Trick, RegExp> = {
  display: /^(?:display|content-visibility)$/,
  visibility: /^visibility$/,
  opacity: /^(?:opacity|filter)$/,
  size: /^(?:(?:max-)?(?:width|height)|overflow)$/,
  clip: /^clip/,
  place: /^(?:left|right|top|bottom|margin|transform|scale|translate|text-indent)/,
};

function put(rules: Map<string, Rule[]>, key: string, rule: Rule): void {
  const known = rules.get(key);
  if (known) known.push(rule);
  else rules.set(key, [rule]);
}

/** Not those for readers without scripts, for printers, or in parts that are not shown. */
function isApplied(style: Element): boolean {
  const parent = style.parent as Element | null;
  if (parent?.name === "noscript" || parent?.name === "template") return false;
  const type = attribute(style, "type");
  if (type !== undefined && !/^(?:text\/css)?$/i.test(type.trim())) return false;
  return whenOfMedia(attribute(style, "media") ?? "") === "here";
}

interface Variables {
  replace(value: string): string;
}

/** Those of the whole page; a variable that nobody set stays as it is written. */
function variablesOf(rules: readonly WrittenRule[]): Variables {
  const values = new Map<string, string>();
  for (const { selectors, body, isElsewhere } of rules) {
    if (isElsewhere || !/^\s*(?::root|html|body|\*)\s*(?:,|$)/i.test(selectors)) continue;
    for (const [, name = "", value = ""] of body.matchAll(/(--[\w-]{1,80})\s*:\s*([^;{}]{1,200})/g)) {
      if (values.size < maxVariables) values.set(name, value.trim());
    }
  }
  const once = (value: string) =>
    value.replace(/var\(\s*(--[\w-]{1,80})\s*(?:,([^()]{0,100}))?\)/g, (all, name: string, otherwise?: string) =>
      (values.get(name) ?? otherwise ?? all).slice(0, 200),
    );
  return { replace: (value) => (value.includes("var(") ? once(once(once(value))).slice(0, 500) : value) };
}
