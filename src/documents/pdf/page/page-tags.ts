// The tags of a page: what its parts are, and what they stand for.
import type { PDFPageProxy } from "pdfjs-dist";
import { cleanMathMl, texMathMl } from "../../equations/mathml.ts";
import type { Box, TagNode } from "../../layout/page-layer.ts";

interface LibraryTag {
  role?: string;
  type?: string;
  id?: string;
  /** The text that stands for it: a description, or what it says. */
  alt?: string;
  mathML?: string;
  bbox?: number[];
  children?: LibraryTag[];
}

type PlaceBox = (rect: readonly number[]) => Box;

const maxDepth = 60;
const maxTextLength = 2000;

/** `place` turns a box of the file into one of the page. */
export async function readTags(page: PDFPageProxy, place: PlaceBox): Promise<TagNode | null> {
  const tree = (await page.getStructTree().catch(() => null)) as LibraryTag | null;
  return tree ? tagNode(tree, 0, place) : null;
}

function tagNode(tag: LibraryTag, depth: number, place: PlaceBox): TagNode {
  if (tag.type === "content") {
    const mark = Number(/_mc(\d+)$/.exec(tag.id ?? "")?.[1] ?? -1);
    return { role: "", mark, children: [] };
  }
  const children = depth > maxDepth ? [] : (tag.children ?? []).map((child) => tagNode(child, depth + 1, place));
  const node: TagNode = { role: tag.role ?? "", children };
  const text = (tag.alt ?? "").trim();
  if (node.role === "Formula") {
    const formula = (tag.mathML && cleanMathMl(tag.mathML)) || texOf(text);
    if (formula) node.formula = formula;
    const drawn = text || (formula ?? "").replace(/<annotation[\s\S]*<\/annotation>|<[^>]+>/g, "");
    if (drawn !== "") node.text = drawn.slice(0, maxTextLength);
    if (tag.bbox?.length === 4) node.box = place(tag.bbox);
  } else if (node.role === "Span" && text !== "") node.text = text.slice(0, maxTextLength);
  return node;
}

/** What describes a formula is its source if it is written as one: other descriptions are for ears. */
function texOf(text: string): string | null {
  const tex = /^(?:\$\$?|\\\(|\\\[)([\s\S]+?)(?:\$\$?|\\\)|\\\])$/.exec(text)?.[1] ?? text;
  return /\\[a-zA-Z]{2,}|[\^_]\{|^[^\s]{1,60}[\^_][^\s]{1,60}$/.test(tex) ? texMathMl(tex.trim()) : null;
}
