// The input and output of text recognizers. The caller starts them.

import type { GreyImage, RecognizedWord } from "../file/file-reading.ts";

/** The recognizer's table of words: one word per line, fields between tabs. */
export function readWordTable(table: string): RecognizedWord[] {
  const words: RecognizedWord[] = [];
  for (const row of table.split("\n")) {
    const [level, page, block, paragraph, line, , left, top, width, height, confidence, ...text] = row.split("\t");
    const word = text.join("\t").trim();
    if (level !== "5" || word === "") continue;
    const x0 = Number(left);
    const y0 = Number(top);
    words.push({
      text: word,
      confidence: Number(confidence),
      x0,
      y0,
      x1: x0 + Number(width),
      y1: y0 + Number(height),
      line: `${page}.${block}.${paragraph}.${line}`,
    });
  }
  return words;
}

/** A file that every recognizer reads, without compression. */
export function greyFile({ width, height, pixels }: GreyImage): Uint8Array {
  const head = new TextEncoder().encode(`P5\n${width} ${height}\n255\n`);
  const file = new Uint8Array(head.length + pixels.length);
  file.set(head);
  file.set(pixels, head.length);
  return file;
}
