// Labels and the values beside, below or behind them: tables, definition lists, and text with a colon or a known label.

import type { Element } from "domhandler";
import { attribute, isElement } from "../../html/index.ts";
import type { FindingMethod } from "../findings/finding.ts";
import { fold, phraseOfText } from "../lexicon/names.ts";
import { findUp, type Piece, parentOf, type TextOfPage } from "../page/text-pieces.ts";

export interface Pair {
  method: Extract<FindingMethod, "table" | "definition-list" | "label" | "heading">;
  label: string;
  phrase: string;
  /** Piece of the label. */
  at: number;
  /** The rest of the label's own piece after the colon … */
  head: string;
  /** … and further pairs after that, with which a long text continues. */
  rest?: string;
  /** Pieces of the value: those on its line … */
  from: number;
  to: number;
  /** … and those of everything that belongs to the label, further lines included. */
  end: number;
  /** The value follows the label on the same line, not below. */
  isBeside: boolean;
  hasColon: boolean;
  /** Values in the label's column, where it names one. */
  rows?: number;
  /** Whether values in that column differ. */
  isOneOfSeveral?: boolean;
}

const longestLabel = 48;
const mostWords = 6;
const maxPairs = 5000;
/** Rows of a table that are looked at for names of columns. */
const maxRows = 100;
const headings = /^h[1-6]$/;

