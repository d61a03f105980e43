// Rows -> segments: words that belong together because nothing but a word space is between them.

import { longGaps } from "./long-gaps.ts";
import type { Box } from "./page-layer.ts";
import { dominant, median, type Row, type Word } from "./words.ts";

export interface Segment extends Box {
  words: Word[];
  base: number;
  size: number;
  order: number;
}

export function segmentOf(words: Word[]): Segment {
  const size = dominant(words);
  const main = words.filter((word) => !word.isRaised);
  const measured = main.length > 0 ? main : words;
  return {
    words,
    ...boundsOf(measured),
    base: median(measured.map((word) => word.base)),
    size,
    order: words.reduce((least, word) => Math.min(least, word.order), Number.POSITIVE_INFINITY),
  };
}

export function boundsOf(boxes: readonly Box[]): Box {
  const box = {
    x0: Number.POSITIVE_INFINITY,
    y0: Number.POSITIVE_INFINITY,
    x1: Number.NEGATIVE_INFINITY,
    y1: Number.NEGATIVE_INFINITY,
  };
  for (const each of boxes) {
    if (each.x0 < box.x0) box.x0 = each.x0;
    if (each.y0 < box.y0) box.y0 = each.y0;
    if (each.x1 > box.x1) box.x1 = each.x1;
    if (each.y1 > box.y1) box.y1 = each.y1;
  }
  return box;
}

export function overlap(a0: number, a1: number, b0: number, b1: number): number {
  return Math.min(a1, b1) - Math.max(a0, b0);
}

export function segmentsOf(rows: readonly Row[], rules: readonly Box[]): Segment[] {
  // A gap that runs down many rows divides them like a rule.
  const vertical = [...rules, ...longGaps(rows)];
  const pieces = rows.flatMap((row) => split(row, vertical));
  return joinRaised(mendSplits(pieces, vertical));
}

function split(row: Row, vertical: readonly Box[]): Segment[] {
  const segments: Segment[] = [];
  const gaps = row.words.slice(1).map((word, at) => (word.x0 - (row.words[at] as Word).x1) / word.size);
  const usual = median(gaps.filter((gap) => gap > 0.05 && gap < 1.2));
  let current: Word[] = [];
  row.words.forEach((word, at) => {
    const before = current.at(-1);
    if (before) {
      const gap = gaps[at - 1] as number;
      const isWide = gap > 1 && gap > 2 * usual && !word.isField;
      if (isWide || gap < -3 || isRuled(before, word, vertical)) {
        segments.push(segmentOf(current));
        current = [];
      }
    }
    current.push(word);
  });
  if (current.length > 0) segments.push(segmentOf(current));
  return segments;
}

function isRuled(before: Word, word: Word, vertical: readonly Box[]): boolean {
  if (word.x0 - before.x1 < 0.1 * word.size) return false;
  const middle = (word.y0 + word.y1) / 2;
  return vertical.some(
    (rule) => rule.x0 >= before.x1 - 1 && rule.x1 <= word.x0 + 1 && rule.y0 <= middle && rule.y1 >= middle,
  );
}

/** A wide space in a justified line is no gutter when the lines above and below run across it. */
function mendSplits(segments: Segment[], vertical: readonly Box[]): Segment[] {
  const sorted = [...segments].sort((a, b) => a.base - b.base || a.x0 - b.x0);
  const merged: Segment[] = [];
  for (let at = 0; at < sorted.length; at += 1) {
    let segment = sorted[at] as Segment;
    for (;;) {
      const next = sorted[at + 1];
      if (!next || Math.abs(next.base - segment.base) > 0.25 * segment.size) break;
      const gap = next.x0 - segment.x1;
      if (gap < 0 || gap > 2.5 * segment.size || isRuled(segment.words.at(-1) as Word, next.words[0] as Word, vertical))
        break;
      const crosses = (side: number) =>
        sorted.some((other) => {
          const distance = (other.base - segment.base) * side;
          return (
            distance > 0.4 * segment.size &&
            distance < 1.9 * segment.size &&
            other.words.some((word) => word.x0 <= segment.x1 + gap * 0.25 && word.x1 >= next.x0 - gap * 0.25)
          );
        });
      if (!(crosses(1) && crosses(-1))) break;
      segment = segmentOf([...segment.words, ...next.words]);
      at += 1;
    }
    merged.push(segment);
  }
  return merged;
}

/** Superscripts, subscripts and first letters of another size join their line. */
function joinRaised(segments: Segment[]): Segment[] {
  const sorted = [...segments].sort((a, b) => b.size - a.size);
  const gone = new Set<Segment>();
  const byHeight = [...segments].sort((a, b) => a.y0 - b.y0);
  for (const small of [...sorted].reverse()) {
    if (small.words.length > 4) continue;
    const host = byHeight.find((line) => {
      if (line === small || gone.has(line) || line.size <= small.size * 1.12) return false;
      if (line.y0 > small.y1 || line.y1 < small.y0) return false;
      const shared = overlap(line.y0, line.y1, small.y0, small.y1);
      if (shared < 0.35 * (small.y1 - small.y0) || line.size > small.size * 2.4) return false;
      return line.words.some((word) => {
        const after = small.x0 - word.x1;
        const before = word.x0 - small.x1;
        return (
          (after > -0.4 * word.size && after < 0.35 * word.size) ||
          (before > -0.2 * word.size && before < 0.3 * word.size)
        );
      });
    });
    if (!host) continue;
    for (const word of small.words) {
      word.isRaised = true;
      word.isAbove = word.base < host.base - 0.1 * host.size;
    }
    const words = [...host.words, ...small.words].sort((a, b) => a.x0 - b.x0);
    words.forEach((word, at) => {
      const before = words[at - 1];
      if (before && (word.isRaised || before.isRaised) && word.x0 - before.x1 < 0.14 * host.size) word.isGlued = true;
    });
    Object.assign(host, segmentOf(words));
    gone.add(small);
  }
  return segments.filter((segment) => !gone.has(segment));
}

/** The text of words in their line, spaces between. */
export function wordsText(words: readonly Word[]): string {
  let text = "";
  for (const word of words) {
    if (text !== "" && !word.isGlued && !touches(text, word)) text += " ";
    text += word.text;
  }
  return text;
}

const ideograph = /[\u3000-\u9fff\uf900-\ufaff\uff00-\uffef]/;

/** Chinese and Japanese have no spaces between words. */
function touches(text: string, word: Word): boolean {
  return ideograph.test(text.at(-1) ?? "") && ideograph.test(word.text[0] ?? "");
}
