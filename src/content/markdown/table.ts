// <table> -> the rows of a GitHub table, or the verdict that the table only lays out the page.
import type { AnyNode, Element } from "domhandler";
import { attribute, isElement, textOf, trimmedLength, walk } from "../../html/index.ts";
import { isNumberCell } from "./code.ts";

export interface TableCell {
  element: Element;
  isHeader: boolean;
  columns: number;
  rows: number;
  /** The section of the table that holds it: no cell reaches beyond it. */
  section: Element;
}

const sections = new Set(["thead", "tbody", "tfoot"]);
const blocks = new Set("p div ul ol h1 h2 h3 h4 h5 h6 form blockquote pre article section".split(" "));
/** Cells this long with blocks in them hold an article, not a value. */
const longCell = 400;
const maxColumns = 200;
const maxSpan = 50;
const maxRowSpan = 1000;
/** Only short values are repeated, and only so often: spans could multiply a page otherwise. */
const maxRepeatedLength = 200;
const maxRepeats = 10_000;
const maxPaddedWidth = 20;

/** Rows of this table only, not of tables inside it. */
export function rowsOf(table: Element, dropped: ReadonlySet<AnyNode>): TableCell[][] {
  const rows: TableCell[][] = [];
  for (const child of table.children) {
    if (!isElement(child) || dropped.has(child)) continue;
    if (child.name === "tr") rows.push(cellsOf(child, table, dropped));
    else if (sections.has(child.name)) {
      for (const row of child.children) {
        if (isElement(row) && row.name === "tr" && !dropped.has(row)) rows.push(cellsOf(row, child, dropped));
      }
    }
  }
  return narrowed(rows.filter((row) => row.length > 0));
}

function cellsOf(row: Element, section: Element, dropped: ReadonlySet<AnyNode>): TableCell[] {
  const cells = row.children.filter(
    (cell): cell is Element => isElement(cell) && (cell.name === "td" || cell.name === "th") && !dropped.has(cell),
  );
  return cells.slice(0, maxColumns).map((element) => ({
    element,
    isHeader: element.name === "th",
    columns: spanOf(element, "colspan"),
    rows: spanOf(element, "rowspan"),
    section,
  }));
}

function spanOf(cell: Element, name: string): number {
  const span = Number.parseInt(attribute(cell, name) ?? "1", 10);
  // A row span of none reaches to the end of its part of the table.
  if (span === 0 && name === "rowspan") return maxRowSpan;
  return span > 1 ? Math.min(span, name === "rowspan" ? maxRowSpan : maxSpan) : 1;
}

/** A cell alone in its row that spans more columns than others have means all of them. */
function narrowed(rows: TableCell[][]): TableCell[][] {
  const width = rows.reduce((most, row) => (row.length > 1 ? Math.max(most, widthOf(row)) : most), 0);
  if (width > 0) {
    for (const row of rows) {
      const [only] = row;
      if (row.length === 1 && only) only.columns = Math.min(only.columns, Math.max(width, 1));
    }
  }
  return rows;
}

export function isLayout(table: Element, rows: TableCell[][]): boolean {
  const role = attribute(table, "role");
  // Set by authors of pages, and by our readers of files.
  if (role === "table" || role === "grid") return false;
  if (role === "presentation" || role === "none" || /(?:^|\s)ltx_eqn_table/.test(attribute(table, "class") ?? ""))
    return true;
  const columns = rows.reduce((most, row) => Math.max(most, widthOf(row)), 0);
  const isNamed = rows.some((row) => row.some((cell) => cell.isHeader));
  if (columns < 2) return true;
  if (/(?:^|\s)(?:wikitable|sortable|data-?table|dataframe)(?:\s|$)/i.test(attribute(table, "class") ?? ""))
    return false;
  if (rows.length < 2 && !isNamed) return true;
  if (rows.some((row) => row.some(isNumberCell))) return true;
  let hasTable = false;
  let hasLongBlock = false;
  for (const row of rows) {
    for (const { element } of row) {
      const { length, hasBlock, hasInnerTable } = measure(element);
      hasTable ||= hasInnerTable;
      hasLongBlock ||= hasBlock && length > longCell;
    }
  }
  return hasTable ? !isNamed || hasLongBlock : hasLongBlock && !isNamed;
}

function widthOf(row: readonly TableCell[]): number {
  return row.reduce((sum, cell) => sum + cell.columns, 0);
}

