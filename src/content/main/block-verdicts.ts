// What happened to each block of a page and why, for callers who ask for an explanation.
import type { Block, PageBlocks } from "./blocks.ts";

export interface BlockVerdict {
  text: string;
  isKept: boolean;
  reason: string;
  /** How likely it belongs to the main part; absent where the rules chose. */
  probability?: number;
}

const maxVerdicts = 1000;
const maxText = 200;

/** In the order of the page; the first thousand. */
export function blockVerdicts(
  page: PageBlocks,
  judge: (block: Block, place: number) => Omit<BlockVerdict, "text">,
): BlockVerdict[] {
  const blocks = page.blocks.slice(0, maxVerdicts);
  return blocks.map((block, place) => ({ text: textOfBlock(page, block), ...judge(block, place) }));
}

function textOfBlock({ texts }: PageBlocks, { textFirst, textEnd }: Block): string {
  const data = texts.slice(textFirst, textEnd).map((node) => node.data);
  return data.join("").replace(/\s+/g, " ").trim().slice(0, maxText);
}

/** The model's verdicts: it rates each block, then chooses a set of them, which may differ from single ratings. */
export function learnedVerdict(isKept: boolean, probability: number): Omit<BlockVerdict, "text"> {
  const isLikely = probability >= 0.5;
  const byItself = isLikely ? "likely main text" : "unlikely main text";
  const withOthers = isKept ? "kept with the blocks around it" : "left out with the blocks around it";
  return {
    isKept,
    reason: isKept === isLikely ? byItself : withOthers,
    probability: Math.round(probability * 1000) / 1000,
  };
}
