// Blocks -> paragraphs: which lines continue one, which start one, and what marks an item of a list.

import { boundsOf, median } from "../geometry.ts";
import type { Box } from "../page-layer.ts";
import { type Line, lineWords } from "../segments.ts";
import type { TextBlock } from "../text-blocks.ts";
import { dominant, isRightToLeft, letterCount, type Word } from "../words.ts";
import { readingWords, type TextLine } from "./join-text.ts";

export interface ListMarker {
  kind: "bullet" | "number";
  value: number;
  /** Length of the marker in its word; the rest of the word belongs to the item. */
  length: number;
  style: string;
}

const bullets = /^[•▪◦●○■□➢➔❖‣⁃∙·►▶✓✔☐☒☑◆◇★]$/;
const dashes = /^[-–—*]$/;

export function listMarker(words: readonly Word[]): ListMarker | null {
  const [first, second] = words;
  if (!first) return null;
  const { text } = first;
  if (bullets.test(text) && second) return { kind: "bullet", value: 0, length: text.length, style: text };
  if (dashes.test(text) && second && !/^\d/.test(second.text))
    return { kind: "bullet", value: 0, length: text.length, style: "-" };
  const glued = /^([•▪●■➢❖‣►])\S/.exec(text);
  if (glued) return { kind: "bullet", value: 0, length: 1, style: glued[1] ?? "" };
  const number = /^\(?(\d{1,3})([.)])$/.exec(text);
  if (number && second && /^[\p{L}"“‘'([\d]/u.test(second.text))
    return {
      kind: "number",
      value: Number(number[1]),
      length: text.length,
      style: `1${number[2]}${text[0] === "(" ? "(" : ""}`,
    };
  return null;
}

export interface Paragraph extends Box {
  kind: "text";
  page: number;
  lines: TextLine[];
  size: number;
  isBold: boolean;
  isItalic: boolean;
  isMono: boolean;
  /** Space above, in lines of the same size. */
  spaceAbove: number;
  /** Width of its column. */
  column: { x0: number; x1: number };
  /** An entry of a table of contents or a label of a chart: never a heading. */
  isLabel?: boolean;
  /** Parts of the paragraph in another column or on another page. */
  rest?: Paragraph[];
}

function textLine(line: Line): TextLine {
  const words = lineWords(line);
  const { base, size, x0, y0, x1, y1 } = line;
  return { words, base, size: dominant(words) || size, x0, y0, x1, y1 };
}

function paragraphOf(lines: TextLine[], page: number, spaceAbove: number, column: Box): Paragraph {
  const words = lines.flatMap((line) => line.words);
  const main = words.filter((word) => !word.isRaised);
  const letters = Math.max(letterCount(main), 1);
  const share = (test: (word: Word) => boolean) => letterCount(main, test) / letters;
  return {
    kind: "text",
    page,
    lines,
    ...boundsOf(lines),
    size: dominant(words),
    isBold: share((word) => word.isBold) > 0.8,
    isItalic: share((word) => word.isItalic) > 0.8,
    isMono: share((word) => word.isMono) > 0.85,
    spaceAbove,
    column: { x0: column.x0, x1: column.x1 },
  };
}

export function paragraphsOf(block: TextBlock, page: number): Paragraph[] {
  const lines = block.lines.map(textLine);
  if (block.isLines) return lines.map((line) => ({ ...paragraphOf([line], page, 1, block), isLabel: true }));
  const leadings = lines.slice(1).map((line, at) => line.base - (lines[at] as TextLine).base);
  const usual = median(leadings);
  // Lines that run to the left are judged as if they ran to the right.
  const isTurned = isRightToLeft(lines.flatMap((line) => line.words));
  const seen = isTurned ? lines.map((line) => ({ ...mirrored(line), words: readingWords(line.words) })) : lines;
  const edges = isTurned ? mirrored(block) : block;
  const groups: { lines: TextLine[]; seen: TextLine[]; space: number }[] = [];
  seen.forEach((line, at) => {
    const before = seen[at - 1];
    const leading = leadings[at - 1] ?? 0;
    const open = groups.at(-1);
    if (before && open && !startsParagraph(before, line, leading, usual, edges, open.seen)) {
      open.lines.push(lines[at] as TextLine);
      open.seen.push(line);
    } else {
      const space = before ? leading / Math.max(line.size, 1) : 9;
      groups.push({ lines: [lines[at] as TextLine], seen: [line], space });
    }
  });
  return groups.map((group) => paragraphOf(group.lines, page, group.space, block));
}

function mirrored<Boxed extends Box>(box: Boxed): Boxed {
  return { ...box, x0: -box.x1, x1: -box.x0 };
}

const boldShare = ({ words }: TextLine) => letterCount(words, (word) => word.isBold) / Math.max(letterCount(words), 1);
const isMonoLine = (line: TextLine) => line.words.every((word) => word.isMono);

/** Notes follow each other: each starts with a raised number, the next one with the next number. */
function startsNote(line: TextLine, first: TextLine | undefined): boolean {
  const [sign, next] = line.words;
  if (!sign?.isRaised || !next || next.isRaised || !/^(?:\d{1,3}|[*∗†‡§¶]{1,3})$/.test(sign.text)) return false;
  const before = first?.words[0];
  return !before?.isRaised || !/^\d+$/.test(sign.text) || Number(sign.text) === Number(before.text) + 1;
}

/** An entry of a table of contents ends in dots and its page. */
const leader = /(?:\.{4,}|…{2,}|(?:\. ){3,})(?:\d{1,4}|[ivxl]{1,6})$/;

function startsParagraph(
  before: TextLine,
  line: TextLine,
  leading: number,
  usual: number,
  block: Box,
  open: readonly TextLine[],
): boolean {
  const size = Math.max(before.size, line.size);
  const tag = line.words[0]?.tag;
  const tagBefore = before.words[0]?.tag;
  if (tag && tagBefore) return tag.block !== tagBefore.block;
  if (leading > 1.3 * usual && leading > 1.15 * size) return true;
  if (Math.abs(before.size - line.size) > 0.11 * size) return true;
  const isMono = isMonoLine(line);
  if (isMono !== isMonoLine(before)) return true;
  if (isMono) return false;
  const last = before.words.at(-1)?.text ?? "";
  const bolder = boldShare(line) - boldShare(before);
  const isCut = /\p{L}-$/u.test(last) || (/[^.:!?]$/.test(last) && /^\p{Ll}/u.test(line.words[0]?.text ?? ""));
  if (Math.abs(bolder) > 0.9 && !isCut) return true;
  if (startsNote(line, open[0])) return true;
  if (listMarker(line.words) || /^\(?[a-zA-Z][.)]$/.test(line.words[0]?.text ?? "")) return true;
  if (
    leader.test(
      before.words
        .slice(-2)
        .map((word) => word.text)
        .join(""),
    )
  )
    return true;
  const width = block.x1 - block.x0;
  const isShort = before.x1 < block.x1 - Math.max(0.12 * width, 2 * size);
  if (isShort && /[.!?:;»”")\]]$/.test(last)) return true;
  // What starts left of its bullet is no part of an item.
  if (open[0] && line.x0 < open[0].x0 - 0.5 * size && listMarker(open[0].words)) return true;
  // A first line is indented, and the lines before it are not; a hanging list item is the reverse.
  const indent = line.x0 - Math.min(...open.map((each) => each.x0));
  if (indent > 0.8 * size && indent < 5 * size && before.x0 < line.x0 - 0.8 * size && open.length > 0) {
    const isMarked = open.length === 1 && listMarker(open[0]?.words ?? []);
    return !isMarked && (open.length > 1 || /[.!?:]$/.test(last));
  }
  // After hanging lines, one that starts at the margin again is the next entry.
  if (open.length > 1 && before.x0 - line.x0 > 0.8 * size && before.x0 - (open[0] as TextLine).x0 > 0.8 * size)
    return true;
  return false;
}
