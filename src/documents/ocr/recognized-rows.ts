// Recognized words -> rows of words, as the layout of a page expects them.

import type { RecognizedWord } from "../file/file-reading.ts";
import { groupBy, median } from "../layout/geometry.ts";
import type { Row, Word } from "../layout/words.ts";

/** Surer than this, or it is noise of the paper. */
const minConfidence = 20;
/** The same for whole lines. Numbers are never sure; in a line of words they are meant. */
const minLineConfidence = 45;
/** Height of a line of ordinary text in its font's size. */
const lineHeight = 0.97;

/** `scale` turns pixels into points. */
export function rowsFromWords(found: readonly RecognizedWord[], scale: number): Row[] {
  const lines = [...groupBy(found, ({ line }) => line).values()].map(meantWords).filter((line) => line.length > 0);
  const heightOf = (line: readonly RecognizedWord[]) => median(line.map((word) => word.y1 - word.y0));
  const usual = median(lines.flatMap((line) => line.map(() => heightOf(line))));
  let order = 0;
  const rows: Row[] = [];
  for (const line of lines) {
    const measured = heightOf(line);
    // Lines without tall letters measure less; what is not clearly larger is of the usual size.
    const height = measured > 0.6 * usual && measured < 1.45 * usual ? usual : measured;
    // Letters without descenders end on the baseline.
    const base = median(line.map((word) => (/[gjpqy,;()]/.test(word.text) ? word.y1 - 0.2 * height : word.y1)));
    const size = Math.max((height * scale) / lineHeight, 1) * 1.15;
    const words = line.map((word): Word => {
      order += 1;
      return {
        text: word.text,
        x0: word.x0 * scale,
        x1: word.x1 * scale,
        y0: base * scale - 0.75 * size,
        y1: base * scale + 0.22 * size,
        base: base * scale,
        size,
        font: 0,
        isBold: false,
        isItalic: false,
        isMono: false,
        order,
        mark: -1,
      };
    });
    words.sort((a, b) => a.x0 - b.x0);
    rows.push({ words, base: base * scale, size });
  }
  return rows;
}

function meantWords(line: readonly RecognizedWord[]): RecognizedWord[] {
  if (meanConfidence(line) * 100 < minLineConfidence) return [];
  return line.filter(({ text, confidence }) => {
    if (!/[\p{L}\p{N}\p{Sc}%&@#]|^[-–—•*+=:/.]+$/u.test(text)) return false;
    return confidence >= minConfidence || (/\d/.test(text) && text.length > 3);
  });
}

/** How sure the recognizer was of its letters, from 0 to 1. */
export function meanConfidence(words: readonly RecognizedWord[]): number {
  return Math.round(sureness(words)) / 100;
}

/** The same from 0 to 100, not rounded. */
export function sureness(words: readonly RecognizedWord[]): number {
  let letters = 0;
  let sum = 0;
  for (const { text, confidence } of words) {
    letters += text.length;
    sum += text.length * Math.max(0, confidence);
  }
  return sum / Math.max(letters, 1);
}
