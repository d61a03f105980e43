// An image file -> HTML, by recognizing its text.
import { FileFault } from "../file-fault.ts";
import { parsedFile } from "../html/page.ts";
import { scanBlocks } from "../layout/page-blocks.ts";
import { documentHtml, type ReadPageBlocks } from "../layout/text/document.ts";
import type { ParsedFile } from "../parsed-file.ts";
import type { ReadFileOptions, Recognize } from "../read-options.ts";
import { type DecodedImage, openImage } from "./decode-image.ts";
import { recognizePage } from "./recognize-page.ts";
import { rowsFromWords } from "./recognized-rows.ts";

export async function readImage(bytes: Uint8Array, options: ReadFileOptions): Promise<ParsedFile> {
  const { tools, maxPages, onPage, hasTime } = options;
  if (!tools.recognize) throw new FileFault("unsupported", "Text in images is not recognized here");
  const file = await openImage(bytes);
  const last = Math.min(file.pages, maxPages ?? file.pages);
  const pages: ReadPageBlocks[] = [];
  for (let number = 1; number <= last; number += 1) {
    if (number > 1 && hasTime?.() === false) break;
    try {
      pages.push(await readPage(await file.decode(number - 1), number, tools.recognize));
    } catch (error) {
      // Its time was up while it was recognized: it is one of those that are left.
      if (number > 1 && hasTime?.() === false) break;
      throw error;
    }
    onPage?.(number, file.pages);
  }
  const warnings: string[] = [];
  if (pages.length < last) warnings.push(`The time was up: pages ${pages.length + 1} to ${last} were not read`);
  if (pages.every(({ blocks }) => blocks.length === 0)) warnings.push("No text was recognized in the image");
  const body = documentHtml(pages, new Set());
  return parsedFile(body, { totalPages: file.pages, pagesRead: pages.length }, warnings);
}

async function readPage(decoded: DecodedImage, number: number, recognize: Recognize): Promise<ReadPageBlocks> {
  const { words, quarterTurns, confidence } = await recognizePage(decoded.image, recognize);
  const isSideways = quarterTurns % 2 === 1;
  const width = isSideways ? decoded.height : decoded.width;
  const height = isSideways ? decoded.width : decoded.height;
  return { number, width, height, blocks: scanBlocks(rowsFromWords(words, 1 / decoded.factor), width), confidence };
}
