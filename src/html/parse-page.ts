// Text -> one tree, with bounds: depth is flattened, and a tree that grows too large is cut.

import type { Document } from "domhandler";
import { Parser } from "htmlparser2";
import { scanHtml } from "./html-scanner.ts";
import { HtmlTree } from "./html-tree.ts";
import { SurplusEndTags, TreeBuilder, TreeIsFull } from "./tree-builder.ts";

/**
 * htmlparser2 keeps its open elements in an array that it shifts, so 100,000 open elements cost quadratic time. Beyond
 * the limit an element is treated as one that has no content (the parser's own hook for that), and its end tag is eaten.
 */
class BoundedXmlParser extends Parser {
  isFlattened = false;
  private readonly builder: TreeBuilder;
  private readonly source: string;
  private isTooDeep = false;
  private isClosing = false;
  private readonly surplus = new SurplusEndTags();

  constructor(builder: TreeBuilder, source: string) {
    super(
      {
        onopentag: (name, attributes) => builder.openElement(name, attributes),
        onclosetag: () => builder.closeElement(),
        ontext: (data) => builder.addText(data),
      },
      { xmlMode: true },
    );
    this.builder = builder;
    this.source = source;
  }

  protected override isVoidElement(): boolean {
    return this.isTooDeep && !this.isClosing;
  }

  override onopentagname(start: number, endIndex: number): void {
    this.isTooDeep = this.builder.isDeep;
    if (this.isTooDeep) {
      this.isFlattened = true;
      this.surplus.expect(this.nameAt(start, endIndex));
    }
    super.onopentagname(start, endIndex);
  }

  override onclosetag(start: number, endIndex: number): void {
    if (this.isFlattened && this.surplus.take(this.nameAt(start, endIndex))) return;
    this.isClosing = true;
    super.onclosetag(start, endIndex);
    this.isClosing = false;
  }

  /** The source is written in one piece, so the tokenizer's places are places in it. */
  private nameAt(start: number, endIndex: number): string {
    return this.source.slice(start, endIndex).toLowerCase();
  }
}

export const maxNodes = 1_500_000;

export interface Tree {
  root: Document;
  /** True when elements nested deeper than 512 were put beside each other. */
  isFlattened: boolean;
  /** True when the rest of the page was left out. */
  isCut: boolean;
}

interface HtmlPage extends Tree {
  /** False when no attribute of the page keeps anything from being seen; its style sheets may. */
  canHide: boolean;
}

/** Parses HTML as forgivingly as a browser does. Never throws for what the text contains. */
export function parseHtml(source: string, limit = maxNodes): HtmlPage {
  const builder = new TreeBuilder(limit);
  const tree = new HtmlTree(builder);
  const isCut = isCutBy(() => scanHtml(source, tree));
  return { root: builder.root, isFlattened: tree.isFlattened, isCut, canHide: tree.canHide };
}

/** Parses XML: no document type is read, no entity beyond the five is known. */
export function parseXml(source: string, limit = maxNodes): Tree {
  const builder = new TreeBuilder(limit);
  const parser = new BoundedXmlParser(builder, source);
  const isCut = isCutBy(() => parser.end(source));
  return { root: builder.root, isFlattened: parser.isFlattened, isCut };
}

function isCutBy(parse: () => void): boolean {
  try {
    parse();
    return false;
  } catch (error) {
    if (!(error instanceof TreeIsFull)) throw error;
    return true;
  }
}