function measure(cell: Element): { length: number; hasBlock: boolean; hasInnerTable: boolean } {
  const found = { length: 0, hasBlock: false, hasInnerTable: false };
  walk(cell, (node) => {
    if (!isElement(node)) found.length += trimmedLength(node.data);
    else if (node.name === "table") found.hasInnerTable = true;
    else if (blocks.has(node.name)) found.hasBlock = true;
    return true;
  });
  return found;
}

/** Lines of a GitHub table. Spanned cells are repeated, so that every column keeps its meaning. */
export function tableLines(rows: TableCell[][], render: (cell: Element) => string): string[] {
  const grid = expandCells(rows, (cell) => render(cell).replace(/\|/g, "\\|"));
  const width = grid.reduce((most, row) => Math.max(most, row.length), 0);
  const head = isHead(rows[0] as TableCell[]) ? (grid.shift() as string[]) : [];
  const alignments = alignmentsOf(rows, width);
  const line = (cells: readonly string[]) => `| ${pad(cells, width).join(" | ")} |`;
  if ([head, ...grid].every((row) => row.every((cell) => cell === ""))) return [];
  return [line(head), line(alignments), ...grid.filter((row) => row.some((cell) => cell !== "")).map(line)];
}

/** Whether a row names the columns. */
export function isHead(row: TableCell[]): boolean {
  return isHeaderRow(row) || ancestorIsHead(row[0] as TableCell);
}

/** The corner above the names of rows is often no header, but empty. */
function isHeaderRow([first, ...others]: TableCell[]): boolean {
  if (!first || !others.every((cell) => cell.isHeader)) return false;
  return first.isHeader || (others.length > 1 && textOf(first.element).trim() === "");
}

/** Missing cells may be left to the reader; only small tables are filled up, so that a wide row cannot multiply long ones. */
function pad(cells: readonly string[], width: number): readonly string[] {
  if (cells.length === width || (width > maxPaddedWidth && cells.length > 0)) return cells;
  return Array.from({ length: width }, (_, index) => cells[index] ?? "");
}

function ancestorIsHead(cell: TableCell): boolean {
  const section = cell.element.parent?.parent;
  return section !== null && section !== undefined && isElement(section) && section.name === "thead";
}

/** The texts of a table's cells by row and column, spans resolved within bounds. */
export function expandCells(
  rows: TableCell[][],
  render: (cell: Element) => string,
  maxRepeated = maxRepeatedLength,
): string[][] {
  const grid: string[][] = rows.map(() => []);
  let repeats = 0;
  for (const [rowIndex, row] of rows.entries()) {
    let column = 0;
    for (const cell of row) {
      const line = grid[rowIndex] as string[];
      while (line[column] !== undefined) column += 1;
      if (column >= maxColumns) break;
      const text = render(cell.element);
      for (let down = 0; down < cell.rows; down += 1) {
        const target = grid[rowIndex + down];
        if (
          target === undefined ||
          (down > 0 && repeats > maxRepeats) ||
          rows[rowIndex + down]?.[0]?.section !== cell.section
        )
          break;
        for (let across = 0; across < cell.columns; across += 1) {
          const isRepeat = down + across > 0;
          if (isRepeat) repeats += 1;
          if (isRepeat && repeats > maxRepeats) continue;
          target[column + across] ??= isRepeat && text.length > maxRepeated ? "" : text;
        }
      }
      column += cell.columns;
    }
  }
  for (const row of grid) for (let column = 0; column < row.length; column += 1) row[column] ??= "";
  return grid;
}

function alignmentsOf(rows: TableCell[][], width: number): string[] {
  const marks = Array.from({ length: width }, () => "---");
  for (const row of rows.slice(0, 2)) {
    let column = 0;
    for (const cell of row) {
      const mark = alignmentOf(cell.element);
      if (mark && column < width) marks[column] = mark;
      column += cell.columns;
    }
  }
  return marks;
}

const alignments = new Map([
  ["left", ":---"],
  ["center", ":---:"],
  ["right", "---:"],
]);

function alignmentOf(cell: Element): string | null {
  const said =
    attribute(cell, "align") ?? /text-align:\s*(left|center|right)/i.exec(attribute(cell, "style") ?? "")?.[1];
  return alignments.get(said?.toLowerCase() ?? "") ?? null;
}
