// Labels and the values beside, below or behind them: tables, definition lists, and text with a colon or a known label.
import type { Element } from "domhandler";
import { isElement } from "../content/index.ts";
import type { Method } from "./finding.ts";
import { fold, phraseOfText } from "./names.ts";
import { type PageText, type Piece, parentOf } from "./page-text.ts";

export interface Pair {
  method: Extract<Method, "table" | "definition-list" | "label" | "heading">;
  label: string;
  phrase: string;
  /** Piece of the label. */
  at: number;
  /** What stands in the label's own piece behind the colon. */
  head: string;
  /** Pieces of the value: those on its line … */
  from: number;
  to: number;
  /** … and those of everything that belongs to the label, further lines included. */
  end: number;
  /** The value stands behind the label on its line, not below. */
  isBeside: boolean;
  hasColon: boolean;
}

const longestLabel = 48;
const mostWords = 6;
const maxPairs = 5000;
const headings = /^h[1-6]$/;

/** All pairs with a colon or in tables; labels without a sign of their own only when `isKnown` says so. */
export function findPairs(page: PageText, isKnown: (phrase: string) => boolean): Pair[] {
  const pairs: Pair[] = [];
  const { pieces } = page;
  const inColumns = new Set<Element>();
  for (const element of page.elements) {
    if (element.name === "table") pairs.push(...columnsOf(element, page, inColumns));
  }
  for (let at = 0; at < pieces.length && pairs.length < maxPairs; at += 1) {
    const { text, element } = pieces[at] as Piece;
    const colon = text.slice(0, longestLabel + 2).search(/[:：]/);
    const next = pieces[at + 1];
    const isColonNext = next !== undefined && /^\s?[:：]/.test(next.text) && next.line === pieces[at]?.line;
    const label = colon > 0 ? text.slice(0, colon) : text;
    if (label.length > longestLabel || label.length < 2 || inColumns.has(cellOf(element) ?? element)) continue;
    const hasColon = colon > 0 || isColonNext;
    if (colon > 0 && (/https?$|\d$/.test(label) && /^\S/.test(text.slice(colon + 1)))) continue;
    const words = fold(label).match(/[\p{L}\p{N}#]+/gu)?.length ?? 0;
    if (words === 0 || words > mostWords) continue;
    const cell = cellOf(element);
    const isFirstCell = cell !== null && isLabelCell(cell, page, at);
    const phrase = phraseOfText(label);
    const isPlain = !hasColon && !isFirstCell;
    if (isPlain && !isKnown(phrase)) continue;
    const head = colon > 0 ? text.slice(colon + 1).trim() : "";
    const pair = extent(page, at, head, isKnown);
    if (!pair) continue;
    const method = cell?.name === "dt" ? "definition-list" : cell ? "table" : headings.test(blockName(element)) ? "heading" : "label";
    pairs.push({ method, label, phrase, at, head, hasColon, ...pair });
  }
  return pairs;
}

function blockName(element: Element): string {
  for (let place: Element | null = element, steps = 0; place && steps < 4; place = parentOf(place), steps += 1) {
    if (headings.test(place.name)) return place.name;
  }
  return element.name;
}

type Extent = Pick<Pair, "from" | "to" | "end" | "isBeside">;

function extent(page: PageText, at: number, head: string, isKnown: (phrase: string) => boolean): Extent | null {
  const { pieces } = page;
  const { line } = pieces[at] as Piece;
  const isLabel = (place: number) => {
    const text = pieces[place]?.text ?? "";
    return text.length <= longestLabel && (/[:：]$/.test(text) || /^[:：]/.test(pieces[place + 1]?.text ?? "") || isKnown(phraseOfText(text)));
  };
  let to = at + 1;
  while (to < pieces.length && pieces[to]?.line === line && !(to > at + 1 || head !== "" ? isLabelInLine(pieces, to) : false)) to += 1;
  if (head !== "" || to > at + 1) {
    const isOnlyPunctuation = head === "" && /^[\s:：|,.-]*$/.test(page.between(at + 1, to));
    if (!isOnlyPunctuation) {
      let end = to;
      const block = pieces[at]?.block;
      // Further lines of the same block, as in addresses.
      while (end < pieces.length && end < to + 8 && pieces[end]?.block === block && !isLabel(end) && !/^[^:]{2,40}[:：](?:\s|$)/.test(pieces[end]?.text ?? "")) end += 1;
      return { from: at + 1, to, end, isBeside: true };
    }
  }
  const from = to;
  const first = pieces[from];
  if (!first || isLabel(from)) return null;
  to = from + 1;
  while (to < pieces.length && pieces[to]?.line === first.line) to += 1;
  return { from, to, end: Math.max(to, containerEnd(page, at, from)), isBeside: false };
}

function isLabelInLine(pieces: readonly Piece[], place: number): boolean {
  const text = pieces[place]?.text ?? "";
  return /^[^:：]{2,40}[:：]$/.test(text) || (/^[:：]/.test(pieces[place + 1]?.text ?? "") && text.length < longestLabel) || text === "|";
}

/** Where what follows a label ends: the block behind it, and further ones up to the next heading of its rank. */
function containerEnd(page: PageText, at: number, from: number): number {
  const start = page.pieces[from]?.element;
  if (!start) return from;
  let container: Element = start;
  for (let place: Element | null = start; place; place = parentOf(place)) {
    const range = page.range(place);
    if (range.from <= at && range.to > at) break;
    container = place;
  }
  let { to } = page.range(container);
  const label = headingOf(page.pieces[at]?.element);
  for (let next = container.next; next && to - from < 1000; next = next.next) {
    if (!isElement(next)) continue;
    if (isSectionStart(next, label, page)) break;
    const range = page.range(next);
    if (range.to > to) ({ to } = range);
  }
  return to;
}

function headingOf(element: Element | undefined): Element | null {
  for (let place: Element | null = element ?? null, steps = 0; place && steps < 5; place = parentOf(place), steps += 1) {
    if (headings.test(place.name)) return place;
  }
  return null;
}

/** Behind a heading its section goes on to the next heading of its rank; behind other labels only lists go on. */
function isSectionStart(element: Element, label: Element | null, page: PageText): boolean {
  if (!label) return !/^(?:ul|ol|li|p)$/.test(element.name);
  if (headings.test(element.name)) return element.name <= label.name;
  if (page.isEmpty(element)) return false;
  const { from } = page.range(element);
  const inner = headingOf(page.pieces[from]?.element);
  return inner !== null && inner.name <= label.name;
}

function cellOf(element: Element): Element | null {
  for (let place: Element | null = element, steps = 0; place && steps < 6; place = parentOf(place), steps += 1) {
    if (place.name === "td" || place.name === "th" || place.name === "dt") return place;
    if (place.name === "dd" || place.name === "tr" || place.name === "table") return null;
  }
  return null;
}

/** A cell whose whole text is the label, with another cell behind it. */
function isLabelCell(cell: Element, page: PageText, at: number): boolean {
  const { from, to } = page.range(cell);
  if (from !== at || to - from > 3) return false;
  if (cell.name === "dt") return true;
  for (let next = cell.next; next; next = next.next) if (isElement(next) && /^t[dh]$/.test(next.name)) return true;
  return false;
}

/** Tables whose first row names the columns: pairs of the first row with values. */
function columnsOf(table: Element, page: PageText, inColumns: Set<Element>): Pair[] {
  const rows = page.elements.length > 0 ? rowsOf(table) : [];
  const [header, ...others] = rows;
  if (!header || header.length < 2 || !others[0] || others[0].length !== header.length) return [];
  const isHeader = header.every((cell) => cell.name === "th") && others[0].some((cell) => cell.name === "td");
  const isNamed = header.every((cell) => page.of(cell, 60).length <= 40);
  if (!isHeader || !isNamed) return [];
  for (const cell of header) inColumns.add(cell);
  if (others.length > 3) return [];
  return header.flatMap((cell, column) => {
    const value = others[0]?.[column];
    if (!value || page.isEmpty(value) || page.isEmpty(cell)) return [];
    const label = page.of(cell, 60);
    const { from, to } = page.range(value);
    const at = page.range(cell).from;
    return [{ method: "table" as const, label, phrase: phraseOfText(label), at, head: "", from, to, end: to, isBeside: true, hasColon: true }];
  });
}

export function rowsOf(table: Element): Element[][] {
  const rows: Element[][] = [];
  const visit = (element: Element, depth: number) => {
    for (const child of element.children) {
      if (!isElement(child)) continue;
      if (child.name === "tr") rows.push(child.children.filter((cell): cell is Element => isElement(cell) && /^t[dh]$/.test(cell.name)));
      else if (depth < 2 && /^t(?:head|body|foot)$/.test(child.name)) visit(child, depth + 1);
    }
  };
  visit(table, 0);
  return rows;
}
