// What each element of a page is, as numbers: how much text it holds, what its names say, whether it is one of many alike.
import type { AnyNode, Element } from "domhandler";
import { attribute, noAttributes } from "../../html/index.ts";
import { type Block, type BlockElement, type PageBlocks, wordCount } from "./blocks.ts";
import { createFraming, type Framing, neverFrame } from "./boilerplate.ts";
import { type FlagName, flagNames } from "./feature-names.ts";
import { createNameScores, type Lexicon } from "./lexicon.ts";

function bitOf(flag: FlagName): number {
  return 1 << flagNames.indexOf(flag);
}

const sameName =
  "nav header footer aside main article form table figure blockquote section button noscript details".split(" ");
const otherName = { ul: "list", ol: "list", label: "button", dl: "definitions" } as const;
/** Flags of an element's tag: it hands them down to everything in it. */
const bitOfName = Object.fromEntries([
  ...sameName.map((tag) => [tag, bitOf(tag as FlagName)] as const),
  ...Object.entries(otherName).map(([tag, flag]) => [tag, bitOf(flag)] as const),
]);
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
const paragraphs = new Set(["p", "td", "pre", "div", "section", "blockquote"]);
const texts = new Set(["p", "h1", "h2", "h3", "h4", "h5", "h6"]);

export type ElementFacts = ReturnType<typeof emptyFacts>;

/** Columns with a number for each element. */
function emptyFacts(count: number) {
  const ints = () => new Int32Array(count);
  const floats = () => new Float32Array(count);
  return {
    count,
    parents: ints(),
    /** The nearest element above with more text than this one, or -1. */
    above: ints(),
    bits: ints(),
    words: ints(),
    chars: ints(),
    linkChars: ints(),
    blocks: ints(),
    commas: ints(),
    name: floats(),
    /** Of the element and the wrappers around it that hold nothing else. */
    wrapped: floats(),
    lowest: floats(),
    highest: floats(),
    sum: floats(),
    /** How many siblings are like it, itself included, and its place among them. */
    siblings: ints(),
    sibling: ints(),
    /** Its looks: elements with the same tag and class share a number. */
    looks: ints(),
    /** Elements in the same place of records alike have the same number; -1 outside of records. */
    slots: ints(),
    /** The innermost and the outermost element around it that is one of many alike, or -1. */
    innerItem: ints(),
    outerItem: ints(),
    /** The nearest article or main part around it, or -1. */
    article: ints(),
    /** How many articles it is nested in: those inside others are mostly teasers and comments. */
    articlesAround: ints(),
    weight: floats(),
    bestWeight: floats(),
    /** Words of the blocks right below, without those further down. */
    direct: ints(),
    /** The element that looks most like the parent of an article's paragraphs, or -1. */
    heaviest: -1,
    /** How far above an element the first one is that also holds the heaviest, counting only those with more text. */
    toHeaviest: ints(),
  };
}

export function readElementFacts(
  page: PageBlocks,
  folded: ReadonlySet<AnyNode>,
  names: Lexicon,
  rules: RuleVerdict,
): ElementFacts {
  const { elements } = page;
  const facts = emptyFacts(elements.length);
  measure(facts, page);
  countAlike(facts, elements);
  weigh(facts, page);
  handDown(facts, elements, folded, names, rules);
  findSlots(facts, elements);
  return facts;
}

function measure(facts: ElementFacts, { elements, blocks }: PageBlocks): void {
  const words = runningSums(blocks, wordCount);
  const chars = runningSums(blocks, (block) => block.chars);
  const linkChars = runningSums(blocks, (block) => block.linkChars);
  const commas = runningSums(blocks, (block) => block.commas);
  for (let place = 0; place < elements.length; place += 1) {
    const { firstBlock, endBlock, parent } = elements[place] as BlockElement;
    facts.parents[place] = parent;
    facts.words[place] = between(words, firstBlock, endBlock);
    facts.chars[place] = between(chars, firstBlock, endBlock);
    facts.linkChars[place] = between(linkChars, firstBlock, endBlock);
    facts.commas[place] = between(commas, firstBlock, endBlock);
    facts.blocks[place] = endBlock - firstBlock;
  }
}

