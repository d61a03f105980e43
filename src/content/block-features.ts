// Blocks -> the columns of numbers that the model reads. The order of the columns is part of the model.
import type { AnyNode } from "domhandler";
import type { Block, BlockElement, PageBlocks } from "./blocks.ts";
import { bitCount, ElementFacts, type RuleVerdict, ruleDropBit, ruleRootBit } from "./element-facts.ts";
import type { Lexicon } from "./lexicon.ts";
import { type AlikeBlocks, alikeBlocks, pageNames, pageValues, share, wordCount } from "./page-measures.ts";
import { type PageSigns, pairOf, signNames } from "./page-signs.ts";
import { pageTypes } from "./page-type.ts";

export interface Lexicons {
  names: Lexicon;
  texts: Lexicon;
}

/** Texts with more words than this are read by their length and their place, not by their words. */
const shortText = 12;
const levels = 5;
const reach = 2;

const tagCodes: Record<string, number> = {
  h1: 1,
  h2: 2,
  h3: 3,
  h4: 4,
  h5: 5,
  h6: 6,
  p: 7,
  blockquote: 8,
  pre: 9,
  figcaption: 10,
  dd: 11,
  dt: 12,
  li: 13,
  td: 14,
  th: 15,
  caption: 16,
  summary: 17,
  section: 18,
  article: 19,
  div: 20,
  button: 22,
  label: 23,
  option: 24,
};

const typeNames = pageTypes.map((type) => `type:${type}`);

/** @public for tools/train-content */
export const featureNames: readonly string[] = [
  ..."words chars linkShare wordLength commas stops capitals digits marks end start links strong breaks ideographs tag copies".split(
    " ",
  ),
  ..."titleShare titleCover description body hasBody text lowText images".split(" "),
  ..."place wordPlace afterTitle sinceHeading headingLevel headingText wordsLeft".split(" "),
  ..."meanWords meanLinks longestNear runLength".split(" "),
  ...Array.from({ length: reach * 2 }, (_, at) => [
    `near${at}Words`,
    `near${at}Links`,
    `near${at}Tag`,
    `near${at}Name`,
  ]).flat(),
  ..."depth ownName lowest highest sum".split(" "),
  ...Array.from({ length: bitCount }, (_, bit) => `bit${bit}`),
  ...Array.from({ length: levels }, (_, level) =>
    ["Words", "Links", "Blocks", "Mean", "Share", "Name", "Commas"].map((what) => `level${level}${what}`),
  ).flat(),
  ...["inner", "outer"].flatMap((which) =>
    ["Count", "Words", "Links", "Share", "Place", "Blocks"].map((what) => `${which}${what}`),
  ),
  ..."weight articleShare articleDistance".split(" "),
  ..."alikeShare alikeCount alikeMean alikeLinks direct directShare toHeaviest heaviestPlace heaviestShare ruleKept headingName".split(
    " ",
  ),
  ...pageNames.map((name) => `page ${name}`),
  ...signNames,
  ...typeNames,
];

export interface Features {
  columns: Float32Array[];
  /** For each block the element around its own that holds more text, and the number of the blocks that look like it. */
  containers: Int32Array;
  groups: Int32Array;
}

export function readFeatures(
  page: PageBlocks,
  folded: ReadonlySet<AnyNode>,
  signs: PageSigns,
  lexicons: Lexicons,
  types: readonly number[],
  rules: RuleVerdict,
): Features {
  const facts = new ElementFacts(page, folded, lexicons.names, rules);
  const reader = new FeatureReader(page, facts, signs, lexicons);
  const columns = reader.read(types);
  const containers = Int32Array.from(page.blocks, ({ owner }) => facts.above[owner] ?? -1);
  return { columns, containers, groups: reader.alike.groups };
}

class FeatureReader {
  private readonly page: PageBlocks;
  private readonly facts: ElementFacts;
  private readonly signs: PageSigns;
  private readonly texts: Lexicon;
  private readonly columns: Float32Array[];
  private readonly textScores: Float32Array;
  private readonly lowTexts: Float32Array;
  private readonly tags: Float32Array;
  readonly alike: AlikeBlocks;
  private next = 0;

