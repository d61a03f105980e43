// The surroundings of a block: the elements above it, the items and blocks like it, the place that holds most paragraphs.
import { type Block, type BlockElement, type PageBlocks, wordCount } from "./blocks.ts";
import type { Columns } from "./columns.ts";
import { type ElementFacts, paragraphParent, ruleDropBit, ruleRootBit, runningSums } from "./element-facts.ts";
import { flagNames, type itemKinds, levels } from "./feature-names.ts";
import { type AlikeBlocks, fractionOf } from "./page-measures.ts";
import { readerView } from "./reader-view.ts";

export function addSurroundings(
  page: PageBlocks,
  facts: ElementFacts,
  alike: AlikeBlocks,
  tags: Float32Array,
  columns: Columns,
): void {
  const owners = Int32Array.from(page.blocks, ({ owner }) => owner);
  const total = Math.max(1, page.words.length);
  addOwner(page, facts, owners, columns);
  addLevels(facts, owners, total, columns);
  addItems("inner", facts, facts.innerItem, owners, total, columns);
  addItems("outer", facts, facts.outerItem, owners, total, columns);
  addPlace(page, facts, owners, total, columns);
  addAlike(alike, total, columns);
  addParagraphs(page, facts, owners, total, columns);
  addVerdicts(page, facts, owners, tags, columns);
}

function addOwner({ elements }: PageBlocks, facts: ElementFacts, owners: Int32Array, columns: Columns): void {
  const { depth, ownName, lowestName, highestName, nameSum } = columns.byName;
  const flags = flagNames.map((flag) => columns.byName[`in:${flag}`]);
  for (let at = 0; at < owners.length; at += 1) {
    const owner = owners[at] as number;
    depth[at] = (elements[owner] as BlockElement).depth;
    ownName[at] = facts.wrapped[owner] as number;
    lowestName[at] = facts.lowest[owner] as number;
    highestName[at] = facts.highest[owner] as number;
    nameSum[at] = facts.sum[owner] as number;
    const bits = facts.bits[owner] as number;
    for (let bit = 0; bit < flags.length; bit += 1) (flags[bit] as Float32Array)[at] = (bits >> bit) & 1;
  }
}

/** Read once for every element, because many blocks share the elements above them. */
function addLevels(facts: ElementFacts, owners: Int32Array, total: number, columns: Columns): void {
  const { count } = facts;
  const logWords = new Float32Array(count);
  const linkShares = new Float32Array(count);
  const logBlocks = new Float32Array(count);
  const means = new Float32Array(count);
  const commas = new Float32Array(count);
  for (let place = 0; place < count; place += 1) {
    const words = facts.words[place] as number;
    const blocks = facts.blocks[place] as number;
    logWords[place] = Math.log1p(words);
    linkShares[place] = fractionOf(facts.linkChars[place] as number, facts.chars[place] as number);
    logBlocks[place] = Math.log1p(blocks);
    means[place] = fractionOf(words, blocks);
    commas[place] = fractionOf(facts.commas[place] as number, words);
  }
  const places = owners.slice();
  for (const level of levels) {
    const words = columns.byName[`level${level}Words`];
    const links = columns.byName[`level${level}Links`];
    const blocks = columns.byName[`level${level}Blocks`];
    const mean = columns.byName[`level${level}Mean`];
    const part = columns.byName[`level${level}Share`];
    const name = columns.byName[`level${level}Name`];
    const comma = columns.byName[`level${level}Commas`];
    for (let at = 0; at < places.length; at += 1) {
      const place = places[at] as number;
      if (place < 0) continue;
      words[at] = logWords[place] as number;
      links[at] = linkShares[place] as number;
      blocks[at] = logBlocks[place] as number;
      mean[at] = means[place] as number;
      part[at] = (facts.words[place] as number) / total;
      name[at] = facts.wrapped[place] as number;
      comma[at] = commas[place] as number;
      places[at] = facts.above[place] as number;
    }
  }
}

function addItems(
  kind: (typeof itemKinds)[number],
  facts: ElementFacts,
  items: Int32Array,
  owners: Int32Array,
  total: number,
  { byName }: Columns,
): void {
  const counts = byName[`${kind}ItemCount`];
  const words = byName[`${kind}ItemWords`];
  const links = byName[`${kind}ItemLinks`];
  const part = byName[`${kind}ItemShare`];
  const placeAmong = byName[`${kind}ItemPlace`];
  const blocks = byName[`${kind}ItemBlocks`];
  for (let at = 0; at < owners.length; at += 1) {
    const item = items[owners[at] as number] as number;
    if (item < 0) continue;
    const siblings = facts.siblings[item] as number;
    const parent = facts.parents[item] as number;
    counts[at] = siblings;
    words[at] = Math.log1p(facts.words[item] as number);
    links[at] = fractionOf(facts.linkChars[item] as number, facts.chars[item] as number);
    part[at] = parent < 0 ? 0 : (facts.words[parent] as number) / total;
    placeAmong[at] = fractionOf(facts.sibling[item] as number, siblings);
    blocks[at] = facts.blocks[item] as number;
  }
}

