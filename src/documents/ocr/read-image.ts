// An image file -> HTML, by recognizing its text.

import { FileFault, type ParsedFile, type ReadFileOptions, wantedPages } from "../file/file-reading.ts";
import { parsedFile } from "../html/document-html.ts";
import { documentHtml, type ReadPageBlocks } from "../layout/text/layout-document.ts";
import { openImage } from "./decode-image.ts";
import { readPageImage } from "./read-page-image.ts";

export async function readImage(bytes: Uint8Array, options: ReadFileOptions): Promise<ParsedFile> {
  const { tools, onPage, hasTime } = options;
  if (!tools.recognize) throw new FileFault("unsupported", "Text recognition (OCR) is not available here");
  const file = await openImage(bytes, tools);
  const { first, last } = wantedPages(file.pages, options);
  const pages: ReadPageBlocks[] = [];
  for (let number = first; number <= last; number += 1) {
    if (number > first && hasTime?.() === false) break;
    try {
      const { image, width, height, factor } = await file.decode(number - 1);
      pages.push(await readPageImage(image, { number, width, height, scale: factor }, tools, tools.recognize));
    } catch (error) {
      // Time ran out while this page was recognized, so it counts as unread.
      if (number > first && hasTime?.() === false) break;
      throw error;
    }
    onPage?.(number, file.pages);
  }
  const warnings: string[] = [];
  const next = first + pages.length;
  if (next <= last) warnings.push(`Time ran out: pages ${next} to ${last} were not read`);
  if (pages.every(({ blocks, transcript = [] }) => blocks.length + transcript.length === 0))
    warnings.push("No text was recognized in the image");
  const body = documentHtml(pages, new Set());
  return parsedFile(body, { totalPages: file.pages, pagesRead: pages.length }, warnings);
}