  constructor(page: PageBlocks, facts: ElementFacts, signs: PageSigns, lexicons: Lexicons) {
    this.page = page;
    this.facts = facts;
    this.signs = signs;
    this.texts = lexicons.texts;
    const { length } = page.blocks;
    this.columns = featureNames.map(() => new Float32Array(length));
    this.textScores = new Float32Array(length);
    this.lowTexts = new Float32Array(length);
    this.tags = new Float32Array(length);
    this.alike = alikeBlocks(page);
  }

  read(types: readonly number[]): Float32Array[] {
    const { blocks } = this.page;
    for (let at = 0; at < blocks.length; at += 1) this.readText(at, blocks[at] as Block);
    this.own();
    this.matches();
    this.places();
    this.neighbours();
    this.ancestors();
    this.wholePage(types);
    return this.columns;
  }

  private column(): Float32Array {
    const column = this.columns[this.next] as Float32Array;
    this.next += 1;
    return column;
  }

  private readText(at: number, block: Block): void {
    const { words, elements } = this.page;
    const end = Math.min(block.wordEnd, block.wordFirst + shortText);
    let sum = 0;
    let lowest = 0;
    for (let word = block.wordFirst; word < end; word += 1) {
      const weight = this.texts.get(words[word] as number);
      if (weight === undefined) continue;
      sum += weight;
      if (weight < lowest) lowest = weight;
    }
    this.textScores[at] = end > block.wordFirst ? sum / (end - block.wordFirst) : 0;
    this.lowTexts[at] = lowest;
    this.tags[at] = tagCodes[(elements[block.owner] as BlockElement | undefined)?.element.name ?? ""] ?? 21;
  }

  private fill(read: (block: Block, at: number) => number): void {
    const { blocks } = this.page;
    const column = this.column();
    for (let at = 0; at < blocks.length; at += 1) column[at] = read(blocks[at] as Block, at);
  }

  private own(): void {
    const { tags } = this;
    const copies = this.copies();
    this.fill((block) => Math.log1p(wordCount(block)));
    this.fill((block) => Math.log1p(block.chars));
    this.fill((block) => share(block.linkChars, block.chars));
    this.fill((block) => share(block.chars, wordCount(block)));
    this.fill((block) => share(block.commas, wordCount(block)));
    this.fill((block) => share(block.stops, wordCount(block)));
    this.fill((block) => share(block.capitals, wordCount(block)));
    this.fill((block) => share(block.digits, block.chars));
    this.fill((block) => share(block.marks, block.chars));
    this.fill((block) => endOf(block.lastCode));
    this.fill((block) => block.firstKind);
    this.fill((block) => block.links);
    this.fill((block) => share(block.strongChars, block.chars));
    this.fill((block) => block.breaks);
    this.fill((block) => share(block.ideographs, block.chars));
    this.fill((_, at) => tags[at] as number);
    this.fill((_, at) => copies[at] as number);
  }

  private copies(): Int32Array {
    const { blocks, words } = this.page;
    const counts = new Map<number, number>();
    const hashes = new Int32Array(blocks.length);
    for (let at = 0; at < blocks.length; at += 1) {
      const { wordFirst, wordEnd } = blocks[at] as Block;
      let hash = 17;
      for (let word = wordFirst; word < wordEnd; word += 1) hash = pairOf(hash, words[word] as number);
      hashes[at] = hash;
      counts.set(hash, (counts.get(hash) ?? 0) + 1);
    }
    return hashes.map((hash) => counts.get(hash) as number);
  }

  private matches(): void {
    const { titleWords, descriptionPairs, bodyPairs } = this.signs;
    const { words } = this.page;
    const inTitle = new Float32Array(this.page.blocks.length);
    this.fill((block, at) => {
      if (wordCount(block) > 40 || titleWords.size === 0) return 0;
      let hits = 0;
      for (let word = block.wordFirst; word < block.wordEnd; word += 1)
        if (titleWords.has(words[word] as number)) hits += 1;
      inTitle[at] = hits;
      return share(hits, wordCount(block));
    });
    this.fill((_, at) => share(inTitle[at] as number, titleWords.size));
    this.fill((block) => this.pairShare(block, descriptionPairs));
    this.fill((block) => this.pairShare(block, bodyPairs));
    this.fill(() => Math.log1p(bodyPairs.size));
    this.fill((_, at) => this.textScores[at] as number);
    this.fill((_, at) => this.lowTexts[at] as number);
    this.fill((block) => block.images);
  }

