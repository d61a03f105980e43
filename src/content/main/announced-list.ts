// Lists that a sentence announces: "Many patches were sent for review:" is not whole without what follows, however many
// links that holds.
import type { AnyNode, Element } from "domhandler";
import { elementAbove, isElement, isText, textSample } from "../../html/index.ts";

/** Shorter ones are labels: "Related articles:", "You may also like:". */
const shortestSentence = 25;
/** Longer texts are more than a sentence, and not read to their end. */
const longestParagraph = 2000;
/** Some programs put every list and every paragraph into a box. */
const mostBoxes = 2;

/** True of the list and of a box that holds nothing else. */
export function isAnnounced(element: Element): boolean {
  return holdsOnlyList(element, mostBoxes) && announces(beforeOf(element, mostBoxes), mostBoxes);
}

function holdsOnlyList({ name, children }: Element, boxes: number): boolean {
  if (name === "ul" || name === "ol") return true;
  const [only, other] = name === "div" && boxes > 0 ? children.filter(isInked) : [];
  return only !== undefined && other === undefined && isElement(only) && holdsOnlyList(only, boxes - 1);
}

/** The block before it, or before the box that begins with it. */
function beforeOf(element: Element, boxes: number): AnyNode | null {
  let before = element.prev;
  while (before && !isInked(before)) before = before.prev;
  const parent = elementAbove(element);
  return before || boxes === 0 || parent?.name !== "div" ? before : beforeOf(parent, boxes - 1);
}

function announces(node: AnyNode | null, boxes: number): boolean {
  if (node === null) return false;
  if (isText(node)) return isSentence(node.data);
  if (!isElement(node)) return false;
  if (node.name === "p") return isSentence(textSample([node], longestParagraph + 1));
  return node.name === "div" && boxes > 0 && announces(node.children.findLast(isInked) ?? null, boxes - 1);
}

function isInked(node: AnyNode): boolean {
  return isElement(node) || (isText(node) && node.data.trim() !== "");
}

function isSentence(text: string): boolean {
  const sentence = text.trim();
  return sentence.length >= shortestSentence && sentence.length <= longestParagraph && /[:：]$/.test(sentence);
}
