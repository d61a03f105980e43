// Rows -> segments, words with nothing but a word space between them -> lines, segments side by side.

import { boundsOf, median, overlapY, splitWhere } from "./geometry.ts";
import type { Box } from "./page-layer.ts";
import { dominant, type Row, type Word } from "./words.ts";

interface Chain extends Box {
  count: number;
  last: number;
}

const minGap = 0.6;
const minRows = 6;
/** Rows further apart than this do not continue a gap. */
const maxStep = 5;

/** As thin boxes in the middle of each gap, from its first row to its last. */
function longGaps(rows: readonly Row[]): Box[] {
  const sorted = [...rows].sort((a, b) => a.base - b.base);
  const done: Chain[] = [];
  let chains: Chain[] = [];
  for (const row of sorted) {
    const gaps = gapsOf(row);
    const open: Chain[] = [];
    for (const chain of chains) {
      const gap = gaps.find((each) => Math.min(each.x1, chain.x1) - Math.max(each.x0, chain.x0) > 0.45 * row.size);
      if (gap) {
        open.push({
          x0: Math.max(gap.x0, chain.x0),
          x1: Math.min(gap.x1, chain.x1),
          y0: chain.y0,
          y1: row.base,
          count: chain.count + 1,
          last: row.base,
        });
        gaps.splice(gaps.indexOf(gap), 1);
      } else if (crosses(row, chain) || row.base - chain.last > maxStep * row.size) done.push(chain);
      else open.push(chain);
    }
    chains = [...open, ...gaps.map((gap) => ({ ...gap, count: 1, last: row.base }))];
  }
  return [...done, ...chains]
    .filter(({ count }) => count >= minRows)
    .map(({ x0, x1, y0, y1 }) => ({ x0: (x0 + x1) / 2, x1: (x0 + x1) / 2, y0, y1 }));
}

function gapsOf({ words, base, size }: Row): Box[] {
  const gaps: Box[] = [];
  for (let at = 1; at < words.length; at += 1) {
    const x0 = (words[at - 1] as Word).x1;
    const x1 = (words[at] as Word).x0;
    if (x1 - x0 > minGap * size) gaps.push({ x0, x1, y0: base - size, y1: base });
  }
  return gaps;
}

function crosses({ words }: Row, { x0, x1 }: Box): boolean {
  const middle = (x0 + x1) / 2;
  return words.some((word) => word.x0 < middle && word.x1 > middle);
}

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

export function segmentsOf(rows: readonly Row[], rules: readonly Box[]): Segment[] {
  // A gap that runs down many rows divides them like a rule.
  const vertical = [...rules, ...longGaps(rows)];
  const pieces = rows.flatMap((row) => split(row, vertical));
  return joinRaised(mendSplits(pieces, vertical));
}

function split(row: Row, vertical: readonly Box[]): Segment[] {
  const gaps = row.words.slice(1).map((word, at) => (word.x0 - (row.words[at] as Word).x1) / word.size);
  const usual = median(gaps.filter((gap) => gap > 0.05 && gap < 1.2));
  const groups = splitWhere(row.words, (word, group, at) => {
    const gap = gaps[at - 1] as number;
    const isWide = gap > 1 && gap > 2 * usual && !word.isField;
    return isWide || gap < -3 || isRuled(group.at(-1) as Word, word, vertical);
  });
  return groups.map(segmentOf);
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
      const shared = overlapY(line, small);
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

export interface Line extends Box {
  segments: Segment[];
  base: number;
  size: number;
}

export function lineWords({ segments }: Pick<Line, "segments">): Word[] {
  return segments.flatMap((segment) => segment.words);
}

export function lineOf(segments: Segment[]): Line {
  segments.sort((a, b) => a.x0 - b.x0);
  return {
    segments,
    ...boundsOf(segments),
    base: median(segments.map((segment) => segment.base)),
    size: Math.max(...segments.map((segment) => segment.size)),
  };
}

/** Segments whose heights overlap for the most part form one line. */
export function linesOf(segments: readonly Segment[]): Line[] {
  const sorted = [...segments].sort((a, b) => a.base - b.base || a.x0 - b.x0);
  // The heights that all segments of the line share so far.
  let band: Pick<Box, "y0" | "y1"> = { y0: 0, y1: 0 };
  const groups = splitWhere(sorted, (segment, group) => {
    if (group.length === 1) band = group[0] as Segment;
    const height = segment.y1 - segment.y0;
    if (overlapY(band, segment) <= 0.55 * Math.min(band.y1 - band.y0, height)) return true;
    band = { y0: Math.max(band.y0, segment.y0), y1: Math.min(band.y1, segment.y1) };
    if (band.y1 - band.y0 < 0.5 * height) band = segment;
    return false;
  });
  return groups.map(lineOf);
}

/** Lines again, cut at every gap wider than a word space: the pieces that cells are made of. */
export function piecesOf(line: Line): Segment[] {
  const words = lineWords(line).sort((a, b) => a.x0 - b.x0);
  const gaps = words.slice(1).map((word, at) => word.x0 - (words[at] as Word).x1);
  const small = gaps.filter((gap) => gap > 0.05 * line.size && gap < 0.7 * line.size);
  const limit = Math.max(0.62 * line.size, 1.7 * median(small));
  const isApart = (word: Word, at: number) => (gaps[at - 1] as number) > limit && !word.isGlued;
  return splitWhere(words, (word, _, at) => isApart(word, at)).map(segmentOf);
}
