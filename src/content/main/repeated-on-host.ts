// Texts that many pages of a host have are no page's own: notes about the publisher, boxes that ask for a subscription. What a page
// keeps is compared with what earlier pages of its host kept.
import type { AnyNode, ChildNode } from "domhandler";
import { type Block, hashOfWords, PageBlocks, wordCount } from "./blocks.ts";

/** Shorter texts recur for different things. */
const shortest = 6;
const shortestItem = 12;
/** Of a page with fewer words, too much would be lost with each of them. */
const fewWords = 150;
const mostNumbers = 400;
/** A page that would lose more of its words is a copy of another one. */
const mostRepeated = 0.4;
/** Tables, code and headings repeat on purpose. */
const apart = new Set(["td", "th", "pre", "dt", "h1", "h2", "h3", "h4", "h5", "h6"]);

export interface HostRepeats {
  /** Numbers of the texts that the main part has, whether they are left out or not. */
  numbers: number[];
  /** To be left out: elements, and texts beside others that stay. */
  nodes: AnyNode[];
  texts: number;
}

/** `repeated`: numbers of texts that enough pages of the host have. */
export function findRepeatedOnHost(
  nodes: readonly ChildNode[],
  dropped: ReadonlySet<AnyNode>,
  repeated: ReadonlySet<number>,
): HostRepeats {
  const page = new PageBlocks(nodes, dropped);
  const found = numberBlocks(page);
  const numbers = [...found.keys()].slice(0, mostNumbers);
  const out = new Set([...found].filter(([number]) => repeated.has(number)).map(([, block]) => block));
  const words = [...out].reduce((sum, block) => sum + wordCount(block), 0);
  if (page.words.length < fewWords || words > page.words.length * mostRepeated) return { numbers, nodes: [], texts: 0 };
  return { numbers, nodes: nodesOf(page, out), texts: out.size };
}

/** Of texts that the page has once: those of every item of a list belong to the items. */
function numberBlocks(page: PageBlocks): Map<number, Block> {
  const found = new Map<number, Block>();
  const again = new Set<number>();
  for (const block of page.blocks) {
    if (!mayRepeat(page, block)) continue;
    const number = hashOfWords(page, block);
    if (found.has(number)) again.add(number);
    else found.set(number, block);
  }
  for (const number of again) found.delete(number);
  return found;
}

function mayRepeat({ elements }: PageBlocks, block: Block): boolean {
  const name = elements[block.owner]?.element.name ?? "";
  return wordCount(block) >= (name === "li" ? shortestItem : shortest) && !apart.has(name);
}

/** An element goes with all of its blocks, so that no empty item or link is left. */
function nodesOf({ blocks, elements, texts }: PageBlocks, out: ReadonlySet<Block>): AnyNode[] {
  const nodes: AnyNode[] = [...out].flatMap(({ textFirst, textEnd }) => texts.slice(textFirst, textEnd));
  for (const { element, firstBlock, endBlock } of out.size > 0 ? elements : []) {
    const own = blocks.slice(firstBlock, Math.min(endBlock, firstBlock + out.size + 1));
    if (own.length > 0 && own.every((block) => out.has(block))) nodes.push(element);
  }
  return nodes;
}