function countAlike(facts: ElementFacts, elements: readonly BlockElement[]): void {
  const members: number[] = [];
  const sizes: number[] = [];
  const lookOf = createLooks();
  const groupOf = createNumbering();
  for (let place = 0; place < elements.length; place += 1) {
    const { element, parent } = elements[place] as BlockElement;
    const look = lookOf(element);
    facts.looks[place] = look;
    if (facts.words[place] === 0) continue;
    const group = groupOf((parent + 1) * manyLooks + look);
    const size = sizes[group] ?? 0;
    facts.sibling[place] = size;
    sizes[group] = size + 1;
    members[place] = group;
  }
  for (let place = 0; place < elements.length; place += 1) {
    const group = members[place];
    if (group !== undefined) facts.siblings[place] = sizes[group] as number;
  }
}

/** A record is an outermost item; its slots are the ways of looks from there on. Paragraphs are no records. */
function findSlots(facts: ElementFacts, elements: readonly BlockElement[]): void {
  const slotOf = createNumbering();
  for (let place = 0; place < facts.count; place += 1) {
    const item = facts.outerItem[place] as number;
    const parent = facts.parents[place] as number;
    if (item < 0 || texts.has((elements[item] as BlockElement).element.name)) {
      facts.slots[place] = -1;
      continue;
    }
    // Records begin with their parent, all else with the slot around it: the two must not meet.
    const above = item === place ? -2 - parent : (facts.slots[parent] as number) + 1;
    facts.slots[place] = slotOf(above * manyLooks + (facts.looks[place] as number));
  }
}

/** How much an element looks like the parent of an article's paragraphs. */
function weigh(facts: ElementFacts, { elements, blocks }: PageBlocks): void {
  const { weight } = facts;
  for (const block of blocks) {
    if (block.chars < 25) continue;
    const { element } = elements[block.owner] as BlockElement;
    const { name } = element;
    if (!paragraphs.has(name)) continue;
    const share = 1 - block.linkChars / block.chars;
    const points = (1 + block.commas + Math.min(block.chars / 100, 3)) * share;
    const parent = name === "div" || name === "section" ? block.owner : (facts.parents[block.owner] as number);
    if (parent < 0) continue;
    weight[parent] = (weight[parent] as number) + points;
    const grandparent = facts.parents[parent] as number;
    if (grandparent >= 0) weight[grandparent] = (weight[grandparent] as number) + points / 2;
  }
  for (let place = 0; place < elements.length; place += 1) {
    const chars = facts.chars[place] as number;
    if (chars > 0) weight[place] = (weight[place] as number) * (1 - (facts.linkChars[place] as number) / chars);
    if ((weight[place] as number) > (facts.heaviest < 0 ? 0 : (weight[facts.heaviest] as number)))
      facts.heaviest = place;
  }
  for (const block of blocks) {
    const parent = paragraphParent(facts, block, elements);
    if (parent >= 0) facts.direct[parent] = (facts.direct[parent] as number) + wordCount(block);
  }
}

/** Which element a block is a paragraph of. */
export function paragraphParent(
  { parents }: ElementFacts,
  { owner }: Block,
  elements: readonly BlockElement[],
): number {
  const { name } = (elements[owner] as BlockElement).element;
  return name === "div" || name === "section" ? owner : (parents[owner] as number);
}

