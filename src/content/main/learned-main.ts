// The main part of a page by the learned model, in this order:
// 1. blocks: the visible tree becomes runs of text with counts; page-signs: what head and URL reveal; page-type: the kind of page
// 2. element-facts (with boilerplate, lexicon): names, sizes and looks of elements; reader-view: what a browser's reading view keeps
// 3. block-features, surroundings, page-measures: columns of numbers for each block, named in feature-names
// 4. stored-model, trees: the probability that a block is main text
// 5. smoothing: neighbours and similar blocks agree; known-parts: footers, captions and leads that few pages have
// 6. a cut that promises the best F1; then announced-list, whole-structures, figures and repeated-text complete it
// rule-based-main chooses where the model cannot, and is one more opinion for it; rule-quality and block-verdicts explain the choice.
import type { AnyNode, ChildNode } from "domhandler";
import type { PageParts } from "../../html/index.ts";
import { isAnnounced } from "./announced-list.ts";
import { readFeatures } from "./block-features.ts";
import { type BlockVerdict, blockVerdicts, learnedVerdict } from "./block-verdicts.ts";
import { type Block, type BlockElement, PageBlocks, wordCount } from "./blocks.ts";
import { calibrated } from "./confidence.ts";
import { runningSums } from "./element-facts.ts";
import { pageTypes } from "./feature-names.ts";
import { holdsPicture, isFigureBesideText } from "./figures.ts";
import { knownParts } from "./known-parts.ts";
import { readSigns } from "./page-signs.ts";
import { typeProbabilities, typeWords } from "./page-type.ts";
import { leaveOutRepeated } from "./repeated-text.ts";
import { findMain, type MainContent } from "./rule-based-main.ts";
import { leaned, moved, smoothed } from "./smoothing.ts";
import type { MainModel } from "./stored-model.ts";
import { probabilitiesOf } from "./trees.ts";
import { keepWholeStructures } from "./whole-structures.ts";

export interface Quality {
  pageType: string;
  mainTextShare: number;
  boilerplateShare: number;
  confidence: number;
  /** Texts that were left out because the host repeats them; absent where that was not looked for. */
  repeatedTexts?: number;
}

export interface LearnedMain extends Pick<MainContent, "nodes" | "dropped"> {
  quality: Quality;
  /** The verdict on each block, in page order. */
  verdicts(): BlockVerdict[];
}

/** Smaller pages tell the model too little, larger ones are not text to be read: the rules handle both. */
const fewBlocks = 15;
const fewWords = 200;
const manyBlocks = 10_000;
const placeSpan = 2 ** 20;
/** A block less likely than this is never kept, one more likely than the other always is. */
const lowestCut = 0.15;
const highestCut = 0.5;
const likelyHeading = 0.1;
const unlikelyForum = 0.2;
/** Pictures without text go with the text around them. */
const pictureShare = 0.5;

/** Null when the page is too small for the model. */
export function findLearnedMain(
  nodes: readonly ChildNode[],
  dropped: ReadonlySet<AnyNode>,
  folded: ReadonlySet<AnyNode>,
  parts: PageParts,
  rules: MainContent,
  model: MainModel,
): LearnedMain | null {
  const page = new PageBlocks(nodes, dropped);
  const { blocks, words } = page;
  if (blocks.length < fewBlocks || blocks.length > manyBlocks || words.length < fewWords) return null;
  const signs = readSigns(parts);
  const types = typeProbabilities(model.types, typeWords(page, signs));
  const features = readFeatures(page, folded, signs, model.lexicons, types, rulesFor(types, rules, nodes, dropped));
  const alone = probabilitiesOf(model.trees, features.columns, blocks.length);
  const together = smoothed(blocks, alone, features.peers);
  const articleProbability = types[pageTypes.indexOf("article")] as number;
  const { moves, captions } = knownParts(page, types);
  const probabilities = moved(leaned(together, features.reader, features.replies, articleProbability), moves);
  const { cut, confidence } = cutOf(blocks, probabilities);
  const isKept = Uint8Array.from(probabilities, (probability) => (probability >= cut ? 1 : 0));
  keepHeadings(page, probabilities, isKept);
  keepAnnouncedLists(page, isKept);
  keepWholeStructures(page, isKept);
  leaveOutRepeated(page, isKept);
  const keptWords = blocks.reduce((sum, block, at) => sum + (isKept[at] === 1 ? wordCount(block) : 0), 0);
  const mainTextShare = round(keptWords / words.length);
  return {
    nodes: [...nodes],
    dropped: leftOut(page, isKept, captions, dropped),
    quality: {
      pageType: pageTypes[types.indexOf(Math.max(...types))] as string,
      mainTextShare,
      boilerplateShare: round(1 - mainTextShare),
      confidence: round(calibrated(confidence, model.confidence)),
    },
    verdicts: () => blockVerdicts(page, (_, at) => learnedVerdict(isKept[at] === 1, probabilities[at] as number)),
  };
}

/**
 * What the rules say once the kind of the page is known: short posts with many comments look like forums to them.
 * @public for tools/train-content
 */