function addPlace(
  { elements }: PageBlocks,
  facts: ElementFacts,
  owners: Int32Array,
  total: number,
  columns: Columns,
): void {
  const { weight, articleShare, articleDistance, articlesAround } = columns.byName;
  const heaviest = facts.heaviest < 0 ? 1 : Math.max(1, facts.weight[facts.heaviest] as number);
  for (let at = 0; at < owners.length; at += 1) {
    const owner = owners[at] as number;
    const article = facts.article[owner] as number;
    articlesAround[at] = facts.articlesAround[owner] as number;
    weight[at] = (facts.bestWeight[owner] as number) / heaviest;
    articleShare[at] = article < 0 ? 0 : (facts.words[article] as number) / total;
    articleDistance[at] =
      article < 0 ? -1 : (elements[owner] as BlockElement).depth - (elements[article] as BlockElement).depth;
  }
}

function addAlike({ groups, words, counts, chars, links }: AlikeBlocks, total: number, columns: Columns): void {
  const { alikeShare, alikeCount, alikeMean, alikeLinks } = columns.byName;
  for (let at = 0; at < groups.length; at += 1) {
    const group = groups[at] as number;
    alikeShare[at] = (words[group] as number) / total;
    alikeCount[at] = counts[group] as number;
    alikeMean[at] = fractionOf(words[group] as number, counts[group] as number);
    alikeLinks[at] = fractionOf(links[group] as number, chars[group] as number);
  }
}

function addParagraphs(
  { blocks, elements }: PageBlocks,
  facts: ElementFacts,
  owners: Int32Array,
  total: number,
  columns: Columns,
): void {
  const { direct, directShare, toHeaviest, heaviestPlace, heaviestShare } = columns.byName;
  const heaviest = elements[facts.heaviest];
  const first = heaviest?.firstBlock ?? 0;
  const length = heaviest ? heaviest.endBlock - first : 1;
  heaviestShare.fill(heaviest ? (facts.words[facts.heaviest] as number) / total : 0);
  for (let at = 0; at < owners.length; at += 1) {
    const parent = paragraphParent(facts, blocks[at] as Block, elements);
    const words = parent < 0 ? 0 : (facts.direct[parent] as number);
    direct[at] = Math.log1p(words);
    directShare[at] = words / total;
    toHeaviest[at] = facts.toHeaviest[owners[at] as number] as number;
    heaviestPlace[at] = heaviest ? Math.max(-1, Math.min(2, (at - first) / length)) : -2;
  }
}

/** What the rules and a reading view would keep. */
function addVerdicts(
  page: PageBlocks,
  facts: ElementFacts,
  owners: Int32Array,
  tags: Float32Array,
  columns: Columns,
): void {
  const { ruleKept, headingName, readerKept, readerPlace, readerShare, readerAround, ruleAround } = columns.byName;
  const reader = readerView(page, facts);
  const root = page.elements[reader.root];
  const first = root?.firstBlock ?? 0;
  const length = root ? Math.max(1, root.endBlock - first) : 1;
  readerShare.fill(root ? (facts.words[reader.root] as number) / Math.max(1, page.words.length) : 0);
  let heading = 0;
  for (let at = 0; at < owners.length; at += 1) {
    const owner = owners[at] as number;
    const bits = facts.bits[owner] as number;
    ruleKept[at] = (bits & ruleDropBit) === 0 && (bits & ruleRootBit) !== 0 ? 1 : 0;
    headingName[at] = heading;
    readerKept[at] = reader.isKept[at] as number;
    readerPlace[at] = root ? Math.max(-1, Math.min(2, (at - first) / length)) : -2;
    const tag = tags[at] as number;
    if (tag >= 1 && tag <= 6) heading = facts.wrapped[owner] as number;
  }
  fillAround(page, facts, owners, readerKept, readerAround);
  fillAround(page, facts, owners, ruleKept, ruleAround);
}

/** The share of the words around each block that are kept. */
function fillAround(
  { blocks, elements }: PageBlocks,
  facts: ElementFacts,
  owners: Int32Array,
  isKept: Float32Array,
  around: Float32Array,
): void {
  const sums = runningSums(blocks, (block, at) => (isKept[at] === 1 ? wordCount(block) : 0));
  for (let at = 0; at < owners.length; at += 1) {
    const above = facts.above[owners[at] as number] as number;
    if (above < 0) continue;
    const { firstBlock, endBlock } = elements[above] as BlockElement;
    around[at] = fractionOf((sums[endBlock] as number) - (sums[firstBlock] as number), facts.words[above] as number);
  }
}
