// Characters -> words -> rows of words that share a baseline.
import { median, splitWhere } from "./geometry.ts";
import type { Box, Glyph, PageFont } from "./page-layer.ts";

export interface Word extends Box {
  text: string;
  base: number;
  size: number;
  font: number;
  isBold: boolean;
  isItalic: boolean;
  isMono: boolean;
  order: number;
  mark: number;
  /** What the file's tags say: number of its block, level of a heading, and whether they tell headings at all. */
  tag?: { block: number; level: number; isNote: boolean; decides: boolean };
  /** A formula as MathML, of which the text is only how it is drawn. */
  formula?: string;
  /** The note that it refers to. */
  note?: { id: string; label: string };
  /** Smaller and higher or lower than the line it belongs to. */
  isRaised?: boolean;
  /** Of those, higher. */
  isAbove?: boolean;
  /** It touches the word before. */
  isGlued?: boolean;
  /** A space is drawn after it. */
  isSpaced?: boolean;
  /** The value of a form, which belongs to the label before it. */
  isField?: boolean;
  url?: string;
}

export interface Row {
  words: Word[];
  base: number;
  size: number;
}

/** Parts of a glyph's size above and below its baseline. */
const ascent = 0.75;
const descent = 0.22;

export function wordRows(glyphs: readonly Glyph[], fonts: readonly PageFont[]): Row[] {
  const sorted = withoutDoubles(glyphs).sort((a, b) => a.y - b.y || a.x - b.x);
  const rows = splitWhere(sorted, (glyph, [first]) => {
    return glyph.y - (first?.y ?? 0) > 0.22 * Math.min(glyph.size, first?.size ?? glyph.size);
  });
  return rows.map((row) => rowOf(row, fonts)).filter((row) => row.words.length > 0);
}

/** Bold letters are often drawn twice, a hair apart. */
function withoutDoubles(glyphs: readonly Glyph[]): Glyph[] {
  const seen = new Map<string, Glyph>();
  const kept: Glyph[] = [];
  for (const glyph of glyphs) {
    const cell = (dx: number, dy: number) =>
      `${glyph.text}${Math.round(glyph.x / 2) + dx},${Math.round(glyph.y / 2) + dy}`;
    const near = [seen.get(cell(0, 0)), seen.get(cell(-1, 0)), seen.get(cell(1, 0))];
    const isDouble = near.some(
      (other) =>
        other &&
        Math.abs(other.x - glyph.x) < 0.12 * glyph.size &&
        Math.abs(other.y - glyph.y) < 0.12 * glyph.size &&
        Math.abs(other.size - glyph.size) < 0.2 * glyph.size,
    );
    if (isDouble) continue;
    seen.set(cell(0, 0), glyph);
    kept.push(glyph);
  }
  return kept;
}

function rowOf(glyphs: Glyph[], fonts: readonly PageFont[]): Row {
  glyphs.sort((a, b) => a.x - b.x || a.order - b.order);
  const space = wordSpace(glyphs);
  const groups = splitWhere(glyphs, (glyph, group) => {
    const last = group.at(-1) as Glyph;
    const gap = glyph.x - last.x - last.width;
    const size = Math.min(glyph.size, last.size);
    const isIdeographs = wide.test(last.text) && wide.test(glyph.text);
    const limit = isIdeographs ? 0.6 * size : Math.max(space, 0.13 * size);
    return (
      gap > limit ||
      (last.isSpaced && gap > -0.05 * size && !(isIdeographs && gap < limit)) ||
      last.formula !== undefined ||
      glyph.formula !== undefined ||
      gap < -0.6 * size ||
      Math.max(glyph.size, last.size) > 1.6 * size ||
      (glyph.font !== last.font && styleOf(fonts, glyph.font) !== styleOf(fonts, last.font))
    );
  });
  const words = groups.map((group) => wordOf(group, fonts));
  markGlued(words);
  const size = dominant(words);
  return { words, base: median(words.map((word) => word.base)), size };
}

const wide = /[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]/;

function styleOf(fonts: readonly PageFont[], index: number): string {
  const font = fonts[index];
  return `${font?.isBold}${font?.isMono}`;
}

/** A change of font in the middle of a word does not make two. */
function markGlued(words: Word[]): void {
  for (let at = 1; at < words.length; at += 1) {
    const word = words[at] as Word;
    const before = words[at - 1] as Word;
    const isStyle = word.isBold !== before.isBold || word.isMono !== before.isMono || word.isItalic !== before.isItalic;
    const isSized = Math.abs(word.size - before.size) > 0.1 * word.size;
    if ((isStyle || isSized) && !before.isSpaced && word.x0 - before.x1 < 0.13 * Math.min(word.size, before.size))
      word.isGlued = true;
  }
}

/** Letters that are set wide apart have gaps everywhere; a space is wider than those. */
function wordSpace(glyphs: readonly Glyph[]): number {
  const gaps: number[] = [];
  for (let at = 1; at < glyphs.length; at += 1) {
    const before = glyphs[at - 1] as Glyph;
    const glyph = glyphs[at] as Glyph;
    const gap = (glyph.x - before.x - before.width) / glyph.size;
    if (!before.isSpaced && gap < 0.8) gaps.push(gap);
  }
  if (gaps.length < 4) return 0;
  const usual = median(gaps);
  return usual > 0.06 ? (usual + 0.16) * (glyphs[0]?.size ?? 0) : 0;
}

function wordOf(glyphs: readonly Glyph[], fonts: readonly PageFont[]): Word {
  const [first] = glyphs as [Glyph];
  const last = glyphs.at(-1) as Glyph;
  const size = glyphs.reduce((most, glyph) => Math.max(most, glyph.size), 0);
  const font = fonts[first.font];
  const word: Word = {
    text: glyphs.map(drawnText).join(""),
    x0: first.x,
    x1: Math.max(last.x + last.width, first.x),
    y0: first.y - ascent * size,
    y1: first.y + descent * size,
    base: first.y,
    size,
    font: first.font,
    isBold: font?.isBold === true,
    isItalic: font?.isItalic === true,
    isMono: font?.isMono === true,
    order: first.order,
    mark: first.mark,
  };
  if (last.isSpaced) word.isSpaced = true;
  if (first.formula) word.formula = first.formula;
  if (first.isField) word.isField = true;
  return word;
}

/** Letters of scripts that run to the left. */
export const leftward = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/** Whether most of the letters belong to a script that runs to the left. */
export function isRightToLeft(words: readonly Word[]): boolean {
  let right = 0;
  let left = 0;
  for (const { text } of words) {
    if (leftward.test(text)) right += text.length;
    else if (/\p{L}/u.test(text)) left += text.length;
  }
  return right > left;
}

/** Words are put together as they are drawn; a ligature of a script that runs to the left is written in its order. */
function drawnText({ text }: Glyph): string {
  return text.length > 1 && leftward.test(text) ? [...text].reverse().join("") : text;
}

/** How many letters the words that pass have, of all words unless told otherwise. */
export function letterCount(words: readonly Word[], passes: (word: Word) => unknown = () => true): number {
  return words.reduce((sum, word) => (passes(word) ? sum + word.text.length : sum), 0);
}

/** The size that most characters have. */
export function dominant(words: readonly Word[]): number {
  const counts = new Map<number, number>();
  for (const word of words) {
    const size = Math.round(word.size * 4) / 4;
    counts.set(size, (counts.get(size) ?? 0) + word.text.length);
  }
  let best = 0;
  let most = 0;
  for (const [size, count] of counts) {
    if (count > most || (count === most && size > best)) {
      best = size;
      most = count;
    }
  }
  return best;
}
