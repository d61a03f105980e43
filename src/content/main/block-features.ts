// Blocks -> the columns of numbers that the model reads, each under its name in feature-names.ts.
import type { AnyNode } from "domhandler";
import { type Block, hashOfWords, type PageBlocks, wordCount } from "./blocks.ts";
import { Columns } from "./columns.ts";
import { type ElementFacts, isReply, type RuleVerdict, readElementFacts } from "./element-facts.ts";
import { neighbours, pageMeasures, pageSigns, pageTypes } from "./feature-names.ts";
import type { Lexicon } from "./lexicon.ts";
import { alikeBlocks, fractionOf, measurePage } from "./page-measures.ts";
import type { PageSigns } from "./page-signs.ts";
import type { BlockPeers } from "./smoothing.ts";
import { addSurroundings } from "./surroundings.ts";
import { pairOf } from "./word-hash.ts";

export interface Lexicons {
  names: Lexicon;
  texts: Lexicon;
}

/** Texts with more words than this are read by their length and their place, not by their words. */
const shortText = 12;
/** Longer blocks are not titles. */
const longestTitle = 40;

/** The codes of tags, from 1 on, in the order that the model has learned. `*` is any other. */
const tagCodes = new Map(
  "h1 h2 h3 h4 h5 h6 p blockquote pre figcaption dd dt li td th caption summary section article div * button label option"
    .split(" ")
    .map((tag, place) => [tag, place + 1]),
);
const otherTag = 21;

export interface Features {
  columns: Float32Array[];
  /** For each block the element around its own that holds more text, the blocks that look like it, its place in a record. */
  peers: BlockPeers;
  /** 1 for each block that a reading view keeps, and for each in comments or in an article inside of another one. */
  reader: Float32Array;
  replies: Float32Array;
}

export function readFeatures(
  page: PageBlocks,
  folded: ReadonlySet<AnyNode>,
  signs: PageSigns,
  lexicons: Lexicons,
  types: readonly number[],
  rules: RuleVerdict,
): Features {
  const facts = readElementFacts(page, folded, lexicons.names, rules);
  const alike = alikeBlocks(page, facts);
  const columns = new Columns(page.blocks.length);
  const { tags } = new FeatureReader(page, facts, signs, lexicons, columns);
  addSurroundings(page, facts, alike, tags, columns);
  fillWholePage(page, facts, tags, signs, types, columns);
  const containers = Int32Array.from(page.blocks, ({ owner }) => facts.above[owner] ?? -1);
  const replies = Float32Array.from(page.blocks, ({ owner }) => (isReply(facts, owner) ? 1 : 0));
  const slots = Int32Array.from(page.blocks, ({ owner }) => facts.slots[owner] ?? -1);
  const peers = { containers, groups: alike.groups, slots };
  return { columns: columns.inOrder, peers, reader: columns.byName.readerKept.slice(), replies };
}

/** What is the same for every block of the page. */
function fillWholePage(
  page: PageBlocks,
  facts: ElementFacts,
  tags: Float32Array,
  signs: PageSigns,
  types: readonly number[],
  { byName }: Columns,
): void {
  const measures = measurePage(page, facts, tags);
  for (const name of pageMeasures) byName[`page:${name}`].fill(measures[name]);
  for (const name of pageSigns) byName[`sign:${name}`].fill(signs.values.get(name) ?? 0);
  for (const [place, name] of pageTypes.entries()) byName[`type:${name}`].fill(types[place] as number);
}

/** What a block says itself, and its neighbours in the order of the page. */
class FeatureReader {
  readonly tags: Float32Array;
  private readonly page: PageBlocks;
  private readonly facts: ElementFacts;
  private readonly signs: PageSigns;
  private readonly texts: Lexicon;
  private readonly columns: Columns;
  private readonly textScores: Float32Array;
  private readonly lowTexts: Float32Array;

  constructor(page: PageBlocks, facts: ElementFacts, signs: PageSigns, lexicons: Lexicons, columns: Columns) {
    this.page = page;
    this.facts = facts;
    this.signs = signs;
    this.texts = lexicons.texts;
    this.columns = columns;
    const { blocks } = page;
    this.textScores = new Float32Array(blocks.length);
    this.lowTexts = new Float32Array(blocks.length);
    this.tags = new Float32Array(blocks.length);
    for (let at = 0; at < blocks.length; at += 1) this.readText(at, blocks[at] as Block);
    this.own();
    this.matches();
    this.places();
    this.neighbours();
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
    this.tags[at] = tagCodes.get(elements[block.owner]?.element.name ?? "") ?? otherTag;
  }

  private own(): void {
    const { blocks } = this.page;
    const copyCounts = this.countCopies();
    const { words, chars, linkShare, wordLength, commas, stops, capitals, digits, marks } = this.columns.byName;
    const { end, start, links, strong, breaks, ideographs, tag, copies } = this.columns.byName;
    for (let at = 0; at < blocks.length; at += 1) {
      const block = blocks[at] as Block;
      const count = wordCount(block);
      words[at] = Math.log1p(count);
      chars[at] = Math.log1p(block.chars);
      linkShare[at] = fractionOf(block.linkChars, block.chars);
      wordLength[at] = fractionOf(block.chars, count);
      commas[at] = fractionOf(block.commas, count);
      stops[at] = fractionOf(block.stops, count);
      capitals[at] = fractionOf(block.capitals, count);
      digits[at] = fractionOf(block.digits, block.chars);
      marks[at] = fractionOf(block.marks, block.chars);
      end[at] = endOf(block.lastCode);
      start[at] = block.firstKind;
      links[at] = block.links;
      strong[at] = fractionOf(block.strongChars, block.chars);
      breaks[at] = block.breaks;
      ideographs[at] = fractionOf(block.ideographs, block.chars);
      tag[at] = this.tags[at] as number;
      copies[at] = copyCounts[at] as number;
    }
  }

