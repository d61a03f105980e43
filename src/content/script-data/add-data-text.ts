// Adds to the tree of a page that scripts would fill the text that its own data hold, so that all outputs see it.
import type { ChildNode, Document, ParentNode } from "domhandler";
import {
  attribute,
  findBelow,
  isElement,
  isText,
  type NumberedElement,
  orderOf,
  type PageParts,
  parseHtml,
  trimmedLength,
  walk,
} from "../../html/index.ts";
import { type DataText, findDataText } from "./data-text.ts";
import { forumPosts } from "./forum-posts.ts";

/** A page with this many letters has its text. */
const enoughLetters = 400;
const unseen = new Set(["script", "style", "noscript", "template", "title", "svg", "textarea", "iframe", "object"]);

export interface AddedText {
  /** The data that the text was taken from, as the page calls them; null when nothing was added. */
  from: string | null;
  /** Neither the page nor its data has any text. */
  lacksText: boolean;
}

/** `isShell`: scripts would fill the page. Others have their text, except for forums that keep it in an attribute. */
export function addDataText(root: Document, parts: PageParts, url: string, isShell: boolean): AddedText {
  const posts = parts.hasEmbeddedData ? forumPosts(root) : null;
  const isBare = isShell && posts === null && !hasText(root);
  const text: DataText | null =
    posts === null ? (isBare ? findDataText(root, parts, url) : null) : { html: posts, from: "data-preloaded" };
  if (text === null) return { from: null, lacksText: isBare };
  append(root, parts.body ?? findBelow(root, "html") ?? root, parseHtml(text.html).root.children);
  return { from: text.from, lacksText: false };
}

function hasText(root: Document): boolean {
  let letters = 0;
  walk(root, (node) => {
    if (isText(node)) letters += trimmedLength(node.data);
    else if (unseen.has(node.name) && attribute(node, "shadowrootmode") === undefined) return false;
    return letters < enoughLetters || "stop";
  });
  return letters >= enoughLetters;
}

function append(root: Document, parent: ParentNode, nodes: readonly ChildNode[]): void {
  let order = 0;
  walk(root, (node) => {
    if (isElement(node)) order = Math.max(order, orderOf(node) + 1);
    return true;
  });
  let last = parent.children.at(-1) ?? null;
  for (const node of nodes) {
    node.parent = parent;
    node.prev = last;
    node.next = null;
    if (last) last.next = node;
    last = node;
  }
  parent.children = [...parent.children, ...nodes];
  // Numbered on behind the page's own elements: each number is that of one element.
  for (const node of nodes) {
    if (!isElement(node)) continue;
    (node as NumberedElement).order = order++;
    walk(node, (below) => {
      if (isElement(below)) (below as NumberedElement).order = order++;
      return true;
    });
  }
}
