// Takes what a person does not see out of a page's tree, before anything is made of it: hidden elements, text in the colour of
// its background, characters that nobody sees.
import type { AnyNode, ChildNode, Document, Element, ParentNode, Text } from "domhandler";
import {
  isElement,
  isText,
  noAttributes,
  type PageParts,
  trimmedLength,
  walk,
  walkElements,
} from "../../html/index.ts";
import { isFolded, textLength, unshown } from "./folded.ts";
import { mayHoldInvisible, type SourceText, spelledByTags, withoutInvisible } from "./invisible-characters.ts";
import { PageSight } from "./sight.ts";

export interface HiddenPart {
  nodes: Set<AnyNode>;
  /** Characters of text. */
  length: number;
  /** Hidden at first sight, and nevertheless possibly what the reader came for. */
  folded: Set<AnyNode>;
}

/** Elements that scripts hide until they have run. */
export const wholeNames = new Set(["html", "body", "main"]);

/** Of the page's text: a style sheet that hides more than this hides nothing, or we have misread it. */
const mostOfPage = 0.5;
const mostByColour = 0.25;

export interface HidingMeans {
  /** A browser has noted what is not seen. */
  isRendered: boolean;
  /** Attributes may hide something, beside the page's style sheets. */
  byAttributes: boolean;
}

/** What is hidden on a page; nothing is changed. */
export function findHidden(root: Document, parts: PageParts, { isRendered, byAttributes }: HidingMeans): HiddenPart {
  const sight = new PageSight(root, parts, isRendered);
  const folded = new Set<AnyNode>();
  if (!isRendered && !byAttributes && !sight.hasRules) return { nodes: new Set(), length: 0, folded };
  const texts: Text[] = [];
  const elements: Element[] = [];
  walkElements(root, (node) => {
    if (unshown.has(node.name)) {
      if (!isShadow(node)) return false;
    } else if (isHidden(node, sight, folded) && !holdsFormula(node)) {
      elements.push(node);
      return false;
    }
    if (sight.mayHideText(node)) addHiddenTexts(node, sight, texts);
    return true;
  });
  // On most pages nothing is hidden: their text does not need to be measured.
  if (elements.length + texts.length === 0) return { nodes: new Set(), length: 0, folded };
  const lengths = elements.map(textLength);
  const pageLength = lengths.reduce((sum, length) => sum + length, shownLength(root, new Set(elements)));
  const nodes = new Set<AnyNode>();
  let length = 0;
  for (const [place, element] of elements.entries()) {
    const own = lengths[place] as number;
    if (own > pageLength * mostOfPage && !isHiddenItself(element)) continue;
    nodes.add(element);
    length += own;
  }
  const coloured = texts.reduce((sum, { data }) => sum + trimmedLength(data), 0);
  if (coloured <= pageLength * mostByColour) {
    for (const text of texts) nodes.add(text);
    length += coloured;
  }
  return { nodes, length, folded };
}

/** The texts that stand in an element itself, if they are not seen. */
function addHiddenTexts(element: Element, sight: PageSight, texts: Text[]): void {
  const own = element.children.filter((child) => isText(child) && trimmedLength(child.data) > 0) as Text[];
  if (own.length > 0 && sight.hidesText(element)) for (const text of own) texts.push(text);
}

/** Characters of text outside of hidden elements. */
function shownLength(root: Document, hidden: ReadonlySet<AnyNode>): number {
  let length = 0;
  walk(root, (node) => {
    if (isText(node)) length += trimmedLength(node.data);
    else if (unshown.has(node.name)) return isShadow(node);
    return !hidden.has(node);
  });
  return length;
}

/** By its own attributes, not by a sheet. */
function isHiddenItself({ attribs }: Element): boolean {
  return attribs.hidden !== undefined || attribs.style !== undefined;
}

/** Templates that hold a custom element's own tree are shown. */
function isShadow({ name, attribs }: Element): boolean {
  return name === "template" && (attribs.shadowrootmode !== undefined || attribs.shadowroot !== undefined);
}

function isHidden(element: Element, sight: PageSight, folded: Set<AnyNode>): boolean {
  const { attribs } = element;
  const isAttribute = attribs !== noAttributes && attribs.hidden !== undefined && attribs.hidden !== "until-found";
  if ((!isAttribute && sight.of(element) !== "hidden") || wholeNames.has(element.name)) return false;
  if (!isFolded(element)) return true;
  folded.add(element);
  return false;
}

/** A formula for programs beside a picture of it for eyes. */
export function holdsFormula({ children }: Element): boolean {
  const [only] = children;
  return children.length === 1 && only !== undefined && isElement(only) && only.name === "math";
}

/** Parent by parent: taking nodes out one at a time costs the square of a parent's children. */
export function takeOut(nodes: ReadonlySet<AnyNode>): void {
  const parents = new Set<ParentNode>();
  for (const node of nodes) if (node.parent) parents.add(node.parent);
  for (const parent of parents) {
    parent.children = parent.children.filter((child) => !nodes.has(child));
    let before: ChildNode | null = null;
    for (const child of parent.children) {
      child.prev = before;
      child.next = null;
      if (before) before.next = child;
      before = child;
    }
  }
}

/** Cleans texts and attributes in place, and says how many characters were left out; `said`: what tags among them spell. */
export function removeInvisibleCharacters(root: Document, source: SourceText, said: string[] = []): number {
  if (!mayHoldInvisible(source)) return 0;
  let removed = 0;
  /** Null when there is nothing to clean, as nearly everywhere. */
  const cleaned = (text: string): string | null => {
    const visible = withoutInvisible(text);
    if (visible.removed === 0) return null;
    removed += visible.removed;
    said.push(spelledByTags(text));
    return visible.text;
  };
  walk(root, (node) => {
    if (isText(node)) {
      node.data = cleaned(node.data) ?? node.data;
      return true;
    }
    const { attribs } = node;
    for (const name in attribs) {
      const text = cleaned(attribs[name] as string);
      if (text !== null) attribs[name] = text;
    }
    return true;
  });
  return removed;
}
