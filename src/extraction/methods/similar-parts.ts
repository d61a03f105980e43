// Parts of a page that may each tell of one thing: elements of one look beside each other, and texts under headings.

import type { Element } from "domhandler";
import { attribute, isElement } from "../../html/index.ts";
import type { ParsedPage } from "../page/parsed-page.ts";
import { isFramed } from "../page/title.ts";

export interface ItemBlock {
  /** The element that is the block, where one is. */
  holder: Element | null;
  roots: readonly Element[];
  /** Pieces of text. */
  from: number;
  to: number;
}

const maxItems = 500;
const maxGroups = 40;
const leastBlocks = 3;
const headings = /^h[2-6]$/;

/** Elements of one parent, of one name and class, with their own text; those with the most text first. */
export function lookGroups(page: ParsedPage): ItemBlock[][] {
  const groups: { blocks: ItemBlock[]; size: number }[] = [];
  for (const parent of page.text.elements) {
    const children = parent.children.filter(isElement);
    if (children.length < leastBlocks) continue;
    const byLook = new Map<string, Element[]>();
    for (const child of children) {
      if (page.text.isEmpty(child) || child.name === "br" || child.name === "option") continue;
      const look = `${child.name}.${(attribute(child, "class") ?? "").split(/\s+/)[0] ?? ""}`;
      byLook.set(look, [...(byLook.get(look) ?? []), child]);
    }
    for (const elements of byLook.values()) {
      if (elements.length < leastBlocks || isFramed(parent, page.text)) continue;
      const blocks = elements.slice(0, maxItems).map((element) => wholeBlock(page, element));
      const last = page.text.range(elements.at(-1) as Element);
      groups.push({ blocks, size: last.to - (blocks[0]?.from ?? 0) });
    }
  }
  return groups
    .sort((one, other) => other.size - one.size)
    .slice(0, maxGroups)
    .map(({ blocks }) => blocks);
}

/** Texts under headings of one rank, terms with what is said of them, and parts that can be unfolded. */
export function headedGroups(page: ParsedPage): ItemBlock[][] {
  const groups: ItemBlock[][] = [];
  for (const parent of page.text.elements) {
    if (groups.length >= maxGroups) break;
    const children = parent.children.filter((child): child is Element => isElement(child) && !page.text.isEmpty(child));
    const ranks = new Set(children.map(({ name }) => name).filter((name) => headings.test(name) || name === "dt"));
    const found = [...ranks].map((rank) => sectionsOf(page, children, rank));
    found.push(children.filter(({ name }) => name === "details").map((element) => wholeBlock(page, element)));
    const whole = found.filter((blocks) => blocks.length > 1);
    if (whole.length > 0 && !isFramed(parent, page.text)) groups.push(...whole);
  }
  return groups;
}

function wholeBlock(page: ParsedPage, element: Element): ItemBlock {
  return { holder: element, roots: element.children.filter(isElement), ...page.text.range(element) };
}

/** Each heading of a rank with everything up to the next heading of its rank or above. */
function sectionsOf(page: ParsedPage, children: readonly Element[], rank: string): ItemBlock[] {
  const blocks: ItemBlock[] = [];
  for (const [place, child] of children.entries()) {
    if (child.name !== rank) continue;
    const rest = children.slice(place + 1);
    const end = rest.findIndex(({ name }) => name === rank || (headings.test(name) && name < rank));
    const roots = [child, ...(end < 0 ? rest : rest.slice(0, end))];
    const { from } = page.text.range(child);
    const { to } = page.text.range(roots.at(-1) as Element);
    if (roots.length > 1 && blocks.length < maxItems) blocks.push({ holder: null, roots, from, to });
  }
  return blocks;
}
