// Finds what is hidden from people in a page's tree, so that it can be removed before outputs are made: hidden elements, text in
// the colour of its background, invisible characters.
import type { AnyNode, ChildNode, Document, Element, ParentNode, Text } from "domhandler";
import {
  hiddenMark,
  isElement,
  isText,
  noAttributes,
  type PageParts,
  trimmedLength,
  walk,
  walkElements,
} from "../../html/index.ts";
import { isFolded, textLength, unshown } from "./folded.ts";
import { mayHoldInvisible, spelledByTags, withoutInvisible } from "./invisible-characters.ts";
import { PageVisibility } from "./page-visibility.ts";

export interface HiddenPart {
  nodes: Set<AnyNode>;
  /** Characters of text. */
  length: number;
  /** Hidden at first, but possibly what the reader came for. */
  folded: Set<AnyNode>;
}

/** Elements that scripts hide until they have run. */
export const wholeNames = new Set(["html", "body", "main"]);

/** Share of the page's text. A style sheet that seems to hide more was misread, so it hides nothing. */
const mostOfPage = 0.5;
const mostByColour = 0.25;

export interface HidingMeans {
  /** A browser has marked the hidden elements. */
  isRendered: boolean;
  /** Attributes may hide something, beside the page's style sheets. */
  byAttributes: boolean;
}

/** What is hidden on a page; nothing is changed. */
export function findHidden(root: Document, parts: PageParts, { isRendered, byAttributes }: HidingMeans): HiddenPart {
  const visibility = new PageVisibility(root, parts, isRendered);
  const folded = new Set<AnyNode>();
  if (!isRendered && !byAttributes && !visibility.hasRules) return { nodes: new Set(), length: 0, folded };
  const texts: Text[] = [];
  const elements: Element[] = [];
  walkElements(root, (node) => {
    if (unshown.has(node.name)) {
      if (!isShadow(node)) return false;
    } else if (isHidden(node, visibility, folded) && !holdsFormula(node)) {
      elements.push(node);
      return false;
    }
    if (visibility.mayHideText(node)) addHiddenTexts(node, visibility, texts);
    return true;
  });
  // On most pages nothing is hidden, so their text is not measured.
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

/** Adds the element's own texts if they are hidden. */
function addHiddenTexts(element: Element, visibility: PageVisibility, texts: Text[]): void {
  const own = element.children.filter((child) => isText(child) && trimmedLength(child.data) > 0) as Text[];
  if (own.length > 0 && visibility.hidesText(element)) for (const text of own) texts.push(text);
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

function isHidden(element: Element, visibility: PageVisibility, folded: Set<AnyNode>): boolean {
  const { attribs } = element;
  const isAttribute = attribs !== noAttributes && isHiddenByName(attribs, element, visibility);
  if ((!isAttribute && visibility.of(element) !== "hidden") || wholeNames.has(element.name)) return false;
  if (!isFolded(element)) return true;
  folded.add(element);
  return false;
}

/** By an attribute that hides, unless a style says otherwise. */
function isHiddenByName(
  { hidden, popover }: Element["attribs"],
  element: Element,
  visibility: PageVisibility,
): boolean {
  // A browser has seen what the attributes do.
  if (visibility.isRendered) return hidden !== undefined && element.attribs[hiddenMark] !== undefined;
  if (hidden === undefined && (popover === undefined || visibility.isOpened(element))) return false;
  return hidden === "until-found" || !visibility.showsAgainst(element);
}

/** MathML beside an image of the formula. */
export function holdsFormula({ children }: Element): boolean {
  const [only] = children;
  return children.length === 1 && only !== undefined && isElement(only) && only.name === "math";
}

/** Parent by parent: removing nodes one at a time is quadratic in the number of children. */
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

/** Cleans texts and attributes in place and returns how many characters were removed. `said` collects what tags spell. */
export function removeInvisibleCharacters(root: Document, source: string, said: string[] = []): number {
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
