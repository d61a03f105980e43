// The edges of pages: running heads and page numbers, which are dropped, and footnotes with the words that refer to them.

import { boundsOf, groupBy } from "../geometry.ts";
import type { PageBlock } from "../page-blocks.ts";
import type { PageLayer } from "../page-layer.ts";
import { type Line, lineWords, wordsText } from "../segments.ts";
import type { Word } from "../words.ts";
import type { Paragraph } from "./paragraph.ts";

interface EdgeLine {
  line: Line;
  page: number;
  key: string;
  isTop: boolean;
}

const edge = 0.12;
const pageNumber =
  /^(?:page|seite|p\.?|pág(?:ina)?\.?)?\s*[-–—|·]?\s*(?:\d{1,4}|[ivxlc]{1,7})\s*[-–—|·]?\s*(?:(?:of|von|de|\/)\s*\d{1,4})?$/i;

/** Blocks without lines that repeat at the edge of pages. Files of one page keep everything: nothing shows that a line runs on. */
export function withoutRunningHeads(pages: readonly { height: number; blocks: PageBlock[] }[]): PageBlock[][] {
  const dropped = pages.length > 1 ? runningLines(pages) : new Set<Line>();
  return pages.map(({ blocks }) =>
    blocks.flatMap((block): PageBlock[] => {
      if (block.kind === "table" || !block.lines.some((line) => dropped.has(line))) return [block];
      const lines = block.lines.filter((line) => !dropped.has(line));
      return lines.length > 0 ? [{ ...block, lines }] : [];
    }),
  );
}

function runningLines(pages: readonly { height: number; blocks: PageBlock[] }[]): Set<Line> {
  const lines = pages.flatMap(({ height, blocks }, page) =>
    blocks.flatMap((block) =>
      block.kind === "table" ? [] : block.lines.flatMap((line) => edgeLine(line, page, height)),
    ),
  );
  const needed = pages.length < 4 ? 2 : 3;
  const groups = groupBy(lines, (line) => `${line.isTop}${line.key}`);
  const dropped = new Set<Line>();
  for (const group of groups.values()) {
    const on = new Set(group.map(({ page }) => page));
    const { y0, y1 } = boundsOf(group.map(({ line }) => ({ x0: 0, y0: line.base, x1: 0, y1: line.base })));
    const isSteady = y1 - y0 < 40;
    if (on.size >= needed && isSteady) for (const { line } of group) dropped.add(line);
  }
  for (const { line } of lines) if (pageNumber.test(lineText(line))) dropped.add(line);
  return dropped;
}

const lineText = (line: Line) => wordsText(lineWords(line)).trim();

function edgeLine(line: Line, page: number, height: number): EdgeLine[] {
  const isTop = line.y1 < edge * height;
  if (!isTop && line.y0 < (1 - edge) * height) return [];
  const key = lineText(line).toLowerCase().replace(/\d+/g, "#").replace(/\s+/g, " ");
  return key === "" || key.length > 200 ? [] : [{ line, page, key, isTop }];
}

/** A note with the sign that it starts with; `id` only where the text refers to it. */
export interface FootNote {
  label: string;
  /** Length of the sign in the first word, with the full stop after it. */
  length: number;
  id?: string;
}

interface NotePage {
  number: number;
  height: number;
  noteRules?: readonly number[];
}

const sign = /^(\d{1,3}|[*∗†‡§¶]{1,3})[.)]?(?=$|\p{L}|["“‘(])/u;

/** Heights of short rules in the lower part of a page, of the kind that divides notes from text. */
export function noteRules({ width, height, horizontal, vertical }: PageLayer): number[] {
  return horizontal
    .filter((rule) => {
      const length = rule.x1 - rule.x0;
      if (rule.y0 < 0.3 * height || length < 24 || length > 0.5 * width || rule.x0 > 0.6 * width) return false;
      // Rules of a table cross others.
      return !vertical.some(
        ({ x0, x1, y0, y1 }) => x0 > rule.x0 - 3 && x1 < rule.x1 + 3 && y0 < rule.y1 + 3 && y1 > rule.y0 - 3,
      );
    })
    .map((rule) => rule.y0);
}

/** The notes among the paragraphs. Words of the text that refer to one are given its name. */
export function findNotes(
  paragraphs: readonly Paragraph[],
  otherWordsOf: (page: number) => readonly Word[],
  body: number,
  pages: readonly NotePage[],
): Map<Paragraph, FootNote> {
  const notes = new Map<Paragraph, FootNote>();
  const byPage = groupBy(paragraphs, ({ page }) => page);
  for (const page of pages) {
    const own = byPage.get(page.number) ?? [];
    const found = new Map<Paragraph, FootNote>();
    for (const paragraph of own) {
      const note = noteOf(paragraph, body, page);
      if (note) found.set(paragraph, note);
    }
    if (found.size === 0) continue;
    const text = own.filter((paragraph) => !found.has(paragraph));
    const words = text.flatMap(({ lines }) => lines.flatMap((line) => line.words));
    words.push(...otherWordsOf(page.number));
    const raised = words.flatMap((word, at) => (word.isRaised ? [{ word, before: words[at - 1]?.text ?? "" }] : []));
    for (const [paragraph, note] of found) {
      const reference = referenceTo(note.label, raised);
      if (reference) {
        note.id = `${page.number}-${notes.size + 1}`;
        reference.note = { id: note.id, label: note.label };
      }
      if (reference || isSmall(paragraph, body, page)) notes.set(paragraph, note);
    }
  }
  return notes;
}

function noteOf(paragraph: Paragraph, body: number, { height, noteRules: rules = [] }: NotePage): FootNote | null {
  const first = paragraph.lines[0]?.words[0];
  const match = sign.exec(first?.text ?? "");
  if (!first || !match || paragraph.y0 < 0.3 * height) return null;
  const isBelowRule = rules.some((rule) => rule < paragraph.y0 + 0.3 * paragraph.size);
  const isMarked = first.isRaised || first.tag?.isNote || isBelowRule || paragraph.size <= 0.93 * body;
  return isMarked ? { label: match[1] ?? "", length: match[0].length } : null;
}

/** Small print in the lower half: a note, even if nothing is seen to refer to it. */
function isSmall({ size, y0 }: Paragraph, body: number, { height }: NotePage): boolean {
  return size <= 0.93 * body && y0 > 0.5 * height;
}

/** A power looks like a reference: what follows a word or the end of a sentence is one, what follows a unit is not. */
function referenceTo(label: string, raised: readonly { word: Word; before: string }[]): Word | undefined {
  const fitting = raised.filter(({ word, before }) => {
    if (word.note || word.text.replace(/[.,;)\]]+$/, "").replace(/^[([]/, "") !== label) return false;
    return !/^(?:\p{L}{1,2}|[\p{L}\d]*[×·*/^=+-])$/u.test(before) || !word.isGlued;
  });
  return (fitting.find(({ before }) => !/\d$/.test(before)) ?? fitting[0])?.word;
}
