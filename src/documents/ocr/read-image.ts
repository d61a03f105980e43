// An image file -> HTML, by recognizing its text.
import { scanBlocks } from "../layout/page-blocks.ts";
import { documentHtml } from "../layout/text/document.ts";
import type { ParsedFile } from "../parsed-file.ts";
import { decodeImage } from "./decode-image.ts";
import { isBlankImage } from "./prepare-image.ts";
import type { Recognize } from "./recognize.ts";
import { rowsFromWords } from "./recognized-rows.ts";

export interface ReadImageOptions {
  recognize: Recognize;
}

export async function readImage(bytes: Uint8Array, { recognize }: ReadImageOptions): Promise<ParsedFile> {
  const { image, width, height, factor } = await decodeImage(bytes);
  const words = isBlankImage(image) ? [] : await recognize(image);
  const rows = rowsFromWords(words, 1 / factor);
  const blocks = scanBlocks(rows, width);
  const body = documentHtml([{ number: 1, width, height, blocks }], new Set());
  return {
    html: `<!doctype html><html><head><meta charset="utf-8"></head><body>${body}</body></html>`,
    totalPages: 1,
    pagesRead: 1,
    warnings: rows.length === 0 ? ["No text was recognized in the image"] : [],
  };
}
