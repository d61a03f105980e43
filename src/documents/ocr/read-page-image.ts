// The image of a page -> its blocks: transcribed by a language model where one is asked for, otherwise recognized.

import type { FileTools, GreyImage, Recognize } from "../file/file-reading.ts";
import { scanBlocks } from "../layout/page-blocks.ts";
import type { ReadPageBlocks } from "../layout/text/layout-document.ts";
import { transcriptBlocks } from "../text/read-markdown.ts";
import { isBlankImage } from "./prepare-image.ts";
import { recognizePage } from "./recognize-page.ts";
import { rowsFromWords } from "./recognized-rows.ts";

/** Of the longer side, in pixels. */
const longestSide = 2000;
const quality = 85;

export async function encodeImage({ width, height, pixels }: GreyImage): Promise<Uint8Array> {
  // Loaded with the first image: a native library that other requests do not need.
  const { createCanvas, ImageData } = await import("@napi-rs/canvas");
  const whole = createCanvas(width, height);
  const rgba = new Uint8ClampedArray(4 * width * height);
  for (let at = 0, to = 0; at < pixels.length; at += 1, to += 4) {
    const grey = pixels[at] as number;
    rgba[to] = grey;
    rgba[to + 1] = grey;
    rgba[to + 2] = grey;
    rgba[to + 3] = 255;
  }
  whole.getContext("2d").putImageData(new ImageData(rgba, width, height), 0, 0);
  const factor = Math.min(1, longestSide / Math.max(width, height));
  const small = createCanvas(Math.max(1, Math.round(width * factor)), Math.max(1, Math.round(height * factor)));
  const context = small.getContext("2d");
  context.imageSmoothingQuality = "high";
  context.drawImage(whole, 0, 0, small.width, small.height);
  // Not in the background: the library does not hold the canvas, and the process ends when it is collected meanwhile.
  return small.encodeSync("jpeg", quality);
}

/** The page's blocks as HTML; null when the recognizer has to read it. */
async function transcribePage(
  image: GreyImage,
  page: number,
  { transcribe }: Pick<FileTools, "transcribe">,
): Promise<string[] | null> {
  if (!transcribe || isBlankImage(image)) return null;
  const markdown = await transcribe(await encodeImage(image), page);
  return markdown === null ? null : transcriptBlocks(markdown);
}

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
  const transcript = await transcribePage(image, number, tools);
  if (transcript) return { number, width, height, blocks: [], transcript };
  const { words, quarterTurns, confidence } = await recognizePage(image, recognize);
  const upright = quarterTurns % 2 === 0 ? { width, height } : { width: height, height: width };
  return { number, ...upright, blocks: scanBlocks(rowsFromWords(words, 1 / scale), upright.width), confidence };
}