/** All pairs with a colon or in tables; labels without such a sign only when `isKnown` says so. */
export function findPairs(page: TextOfPage, isKnown: (phrase: string) => boolean): Pair[] {
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
    const several = colon > 0 ? severalPairs(page, at, isKnown) : [];
    if (several.length > 1) {
      pairs.push(...several);
      continue;
    }
    const label = colon > 0 ? text.slice(0, colon) : text;
    if (label.length > longestLabel || label.length < 2 || inColumns.has(cellOf(element) ?? element)) continue;
    const hasColon = colon > 0 || isColonNext;
    if (colon > 0 && /https?$|\d$/.test(label) && /^\S/.test(text.slice(colon + 1))) continue;
    const words = fold(label).match(/[\p{L}\p{N}\p{M}#]+/gu)?.length ?? 0;
    if (words === 0 || words > mostWords) continue;
    const cell = cellOf(element);
    const isFirstCell = cell !== null && isLabelCell(cell, page, at);
    const phrase = phraseOfText(label);
    const isPlain = !hasColon && !isFirstCell;
    if (isPlain && !isKnown(phrase)) continue;
    const head = colon > 0 ? text.slice(colon + 1).trim() : "";
    const pair =
      isPlain && isLink(element) ? null : ((isPlain ? above(page, at) : null) ?? extent(page, at, head, isKnown));
    if (!pair) continue;
    const method =
      cell?.name === "dt" ? "definition-list" : cell ? "table" : headingOf(element, 4) ? "heading" : "label";
    pairs.push({ method, label, phrase, at, head, hasColon, ...pair });
  }
  return pairs;
}

const longestSeveral = 2000;
/** A label within a text begins it or follows a full stop or another sign, in upper case, and is short. */
const innerLabel = /(?:^|[.;|•·!?]\s+|(?<=\))\s+)(\p{Lu}[\p{L}\p{M}\p{N}'’/&# -]{1,40}?)\s?[:：](?:\s+(?=\S)|$)/gu;

/** "Founded: 1987. Founder: Maren Holt." are two pairs. */
function severalPairs(page: TextOfPage, at: number, isKnown: (phrase: string) => boolean): Pair[] {
  const { text } = page.pieces[at] as Piece;
  if (text.length > longestSeveral) return [];
  const labels = [...text.matchAll(innerLabel)].filter(({ 1: label = "" }) => label.split(/\s+/).length <= 4);
  if (labels.length < 2) return [];
  return labels.flatMap((match, place) => {
    const [whole, label = ""] = match;
    const start = match.index + whole.length;
    // The sign before the next label ends the value.
    const end = labels[place + 1]?.index;
    const head = withoutStop(text.slice(start, end === undefined ? end : end + 1).trim());
    const alone = { from: at + 1, to: at + 1, end: at + 1, isBeside: true };
    const extentOfValue = end === undefined ? extent(page, at, head, isKnown) : alone;
    if (!extentOfValue || (head === "" && end !== undefined)) return [];
    const rest = end === undefined ? "" : text.slice(end);
    return [{ method: "label", label, phrase: phraseOfText(label), at, head, rest, hasColon: true, ...extentOfValue }];
  });
}

const shortForm = /(?:^|[\s.])(?:\p{L}|Inc|Ltd|Co|Corp|Jr|Sr|St|Dr|Nr|No|etc|ca|max|min|Bros)\.$/u;

/** "Maren Holt." -> "Maren Holt", but "Holt Inc." and "M. H." stay, and so does the stop of the last of several sentences. */
function withoutStop(text: string): string {
  const isSentences = /[.!?]\s+\p{Lu}.*\.$/u.test(text) && text.length > longestLabel * 2;
  return shortForm.test(text) || isSentences ? text : text.replace(/\s?[.;|•·]$/, "");
}

function isLink(element: Element): boolean {
  return element.name === "a" || parentOf(element)?.name === "a";
}

/** A value over its label: the label is the last text of an element that holds nothing but the two. */
function above(page: TextOfPage, at: number): Extent | null {
  const { pieces } = page;
  const before = pieces[at - 1];
  if (!before || before.line === pieces[at]?.line) return null;
  const around = findUp(pieces[at]?.element, 4, (place) => {
    const { from, to } = page.range(place);
    return from !== at || to !== at + 1;
  });
  if (!around) return null;
  const { from, to } = page.range(around);
  const isPair =
    to === at + 1 && at - from <= 3 && pieces[from]?.line === before.line && /\d/.test(page.between(from, at));
  return isPair ? { from, to: at, end: at, isBeside: true } : null;
}

type Extent = Pick<Pair, "from" | "to" | "end" | "isBeside">;

function extent(page: TextOfPage, at: number, head: string, isKnown: (phrase: string) => boolean): Extent | null {
  const { pieces } = page;
  const { line } = pieces[at] as Piece;
  const isLabel = (place: number) => {
    const text = pieces[place]?.text ?? "";
    return (
      text.length <= longestLabel &&
      (/[:：]$/.test(text) || /^[:：]/.test(pieces[place + 1]?.text ?? "") || isKnown(phraseOfText(text)))
    );
  };
  let to = at + 1;
  while (
    to < pieces.length &&
    pieces[to]?.line === line &&
    !(to > at + 1 || head !== "" ? isLabelInLine(pieces, to) : false)
  )
    to += 1;
  if (head !== "" || to > at + 1) {
    const isOnlyPunctuation = head === "" && /^[\s:：|,.-]*$/.test(page.between(at + 1, to));
    if (!isOnlyPunctuation) {
      let end = to;
      const block = pieces[at]?.block;
      // Further lines of the same block, as in postal addresses.
      while (
        end < pieces.length &&
        end < to + 8 &&
        pieces[end]?.block === block &&
        !isLabel(end) &&
        !/^[^:]{2,40}[:：](?:\s|$)/.test(pieces[end]?.text ?? "")
      )
        end += 1;
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
  return (
    /^[^:：]{2,40}[:：]$/.test(text) ||
    (/^[:：]/.test(pieces[place + 1]?.text ?? "") && text.length < longestLabel) ||
    text === "|"
  );
}

/** Where what follows a label ends: the block behind it, and further ones up to the next heading of its rank. */
function containerEnd(page: TextOfPage, at: number, from: number): number {
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

function headingOf(element: Element | undefined, most = 5): Element | null {
  return findUp(element, most, ({ name }) => headings.test(name));
}

/** After a heading its section ends at the next heading of its rank; after other labels only lists belong to it. */
function isSectionStart(element: Element, label: Element | null, page: TextOfPage): boolean {
  if (!label) return !/^(?:ul|ol|li|p)$/.test(element.name);
  if (headings.test(element.name)) return element.name <= label.name;
  if (page.isEmpty(element)) return false;
  const { from } = page.range(element);
  const inner = headingOf(page.pieces[from]?.element);
  return inner !== null && inner.name <= label.name;
}

function cellOf(element: Element): Element | null {
  const found = findUp(element, 6, ({ name }) => /^(?:td|th|dt|dd|tr|table)$/.test(name));
  return found && /^(?:td|th|dt)$/.test(found.name) ? found : null;
}

/** A cell whose whole text is the label, with another cell behind it. */
function isLabelCell(cell: Element, page: TextOfPage, at: number): boolean {
  const { from, to } = page.range(cell);
  if (from !== at || to - from > 3) return false;
  if (cell.name === "dt") return true;
  for (let next = cell.next; next; next = next.next) if (isElement(next) && /^t[dh]$/.test(next.name)) return true;
  return false;
}

/** Rows that name the columns below them: of header cells, or of cells of one look that differs from the next row's. */
function columnsOf(table: Element, page: TextOfPage, inColumns: Set<Element>): Pair[] {
  const rows = tableRows(table).slice(0, maxRows);
  const pairs: Pair[] = [];
  for (const [place, header] of rows.entries()) {
    const below = rows
      .slice(place + 1)
      .findIndex((row) => row.length !== header.length || (row.length > 0 && sameLook(row, header)));
    const values = rows.slice(place + 1, below === -1 ? undefined : place + 1 + below);
    if (header.length < 2 || values.length === 0 || !isHeader(header, values[0] ?? [], page)) continue;
    for (const cell of header) inColumns.add(cell);
    for (const [column, cell] of header.entries()) {
      const filled = values
        .slice(0, 50)
        .flatMap((row) => row[column] ?? [])
        .filter((value) => !page.isEmpty(value));
      if (filled.length === 0 || page.isEmpty(cell)) continue;
      const label = page.of(cell, 60);
      const at = page.range(cell).from;
      const isOneOfSeveral = new Set(filled.map((value) => page.of(value, 100))).size > 1;
      for (const value of filled) {
        inColumns.add(value);
        const { from, to } = page.range(value);
        pairs.push({
          method: "table",
          label,
          phrase: phraseOfText(label),
          at,
          head: "",
          from,
          to,
          end: to,
          isBeside: true,
          hasColon: true,
          rows: filled.length,
          isOneOfSeveral,
        });
      }
    }
  }
  return pairs;
}

/**
 * Without header cells, a row names its columns only when no more than this share of its cells has figures
 * (docs/decisions/0010-extraction-weights.md).
 */
const headerFigures = 0.3;

function isHeader(cells: readonly Element[], below: readonly Element[], page: TextOfPage): boolean {
  if (cells.length < 2 || !cells.every((cell) => page.of(cell, 60).length <= 40)) return false;
  if (cells.filter((cell) => !page.isEmpty(cell)).length < cells.length / 2) return false;
  if (cells.every((cell) => cell.name === "th")) return below.length === 0 || below.some((cell) => cell.name === "td");
  const figuresIn = (row: readonly Element[]) => row.filter((cell) => /\d/.test(page.of(cell, 60))).length;
  if (cells.some((cell) => /[:：]\s*$/.test(page.of(cell, 60)))) return false;
  const isFewer =
    figuresIn(cells) <= cells.length * headerFigures &&
    figuresIn(below) >= below.length / 3 &&
    figuresIn(below) > figuresIn(cells);
  if (cells.length >= 3 && below.length === cells.length && isFewer) return true;
  if (figuresIn(cells) > 0 || cells.some((cell) => page.isEmpty(cell))) return false;
  const looks = new Set(cells.map(lookOf));
  const [look = ""] = looks;
  if (looks.size !== 1 || look === "td") return false;
  return below.length > 0 && below.every((cell) => lookOf(cell) !== look);
}

function sameLook(row: readonly Element[], header: readonly Element[]): boolean {
  const look = lookOf(header[0] as Element);
  return look !== "td" && row.every((cell) => lookOf(cell) === look);
}

/** Name and class of a cell and of its first element. */
function lookOf(cell: Element): string {
  const inner = cell.children.find(isElement);
  return [cell, ...(inner && inner.name !== "a" ? [inner] : [])]
    .map((one) => [one.name, attribute(one, "class")].filter(Boolean).join("."))
    .join(">");
}

export function tableRows(table: Element): Element[][] {
  const rows: Element[][] = [];
  const visit = (element: Element, depth: number) => {
    for (const child of element.children) {
      if (!isElement(child)) continue;
      if (child.name === "tr")
        rows.push(child.children.filter((cell): cell is Element => isElement(cell) && /^t[dh]$/.test(cell.name)));
      else if (depth < 2 && /^t(?:head|body|foot)$/.test(child.name)) visit(child, depth + 1);
    }
  };
  visit(table, 0);
  return rows;
}
