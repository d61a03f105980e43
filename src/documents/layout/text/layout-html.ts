// The pieces of a document -> HTML, each block with its page and box.

import { escapeHtml, noteReference } from "../../html/document-html.ts";
import { boundsOf, splitWhere } from "../geometry.ts";
import type { Box } from "../page-layer.ts";
import type { GridCell, TableGrid } from "../table-grid.ts";
import { isRightToLeft, letterCount, type Word } from "../words.ts";
import { type DocumentWords, firstWord, runsOf, type TextLine, type TextRun } from "./join-text.ts";
import type { FootNote } from "./page-edges.ts";
import type { Paragraph } from "./paragraph.ts";

/** What writing a document needs: its vocabulary, and the attributes of positions. */
export interface Writing {
  words: DocumentWords;
  /** The attributes with a block's position; null: anywhere on the page. */
  place(page: number, box: Box | null): string;
}

/** A page of which blocks are written. */
export interface WrittenPage {
  number: number;
  width: number;
  height: number;
  /** Of recognized text only, from 0 to 1. */
  confidence?: number;
  /** Of a page that a language model transcribed: its blocks as HTML, without positions. */
  transcript?: string[];
}

export function createWriting(words: DocumentWords, pages: readonly WrittenPage[]): Writing {
  const known = new Map(pages.map((page) => [page.number, page]));
  const sized = new Set<number>();
  const round = (values: readonly number[]) => values.map((value) => Math.round(value * 10) / 10).join(" ");
  return {
    words,
    place(number, box) {
      const page = known.get(number);
      // The first block of a page says how large the page is.
      const size = page && !sized.has(number) ? ` data-page-size="${round([page.width, page.height])}"` : "";
      sized.add(number);
      const isRecognized = page?.confidence !== undefined;
      const seen = page?.transcript ? ' data-source="model"' : "";
      const source = isRecognized ? ` data-source="ocr" data-confidence="${page.confidence}"` : seen;
      const where = box ? ` data-box="${round([box.x0, box.y0, box.x1, box.y1])}"` : "";
      return ` data-page="${number}"${where}${size}${source}`;
    },
  };
}

function inline(runs: readonly TextRun[], isCode: boolean): string {
  return runs
    .map(({ text, url, isMono, note, formula, isPower }) => {
      const lead = /^\s*/.exec(text)?.[0] ?? "";
      if (note) return lead + noteReference(note);
      if (formula) return lead + formula;
      if (isPower) return `${lead}<sup>${escapeHtml(text.slice(lead.length))}</sup>`;
      const body = escapeHtml(text.slice(lead.length));
      const styled = isMono && !isCode && body !== "" ? `<code>${body}</code>` : body;
      return lead + (url && body !== "" ? `<a href="${escapeHtml(url)}">${styled}</a>` : styled);
    })
    .join("");
}

export function paragraphHtml(paragraph: Paragraph, { words, place }: Writing): string {
  const own = inline(runsOf(paragraph.lines, words), false);
  return [
    own,
    ...(paragraph.rest ?? []).map(
      (part) => ` <span${place(part.page, part)}>${inline(runsOf(part.lines, words), false)}</span>`,
    ),
  ].join("");
}

/** A note that the text refers to. */
export function noteHtml(paragraph: Paragraph, { id, label, length }: FootNote, writing: Writing): string {
  const inside = paragraphHtml({ ...paragraph, lines: withoutMarker(paragraph.lines, length) }, writing);
  const place = writing.place(paragraph.page, paragraph);
  return `<p id="fn-${id}" class="footnote"${place}><sup>${escapeHtml(label)}</sup> ${inside}</p>`;
}

/** Lines without the sign that their first word starts with. */
export function withoutMarker(lines: readonly TextLine[], length: number): TextLine[] {
  const [first, ...others] = lines;
  if (!first) return [];
  const marked = firstWord(first.words);
  const words = first.words.flatMap((word) => {
    if (word !== marked) return [word];
    return word.text.length > length ? [{ ...word, text: word.text.slice(length) }] : [];
  });
  return [{ ...first, words }, ...others];
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
  const letters = letterCount(line.words);
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

export function gridHtml(table: PlacedTable, { words, place }: Writing): string {
  const parts = [{ page: table.page, grid: table.grid }, ...table.more];
  const start = place(table.page, table.grid);
  const rows = parts.flatMap(({ grid, page }, part) => {
    const list: string[] = [];
    const side = isRightToLeft(grid.cells.flatMap((cell) => cell.words)) ? -1 : 1;
    for (let row = 0; row < grid.rows; row += 1) {
      const cells = grid.cells.filter((cell) => cell.row === row).sort((a, b) => side * (a.column - b.column));
      const name = part === 0 && row === 0 ? "th" : "td";
      const where = part > 0 && row === 0 ? place(page, grid) : "";
      list.push(`<tr${where}>${cells.map((cell) => cellHtml(cell, name, words)).join("")}</tr>`);
    }
    return list;
  });
  return `<table role="table"${start}>${rows.join("\n")}</table>`;
}

function cellHtml(cell: GridCell, name: string, words: DocumentWords): string {
  const spans = `${cell.columns > 1 ? ` colspan="${cell.columns}"` : ""}${cell.rows > 1 ? ` rowspan="${cell.rows}"` : ""}`;
  return `<${name}${spans}>${inline(runsOf(cellLines(cell), words), true)}</${name}>`;
}

export function cellLines(cell: GridCell): TextLine[] {
  if (cell.words.length === 0) return [];
  const sorted = [...cell.words].sort((a, b) => a.base - b.base || a.x0 - b.x0);
  const rows = splitWhere(sorted, (word, row) => {
    const { base } = (row.find((each) => !each.isRaised) ?? row[0]) as Word;
    return Math.abs(word.base - base) >= 0.5 * word.size;
  });
  return rows.map((row) => {
    row.sort((a, b) => a.x0 - b.x0);
    return { words: row, ...boundsOf(row), base: row[0]?.base ?? 0, size: row[0]?.size ?? 0 };
  });
}

/** A page as a language model transcribed it. */
export interface TranscribedPage {
  kind: "transcribed";
  page: number;
  blocks: readonly string[];
}

export type DocumentPiece = Paragraph | PlacedTable | TranscribedPage;

export type Notes = ReadonlyMap<DocumentPiece, FootNote>;
