// Pages of blocks -> one document: running heads dropped, paragraphs and tables joined over pages, headings and lists found.

import { escapeHtml } from "../../html/document-html.ts";
import type { PageBlock } from "../page-blocks.ts";
import { letterCount, type Word } from "../words.ts";
import { bodySize, headingLevels, isHeading } from "./headings.ts";
import { joinParagraphs, joinTables } from "./join-over-pages.ts";
import { DocumentWords, plainText } from "./join-text.ts";
import {
  codeText,
  createWriting,
  type DocumentPiece,
  gridHtml,
  type Notes,
  noteHtml,
  paragraphHtml,
  type TranscribedPage,
  type Writing,
  type WrittenPage,
} from "./layout-html.ts";
import { listFrom, listHtml } from "./lists.ts";
import { findNotes, withoutRunningHeads } from "./page-edges.ts";
import { type Paragraph, paragraphsOf } from "./paragraph.ts";

export interface ReadPageBlocks extends WrittenPage {
  blocks: PageBlock[];
  /** Heights of rules that can divide notes from the text. */
  noteRules?: readonly number[];
}

/** `styles` are those of headings on earlier pages of the same document. */
export function documentHtml(
  pages: readonly ReadPageBlocks[],
  outline: ReadonlySet<string>,
  styles = new Set<number>(),
): string {
  const blocks = withoutRunningHeads(pages);
  const kept = pages.flatMap((page, at): DocumentPiece[] => {
    if (page.transcript) return [{ kind: "transcribed", page: page.number, blocks: page.transcript }];
    return (blocks[at] ?? []).flatMap((block): DocumentPiece[] =>
      block.kind === "table"
        ? [{ kind: "table", page: page.number, grid: block, more: [] }]
        : paragraphsOf(block, page.number),
    );
  });
  const vocabulary = new DocumentWords();
  for (const piece of kept) {
    if (piece.kind === "text") for (const line of piece.lines) vocabulary.add(line.words);
  }
  const paragraphs = kept.filter((piece) => piece.kind === "text");
  const body = bodySize(paragraphs);
  const notes = findNotes(paragraphs, (page) => wordsOfTables(kept, page), body, pages);
  const joined = joinParagraphs(joinTables(kept, vocabulary, notes), vocabulary, notes);
  return render(joined, createWriting(vocabulary, pages), { pages, outline, styles, body, notes });
}

function wordsOfTables(pieces: readonly DocumentPiece[], page: number): Word[] {
  return pieces.flatMap((piece) =>
    piece.kind === "table" && piece.page === page ? piece.grid.cells.flatMap((cell) => cell.words) : [],
  );
}

interface RenderFacts {
  pages: readonly ReadPageBlocks[];
  outline: ReadonlySet<string>;
  styles: Set<number>;
  body: number;
  notes: Notes;
}

function render(
  pieces: readonly DocumentPiece[],
  writing: Writing,
  { pages, outline, styles, body, notes }: RenderFacts,
): string {
  const heights = new Map(pages.map((page) => [page.number, page.height]));
  const paragraphs = pieces.filter((piece) => piece.kind === "text");
  const boldLetters = paragraphs.reduce((sum, each) => sum + (each.isBold ? lettersOf(each) : 0), 0);
  const isBodyBold = boldLetters > 0.4 * paragraphs.reduce((sum, each) => sum + lettersOf(each), 0);
  const recognized = new Set(pages.filter(({ confidence }) => confidence !== undefined).map(({ number }) => number));
  const headings = paragraphs.flatMap((paragraph) => {
    const text = plainText(paragraph.lines, writing.words);
    const facts = {
      text,
      paragraph,
      pageHeight: heights.get(paragraph.page) ?? 0,
      isOnlyPage: pages.length === 1,
      isRecognized: recognized.has(paragraph.page),
    };
    const isNamed = outline.has(outlineKey(text)) && paragraph.size >= 0.95 * body;
    if (paragraph.rest || notes.get(paragraph)?.id) return [];
    return isNamed || isHeading(facts, body, isBodyBold) ? [{ text, paragraph }] : [];
  });
  const levels = new Map(headingLevels(headings, styles).map((level, at) => [headings[at]?.paragraph, level]));
  const parts: string[] = [];
  for (let at = 0; at < pieces.length; ) {
    const piece = pieces[at] as DocumentPiece;
    if (piece.kind !== "text") {
      parts.push(piece.kind === "table" ? gridHtml(piece, writing) : transcribedHtml(piece, writing));
      at += 1;
      continue;
    }
    const level = levels.get(piece);
    if (level !== undefined) {
      parts.push(`<h${level}${writing.place(piece.page, piece)}>${paragraphHtml(piece, writing)}</h${level}>`);
      at += 1;
      continue;
    }
    const note = notes.get(piece);
    if (note?.id) {
      parts.push(noteHtml(piece, note, writing));
      at += 1;
      continue;
    }
    const items = listFrom(pieces, at, levels, notes);
    if (items.length > 0) {
      parts.push(listHtml(items, writing));
      at += items.length;
    } else {
      parts.push(
        piece.isMono && piece.lines.length > 1
          ? `<pre${writing.place(piece.page, piece)}><code>${escapeHtml(codeText(piece.lines))}</code></pre>`
          : `<p${note ? ' class="footnote"' : ""}${writing.place(piece.page, piece)}>${paragraphHtml(piece, writing)}</p>`,
      );
      at += 1;
    }
  }
  return parts.join("\n");
}

function transcribedHtml({ page, blocks }: TranscribedPage, { place }: Writing): string {
  return blocks.map((html) => html.replace(/^<[a-z][a-z0-9]*/, (tag) => tag + place(page, null))).join("\n");
}

export function outlineKey(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");
}

const lettersOf = (paragraph: Paragraph) => paragraph.lines.reduce((sum, { words }) => sum + letterCount(words), 0);
