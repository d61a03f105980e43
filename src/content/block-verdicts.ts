// What became of each block of a page and why, for whoever asked to have it explained.
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

/** The model's: blocks from `cut` on are kept, and headings above them. */
export function learnedVerdict(isKept: boolean, probability: number, cut: number): Omit<BlockVerdict, "text"> {
  const isLikely = probability >= cut;
  const reason =
    isKept && !isLikely ? "heading of a kept text" : `probability ${isLikely ? "at least" : "below"} ${round(cut)}`;
  return { isKept, reason, probability: round(probability) };
}

function round(share: number): number {
  return Math.round(share * 1000) / 1000;
}
