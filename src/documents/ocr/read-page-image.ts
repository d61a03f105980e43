// The image of a page -> its blocks: told by a model where one is asked for, otherwise recognized.

import type { FileTools, GreyImage, Recognize } from "../file/read-options.ts";
import { scanBlocks } from "../layout/page-blocks.ts";
import type { ReadPageBlocks } from "../layout/text/layout-document.ts";
import { recognizePage } from "./recognize-page.ts";
import { rowsFromWords } from "./recognized-rows.ts";
import { transcribePage } from "./transcribe-page.ts";

interface ImagedPage {
  number: number;
  width: number;
  height: number;
  /** Pixels of the image for one unit of the page. */
  scale: number;
}

export async function readPageImage(
  image: GreyImage,
  { number, width, height, scale }: ImagedPage,
  tools: FileTools,
  recognize: Recognize,
): Promise<ReadPageBlocks> {
  const told = await transcribePage(image, number, tools);
  if (told) return { number, width, height, blocks: [], told };
  const { words, quarterTurns, confidence } = await recognizePage(image, recognize);
  const upright = quarterTurns % 2 === 0 ? { width, height } : { width: height, height: width };
  return { number, ...upright, blocks: scanBlocks(rowsFromWords(words, 1 / scale), upright.width), confidence };
}
