// Text -> one htmlparser2 tree, with bounds: depth is flattened, and a tree that grows too large is cut.
import { type ChildNode, Document, type Element, type ParentNode, type Text } from "domhandler";
import { Parser, type ParserOptions } from "htmlparser2";

/** SAFETY 5.6. Recursion over a tree of this depth is safe on every thread we run on. */
const maxDepth = 512;
export const maxNodes = 1_500_000;

export interface Tree {
  root: Document;
  /** True when elements nested deeper than 512 were put beside each other. */
  isFlattened: boolean;
  /** True when the rest of the page was left out. */
  isCut: boolean;
}

/** Thrown through the parser to stop it: it has no way to end early. */
class TreeIsFull extends Error {}

class TreeBuilder {
  readonly root = new Document([]);
  readonly open: ParentNode[] = [this.root];
  private readonly limit: number;
  private count = 0;
  private text: Text | null = null;

  constructor(limit: number) {
    this.limit = limit;
  }

  onopentag(name: string, attributes: Record<string, string>): void {
    const element = makeElement(name, attributes);
    this.text = null;
    this.add(element);
    this.open.push(element);
  }

  onclosetag(): void {
    this.text = null;
    this.open.pop();
  }

  ontext(data: string): void {
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
    const previous = parent.children[parent.children.length - 1];
    if (previous) {
      node.prev = previous;
      previous.next = node;
    }
    node.parent = parent;
    parent.children.push(node);
  }
}

/**
 * Nodes as plain objects of the shape that css-select and dom-serializer look at: domhandler's classes are built through
 * three constructors each, and a page has thousands of them.
 */
function makeElement(name: string, attribs: Record<string, string>): Element {
  const type = name === "script" ? "script" : name === "style" ? "style" : "tag";
  return { type, name, attribs, children: [], parent: null, prev: null, next: null } as unknown as Element;
}

function makeText(data: string): Text {
  return { type: "text", data, parent: null, prev: null, next: null } as unknown as Text;
}

/**
 * htmlparser2 keeps its open elements in an array that it shifts, so 100,000 open elements cost quadratic time. Beyond
 * the limit an element is treated as one that has no content (the parser's own hook for that), and its end tag is eaten.
 */
class BoundedParser extends Parser {
  isFlattened = false;
  private readonly builder: TreeBuilder;
  private readonly source: string;
  private isTooDeep = false;
  private isClosing = false;
  private readonly eaten = new Map<string, number>();

  constructor(builder: TreeBuilder, source: string, options: ParserOptions) {
    super(builder, options);
    this.builder = builder;
    this.source = source;
  }

  protected override isVoidElement(name: string): boolean {
    return super.isVoidElement(name) || (this.isTooDeep && !this.isClosing);
  }

  override onopentagname(start: number, endIndex: number): void {
    this.isTooDeep = this.builder.open.length > maxDepth;
    if (this.isTooDeep) this.noteFlattened(this.nameAt(start, endIndex));
    super.onopentagname(start, endIndex);
  }

  override onclosetag(start: number, endIndex: number): void {
    if (this.eaten.size > 0 && this.eatEndTag(this.nameAt(start, endIndex))) return;
    this.isClosing = true;
    super.onclosetag(start, endIndex);
    this.isClosing = false;
  }

  /** The source is written in one piece, so the tokenizer's places are places in it. */
  private nameAt(start: number, endIndex: number): string {
    return this.source.slice(start, endIndex).toLowerCase();
  }

  private noteFlattened(name: string): void {
    if (super.isVoidElement(name)) return;
    this.isFlattened = true;
    this.eaten.set(name, (this.eaten.get(name) ?? 0) + 1);
  }

  private eatEndTag(name: string): boolean {
    const count = this.eaten.get(name);
    if (count === undefined) return false;
    if (count === 1) this.eaten.delete(name);
    else this.eaten.set(name, count - 1);
    return true;
  }
}

/** Parses HTML as forgivingly as a browser does. Never throws for what the text contains. */
export function parseHtml(source: string, limit = maxNodes): Tree {
  return parse(source, limit, {});
}

/** Parses XML: no document type is read, no entity beyond the five is known. */
export function parseXml(source: string, limit = maxNodes): Tree {
  return parse(source, limit, { xmlMode: true });
}

function parse(source: string, limit: number, options: ParserOptions): Tree {
  const builder = new TreeBuilder(limit);
  const parser = new BoundedParser(builder, source, options);
  let isCut = false;
  try {
    parser.end(source);
  } catch (error) {
    if (!(error instanceof TreeIsFull)) throw error;
    isCut = true;
  }
  return { root: builder.root, isFlattened: parser.isFlattened, isCut };
}
