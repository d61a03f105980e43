// What each element of a page is, as numbers: how much text it holds, what its names say, whether it is one of many alike.
import type { AnyNode, Element } from "domhandler";
import { attribute, noAttributes } from "../../html/index.ts";
import type { Block, BlockElement, PageBlocks } from "./blocks.ts";
import { FramingReader, neverFrame } from "./boilerplate.ts";
import { type FlagName, flagNames } from "./feature-names.ts";
import { type Lexicon, NameScores } from "./lexicon.ts";

function bitOf(flag: FlagName): number {
  return 1 << flagNames.indexOf(flag);
}

/** Flags of an element's tag: it hands them down to everything in it. */
const bitOfName: Record<string, number> = {
  nav: bitOf("nav"),
  header: bitOf("header"),
  footer: bitOf("footer"),
  aside: bitOf("aside"),
  main: bitOf("main"),
  article: bitOf("article"),
  form: bitOf("form"),
  table: bitOf("table"),
  ul: bitOf("list"),
  ol: bitOf("list"),
  figure: bitOf("figure"),
  blockquote: bitOf("blockquote"),
  section: bitOf("section"),
  button: bitOf("button"),
  label: bitOf("button"),
  noscript: bitOf("noscript"),
  dl: bitOf("definitions"),
  details: bitOf("details"),
};
/** What frames a page by its tag. */
export const frameTags = bitOf("nav") | bitOf("footer") | bitOf("aside");
export const foldedBit = bitOf("folded");
const mainBit = bitOf("mainPart");
export const frameBit = bitOf("frame");
const weakBit = bitOf("weakFrame");
export const commentsBit = bitOf("comments");
export const ruleRootBit = bitOf("ruleRoot");
export const ruleDropBit = bitOf("ruleDropped");

/** Alike: so many siblings with the same tag and class. */
const alike = 3;
const texts = new Set(["p", "h1", "h2", "h3", "h4", "h5", "h6"]);

export class ElementFacts {
  readonly count: number;
  readonly parents: Int32Array;
  /** The nearest element above with more text than this one, or -1. */
  readonly above: Int32Array;
  readonly bits: Int32Array;
  readonly words: Int32Array;
  readonly chars: Int32Array;
  readonly linkChars: Int32Array;
  readonly blocks: Int32Array;
  readonly commas: Int32Array;
  readonly name: Float32Array;
  /** Of the element and the wrappers around it that hold nothing else. */
  readonly wrapped: Float32Array;
  readonly lowest: Float32Array;
  readonly highest: Float32Array;
  readonly sum: Float32Array;
  /** How many siblings are like it, itself included, and its place among them. */
  readonly siblings: Int32Array;
  readonly sibling: Int32Array;
  /** What it looks like: the same number as all elements with its tag and class. */
  readonly looks: Int32Array;
  /** Elements in the same place of records alike have the same number; -1 outside of records. */
  readonly slots: Int32Array;
  /** The innermost and the outermost element around it that is one of many alike, or -1. */
  readonly innerItem: Int32Array;
  readonly outerItem: Int32Array;
  /** The nearest article or main part around it, or -1. */
  readonly article: Int32Array;
  /** How many articles it is nested in: those inside others are mostly teasers and comments. */
  readonly articlesAround: Int32Array;
  readonly weight: Float32Array;
  readonly bestWeight: Float32Array;
  /** Words of the blocks right below, without those further down. */
  readonly direct: Int32Array;
  /** The element that looks most like the parent of an article's paragraphs, or -1. */
  heaviest = -1;
  /** How far above an element the first one is that also holds the heaviest, counting only those with more text. */
  readonly toHeaviest: Int32Array;
  private readonly ruleRoots: ReadonlySet<AnyNode>;
  private readonly ruleDropped: ReadonlySet<AnyNode>;

  constructor(page: PageBlocks, folded: ReadonlySet<AnyNode>, names: Lexicon, rules: RuleVerdict) {
    this.ruleRoots = new Set(rules.nodes);
    this.ruleDropped = rules.dropped;
    const { elements, blocks } = page;
    const { length } = elements;
    this.count = length;
    this.parents = new Int32Array(length);
    this.above = new Int32Array(length);
    this.bits = new Int32Array(length);
    this.words = new Int32Array(length);
    this.chars = new Int32Array(length);
    this.linkChars = new Int32Array(length);
    this.blocks = new Int32Array(length);
    this.commas = new Int32Array(length);
    this.name = new Float32Array(length);
    this.wrapped = new Float32Array(length);
    this.lowest = new Float32Array(length);
    this.highest = new Float32Array(length);
    this.sum = new Float32Array(length);
    this.siblings = new Int32Array(length);
    this.sibling = new Int32Array(length);
    this.looks = new Int32Array(length);
    this.slots = new Int32Array(length);
    this.innerItem = new Int32Array(length);
    this.outerItem = new Int32Array(length);
    this.article = new Int32Array(length);
    this.articlesAround = new Int32Array(length);
    this.weight = new Float32Array(length);
    this.bestWeight = new Float32Array(length);
    this.direct = new Int32Array(length);
    this.toHeaviest = new Int32Array(length);
    this.measure(elements, blocks);
    this.countAlike(elements);
    this.weigh(elements, blocks);
    this.handDown(elements, folded, new NameScores(names), new FramingReader());
    this.findSlots(elements);
  }

