// Positions of the parts of a file: its pages, and its blocks with their boxes. File readers write both onto the elements.
import type { AnyNode, ChildNode, Document, Element } from "domhandler";
import { attribute, isElement, textOf, walk } from "../../html/index.ts";
import type { MarkdownOptions } from "../markdown/inline-renderer.ts";
import { footnotesOf, toMarkdown } from "../markdown/markdown.ts";

/** What to return of a file besides its outputs. */
export interface FileRequest {
  pages: boolean;
  blocks: boolean;
  pageMarkers: boolean;
  /** Positions of the markdown in the file, to look up what a model took from it. */
  places: boolean;
}

type Box = [x0: number, y0: number, x1: number, y1: number];

export interface FileBlock {
  id: string;
  type: string;
  label: string;
  bbox: Box | null;
  content: string;
  markdownSpan: [from: number, to: number] | null;
  readingOrder: number;
  source: string;
  confidence: { layout: number | null; ocr: number | null };
}

/** A part of the markdown, and its page. */
export interface TextPlace {
  from: number;
  to: number;
  page: number;
  bbox?: Box;
}

export interface FileParts {
  pages?: { pageNumber: number; markdown: string }[];
  blocks?: { pageNumber: number; width: number | null; height: number | null; status: string; items: FileBlock[] }[];
  /** With page markers, if requested. */
  markdown?: string;
  /** Of what is in the markdown, in its order. */
  places?: TextPlace[];
}

/** On the root of a page that was made from a file: only there the other attributes mean places. */
export const fileMark = "data-file";

/** How readers of files write places onto elements; never part of an answer. */
export const placeAttributes = ["data-page", "data-box", "data-page-size", "data-source", "data-confidence", fileMark];

const places = / data-(?:page|box|page-size|source|confidence)="[^"]*"/g;

export function withoutPlaces(html: string): string {
  return html.replace(places, "");
}

interface Placed {
  element: Element;
  page: number;
  span: [number, number] | null;
  /** The part of the element on this page, where it is not all of it. */
  part?: Element[];
  /** The nodes of it that are on later pages. */
  elsewhere?: Set<AnyNode>;
}

export function markAsFile(root: Document): void {
  for (const node of root.children)
    if (isElement(node) && node.name === "html") node.attribs = { ...node.attribs, [fileMark]: "" };
}

/** Empty for a file without pages, or when none of it is requested. */
export function readFileParts(
  nodes: readonly ChildNode[],
  markdown: string,
  { pages, blocks, pageMarkers, places }: FileRequest,
  options: MarkdownOptions,
): FileParts {
  if (!pages && !blocks && !pageMarkers && !places) return {};
  const placed = findPlaced(nodes, markdown, options);
  if (placed.length === 0) return {};
  const cuts = cutPages(placed, markdown);
  const parts: FileParts = {};
  if (pages)
    parts.pages = cuts.map(({ pageNumber, from, to }) => ({ pageNumber, markdown: markdown.slice(from, to).trim() }));
  const marked = pageMarkers ? withMarkers(cuts, markdown) : null;
  if (marked) parts.markdown = marked.markdown;
  const moveTo = marked?.moveTo ?? ((place: number) => place);
  if (blocks) parts.blocks = blocksOf(placed, moveTo);
  if (places) parts.places = placesOf(placed, moveTo);
  return parts;
}

type WriteNode = (node: Element) => string;

/** The elements that say their page, in order, each with its place in the markdown. */
function findPlaced(nodes: readonly ChildNode[], markdown: string, options: MarkdownOptions): Placed[] {
  const placed: Placed[] = [];
  // A block refers to notes that other blocks hold.
  const notes = footnotesOf(nodes, options);
  const write: WriteNode = (node) => toMarkdown([node], options, notes);
  let from = 0;
  const visit = (node: AnyNode): void => {
    if (!isElement(node) || options.dropped.has(node)) return;
    const page = pageOf(node);
    if (page === null) {
      for (const child of node.children) visit(child);
      return;
    }
    const text = write(node);
    const at = text === "" ? -1 : markdown.indexOf(text, from);
    if (at >= 0) from = at + text.length;
    const whole: Placed = { element: node, page, span: at >= 0 ? [at, from] : null };
    placed.push(whole);
    addContinued(whole, placed, markdown, write);
  };
  for (const node of nodes) visit(node);
  return placed;
}

function pageOf(element: Element): number | null {
  const page = Number.parseInt(attribute(element, "data-page") ?? "", 10);
  return page > 0 ? page : null;
}

/** A block that goes on over the end of its page: every page has its part of it. */
function addContinued(whole: Placed, placed: Placed[], markdown: string, write: WriteNode): void {
  if (!whole.span) return;
  const [from, to] = whole.span;
  let last = whole;
  let cursor = from;
  for (const part of continuedParts(whole.element)) {
    const [first] = part;
    const page = first && pageOf(first);
    if (!first || !page) continue;
    const at =
      first.name === "tr"
        ? startOfRow(markdown, from, rowsIn(whole.element).indexOf(first))
        : markdown.indexOf(write(first), cursor);
    if (at <= cursor || at >= to) continue;
    last.span = [last.span?.[0] ?? from, cursor + markdown.slice(cursor, at).trimEnd().length];
    last = { element: whole.element, page, span: [at, to], part };
    whole.elsewhere ??= new Set();
    for (const element of part) whole.elsewhere.add(element);
    cursor = at;
    placed.push(last);
  }
}

