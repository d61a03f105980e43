// Which nodes nobody sees: code, metadata, hidden elements; and which the caller named.
import type { AnyNode, ChildNode, Document, Element, ParentNode } from "domhandler";
import { isElement, isText, noAttributes, walk } from "./nodes.ts";
import { findAll } from "./selectors.ts";

const never = new Set(
  "head title meta link base script style template svg canvas object embed applet param audio video track source iframe frame frameset noframes noembed map datalist area col colgroup".split(
    " ",
  ),
);
/** Elements that scripts hide until they have run. */
const wholePage = new Set(["html", "body", "main"]);
/** Longer text in aria-hidden elements is content behind a dialog, not decoration. */
const longHiddenText = 200;
/** Decoration is small; counting on would make nested hidden elements cost the square of the page. */
const maxDecorationNodes = 500;

export interface VisibilityOptions {
  excludeTags: readonly string[];
  /** The text in <noscript> is read when the page has no other. */
  keepNoscript: boolean;
  keepHidden: boolean;
}

/** The nodes that are left out of `html` and `markdown`, each with everything below it. */
export function findInvisible(root: Document, options: VisibilityOptions): Set<AnyNode> {
  const dropped = new Set<AnyNode>();
  for (const selector of options.excludeTags) for (const element of findAll(selector, root)) dropped.add(element);
  walk(root, (node) => {
    if (!isElement(node)) return true;
    if (dropped.has(node)) return false;
    const { name } = node;
    if (never.has(name) || (name === "noscript" && !options.keepNoscript)) {
      dropped.add(node);
      return false;
    }
    if (!options.keepHidden && isHidden(node)) {
      dropped.add(node);
      return false;
    }
    return true;
  });
  return dropped;
}

function isHidden(element: Element): boolean {
  const { attribs, name } = element;
  if (wholePage.has(name)) return false;
  if (attribs === noAttributes) return name === "dialog";
  if (attribs.hidden !== undefined && attribs.hidden !== "until-found") return true;
  if (name === "dialog" && attribs.open === undefined) return true;
  if (attribs.style !== undefined && isHiddenByStyle(attribs.style)) return true;
  return attribs["aria-hidden"] === "true" && name !== "img" && isShort(element, longHiddenText);
}

function isHiddenByStyle(style: string): boolean {
  return style.length < 2000 && /(?:^|[;\s])(?:display\s*:\s*none|visibility\s*:\s*hidden)/i.test(style);
}

/** True when the text below stays under a length; stops counting as soon as it does not. */
function isShort(root: ParentNode, limit: number): boolean {
  let length = 0;
  let visited = 0;
  walk(root, (node) => {
    visited += 1;
    if (isText(node)) length += node.data.trim().length;
    return length > limit || visited > maxDecorationNodes ? "stop" : true;
  });
  return length <= limit && visited <= maxDecorationNodes;
}

/** The outermost elements that match one of the selectors, in document order. */
export function findIncluded(root: Document, includeTags: readonly string[]): Element[] {
  const matches = new Set<Element>();
  for (const selector of includeTags) for (const element of findAll(selector, root)) matches.add(element);
  const outermost: Element[] = [];
  walk(root, (node) => {
    if (!isElement(node) || !matches.has(node)) return true;
    outermost.push(node);
    return false;
  });
  return outermost;
}

/** True when nothing but whitespace would be shown. */
export function isBlank(nodes: readonly ChildNode[], dropped: ReadonlySet<AnyNode>): boolean {
  return nodes.every((node) => {
    if (dropped.has(node)) return true;
    if (isText(node)) return node.data.trim() === "";
    if (!isElement(node)) return true;
    let isBlankBelow = node.name !== "img";
    walk(node, (below) => {
      if (dropped.has(below)) return false;
      if (isText(below) ? below.data.trim() !== "" : below.name === "img") isBlankBelow = false;
      return isBlankBelow || "stop";
    });
    return isBlankBelow;
  });
}
