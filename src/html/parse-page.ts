// Text -> one tree, with bounds: depth is flattened, and a tree that grows too large is cut.
import type { Document } from "domhandler";
import { scanHtml } from "./html-scanner.ts";
import { HtmlTree } from "./html-tree.ts";
import { TreeBuilder, TreeIsFull } from "./tree-builder.ts";
import { BoundedXmlParser } from "./xml-parser.ts";

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
