// Computes the style of an element from the page's own <style> elements and its style attribute. External sheets are not
// known.
import type { Document, Element } from "domhandler";
import { attribute, isText, noAttributes, orderOf, type PageParts } from "../../html/index.ts";
import { bitOf, bitsOf, type Declaration, type Property, readDeclarations } from "./declarations.ts";
import { PageContainers, PageVariables } from "./page-variables.ts";
import { inlineHint } from "./rule-hints.ts";
import { type RuleIndex, type StyleSheets, sheetsOf } from "./rule-index.ts";
import { namesOn, RuleLookup } from "./rule-lookup.ts";
import { whenOfMedia } from "./style-conditions.ts";
import { declarationsOf, type WrittenRule } from "./style-rules.ts";
import { classesOf, type MatchBudget } from "./style-selectors.ts";
import { offsets, type ShownStyle, type Trick } from "./tricks.ts";

/** Elements looked at while rules are matched, of a whole page. */
const maxMatching = 500_000;
const longStyle = 2000;
const fewRules = 40;
const ofOrder = 1_000_000;
const maxSpecificity = 899_999_999;
/** Levels of the cascade: layers, unlayered rules, attributes, then the same for what is important, where layers are reversed. */
const unlayered = 1000;
const inlineLevel = 1001;
const importantLevel = 5000;

interface InlineStyle {
  style: ShownStyle;
  declarations: readonly Declaration[];
  hints: number;
}

const noInline: InlineStyle = { style: new Map(), declarations: [], hints: 0 };

/** A cheap first look: an attribute without any of these hides nothing. */
const telling =
  /none|hidden|collapse|opacity|color|background|clip|indent|font|-\.?\d|scale|translate|filter|(?:width|height)\s*:\s*\+?[01.]|\\/i;

export class PageStyles {
  private readonly root: Document;
  private readonly sheets: StyleSheets;
  private readonly hinting: RuleLookup | null;
  private everything: RuleLookup | null = null;
  private displaying: RuleLookup | null = null;
  private names: ReadonlySet<string> | null = null;
  private readonly budget: MatchBudget;
  private readonly variables: PageVariables;
  private readonly containers: PageContainers;
  private readonly inlines = new Map<string, InlineStyle>();
  /** By the order of the elements. */
  private readonly styles: ShownStyle[] = [];

  constructor(root: Document, parts: PageParts) {
    this.root = root;
    const texts = parts.styles.filter(isApplied).map(({ children: [text] }) => (text && isText(text) ? text.data : ""));
    this.sheets = sheetsOf(texts.filter((text) => text !== ""));
    this.budget = this.sheets.budget;
    this.budget.left = maxMatching;
    this.variables = new PageVariables(this.sheets);
    this.containers = new PageContainers(this.sheets, this.variables);
    this.hinting = this.sheets.hinting.size === 0 ? null : this.lookup(this.sheets.hinting);
  }

  /** Whether any rule makes an element worth a closer look. */
  get hasHints(): boolean {
    return this.hinting !== null;
  }

  private lookup(index: RuleIndex): RuleLookup {
    // To know all names of a page costs more than a few rules too many.
    if (index.size < fewRules) return new RuleLookup(index, null);
    this.names ??= namesOn(this.root);
    return new RuleLookup(index, this.names);
  }

  /** Why the sheets make an element worth a closer look; 0 when they do not. */
  hintsByRules(element: Element): number {
    const { hinting } = this;
    let hints = 0;
    if (hinting === null) return hints;
    for (const list of this.within(hinting.of(element))) {
      for (const candidate of list) {
        const own = this.sheets.hints[candidate.rule.order] as number;
        if ((own | hints) === hints || !hinting.mayMatch(element, candidate)) continue;
        if (candidate.selector.matches(element) && this.isContained(element, candidate.rule)) hints |= own;
      }
    }
    return hints;
  }

  /** The same by its own attribute. */
  hintsByAttribute(element: Element): number {
    const { attribs } = element;
    if (attribs === noAttributes || attribs.style === undefined || !telling.test(attribs.style)) return 0;
    return this.inlineOf(element).hints;
  }

  /** The computed style of an element: all that can hide it with everything below it. */
  of(element: Element): ShownStyle {
    const known = this.styles[orderOf(element)];
    if (known) return known;
    const style = this.cascade(element, ~paint);
    this.styles[orderOf(element)] = style;
    return style;
  }

  /** The computed colours of an element's text and background. */
  paintOf(element: Element): ShownStyle {
    return this.cascade(element, paint | bitOf("font-size"));
  }

  /** What is said of how it is displayed, by rules that hide nothing, too. */
  displayOf(element: Element): string | undefined {
    this.displaying ??= this.lookup(this.sheets.displaying);
    return this.cascade(element, bitOf("display"), this.displaying).get("display");
  }