  private pairShare(block: Block, pairs: ReadonlySet<number>): number {
    if (pairs.size === 0) return 0;
    const { words } = this.page;
    let hits = 0;
    for (let word = block.wordFirst + 1; word < block.wordEnd; word += 1) {
      if (pairs.has(pairOf(words[word - 1] as number, words[word] as number))) hits += 1;
    }
    return share(hits, wordCount(block) - 1);
  }

  private places(): void {
    const { blocks, words } = this.page;
    const { tags } = this;
    const titleAt = tags.indexOf(1);
    this.fill((_, at) => at / blocks.length);
    this.fill((block) => block.wordFirst / Math.max(1, words.length));
    this.fill((_, at) => (titleAt < 0 ? -100 : Math.max(-60, Math.min(300, at - titleAt))));
    const since = new Float32Array(blocks.length);
    const level = new Float32Array(blocks.length);
    const text = new Float32Array(blocks.length);
    let headingAt = -1;
    for (let at = 0; at < blocks.length; at += 1) {
      const tag = tags[at] as number;
      since[at] = headingAt < 0 ? -1 : Math.min(50, at - headingAt);
      level[at] = headingAt < 0 ? 0 : (tags[headingAt] as number);
      text[at] = headingAt < 0 ? 0 : (this.textScores[headingAt] as number);
      if (tag >= 1 && tag <= 6) headingAt = at;
    }
    this.fill((_, at) => since[at] as number);
    this.fill((_, at) => level[at] as number);
    this.fill((_, at) => text[at] as number);
    this.fill((block) => Math.log1p(words.length - block.wordEnd));
  }

  private neighbours(): void {
    const { blocks } = this.page;
    const { length } = blocks;
    const { facts, tags } = this;
    const [lengths, , links] = this.columns as [Float32Array, Float32Array, Float32Array];
    const around = (column: Float32Array, at: number, distance: number) => {
      let sum = 0;
      let count = 0;
      for (let near = Math.max(0, at - distance); near <= at + distance && near < length; near += 1) {
        sum += column[near] as number;
        count += 1;
      }
      return sum / count;
    };
    this.fill((_, at) => around(lengths, at, 3));
    this.fill((_, at) => around(links, at, 3));
    this.fill((_, at) => {
      let longest = 0;
      for (let near = Math.max(0, at - 5); near <= at + 5 && near < length; near += 1) {
        if (near !== at && (lengths[near] as number) > longest) longest = lengths[near] as number;
      }
      return longest;
    });
    // How many blocks in a row have the same tag.
    const runs = this.column();
    for (let at = 0; at < length; ) {
      let end = at + 1;
      while (end < length && tags[end] === tags[at]) end += 1;
      runs.fill(end - at, at, end);
      at = end;
    }
    for (const distance of [-1, 1, -2, 2]) {
      const near = (at: number) => at + distance >= 0 && at + distance < length;
      this.fill((_, at) => (near(at) ? (lengths[at + distance] as number) : -1));
      this.fill((_, at) => (near(at) ? (links[at + distance] as number) : -1));
      this.fill((_, at) => (near(at) ? (tags[at + distance] as number) : 0));
      this.fill((_, at) => (near(at) ? (facts.wrapped[(blocks[at + distance] as Block).owner] ?? 0) : 0));
    }
  }

