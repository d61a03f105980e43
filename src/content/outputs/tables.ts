// The data tables of a page: their texts by row and column, spans resolved, and the same as CSV.
import type { AnyNode, ChildNode, Element } from "domhandler";
import { attribute, isElement, textOf } from "../../html/index.ts";
import { csvLine } from "../../text/index.ts";
import { expandCells, isHead, isLayout, rowsOf } from "../markdown/table.ts";
import type { ContentFormat } from "./content-format.ts";

export interface PageTable {
  /** Among the tables of the page, from 1. */
  position: number;
  /** "" when it has none. */
  caption: string;
  /** The names of the columns; several rows of them are joined by " / ". Empty: it has none. */
  headers: string[];
  rows: string[][];
  /** Headers and rows. */
  csv: string;
  /** Of a file that has pages. */
  page?: number;
}

const maxTables = 1000;
/** Of all cells together: each is written to the rows and to the CSV. */
const maxCharacters = 12_000_000;
const maxCells = 1_000_000;
const maxHeadRows = 5;
/** Longer texts are only in the first of the cells that they span. */
const maxRepeatedLength = 600;

export const tables: ContentFormat<{ tables: PageTable[] }> = {
  fromSelection({ nodes, dropped }, _options, warn) {
    const { tables: found, isCut } = readTables(nodes, dropped);
    if (isCut) warn("The tables of the page are too large; the rest of them was left out");
    return { tables: found };
  },
  fromText: () => ({ tables: [] }),
  whenEmpty: ({ tables: found }) => (found.length === 0 ? "The page has no tables of data." : null),
};

/** `isCut`: something was left out because there is too much. */
function readTables(nodes: readonly ChildNode[], dropped: ReadonlySet<AnyNode>) {
  const found: Element[] = [];
  for (const node of nodes) findTables(node, dropped, found);
  const reader = new TableReader(dropped);
  const read: PageTable[] = [];
  for (const table of found.slice(0, maxTables)) {
    const one = reader.isFull ? null : reader.read(table, read.length + 1);
    if (one) read.push(one);
  }
  return { tables: read, isCut: reader.isFull || found.length > maxTables };
}

/** Tables that lay out the page are looked through for others; a table in a cell of data belongs to its cell. */
function findTables(node: AnyNode, dropped: ReadonlySet<AnyNode>, found: Element[]): void {
  if (!isElement(node) || dropped.has(node)) return;
  if (node.name === "table" && !isLayout(node, rowsOf(node, dropped))) {
    found.push(node);
    return;
  }
  for (const child of node.children) findTables(child, dropped, found);
}

class TableReader {
  isFull = false;
  private readonly dropped: ReadonlySet<AnyNode>;
  private characters = 0;
  private cells = 0;

  constructor(dropped: ReadonlySet<AnyNode>) {
    this.dropped = dropped;
  }

  /** Null for a table without any text. */
  read(table: Element, position: number): PageTable | null {
    const cells = rowsOf(table, this.dropped);
    const grid = expandCells(cells, (cell) => this.textOf(cell), maxRepeatedLength);
    let heads = 0;
    while (heads < Math.min(maxHeadRows, cells.length - 1) && isHead(cells[heads] ?? [])) heads += 1;
    const { titles, names, parts } = sortHeads(grid.slice(0, heads));
    const headers = joinHeads(names);
    const rows = this.take([...parts, ...grid.slice(heads)].filter((row) => row.some((text) => text !== "")));
    if (rows.length === 0) return null;
    const width = rows.reduce((most, row) => Math.max(most, row.length), headers.length);
    const even = rows.map((row) => evened(row, width));
    const named = headers.length > 0 ? evened(headers, width) : [];
    const page = Number.parseInt(attribute(table, "data-page") ?? "", 10);
    return {
      position,
      caption: [this.captionOf(table), ...titles].filter((text) => text !== "").join(" / "),
      headers: named,
      rows: even,
      csv: [...(named.length > 0 ? [named] : []), ...even].map(csvLine).join(""),
      ...(page > 0 ? { page } : {}),
    };
  }

  /** As many rows as there is room for. */
  private take(rows: string[][]): string[][] {
    for (const [index, row] of rows.entries()) {
      this.cells += row.length;
      this.characters += row.reduce((sum, text) => sum + text.length, 0);
      if (this.cells <= maxCells && this.characters <= maxCharacters) continue;
      this.isFull = true;
      return rows.slice(0, index);
    }
    return rows;
  }

  private captionOf(table: Element): string {
    for (const child of table.children) {
      if (isElement(child) && child.name === "caption" && !this.dropped.has(child)) return this.textOf(child);
    }
    const figure = table.parent;
    if (!figure || !isElement(figure) || figure.name !== "figure") return "";
    const caption = figure.children.find((child) => isElement(child) && child.name === "figcaption");
    return caption && isElement(caption) && !this.dropped.has(caption) ? this.textOf(caption) : "";
  }

  private textOf(element: Element): string {
    return textOf(element, this.dropped).replace(/\s+/g, " ").trim();
  }
}

/** A head row that is one cell over all columns names none: it is a title above the names, and a part of the table below them. */
function sortHeads(heads: readonly string[][]) {
  const isBanner = ([first, ...others]: string[]) => others.length > 0 && others.every((text) => text === first);
  const first = heads.findIndex((row) => !isBanner(row));
  const above = heads.slice(0, first < 0 ? heads.length : first);
  const below = heads.slice(above.length);
  return {
    titles: above.map(([title = ""]) => title),
    names: below.filter((row) => !isBanner(row)),
    parts: below.filter(isBanner),
  };
}

/** A cell that spans rows of the head is in each of them and is named once. */
function joinHeads(rows: readonly string[][]): string[] {
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0);
  return Array.from({ length: width }, (_, column) => {
    const names = rows.map((row) => row[column] ?? "").filter((name) => name !== "");
    return [...new Set(names)].join(" / ");
  });
}

/** Rows have as many cells as there are columns; a very wide table stays as it is, so that one long row cannot multiply it. */
function evened(row: string[], width: number): string[] {
  if (row.length === width || width > maxEvenWidth) return row;
  return Array.from({ length: width }, (_, column) => row[column] ?? "");
}

const maxEvenWidth = 60;
