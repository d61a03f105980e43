// The document as HTML.

import type { Box } from "../page-layer.ts";
import { boundsOf } from "../segments.ts";
import type { GridCell, TableGrid } from "../table-grid.ts";
import { type DocumentWords, runsOf, type TextRun } from "./join-text.ts";
import type { Paragraph, TextLine } from "./paragraph.ts";

export function markupText(text: string): string {
  return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
}

function markupAttribute(text: string): string {
  return markupText(text).replace(/"/g, "&quot;");
}

/** The attributes that say where a block stands. */
export function placeOf(page: number, box: Box): string {
  const { x0, y0, x1, y1 } = box;
  return ` data-page="${page}" data-box="${[x0, y0, x1, y1].map((value) => Math.round(value * 10) / 10).join(" ")}"`;
}

export function inline(runs: readonly TextRun[], isCode: boolean): string {
  return runs
    .map(({ text, url, isMono }) => {
      const lead = /^\s*/.exec(text)?.[0] ?? "";
      const body = markupText(text.slice(lead.length));
      const styled = isMono && !isCode && body !== "" ? `<code>${body}</code>` : body;
      return lead + (url && body !== "" ? `<a href="${markupAttribute(url)}">${styled}</a>` : styled);
    })
    .join("");
}

export function paragraphHtml(paragraph: Paragraph, vocabulary: DocumentWords): string {
  const own = inline(runsOf(paragraph.lines, vocabulary), false);
  return [
    own,
    ...(paragraph.rest ?? []).map(
      (part) => ` <span${placeOf(part.page, part)}>${inline(runsOf(part.lines, vocabulary), false)}</span>`,
    ),
  ].join("");
}

/** Lines of a fixed width keep their indents and line ends. */
export function codeText(lines: readonly TextLine[]): string {
  const left = Math.min(...lines.map((line) => line.x0));
  return lines
    .map((line) => {
      const letter = widthOfLetter(line);
      let text = "";
      for (const word of line.words) {
        const column = Math.round((word.x0 - left) / letter);
        const missing = column - text.length;
        text +=
          text === ""
            ? " ".repeat(Math.max(0, Math.min(missing, 80)))
            : " ".repeat(Math.max(word.isGlued ? 0 : 1, Math.min(missing, 80)));
        text += word.text;
      }
      return text;
    })
    .join("\n");
}

function widthOfLetter(line: TextLine): number {
  const letters = line.words.reduce((sum, word) => sum + word.text.length, 0);
  const width = line.words.reduce((sum, word) => sum + word.x1 - word.x0, 0);
  return Math.max(width / Math.max(letters, 1), 1);
}

export interface PlacedTable {
  kind: "table";
  page: number;
  grid: TableGrid;
  /** The same table on the pages that follow. */
  more: { page: number; grid: TableGrid }[];
}

export function gridHtml(table: PlacedTable, vocabulary: DocumentWords): string {
  const parts = [{ page: table.page, grid: table.grid }, ...table.more];
  const rows = parts.flatMap(({ grid, page }, part) => {
    const list: string[] = [];
    for (let row = 0; row < grid.rows; row += 1) {
      const cells = grid.cells.filter((cell) => cell.row === row).sort((a, b) => a.column - b.column);
      const name = part === 0 && row === 0 ? "th" : "td";
      const where = part > 0 && row === 0 ? placeOf(page, grid) : "";
      list.push(`<tr${where}>${cells.map((cell) => cellHtml(cell, name, vocabulary)).join("")}</tr>`);
    }
    return list;
  });
  return `<table${placeOf(table.page, table.grid)}>${rows.join("\n")}</table>`;
}

function cellHtml(cell: GridCell, name: string, vocabulary: DocumentWords): string {
  const spans = `${cell.columns > 1 ? ` colspan="${cell.columns}"` : ""}${cell.rows > 1 ? ` rowspan="${cell.rows}"` : ""}`;
  return `<${name}${spans}>${inline(runsOf(cellLines(cell), vocabulary), true)}</${name}>`;
}

export function cellLines(cell: GridCell): TextLine[] {
  if (cell.words.length === 0) return [];
  const rows: GridCell["words"][] = [];
  for (const word of [...cell.words].sort((a, b) => a.base - b.base || a.x0 - b.x0)) {
    const row = rows.at(-1);
    const base = row?.find((each) => !each.isRaised)?.base ?? row?.[0]?.base ?? 0;
    if (row && Math.abs(word.base - base) < 0.5 * word.size) row.push(word);
    else rows.push([word]);
  }
  return rows.map((row) => {
    row.sort((a, b) => a.x0 - b.x0);
    return { words: row, ...boundsOf(row), base: row[0]?.base ?? 0, size: row[0]?.size ?? 0 };
  });
}