function handDown(
  facts: ElementFacts,
  elements: readonly BlockElement[],
  folded: ReadonlySet<AnyNode>,
  names: Lexicon,
  rules: RuleVerdict,
): void {
  const scoreOf = createNameScores(names);
  const framing = createFraming();
  const ruleRoots = new Set(rules.nodes);
  const holdsHeaviest = new Uint8Array(elements.length);
  for (let place = facts.heaviest; place >= 0; place = facts.parents[place] as number) holdsHeaviest[place] = 1;
  for (let place = 0; place < elements.length; place += 1) {
    const { element, parent } = elements[place] as BlockElement;
    const isRoot = parent < 0;
    const isInside = holdsHeaviest[place] === 1 || (!isRoot && facts.heaviest >= 0 && facts.toHeaviest[parent] === -1);
    const isHeaviest = place === facts.heaviest || (!isRoot && facts.toHeaviest[parent] === -1);
    // -1: inside of it; 0: holds it; above: so many steps away from one that does.
    facts.toHeaviest[place] = isHeaviest
      ? -1
      : isInside
        ? 0
        : (isRoot ? 0 : (facts.toHeaviest[parent] as number)) +
          (!isRoot && facts.words[parent] === facts.words[place] ? 0 : 1);
    const name = scoreOf(element);
    facts.name[place] = name;
    const isWrapper = !isRoot && facts.words[parent] === facts.words[place];
    facts.above[place] = isRoot ? -1 : isWrapper ? (facts.above[parent] as number) : parent;
    facts.wrapped[place] = isWrapper ? (facts.wrapped[parent] as number) + name : name;
    facts.lowest[place] = Math.min(name, isRoot ? 0 : (facts.lowest[parent] as number));
    facts.highest[place] = Math.max(name, isRoot ? 0 : (facts.highest[parent] as number));
    facts.sum[place] = name + (isRoot ? 0 : (facts.sum[parent] as number));
    facts.bits[place] =
      ownBits(element, folded, framing) |
      (ruleRoots.has(element) ? ruleRootBit : 0) |
      (rules.dropped.has(element) ? ruleDropBit : 0) |
      (isRoot ? 0 : (facts.bits[parent] as number));
    const isItem = (facts.siblings[place] as number) >= alike;
    const outer = isRoot ? -1 : (facts.outerItem[parent] as number);
    facts.innerItem[place] = isItem ? place : isRoot ? -1 : (facts.innerItem[parent] as number);
    facts.outerItem[place] = outer >= 0 ? outer : isItem ? place : -1;
    const isArticle = element.name === "article" || element.name === "main";
    facts.article[place] = isArticle ? place : isRoot ? -1 : (facts.article[parent] as number);
    facts.articlesAround[place] =
      (element.name === "article" ? 1 : 0) + (isRoot ? 0 : (facts.articlesAround[parent] as number));
    facts.bestWeight[place] = Math.max(
      facts.weight[place] as number,
      isRoot ? 0 : (facts.bestWeight[parent] as number),
    );
  }
}

/** Comments, and articles inside of articles, which are comments or teasers too. */
export function isReply({ bits, articlesAround }: ElementFacts, place: number): boolean {
  return ((bits[place] as number) & commentsBit) !== 0 || (articlesAround[place] as number) > 1;
}

/** More than the combinations of tag and class on any page. */
export const manyLooks = 2 ** 21;

/** Numbers keys as they come, from 0. */
export function createNumbering(): (key: number) => number {
  const known = new Map<number, number>();
  return (key) => {
    const number = known.get(key);
    if (number === undefined) known.set(key, known.size);
    return number ?? known.size - 1;
  };
}

/** Numbers the looks of elements: tag and class. Numbers are cheaper keys than concatenated strings. */
function createLooks(): (element: Element) => number {
  const ofTags = new Map<string, Map<string, number>>();
  let next = 0;
  return ({ name, attribs }) => {
    const byClass = ofTags.get(name) ?? new Map<string, number>();
    const classes = attribs === noAttributes ? "" : (attribs.class ?? "");
    const known = byClass.get(classes);
    if (known !== undefined) return known;
    const general = classes.replace(singular, "");
    const look = byClass.get(general) ?? next++;
    byClass.set(general, look);
    ofTags.set(name, byClass.set(classes, look));
    return look;
  };
}

/** Classes that tell an element from others of its kind: `post-123`, `even`, `first`. */
const singular = /(?:^|\s)(?:\S*\d\S*|odd|even|alt|first|last|active|current|category-\S*|tag-\S*)(?=\s|$)/g;

/** What the rules of rule-based-main.ts would keep: one more opinion for the model. */
export interface RuleVerdict {
  nodes: readonly AnyNode[];
  dropped: ReadonlySet<AnyNode>;
}

function ownBits(element: Element, folded: ReadonlySet<AnyNode>, framing: (element: Element) => Framing): number {
  let bits = bitOfName[element.name] ?? 0;
  if (element.attribs === noAttributes) return bits;
  if (folded.size > 0 && folded.has(element)) bits |= foldedBit;
  const { role } = element.attribs;
  if (role === "main" || attribute(element, "itemprop") === "articleBody") bits |= mainBit;
  if (neverFrame.has(element.name)) return bits;
  const frame = framing(element);
  if (frame === "frame") bits |= frameBit;
  else if (frame === "weak") bits |= weakBit;
  else if (frame === "comments") bits |= commentsBit;
  return bits;
}

/** Running sums over the blocks before each place. */
export function runningSums(blocks: readonly Block[], read: (block: Block, at: number) => number): Float64Array {
  const sums = new Float64Array(blocks.length + 1);
  for (let at = 0; at < blocks.length; at += 1) sums[at + 1] = (sums[at] as number) + read(blocks[at] as Block, at);
  return sums;
}

function between(sums: Float64Array, first: number, end: number): number {
  return end > first ? (sums[end] as number) - (sums[first] as number) : 0;
}
