// What all outputs need of nodes.
import type { AnyNode, Element, ParentNode, Text } from "domhandler";

export type Attributes = Record<string, string>;

/** Those of every element that has none: most of them. */
export const noAttributes: Attributes = Object.freeze({});

/** The number of an element in the order of the page, from 0. A Map keyed by elements would have to hash each of them. */
export function orderOf(element: Element): number {
  return (element as NumberedElement).order;
}

export interface NumberedElement extends Element {
  order: number;
}

/** A text that caches what several outputs need. */
export interface JudgedText extends Text {
  /** Null: not computed yet. */
  isPlain: boolean | null;
}

/** Cheaper than domhandler's predicates, which compare several types: our trees hold elements and texts only. */
export function isElement(node: AnyNode): node is Element {
  return node.type !== "text" && node.type !== "root";
}

export function isText(node: AnyNode): node is Text {
  return node.type === "text";
}

/** An attribute as written, or undefined. `attribs` has a prototype, so `constructor` must not be found. */
export function attribute(element: Element, name: string): string | undefined {
  return Object.hasOwn(element.attribs, name) ? element.attribs[name] : undefined;
}

/** Longer ones are not class names, and reading them for every node below takes quadratic time. */
const longClass = 1000;

/** The names of an element, or none when there are too many to be looked at. */
export function classOf({ attribs }: Element): string {
  const { class: classes } = attribs;
  return classes === undefined || classes.length > longClass ? "" : classes;
}

/** Visits every node below `root` in document order; `false` leaves out what is below that node, `"stop"` ends it. */
export function walk(root: ParentNode, visit: (node: Element | Text) => boolean | "stop"): void {
  let node = root.children[0] as AnyNode | null | undefined;
  while (node) {
    const answer = visit(node as Element | Text);
    if (answer === "stop") return;
    if (answer && "children" in node && node.children.length > 0) {
      node = node.children[0] as AnyNode;
      continue;
    }
    while (node && node !== root && !node.next) node = node.parent;
    node = node === root ? null : node?.next;
  }
}

/** The same of elements alone: half of the nodes of a page are texts. */
export function walkElements(root: ParentNode, visit: (element: Element) => boolean): void {
  let node = root.children[0] as AnyNode | null | undefined;
  while (node) {
    if (isElement(node) && visit(node) && node.children.length > 0) {
      node = node.children[0] as AnyNode;
      continue;
    }
    while (node && node !== root && !node.next) node = node.parent;
    node = node === root ? null : node?.next;
  }
}

/** The first element below another that has that name, or of which the test is true. */
export function findBelow(root: ParentNode, wanted: string | ((element: Element) => boolean)): Element | null {
  let found: Element | null = null;
  walk(root, (node) => {
    if (isElement(node) && (typeof wanted === "string" ? node.name === wanted : wanted(node))) found = node;
    return found === null || "stop";
  });
  return found;
}

export function elementAbove({ parent }: AnyNode): Element | null {
  return parent && isElement(parent) ? parent : null;
}

export function elementBefore(node: AnyNode): Element | null {
  let other = node.prev;
  while (other && !isElement(other)) other = other.prev;
  return other as Element | null;
}

export function elementAfter(node: AnyNode): Element | null {
  let other = node.next;
  while (other && !isElement(other)) other = other.next;
  return other as Element | null;
}

/** Whether a node is in a set, or below one of its nodes. */
export function isAmong(node: AnyNode, nodes: ReadonlySet<AnyNode>): boolean {
  if (nodes.size === 0) return false;
  for (let above: AnyNode | null = node; above !== null; above = above.parent) if (nodes.has(above)) return true;
  return false;
}

/** Their text is for programs. */
const unshown = new Set(["script", "style", "noscript", "template", "svg"]);

/** Elements and texts that a page shows, in document order: for several readers, of which each would have to walk the tree. */
export function shownNodes(root: ParentNode): readonly (Element | Text)[] {
  const nodes: (Element | Text)[] = [];
  let node = root.children[0] as AnyNode | null | undefined;
  while (node) {
    const isShown = isText(node) || !unshown.has((node as Element).name);
    if (isShown) nodes.push(node as Element | Text);
    if (isShown && isElement(node) && node.children.length > 0) {
      node = node.children[0] as AnyNode;
      continue;
    }
    while (node && node !== root && !node.next) node = node.parent;
    node = node === root ? null : node?.next;
  }
  return nodes;
}

/** All text below a node, as written in the source. */
export function textOf(root: ParentNode, dropped?: ReadonlySet<AnyNode>): string {
  const [only] = root.children;
  if (root.children.length === 1 && only && isText(only)) return dropped?.has(only) ? "" : only.data;
  const parts: string[] = [];
  walk(root, (node) => {
    if (dropped?.has(node)) return false;
    if (isText(node)) parts.push(node.data);
    else if (node.name === "br") parts.push("\n");
    return true;
  });
  return parts.join("");
}

/** Does not build the trimmed text when there is nothing to trim. */
export function trimmedLength(text: string): number {
  return isTight(text) ? text.length : text.trim().length;
}

/** True when a text begins and ends with visible ASCII: then there is nothing to trim. False says nothing. */
export function isTight(text: string): boolean {
  return isInk(text.charCodeAt(0)) && isInk(text.charCodeAt(text.length - 1));
}

function isInk(code: number): boolean {
  return code > 32 && code < 127;
}

/** Their text is read by programs. */
const unread = new Set(["script", "style", "noscript", "template", "svg", "head", "title", "textarea", "select"]);

/** The first text of some nodes, at least `length` characters if there are as many. */
export function textSample(nodes: readonly AnyNode[], length: number, dropped?: ReadonlySet<AnyNode>): string {
  let sample = "";
  const take = (node: Element | Text): boolean | "stop" => {
    if (sample.length >= length) return "stop";
    if (dropped?.has(node)) return false;
    if (isText(node)) sample += `${node.data} `;
    return isText(node) || !unread.has(node.name);
  };
  for (const node of nodes) {
    if (!isText(node) && !isElement(node)) continue;
    if (take(node) === true && isElement(node)) walk(node, take);
  }
  return sample;
}
