// The nodes of a tree, put in their places, with bounds on their number and depth.

import { type ChildNode, Document, type Element, type ParentNode, type Text } from "domhandler";
import type { Attributes, JudgedText, NumberedElement } from "./nodes.ts";

/** Recursion over a tree of this depth is safe on every thread we run on. */
const maxDepth = 512;

/** Thrown through a parser to stop it. */
export class TreeIsFull extends Error {}

export class TreeBuilder {
  readonly root = new Document([]);
  /** The root and the elements that are not closed yet. */
  readonly open: ParentNode[] = [this.root];
  private readonly limit: number;
  private count = 0;
  private elements = 0;
  private text: Text | null = null;

  constructor(limit: number) {
    this.limit = limit;
  }

  get isDeep(): boolean {
    return this.open.length > maxDepth;
  }

  openElement(name: string, attributes: Attributes): void {
    this.open.push(this.addElement(name, attributes));
  }

  addElement(name: string, attributes: Attributes): Element {
    const element = makeElement(name, attributes, this.elements);
    this.elements += 1;
    this.text = null;
    this.add(element);
    return element;
  }

  closeElement(): void {
    this.text = null;
    this.open.pop();
  }

  /** Texts with nothing but comments between them are one. */
  addText(data: string): void {
    if (this.text) {
      this.text.data += data;
      return;
    }
    const node = makeText(data);
    this.add(node);
    this.text = node;
  }

  private add(node: ChildNode): void {
    this.count += 1;
    if (this.count > this.limit) throw new TreeIsFull();
    const parent = this.open[this.open.length - 1] as ParentNode;
    const { children } = parent;
    node.parent = parent;
    if (children.length === 0) {
      // Most elements have one child: pushing it would make room for seventeen.
      parent.children = [node];
      return;
    }
    const previous = children[children.length - 1] as ChildNode;
    node.prev = previous;
    previous.next = node;
    children.push(node);
  }
}

/** Of every element until its first child comes. */
const noChildren: ChildNode[] = [];
Object.freeze(noChildren);

/**
 * Nodes as plain objects of the shape that css-select and dom-serializer look at: domhandler's classes are built through
 * three constructors each, and a page has thousands of them.
 */
function makeElement(name: string, attribs: Attributes, order: number): Element {
  const type = name === "script" ? "script" : name === "style" ? "style" : "tag";
  const element = { type, name, attribs, children: noChildren, parent: null, prev: null, next: null, order };
  return element as unknown as NumberedElement;
}

function makeText(data: string): Text {
  const text = { type: "text", data, parent: null, prev: null, next: null, isPlain: null };
  return text as unknown as JudgedText;
}

export class SurplusEndTags {
  private readonly counts = new Map<string, number>();

  expect(name: string): void {
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
  }

  /** True when such an end tag was expected; it no longer is. */
  take(name: string): boolean {
    const count = this.counts.get(name);
    if (count === undefined) return false;
    if (count === 1) this.counts.delete(name);
    else this.counts.set(name, count - 1);
    return true;
  }
}