export function rulesFor(
  types: readonly number[],
  rules: MainContent,
  nodes: readonly ChildNode[],
  dropped: ReadonlySet<AnyNode>,
): MainContent {
  const isForum = (types[pageTypes.indexOf("forum")] as number) > unlikelyForum;
  return rules.isForum && !isForum ? findMain(nodes, dropped, true) : rules;
}

/** A missing heading hurts a text more than a superfluous one. */
function keepHeadings({ blocks, elements }: PageBlocks, probabilities: Float32Array, isKept: Uint8Array): void {
  for (let at = blocks.length - 2; at >= 0; at -= 1) {
    if (isKept[at] === 1 || isKept[at + 1] === 0 || (probabilities[at] as number) < likelyHeading) continue;
    const { owner } = blocks[at] as Block;
    if (/^h[2-6]$/.test(elements[owner]?.element.name ?? "")) isKept[at] = 1;
  }
}

function keepAnnouncedLists({ elements }: PageBlocks, isKept: Uint8Array): void {
  for (const { element, firstBlock, endBlock } of elements) {
    if (firstBlock > 0 && isKept[firstBlock - 1] === 1 && isAnnounced(element)) isKept.fill(1, firstBlock, endBlock);
  }
}

function round(share: number): number {
  return Math.round(share * 1000) / 1000;
}

/** Where to cut, so that the expected F1 of the kept words is highest. */
function cutOf(blocks: readonly Block[], probabilities: Float32Array): { cut: number; confidence: number } {
  let expected = 0;
  for (let at = 0; at < blocks.length; at += 1)
    expected += (probabilities[at] as number) * wordCount(blocks[at] as Block);
  let kept = 0;
  let right = 0;
  let confidence = 0;
  let cut = 1;
  for (const at of likeliestFirst(probabilities)) {
    const length = wordCount(blocks[at] as Block);
    const probability = probabilities[at] as number;
    kept += length;
    right += probability * length;
    const f1 = (2 * right) / (kept + expected);
    if (f1 > confidence) {
      confidence = f1;
      cut = probability;
    }
  }
  return { cut: Math.min(highestCut, Math.max(lowestCut, cut)), confidence };
}

/** Places of the numbers in one with their values: sorted without calling back, which takes a tenth of the time. */
function likeliestFirst(probabilities: Float32Array): Float64Array {
  const bits = new Int32Array(probabilities.buffer, probabilities.byteOffset, probabilities.length);
  const order = Float64Array.from(bits, (each, at) => -each * placeSpan + at).sort();
  return order.map((each) => ((each % placeSpan) + placeSpan) % placeSpan);
}

/**
 * Elements without a kept block, and the texts of blocks that are not kept beside others that are. A caption that is left
 * out does not take its picture with it, nor do few words in a figure beside kept text.
 */
function leftOut(
  page: PageBlocks,
  isKept: Uint8Array,
  captions: Uint8Array,
  before: ReadonlySet<AnyNode>,
): Set<AnyNode> {
  const { blocks, elements } = page;
  const dropped = new Set(before);
  const keptBlocks = runningSums(blocks, (_, at) => isKept[at] as number);
  const keptWords = runningSums(blocks, (block, at) => (isKept[at] === 1 ? wordCount(block) : 0));
  const allWords = runningSums(blocks, wordCount);
  const texts = runningSums(blocks, (_, at) => (captions[at] === 1 ? 0 : 1));
  const isOut = new Uint8Array(elements.length);
  const isFigure = new Uint8Array(elements.length);
  for (let place = 0; place < elements.length; place += 1) {
    const { element, parent, firstBlock, endBlock } = elements[place] as BlockElement;
    if (parent >= 0 && isOut[parent] === 1) {
      isOut[place] = 1;
      continue;
    }
    if (keptBlocks[endBlock] !== keptBlocks[firstBlock]) continue;
    const isPicture = texts[endBlock] === texts[firstBlock];
    if (isPicture && shareAround(elements, place, texts, keptWords, allWords) >= pictureShare) continue;
    isFigure[place] = Number(isFigure[parent] === 1 ? holdsPicture(element) : isFigureBesideText(page, place, isKept));
    if (isFigure[place] === 1) continue;
    isOut[place] = 1;
    dropped.add(element);
  }
  for (let at = 0; at < blocks.length; at += 1) {
    if (isKept[at] === 1) continue;
    const { owner, textFirst, textEnd } = blocks[at] as Block;
    if (isOut[owner] === 1) continue;
    for (let text = textFirst; text < textEnd; text += 1) dropped.add(page.texts[text] as AnyNode);
  }
  return dropped;
}

/** How much of the text around an element without text is kept. `texts`, `kept`, `all`: running sums of blocks and words. */
function shareAround(
  elements: readonly BlockElement[],
  place: number,
  texts: Float64Array,
  kept: Float64Array,
  all: Float64Array,
): number {
  for (
    let above = (elements[place] as BlockElement).parent;
    above >= 0;
    above = (elements[above] as BlockElement).parent
  ) {
    const { firstBlock, endBlock } = elements[above] as BlockElement;
    if (texts[endBlock] === texts[firstBlock]) continue;
    const words = (all[endBlock] as number) - (all[firstBlock] as number);
    return words > 0 ? ((kept[endBlock] as number) - (kept[firstBlock] as number)) / words : 0;
  }
  return 1;
}