  private measure(elements: readonly BlockElement[], blocks: readonly Block[]): void {
    const words = runningSums(blocks, (block) => block.wordEnd - block.wordFirst);
    const chars = runningSums(blocks, (block) => block.chars);
    const linkChars = runningSums(blocks, (block) => block.linkChars);
    const commas = runningSums(blocks, (block) => block.commas);
    for (let place = 0; place < elements.length; place += 1) {
      const { firstBlock, endBlock, parent } = elements[place] as BlockElement;
      this.parents[place] = parent;
      this.words[place] = between(words, firstBlock, endBlock);
      this.chars[place] = between(chars, firstBlock, endBlock);
      this.linkChars[place] = between(linkChars, firstBlock, endBlock);
      this.commas[place] = between(commas, firstBlock, endBlock);
      this.blocks[place] = endBlock - firstBlock;
    }
  }

  private countAlike(elements: readonly BlockElement[]): void {
    const groups = new Map<number, number>();
    const members: number[] = [];
    const sizes: number[] = [];
    const looks = new Looks();
    for (let place = 0; place < elements.length; place += 1) {
      const { element, parent } = elements[place] as BlockElement;
      const look = looks.of(element);
      this.looks[place] = look;
      if (this.words[place] === 0) continue;
      const key = (parent + 1) * manyLooks + look;
      let group = groups.get(key);
      if (group === undefined) {
        group = sizes.length;
        groups.set(key, group);
        sizes.push(0);
      }
      this.sibling[place] = sizes[group] as number;
      sizes[group] = (sizes[group] as number) + 1;
      members[place] = group;
    }
    for (let place = 0; place < elements.length; place += 1) {
      const group = members[place];
      if (group !== undefined) this.siblings[place] = sizes[group] as number;
    }
  }

  /** A record is an outermost item; its slots are the ways of looks from there on. Paragraphs are no records. */
  private findSlots(elements: readonly BlockElement[]): void {
    const ids = new Map<number, number>();
    for (let place = 0; place < this.count; place += 1) {
      const item = this.outerItem[place] as number;
      const parent = this.parents[place] as number;
      if (item < 0 || texts.has((elements[item] as BlockElement).element.name)) {
        this.slots[place] = -1;
        continue;
      }
      // Records begin with their parent, all else with the slot around it: the two must not meet.
      const above = item === place ? -2 - parent : (this.slots[parent] as number) + 1;
      const key = above * manyLooks + (this.looks[place] as number);
      let slot = ids.get(key);
      if (slot === undefined) {
        slot = ids.size;
        ids.set(key, slot);
      }
      this.slots[place] = slot;
    }
  }

  /** How much an element looks like the parent of an article's paragraphs. */
  private weigh(elements: readonly BlockElement[], blocks: readonly Block[]): void {
    const { weight } = this;
    for (const block of blocks) {
      if (block.chars < 25) continue;
      const { element } = elements[block.owner] as BlockElement;
      const { name } = element;
      if (
        name !== "p" &&
        name !== "td" &&
        name !== "pre" &&
        name !== "div" &&
        name !== "section" &&
        name !== "blockquote"
      )
        continue;
      const share = 1 - block.linkChars / block.chars;
      const points = (1 + block.commas + Math.min(block.chars / 100, 3)) * share;
      const parent = name === "div" || name === "section" ? block.owner : (this.parents[block.owner] as number);
      if (parent < 0) continue;
      weight[parent] = (weight[parent] as number) + points;
      const grandparent = this.parents[parent] as number;
      if (grandparent >= 0) weight[grandparent] = (weight[grandparent] as number) + points / 2;
    }
    for (let place = 0; place < elements.length; place += 1) {
      const chars = this.chars[place] as number;
      if (chars > 0) weight[place] = (weight[place] as number) * (1 - (this.linkChars[place] as number) / chars);
      if ((weight[place] as number) > (this.heaviest < 0 ? 0 : (weight[this.heaviest] as number)))
        this.heaviest = place;
    }
    for (const block of blocks) {
      const parent = this.paragraphParent(block, elements);
      if (parent >= 0) this.direct[parent] = (this.direct[parent] as number) + block.wordEnd - block.wordFirst;
    }
  }

  /** Which element a block is a paragraph of. */
  paragraphParent({ owner }: Block, elements: readonly BlockElement[]): number {
    const { name } = (elements[owner] as BlockElement).element;
    return name === "div" || name === "section" ? owner : (this.parents[owner] as number);
  }

