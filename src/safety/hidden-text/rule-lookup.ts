// Finds the rules that may match an element. Sheets are made for many pages: most rules name an id or class that this page does
// not have, and most others an ancestor that the element does not have.
import type { Document, Element } from "domhandler";
import { isElement, isText, noAttributes, orderOf, walk } from "../../html/index.ts";
import type { RuleIndex, RuleSelector } from "./rule-index.ts";
import type { WrittenRule } from "./style-rules.ts";
import { classesOf, type Selector } from "./style-selectors.ts";

export interface Candidate {
  rule: WrittenRule;
  selector: Selector;
  /** A Bloom filter of the names that its ancestors must have. */
  above: number;
}

export type Candidates = readonly Candidate[];

const none: Candidates = [];
const noLists: readonly Candidates[] = [];
/** As many as a small integer has. */
const bitCount = 30;

/** What a class attribute leads to. */
interface OfClasses {
  lists: readonly Candidates[];
  bits: number;
}

const noClasses: OfClasses = { lists: noLists, bits: 0 };

export class RuleLookup {
  private readonly lists = new Map<string, Candidates>();
  private readonly bits = new Map<string, number>();
  private readonly byClass = new Map<string, OfClasses>();
  /** By the order of the elements. */
  private readonly bitsAbove: number[] = [];

  /** `names`: the ids and classes of the page, null when they were not collected. */
  constructor(index: RuleIndex, names: ReadonlySet<string> | null) {
    for (const [key, all] of index) {
      if (names && isName(key) && !names.has(key)) continue;
      const candidates = all.map((selector) => this.candidate(selector, names)).filter((each) => each !== null);
      if (candidates.length > 0) this.lists.set(key, candidates);
    }
  }

  private candidate(written: RuleSelector, names: ReadonlySet<string> | null): Candidate | null {
    if (names && written.names.some((name) => !names.has(name))) return null;
    const { rule, selector } = written;
    if (selector === null) return null;
    let above = 0;
    for (const name of selector.above) above |= this.bitOf(name);
    return { rule, selector, above };
  }

  private bitOf(name: string): number {
    const known = this.bits.get(name);
    if (known !== undefined) return known;
    const bit = 1 << (this.bits.size % bitCount);
    this.bits.set(name, bit);
    return bit;
  }

  /** By its classes, its name and its id. */
  of({ name, attribs }: Element): readonly Candidates[] {
    const ofName = this.lists.get(name) ?? none;
    const ofAny = this.lists.get("*") ?? none;
    const hasOthers = ofName.length + ofAny.length > 0;
    if (attribs === noAttributes) return hasOthers ? [ofName, ofAny] : noLists;
    const { lists } = attribs.class === undefined ? noClasses : this.ofClasses(attribs.class);
    const ofId = attribs.id === undefined ? none : (this.lists.get(`#${attribs.id}`) ?? none);
    return hasOthers || ofId.length > 0 ? [...lists, ofName, ofAny, ofId] : lists;
  }

  /** Whether the element may have the ancestors that a rule asks for. */
  mayMatch(element: Element, { above }: Candidate): boolean {
    return above === 0 || (above & this.above(element)) === above;
  }

  private above(element: Element): number {
    const known = this.bitsAbove[orderOf(element)];
    if (known !== undefined) return known;
    const { parent } = element;
    const all = parent && isElement(parent) ? this.above(parent) | this.ownBits(parent) : 0;
    this.bitsAbove[orderOf(element)] = all;
    return all;
  }

  private ownBits({ name, attribs }: Element): number {
    const ofName = this.bits.get(name) ?? 0;
    if (attribs === noAttributes) return ofName;
    const ofId = attribs.id === undefined ? 0 : (this.bits.get(`#${attribs.id}`) ?? 0);
    return ofName | ofId | (attribs.class === undefined ? 0 : this.ofClasses(attribs.class).bits);
  }

  private ofClasses(written: string): OfClasses {
    const known = this.byClass.get(written);
    if (known !== undefined) return known;
    const lists: Candidates[] = [];
    let bits = 0;
    for (const name of classesOf(written)) {
      const list = this.lists.get(`.${name}`);
      if (list) lists.push(list);
      bits |= this.bits.get(`.${name}`) ?? 0;
    }
    const found = lists.length === 0 && bits === 0 ? noClasses : { lists, bits };
    this.byClass.set(written, found);
    return found;
  }
}

function isName(key: string): boolean {
  return key.startsWith(".") || key.startsWith("#");
}

/** All ids and classes of a page, as selectors name them. */
export function namesOn(root: Document): Set<string> {
  const names = new Set<string>();
  const lists = new Set<string>();
  let last: string | undefined;
  walk(root, (node) => {
    if (isText(node) || node.attribs === noAttributes) return true;
    const { class: list, id } = node.attribs;
    // Siblings often have the same classes.
    if (list !== undefined && list !== last) lists.add(list);
    last = list;
    if (id !== undefined) names.add(`#${id}`);
    return true;
  });
  for (const list of lists) for (const name of classesOf(list)) names.add(`.${name}`);
  return names;
}