  private countCopies(): Int32Array {
    const counts = new Map<number, number>();
    const hashes = Int32Array.from(this.page.blocks, (block) => hashOfWords(this.page, block));
    for (const hash of hashes) counts.set(hash, (counts.get(hash) ?? 0) + 1);
    return hashes.map((hash) => counts.get(hash) as number);
  }

  private matches(): void {
    const { blocks } = this.page;
    const { titleWords, descriptionPairs, bodyPairs } = this.signs;
    const { titleShare, titleCover, description, body, hasBody, text, lowText, images } = this.columns.byName;
    hasBody.fill(Math.log1p(bodyPairs.size));
    for (let at = 0; at < blocks.length; at += 1) {
      const block = blocks[at] as Block;
      const hits = this.titleHits(block);
      titleShare[at] = fractionOf(hits, wordCount(block));
      titleCover[at] = fractionOf(hits, titleWords.size);
      description[at] = this.pairShare(block, descriptionPairs);
      body[at] = this.pairShare(block, bodyPairs);
      text[at] = this.textScores[at] as number;
      lowText[at] = this.lowTexts[at] as number;
      images[at] = block.images;
    }
  }

  private titleHits(block: Block): number {
    const { titleWords } = this.signs;
    const { words } = this.page;
    if (wordCount(block) > longestTitle || titleWords.size === 0) return 0;
    let hits = 0;
    for (let word = block.wordFirst; word < block.wordEnd; word += 1) {
      if (titleWords.has(words[word] as number)) hits += 1;
    }
    return hits;
  }

  private pairShare(block: Block, pairs: ReadonlySet<number>): number {
    if (pairs.size === 0) return 0;
    const { words } = this.page;
    let hits = 0;
    for (let word = block.wordFirst + 1; word < block.wordEnd; word += 1) {
      if (pairs.has(pairOf(words[word - 1] as number, words[word] as number))) hits += 1;
    }
    return fractionOf(hits, wordCount(block) - 1);
  }

  private places(): void {
    const { blocks, words } = this.page;
    const { tags } = this;
    const titleAt = tags.indexOf(1);
    const total = Math.max(1, words.length);
    const { place, wordPlace, afterTitle, sinceHeading, headingLevel, headingText, wordsLeft } = this.columns.byName;
    let headingAt = -1;
    for (let at = 0; at < blocks.length; at += 1) {
      const block = blocks[at] as Block;
      place[at] = at / blocks.length;
      wordPlace[at] = block.wordFirst / total;
      afterTitle[at] = titleAt < 0 ? -100 : Math.max(-60, Math.min(300, at - titleAt));
      sinceHeading[at] = headingAt < 0 ? -1 : Math.min(50, at - headingAt);
      headingLevel[at] = headingAt < 0 ? 0 : (tags[headingAt] as number);
      headingText[at] = headingAt < 0 ? 0 : (this.textScores[headingAt] as number);
      wordsLeft[at] = Math.log1p(words.length - block.wordEnd);
      const tag = tags[at] as number;
      if (tag >= 1 && tag <= 6) headingAt = at;
    }
  }

  private neighbours(): void {
    const { blocks } = this.page;
    const { length } = blocks;
    const { facts, tags } = this;
    const { byName } = this.columns;
    const { words: lengths, linkShare: links, meanWords, meanLinks, longestNear, runLength } = byName;
    for (let at = 0; at < length; at += 1) {
      meanWords[at] = meanAround(lengths, at, 3);
      meanLinks[at] = meanAround(links, at, 3);
      let longest = 0;
      for (let near = Math.max(0, at - 5); near <= at + 5 && near < length; near += 1) {
        if (near !== at && (lengths[near] as number) > longest) longest = lengths[near] as number;
      }
      longestNear[at] = longest;
    }
    // How many blocks in a row have the same tag.
    for (let at = 0; at < length; ) {
      let end = at + 1;
      while (end < length && tags[end] === tags[at]) end += 1;
      runLength.fill(end - at, at, end);
      at = end;
    }
    for (const { side, distance } of neighbours) {
      const nearWords = byName[`${side}Words`];
      const nearLinks = byName[`${side}Links`];
      const nearTags = byName[`${side}Tag`];
      const nearNames = byName[`${side}Name`];
      for (let at = 0; at < length; at += 1) {
        const near = at + distance;
        const isThere = near >= 0 && near < length;
        nearWords[at] = isThere ? (lengths[near] as number) : -1;
        nearLinks[at] = isThere ? (links[near] as number) : -1;
        nearTags[at] = isThere ? (tags[near] as number) : 0;
        nearNames[at] = isThere ? (facts.wrapped[(blocks[near] as Block).owner] as number) : 0;
      }
    }
  }
}

function meanAround(column: Float32Array, at: number, distance: number): number {
  const first = Math.max(0, at - distance);
  const end = Math.min(column.length, at + distance + 1);
  let sum = 0;
  for (let near = first; near < end; near += 1) sum += column[near] as number;
  return sum / (end - first);
}

/** What a text ends with: 1 a letter, 2 the end of a sentence, 3 a colon, 4 any other sign. */
function endOf(code: number): number {
  if (code === 46 || code === 33 || code === 63 || code === 0x3002 || code === 0x201d || code === 34) return 2;
  if (code === 58) return 3;
  return (code >= 48 && code < 58) || (code >= 65 && code < 91) || (code >= 97 && code < 123) || code > 0xbf ? 1 : 4;
}