  private ancestors(): void {
    const { blocks, elements, words } = this.page;
    const { facts } = this;
    const total = Math.max(1, words.length);
    this.fill((block) => (elements[block.owner] as BlockElement | undefined)?.depth ?? 0);
    this.fill((block) => facts.wrapped[block.owner] ?? 0);
    this.fill((block) => facts.lowest[block.owner] ?? 0);
    this.fill((block) => facts.highest[block.owner] ?? 0);
    this.fill((block) => facts.sum[block.owner] ?? 0);
    for (let bit = 0; bit < bitCount; bit += 1) this.fill((block) => ((facts.bits[block.owner] ?? 0) >> bit) & 1);
    let places = Int32Array.from(blocks, (block) => (block.owner < facts.count ? block.owner : -1));
    for (let level = 0; level < levels; level += 1) {
      const read = (values: Int32Array | Float32Array, at: number) => {
        const place = places[at] as number;
        return place < 0 ? 0 : (values[place] as number);
      };
      this.fill((_, at) => Math.log1p(read(facts.words, at)));
      this.fill((_, at) => share(read(facts.linkChars, at), read(facts.chars, at)));
      this.fill((_, at) => Math.log1p(read(facts.blocks, at)));
      this.fill((_, at) => share(read(facts.words, at), read(facts.blocks, at)));
      this.fill((_, at) => read(facts.words, at) / total);
      this.fill((_, at) => read(facts.wrapped, at));
      this.fill((_, at) => share(read(facts.commas, at), read(facts.words, at)));
      places = places.map((place) => (place < 0 ? -1 : (facts.above[place] as number)));
    }
    for (const items of [facts.innerItem, facts.outerItem]) {
      const place = (block: Block) => items[block.owner] ?? -1;
      const read = (values: Int32Array, block: Block) => values[place(block)] ?? 0;
      this.fill((block) => read(facts.siblings, block));
      this.fill((block) => Math.log1p(read(facts.words, block)));
      this.fill((block) => share(read(facts.linkChars, block), read(facts.chars, block)));
      this.fill((block) => (facts.words[facts.parents[place(block)] ?? -1] ?? 0) / total);
      this.fill((block) => share(read(facts.sibling, block), read(facts.siblings, block)));
      this.fill((block) => read(facts.blocks, block));
    }
    let heaviest = 1;
    for (const weight of facts.weight) if (weight > heaviest) heaviest = weight;
    this.fill((block) => (facts.bestWeight[block.owner] ?? 0) / heaviest);
    this.fill((block) => (facts.words[facts.article[block.owner] ?? -1] ?? 0) / total);
    this.fill((block) => {
      const article = facts.article[block.owner] ?? -1;
      return article < 0
        ? -1
        : (elements[block.owner] as BlockElement).depth - (elements[article] as BlockElement).depth;
    });
    this.company(total);
  }

  /** Blocks that look the same, and the place that holds most paragraphs. */
  private company(total: number): void {
    const { elements } = this.page;
    const { facts, tags } = this;
    const { alike } = this;
    this.fill((_, at) => (alike.words[alike.groups[at] as number] as number) / total);
    this.fill((_, at) => alike.counts[alike.groups[at] as number] as number);
    this.fill((_, at) =>
      share(alike.words[alike.groups[at] as number] as number, alike.counts[alike.groups[at] as number] as number),
    );
    this.fill((_, at) =>
      share(alike.links[alike.groups[at] as number] as number, alike.chars[alike.groups[at] as number] as number),
    );
    const parentOf = (block: Block) => {
      const name = elements[block.owner]?.element.name;
      return name === "div" || name === "section" ? block.owner : (facts.parents[block.owner] ?? -1);
    };
    this.fill((block) => Math.log1p(facts.direct[parentOf(block)] ?? 0));
    this.fill((block) => (facts.direct[parentOf(block)] ?? 0) / total);
    this.fill((block) => facts.toHeaviest[block.owner] ?? 9);
    const heaviest = elements[facts.heaviest];
    const first = heaviest?.firstBlock ?? 0;
    const length = heaviest ? heaviest.endBlock - first : 1;
    this.fill((_, at) => (heaviest ? Math.max(-1, Math.min(2, (at - first) / length)) : -2));
    const heaviestShare = heaviest ? (facts.words[facts.heaviest] as number) / total : 0;
    this.fill(() => heaviestShare);
    this.fill((block) => {
      const bits = facts.bits[block.owner] ?? 0;
      return bits & ruleDropBit ? 0 : bits & ruleRootBit ? 1 : 0;
    });
    let heading = 0;
    this.fill((block, at) => {
      const before = heading;
      const tag = tags[at] as number;
      if (tag >= 1 && tag <= 6) heading = facts.wrapped[block.owner] ?? 0;
      return before;
    });
  }

  private wholePage(types: readonly number[]): void {
    const values = [...pageValues(this.page, this.facts, this.tags), ...this.signs.values, ...types];
    for (const value of values) this.column().fill(value);
  }
}

/** What a text ends with: 1 a letter, 2 the end of a sentence, 3 a colon, 4 any other mark. */
function endOf(code: number): number {
  if (code === 46 || code === 33 || code === 63 || code === 0x3002 || code === 0x201d || code === 34) return 2;
  if (code === 58) return 3;
  return (code >= 48 && code < 58) || (code >= 65 && code < 91) || (code >= 97 && code < 123) || code > 0xbf ? 1 : 4;
}
