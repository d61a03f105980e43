// A line of text in a paragraph, note or cell.
import type { Box } from "../page-layer.ts";
import type { Word } from "../words.ts";

export interface TextLine extends Box {
  words: Word[];
  base: number;
  size: number;
}