/** The elements of each part on a later page: a piece of a paragraph, or rows of a table. */
function continuedParts(element: Element): Element[][] {
  const parts: Element[][] = [];
  if (element.name === "table") {
    for (const row of rowsIn(element)) {
      if (pageOf(row) !== null) parts.push([row]);
      else parts.at(-1)?.push(row);
    }
    return parts;
  }
  walk(element, (node) => {
    if (isElement(node) && pageOf(node) !== null) parts.push([node]);
    return true;
  });
  return parts;
}

function rowsIn(table: Element): Element[] {
  const rows: Element[] = [];
  walk(table, (node) => {
    if (isElement(node) && node.name === "tr") rows.push(node);
    return true;
  });
  return rows;
}

/** One line precedes the rows in both forms: the rule below the head, or the tag that opens the table. */
function startOfRow(markdown: string, from: number, row: number): number {
  let at = from;
  for (let line = 0; line <= row && at >= 0; line += 1) at = markdown.indexOf("\n", at) + 1 || -1;
  return at;
}

interface PageCut {
  pageNumber: number;
  from: number;
  to: number;
}

/** A page ends where the first block of a later one begins, so that the pages together are the whole markdown. */
function cutPages(placed: readonly Placed[], markdown: string): PageCut[] {
  const cuts: PageCut[] = [];
  for (const { page, span } of placed) {
    if (!span) continue;
    const last = cuts[cuts.length - 1];
    if (last && page <= last.pageNumber) continue;
    if (last) last.to = span[0];
    cuts.push({ pageNumber: page, from: last ? span[0] : 0, to: markdown.length });
  }
  return cuts;
}

function withMarkers(cuts: readonly PageCut[], markdown: string) {
  let marked = "";
  const shifts: { from: number; by: number }[] = [];
  for (const [index, { pageNumber, from, to }] of cuts.entries()) {
    if (index > 0) marked += `\n\n---\n\n<!-- page ${pageNumber} -->\n\n`;
    shifts.push({ from, by: marked.length - from });
    marked += markdown.slice(from, to).trimEnd();
  }
  const moveTo = (place: number) => place + (shifts.findLast(({ from }) => from <= place)?.by ?? 0);
  return { markdown: marked, moveTo };
}

function placesOf(placed: readonly Placed[], moveTo: (place: number) => number): TextPlace[] {
  return placed.flatMap(({ element, page, span, part }) => {
    if (!span) return [];
    const box = numbersOf(attribute(part?.[0] ?? element, "data-box"));
    const place = { from: moveTo(span[0]), to: moveTo(span[1] - 1) + 1, page };
    return [box.length === 4 ? { ...place, bbox: box as Box } : place];
  });
}

function blocksOf(placed: readonly Placed[], moveTo: (place: number) => number): NonNullable<FileParts["blocks"]> {
  const pages = new Map<number, NonNullable<FileParts["blocks"]>[number]>();
  for (const [order, { element, page, span, part, elsewhere }] of placed.entries()) {
    const place = part?.[0] ?? element;
    const [width = null, height = null] = numbersOf(attribute(place, "data-page-size"));
    const known = pages.get(page) ?? { pageNumber: page, width, height, status: "ok", items: [] };
    known.width ??= width;
    known.height ??= height;
    pages.set(page, known);
    const box = numbersOf(attribute(place, "data-box"));
    const ocr = Number.parseFloat(attribute(place, "data-confidence") ?? "");
    known.items.push({
      id: `p${page}-b${known.items.length + 1}`,
      type: typeOf(element),
      label: element.name,
      bbox: box.length === 4 ? (box as Box) : null,
      content: (part ?? [element])
        .map((each) => textOf(each, elsewhere))
        .join(" ")
        .replace(/\s+/g, " ")
        .trim(),
      markdownSpan: span && [moveTo(span[0]), moveTo(span[1] - 1) + 1],
      readingOrder: order,
      source: attribute(place, "data-source") ?? "text",
      confidence: { layout: null, ocr: Number.isFinite(ocr) ? ocr : null },
    });
  }
  return [...pages.values()].sort((a, b) => a.pageNumber - b.pageNumber);
}

function numbersOf(text = ""): number[] {
  const numbers = text.split(/\s+/).map(Number);
  return text !== "" && numbers.every(Number.isFinite) ? numbers : [];
}

const types: Readonly<Record<string, string>> = {
  p: "text",
  ul: "list",
  ol: "list",
  li: "list_item",
  table: "table",
  pre: "code",
  figure: "figure",
  img: "figure",
  math: "formula",
  blockquote: "text",
};

function typeOf({ name }: Element): string {
  return /^h[1-6]$/.test(name) ? "heading" : (types[name] ?? "text");
}