  /** The style in its `style` attribute. */
  inline(element: Element): ShownStyle {
    return this.inlineOf(element).style;
  }

  private inlineOf({ attribs }: Element): InlineStyle {
    const written = attribs === noAttributes ? undefined : attribs.style;
    if (written === undefined || written.length > longStyle) return noInline;
    const known = this.inlines.get(written);
    if (known) return known;
    const declarations = readDeclarations(written);
    const hints = declarations.reduce((all, [property, value]) => all | inlineHint(property, value), 0);
    const style = new Map(declarations.map(([property, value]) => [property, value]));
    const read = declarations.length === 0 ? noInline : { style, declarations, hints };
    this.inlines.set(written, read);
    return read;
  }

  private cascade(element: Element, wanted: number, among?: RuleLookup): ShownStyle {
    const inline = this.inlineOf(element);
    const values = new Map<Property, string>();
    const ranks = new Map<Property, readonly [level: number, weight: number]>();
    const take = (declarations: readonly Declaration[], own: number, weight: number) => {
      for (const [property, value, isImportant] of declarations) {
        if (value === "revert-layer") continue;
        const level = isImportant ? importantLevel + (own === inlineLevel ? own : -own) : own;
        const [knownLevel, knownWeight] = ranks.get(property) ?? [-1, -1];
        if (level < knownLevel || (level === knownLevel && weight < knownWeight)) continue;
        ranks.set(property, [level, weight]);
        values.set(property, value);
      }
    };
    this.everything ??= among ? null : this.lookup(this.sheets.all);
    const rules = among ?? (this.everything as RuleLookup);
    for (const list of this.within(rules.of(element))) {
      for (const candidate of list) {
        const { rule, selector } = candidate;
        if ((rule.bits & wanted) === 0 || rule.isElsewhere || !rules.mayMatch(element, candidate)) continue;
        if (!selector.matches(element) || !this.isContained(element, rule)) continue;
        const weight = Math.min(selector.specificity, maxSpecificity) * ofOrder + rule.order;
        take(this.declarationsFor(element, rule, wanted), rule.layer ?? unlayered, weight);
      }
    }
    if (values.size === 0) return inline.style;
    take(inline.declarations, inlineLevel, 0);
    return values;
  }

  /** With the variables that hold at the element. */
  private declarationsFor(element: Element, rule: WrittenRule, wanted: number): readonly Declaration[] {
    const isOfPage = wanted !== bitOf("display") && !rule.usesVariables;
    if (isOfPage) return this.sheets.declarations(rule);
    return declarationsOf(rule, (value) => this.variables.replaceIn(value, element), this.sheets.frozen);
  }

  private isContained(element: Element, { container }: WrittenRule): boolean {
    return container === "" || this.containers.holds(element, container);
  }

  /** Nothing once the budget of the page is spent. */
  private within<List extends readonly unknown[]>(lists: readonly List[]): readonly List[] {
    if (this.budget.left <= 0) return [];
    for (const list of lists) this.budget.left -= list.length;
    return lists;
  }

  /** Whether a rule that does not hold now would show what a trick hides: on a click, in another window. */
  canShow(element: Element, trick: Trick): boolean {
    const { attribs } = element;
    const { all } = this.sheets;
    const names = attribs.class === undefined ? [] : classesOf(attribs.class).map((name) => `.${name}`);
    if (attribs.id !== undefined) names.push(`#${attribs.id}`);
    const undoing = undoes[trick];
    // What is nowhere on the page now may be there after a click: every rule counts.
    for (const list of this.within(names.map((name) => all.get(name) ?? []))) {
      for (const { rule, selector } of list) {
        if ((rule.bits & undoing) === 0 || !selector || this.sheets.hides(rule)) continue;
        if (!this.sheets.declarations(rule).some(([property]) => (bitOf(property) & undoing) !== 0)) continue;
        if (rule.isElsewhere || !selector.matches(element)) return true;
      }
    }
    return false;
  }
}

const paint = bitsOf("color", "-webkit-text-fill-color", "background-color", "background-image", "background-clip");
const undoes: Record<Trick, number> = {
  display: bitsOf("display", "content-visibility"),
  visibility: bitsOf("visibility"),
  opacity: bitsOf("opacity", "filter"),
  size: bitsOf("width", "height", "max-width", "max-height", "overflow"),
  clip: bitsOf("clip", "clip-path"),
  place: bitsOf(...offsets, "transform", "scale", "translate"),
};

/** Not those for readers without scripts, for printers, or in parts that are not shown. */
function isApplied(style: Element): boolean {
  for (let around = style.parent as Element | null; around; around = around.parent as Element | null)
    if (around.name === "noscript" || around.name === "template") return false;
  const type = attribute(style, "type");
  if (type !== undefined && !/^(?:text\/css)?$/i.test(type.trim())) return false;
  return whenOfMedia(attribute(style, "media") ?? "") === "here";
}
