// The rules of a page's own style sheets, found by the names of the elements that they may be for.
import { bitOf, type Declaration, splitOutside } from "./declarations.ts";
import { isKnownSelector } from "./known-selectors.ts";
import { hint, readHints } from "./rule-hints.ts";
import {
  declarationsOf,
  type Frozen,
  type Replace,
  readRules,
  type WrittenRule,
  type WrittenRules,
} from "./style-rules.ts";
import { createSelectorReader, type MatchBudget, type ReadSelector, type Selector } from "./style-selectors.ts";
import { trickOf } from "./tricks.ts";

/** One of the selectors of a rule. Most are never parsed: where the text is plain, names are read from it. */
export class RuleSelector {
  readonly rule: WrittenRule;
  private readonly written: string;
  private readonly readSelector: ReadSelector;
  private read: Selector | null | undefined;
  private named: readonly string[] | undefined;

  constructor(rule: WrittenRule, written: string, readSelector: ReadSelector) {
    this.rule = rule;
    this.written = written;
    this.readSelector = readSelector;
  }

  /** All ids and classes that a page must have for it to match. */
  get names(): readonly string[] {
    const isPlain = !complicated.test(this.written);
    this.named ??= (isPlain ? this.written.match(/[.#][^.#:\s>+~]+/g) : this.selector?.names) ?? noKeys;
    return this.named;
  }

  /** What an element has that it may match some day: an id or a class of the last compound, else its type. */
  get keys(): readonly string[] {
    if (complicated.test(this.written)) return this.selector?.keys ?? noKeys;
    const compound = this.written.split(/[\s>+~]+/).at(-1) ?? "";
    if (pseudoElements.test(compound)) return noKeys;
    const names = compound.match(/[.#][^.#:]+/g);
    const [type = ""] = compound.split(":", 1);
    if (names || (type !== "" && type !== "*")) return names ?? [type.toLowerCase()];
    return [compound.includes(":root") ? "html" : "*"];
  }

  /** Null when it is not understood. */
  get selector(): Selector | null {
    if (this.read === undefined) this.read = this.readSelector(this.written);
    return this.read;
  }
}

/** Brackets and escapes: only the parser knows what is a name. */
const complicated = /[[(\\]/;
const noKeys: readonly string[] = [];
const pseudoElements = /::|:(?:before|after|first-l)/;

export type RuleIndex = ReadonlyMap<string, readonly RuleSelector[]>;

const maxSelectors = 60;

/** A rule that sets variables or makes containers. */
export interface DeclaredValue {
  selector: Selector | null;
  body: string;
  order: number;
}

export class StyleSheets {
  private displays: RuleIndex | null = null;
  private set: DeclaredValue[] | null = null;
  /** Those that make an element worth a closer look. */
  readonly hinting: RuleIndex;
  readonly hints: readonly number[];
  /** Of the page that is being read: pages share sheets, and are read one after the other. */
  readonly budget: MatchBudget = { left: 0 };
  private readonly readSelector = createSelectorReader(this.budget);
  private readonly written: WrittenRules;
  private readonly counting: number;
  private everything: RuleIndex | null = null;
  /** By the order of the rules. */
  private readonly selectors: (readonly RuleSelector[])[] = [];
  private readonly declared: (readonly Declaration[])[] = [];
  private readonly hiding: boolean[] = [];

  constructor(sheets: readonly string[]) {
    this.written = readRules(sheets);
    const { hints, counting } = readHints(this.written);
    this.hints = hints;
    this.counting = counting;
    this.hinting = this.indexOf((rule) => hints[rule.order] !== 0 && !rule.isElsewhere);
  }

  /** Every rule with a declaration that counts. */
  get all(): RuleIndex {
    // An important declaration may override any attribute.
    this.everything ??= this.indexOf((rule) => (rule.bits & this.counting) !== 0 || isImportant(rule));
    return this.everything;
  }

  /** Every rule that says how something is displayed. */
  get displaying(): RuleIndex {
    this.displays ??= this.indexOf((rule) => (rule.bits & bitOf("display")) !== 0);
    return this.displays;
  }

  /** Where variables are set, and where containers are named, beside the whole page. */
  get settings(): readonly DeclaredValue[] {
    this.set ??= this.written.settings.flatMap(({ selectors, body, order }) =>
      isKnownSelector(selectors)
        ? splitOutside(selectors, ",", maxSelectors).map((each) => ({
            selector: this.readSelector(each.trim()),
            body,
            order,
          }))
        : [],
    );
    return this.set;
  }

  get frozen(): Frozen {
    return this.written.frozen;
  }

  get replace(): Replace {
    return this.written.replace;
  }

  /** The declarations of a rule that count. */
  declarations(rule: WrittenRule): readonly Declaration[] {
    const known = this.declared[rule.order];
    if (known) return known;
    const declarations = declarationsOf(rule, this.written.replace, this.written.frozen).filter(
      ([property, , isImportant]) => isImportant || (bitOf(property) & this.counting) !== 0,
    );
    this.declared[rule.order] = declarations;
    return declarations;
  }

  /** Whether a rule on its own hides its elements. */
  hides(rule: WrittenRule): boolean {
    if (((this.hints[rule.order] as number) & hint.trick) === 0) return false;
    this.hiding[rule.order] ??=
      trickOf(new Map(this.declarations(rule).map(([property, value]) => [property, value]))) !== null;
    return this.hiding[rule.order] as boolean;
  }

  private indexOf(isWanted: (rule: WrittenRule) => boolean): RuleIndex {
    const index = new Map<string, RuleSelector[]>();
    for (const rule of this.written.rules) {
      if (!isWanted(rule)) continue;
      for (const selector of this.selectorsOf(rule)) {
        for (const key of selector.keys) {
          const known = index.get(key);
          if (known) known.push(selector);
          else index.set(key, [selector]);
        }
      }
    }
    return index;
  }

  private selectorsOf(rule: WrittenRule): readonly RuleSelector[] {
    this.selectors[rule.order] ??= isKnownSelector(rule.selectors)
      ? splitOutside(rule.selectors, ",", maxSelectors).map(
          (written) => new RuleSelector(rule, written.trim(), this.readSelector),
        )
      : [];
    return this.selectors[rule.order] as readonly RuleSelector[];
  }
}

function isImportant({ text, found, from, to }: WrittenRule): boolean {
  return text.slice(found[from + 1], found[to - 1]).includes("!");
}

const noSheets = new StyleSheets([]);
/** The pages of a site have the same sheets: those that were read last are kept, the oldest first. */
const lastRead: { texts: readonly string[]; sheets: StyleSheets }[] = [];
const maxKept = 8;

export function sheetsOf(texts: readonly string[]): StyleSheets {
  if (texts.length === 0) return noSheets;
  const place = lastRead.findIndex((kept) => isSame(kept.texts, texts));
  const [known] = place === -1 ? [] : lastRead.splice(place, 1);
  const kept = known ?? read(texts);
  lastRead.push(kept);
  if (lastRead.length > maxKept) lastRead.shift();
  return kept.sheets;
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((text, place) => text === other[place]);
}

/** From copies: a part of a page's source would keep the whole of it. */
function read(texts: readonly string[]): { texts: readonly string[]; sheets: StyleSheets } {
  const copies = texts.map((text) => Buffer.from(text).toString());
  return { texts: copies, sheets: new StyleSheets(copies) };
}
