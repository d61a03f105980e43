// Whole answers to what the main part of a page is: by the blocks' probabilities at several cuts, by the rules, by a
// reading view, by one element; and the numbers by which a second model says how good each of them is.
import { featureNames } from "./block-features.ts";
import type { Block, BlockElement, PageBlocks } from "./blocks.ts";
import { Columns } from "./columns.ts";
import { commentsBit, frameBit, frameTags } from "./element-facts.ts";
import { pageNames, share } from "./page-measures.ts";
import { signNames } from "./page-signs.ts";
import { pageTypes } from "./page-type.ts";

export interface Candidate {
  /** For each block 1 when it is kept. */
  isKept: Uint8Array;
  /** F1 that the probabilities promise. */
  expected: number;
}

const fixedCuts = [0.2, 0.35, 0.5, 0.65, 0.8];
/** Blocks less likely than this are left out of what the rules, a reading view or an element would keep. */
const unlikely = 0.2;
/** Blocks more likely than this are added to what a reading view would keep. */
const likely = 0.7;
/** A block less likely than this is never kept by the expected F1, one more likely than the other always is. */
const lowestCut = 0.15;
const highestCut = 0.5;
const longBlock = 20;

const ownNames = [
  "kind",
  "precision",
  "recall",
  "expected",
  "behind",
  "words",
  "share",
  "blocks",
  "mean",
  "links",
  "long",
  "comments",
  "inRules",
  "inReader",
  "ofRules",
  "ofReader",
  "runs",
  "density",
  "beforeTitle",
  "hasTitle",
  "lowest",
  "highestOut",
  "likeExpected",
  "likeRules",
  "likeReader",
];
const agreementNames = ["pageExpected", "pageDoubt", "rulesReader", "expectedRules", "expectedReader", "best"];
const sharedNames = [...pageNames.map((name) => `page ${name}`), ...signNames, ...pageTypes.map((type) => `type:${type}`)];

/** @public for tools/train-content */
export const candidateNames: readonly string[] = [...ownNames, ...agreementNames, ...sharedNames];

const place = (name: string) => featureNames.indexOf(name);
const sharedPlaces = sharedNames.map(place);
const rulePlace = place("ruleKept");
const readerPlace = place("readerKept");
const tagPlace = place("tag");
const bitPlace = place("bit0");

export class Candidates {
  readonly all: Candidate[] = [];
  private readonly page: PageBlocks;
  private readonly columns: readonly Float32Array[];
  private readonly probabilities: Float32Array;
  private readonly lengths: Int32Array;
  /** Words that the page is expected to have in its main part. */
  private readonly wanted: number;

  constructor(page: PageBlocks, columns: readonly Float32Array[], probabilities: Float32Array) {
    this.page = page;
    this.columns = columns;
    this.probabilities = probabilities;
    this.lengths = Int32Array.from(page.blocks, ({ wordFirst, wordEnd }) => wordEnd - wordFirst);
    let wanted = 0;
    for (let at = 0; at < this.lengths.length; at += 1) wanted += (probabilities[at] as number) * this.length(at);
    this.wanted = wanted;
    this.addAll();
  }

  private length(at: number): number {
    return this.lengths[at] as number;
  }

  private addAll(): void {
    const { probabilities } = this;
    const rules = this.columns[rulePlace] as Float32Array;
    const reader = this.columns[readerPlace] as Float32Array;
    const p = (at: number) => probabilities[at] as number;
    const cut = this.bestCut();
    const comments = this.bit(commentsBit);
    const frames = this.bit(frameBit | frameTags);
    this.add((at) => p(at) >= cut);
    this.add((at) => rules[at] === 1);
    this.add((at) => reader[at] === 1);
    for (const fixed of fixedCuts) this.add((at) => p(at) >= fixed);
    this.add((at) => rules[at] === 1 && p(at) >= unlikely);
    this.add((at) => reader[at] === 1 && p(at) >= unlikely);
    this.add((at) => reader[at] === 1 || p(at) >= likely);
    this.add((at) => p(at) >= cut && comments[at] === 0);
    this.add((at) => frames[at] === 0 || p(at) >= cut);
    const { firstBlock, endBlock } = this.bestElement();
    this.add((at) => at >= firstBlock && at < endBlock);
    this.add((at) => at >= firstBlock && at < endBlock && p(at) >= unlikely);
  }

  private add(keeps: (at: number) => boolean): void {
    const isKept = new Uint8Array(this.lengths.length);
    let kept = 0;
    let right = 0;
    for (let at = 0; at < isKept.length; at += 1) {
      if (!keeps(at)) continue;
      isKept[at] = 1;
      kept += this.length(at);
      right += this.length(at) * (this.probabilities[at] as number);
    }
    this.all.push({ isKept, expected: share(2 * right, kept + this.wanted) });
  }

  /** 1 where the element of a block or one around it has any of the bits. */
  private bit(bits: number): Uint8Array {
    const has = new Uint8Array(this.lengths.length);
    for (let bit = 0; bits >> bit > 0; bit += 1) {
      if (((bits >> bit) & 1) === 0) continue;
      const column = this.columns[bitPlace + bit] as Float32Array;
      for (let at = 0; at < has.length; at += 1) if (column[at] === 1) has[at] = 1;
    }
    return has;
  }