  private handDown(
    elements: readonly BlockElement[],
    folded: ReadonlySet<AnyNode>,
    names: NameScores,
    framing: FramingReader,
  ): void {
    const holdsHeaviest = new Uint8Array(elements.length);
    for (let place = this.heaviest; place >= 0; place = this.parents[place] as number) holdsHeaviest[place] = 1;
    for (let place = 0; place < elements.length; place += 1) {
      const { element, parent } = elements[place] as BlockElement;
      const isRoot = parent < 0;
      const isInside = holdsHeaviest[place] === 1 || (!isRoot && this.heaviest >= 0 && this.toHeaviest[parent] === -1);
      const isHeaviest = place === this.heaviest || (!isRoot && this.toHeaviest[parent] === -1);
      // -1: inside of it; 0: holds it; above: so many steps away from one that does.
      this.toHeaviest[place] = isHeaviest
        ? -1
        : isInside
          ? 0
          : (isRoot ? 0 : (this.toHeaviest[parent] as number)) +
            (!isRoot && this.words[parent] === this.words[place] ? 0 : 1);
      const name = names.of(element);
      this.name[place] = name;
      const isWrapper = !isRoot && this.words[parent] === this.words[place];
      this.above[place] = isRoot ? -1 : isWrapper ? (this.above[parent] as number) : parent;
      this.wrapped[place] = isWrapper ? (this.wrapped[parent] as number) + name : name;
      this.lowest[place] = Math.min(name, isRoot ? 0 : (this.lowest[parent] as number));
      this.highest[place] = Math.max(name, isRoot ? 0 : (this.highest[parent] as number));
      this.sum[place] = name + (isRoot ? 0 : (this.sum[parent] as number));
      this.bits[place] =
        ownBits(element, folded, framing) |
        (this.ruleRoots.has(element) ? ruleRootBit : 0) |
        (this.ruleDropped.has(element) ? ruleDropBit : 0) |
        (isRoot ? 0 : (this.bits[parent] as number));
      const isItem = (this.siblings[place] as number) >= alike;
      const outer = isRoot ? -1 : (this.outerItem[parent] as number);
      this.innerItem[place] = isItem ? place : isRoot ? -1 : (this.innerItem[parent] as number);
      this.outerItem[place] = outer >= 0 ? outer : isItem ? place : -1;
      const isArticle = element.name === "article" || element.name === "main";
      this.article[place] = isArticle ? place : isRoot ? -1 : (this.article[parent] as number);
      this.articlesAround[place] =
        (element.name === "article" ? 1 : 0) + (isRoot ? 0 : (this.articlesAround[parent] as number));
      this.bestWeight[place] = Math.max(this.weight[place] as number, isRoot ? 0 : (this.bestWeight[parent] as number));
    }
  }
}

/** Comments, and articles inside of articles, which are comments or teasers too. */
export function isReply({ bits, articlesAround }: ElementFacts, place: number): boolean {
  return ((bits[place] as number) & commentsBit) !== 0 || (articlesAround[place] as number) > 1;
}

/** More than the tags and classes of any page that is read here. */
export const manyLooks = 2 ** 21;

/** Numbers for what elements look like: their tag and class. Numbers are cheaper keys than texts put together. */
class Looks {
  private readonly byName = new Map<string, Map<string, number>>();
  private next = 0;

  of({ name, attribs }: Element): number {
    let byClass = this.byName.get(name);
    if (byClass === undefined) {
      byClass = new Map();
      this.byName.set(name, byClass);
    }
    const classes = attribs === noAttributes ? "" : (attribs.class ?? "");
    const known = byClass.get(classes);
    if (known !== undefined) return known;
    const general = classes.replace(singular, "");
    const look = byClass.get(general) ?? this.next;
    if (look === this.next) this.next += 1;
    byClass.set(general, look);
    byClass.set(classes, look);
    return look;
  }
}

/** Classes that tell an element from others of its kind: `post-123`, `even`, `first`. */
const singular = /(?:^|\s)(?:\S*\d\S*|odd|even|alt|first|last|active|current|category-\S*|tag-\S*)(?=\s|$)/g;

/** What the rules of main.ts would keep: one more opinion for the model. */
export interface RuleVerdict {
  nodes: readonly AnyNode[];
  dropped: ReadonlySet<AnyNode>;
}

function ownBits(element: Element, folded: ReadonlySet<AnyNode>, framing: FramingReader): number {
  let bits = bitOfName[element.name] ?? 0;
  if (element.attribs === noAttributes) return bits;
  if (folded.size > 0 && folded.has(element)) bits |= foldedBit;
  const { role } = element.attribs;
  if (role === "main" || attribute(element, "itemprop") === "articleBody") bits |= mainBit;
  if (neverFrame.has(element.name)) return bits;
  const frame = framing.of(element);
  if (frame === "frame") bits |= frameBit;
  else if (frame === "weak") bits |= weakBit;
  else if (frame === "comments") bits |= commentsBit;
  return bits;
}

function runningSums(blocks: readonly Block[], read: (block: Block) => number): Float64Array {
  const sums = new Float64Array(blocks.length + 1);
  for (let at = 0; at < blocks.length; at += 1) sums[at + 1] = (sums[at] as number) + read(blocks[at] as Block);
  return sums;
}

function between(sums: Float64Array, first: number, end: number): number {
  return end > first ? (sums[end] as number) - (sums[first] as number) : 0;
}