  /** Where to cut, so that the expected F1 of the kept words is highest. */
  private bestCut(): number {
    const { probabilities } = this;
    const order = Uint32Array.from(probabilities.keys()).sort(
      (a, b) => (probabilities[b] as number) - (probabilities[a] as number),
    );
    let kept = 0;
    let right = 0;
    let best = 0;
    let cut = 1;
    for (const at of order) {
      kept += this.length(at);
      right += (probabilities[at] as number) * this.length(at);
      const f1 = (2 * right) / (kept + this.wanted);
      if (f1 <= best) continue;
      best = f1;
      cut = probabilities[at] as number;
    }
    return Math.min(highestCut, Math.max(lowestCut, cut));
  }

  /** The one element whose whole text promises the best F1. */
  private bestElement(): { firstBlock: number; endBlock: number } {
    const words = new Float64Array(this.lengths.length + 1);
    const right = new Float64Array(this.lengths.length + 1);
    for (let at = 0; at < this.lengths.length; at += 1) {
      words[at + 1] = (words[at] as number) + this.length(at);
      right[at + 1] = (right[at] as number) + this.length(at) * (this.probabilities[at] as number);
    }
    let best = { firstBlock: 0, endBlock: this.lengths.length };
    let bestExpected = 0;
    for (const element of this.page.elements) {
      const { firstBlock, endBlock }: BlockElement = element;
      if (endBlock <= firstBlock) continue;
      const kept = (words[endBlock] as number) - (words[firstBlock] as number);
      const expected = (2 * ((right[endBlock] as number) - (right[firstBlock] as number))) / (kept + this.wanted);
      if (expected < bestExpected) continue;
      bestExpected = expected;
      best = { firstBlock, endBlock };
    }
    return best;
  }

  /** One row for each candidate, in the order of `candidateNames`. */
  features(): Float32Array[] {
    const { all } = this;
    const columns = new Columns(candidateNames.length, all.length);
    const own = columns.takeMany(25);
    const best = all.reduce((most, { expected }) => Math.max(most, expected), 0);
    const [first, rules, reader] = all as [Candidate, Candidate, Candidate];
    for (let row = 0; row < all.length; row += 1) {
      const candidate = all[row] as Candidate;
      const values = [
        row,
        ...this.ownValues(candidate, best),
        this.likeness(candidate, first),
        this.likeness(candidate, rules),
        this.likeness(candidate, reader),
      ];
      for (let at = 0; at < values.length; at += 1) (own[at] as Float32Array)[row] = values[at] as number;
    }
    const words = this.page.words.length;
    let doubt = 0;
    for (let at = 0; at < this.lengths.length; at += 1) {
      const probability = this.probabilities[at] as number;
      doubt += this.length(at) * probability * (1 - probability);
    }
    columns.take().fill(share(this.wanted, words));
    columns.take().fill(share(doubt, words));
    columns.take().fill(this.likeness(rules, reader));
    columns.take().fill(this.likeness(first, rules));
    columns.take().fill(this.likeness(first, reader));
    columns.take().fill(best);
    for (const from of sharedPlaces) columns.take().fill((this.columns[from] as Float32Array)[0] as number);
    return columns.all;
  }

  private ownValues({ isKept, expected }: Candidate, best: number): number[] {
    const { blocks } = this.page;
    const rules = this.columns[rulePlace] as Float32Array;
    const reader = this.columns[readerPlace] as Float32Array;
    const tags = this.columns[tagPlace] as Float32Array;
    const comments = this.columns[bitPlace + Math.log2(commentsBit)] as Float32Array;
    const titleAt = tags.indexOf(1);
    let [words, right, chars, links, long, commentWords, count, runs] = [0, 0, 0, 0, 0, 0, 0, 0];
    let [inRules, inReader, allRules, allReader, before, first, end] = [0, 0, 0, 0, 0, -1, 0];
    let [lowest, highestOut] = [1, 0];
    for (let at = 0; at < isKept.length; at += 1) {
      const length = this.length(at);
      const probability = this.probabilities[at] as number;
      if (rules[at] === 1) allRules += length;
      if (reader[at] === 1) allReader += length;
      if (isKept[at] === 0) {
        if (length > 0 && probability > highestOut) highestOut = probability;
        continue;
      }
      const block = blocks[at] as Block;
      words += length;
      right += length * probability;
      chars += block.chars;
      links += block.linkChars;
      count += 1;
      if (length > longBlock) long += length;
      if (comments[at] === 1) commentWords += length;
      if (rules[at] === 1) inRules += length;
      if (reader[at] === 1) inReader += length;
      if (at < titleAt) before += length;
      if (at === 0 || isKept[at - 1] === 0) runs += 1;
      if (length > 0 && probability < lowest) lowest = probability;
      if (first < 0) first = block.wordFirst;
      end = block.wordEnd;
    }
    return [
      share(right, words),
      share(right, this.wanted),
      expected,
      best - expected,
      Math.log1p(words),
      share(words, this.page.words.length),
      Math.log1p(count),
      share(words, count),
      share(links, chars),
      share(long, words),
      share(commentWords, words),
      share(inRules, words),
      share(inReader, words),
      share(inRules, allRules),
      share(inReader, allReader),
      share(runs, count),
      first < 0 ? 0 : share(words, end - first),
      share(before, words),
      titleAt >= 0 && isKept[titleAt] === 1 ? 1 : 0,
      lowest,
      highestOut,
    ];
  }

  /** Twice the words that both keep, of all words that each keeps. */
  private likeness({ isKept }: Candidate, { isKept: other }: Candidate): number {
    let both = 0;
    let sum = 0;
    for (let at = 0; at < isKept.length; at += 1) {
      const count = (isKept[at] as number) + (other[at] as number);
      sum += count * this.length(at);
      if (count === 2) both += 2 * this.length(at);
    }
    return share(both, sum);
  }
}
