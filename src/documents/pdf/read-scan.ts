// Pages without usable text: drawn as an image, then recognized.

import type { FileTools, GreyImage, Recognize } from "../file/file-reading.ts";
import type { ReadPageBlocks } from "../layout/text/layout-document.ts";
import { skewOf, stretchContrast, toGrey } from "../ocr/prepare-image.ts";
import { readPageImage } from "../ocr/read-page-image.ts";
import { type OpenPdf, openPdf } from "./open-pdf.ts";

/** Dots per inch that recognition works best with, in pixels per point. */
const wantedScale = 300 / 72;
const maxPixels = 12_000_000;

export interface ScanReader {
  read(number: number): Promise<ReadPageBlocks>;
  close(): Promise<void>;
}

/** Opens the file once more, with its images, when the first page asks for it. */
export function scanReader(bytes: Uint8Array, tools: FileTools, recognize: Recognize): ScanReader {
  let open: Promise<OpenPdf> | undefined;
  return {
    async read(number) {
      open ??= openPdf(bytes, tools.folders, false);
      const { document } = await open;
      const page = await document.getPage(number);
      try {
        const { width, height } = page.getViewport({ scale: 1 });
        const scale = Math.min(wantedScale, Math.sqrt(maxPixels / Math.max(width * height, 1)));
        return await readPageImage(await draw(page, scale), { number, width, height, scale }, tools, recognize);
      } finally {
        page.cleanup();
      }
    },
    async close() {
      if (open) await (await open.catch(() => undefined))?.close().catch(() => undefined);
    },
  };
}

type Page = Awaited<ReturnType<OpenPdf["document"]["getPage"]>>;

async function draw(page: Page, scale: number): Promise<GreyImage> {
  // Loaded with the first scan: a native library that other requests do not need.
  const { createCanvas } = await import("@napi-rs/canvas");
  const viewport = page.getViewport({ scale });
  const width = Math.max(1, Math.ceil(viewport.width));
  const height = Math.max(1, Math.ceil(viewport.height));
  const canvas = createCanvas(width, height);
  const context = canvas.getContext("2d");
  context.fillStyle = "white";
  context.fillRect(0, 0, width, height);
  await page.render({ canvasContext: context as never, canvas: canvas as never, viewport }).promise;
  const straight = toGrey(context.getImageData(0, 0, width, height).data, width, height);
  const angle = skewOf(straight);
  if (angle === 0) return stretchContrast(straight);
  const turned = createCanvas(width, height);
  const again = turned.getContext("2d");
  again.fillStyle = "white";
  again.fillRect(0, 0, width, height);
  again.translate(width / 2, height / 2);
  again.rotate(-angle);
  again.drawImage(canvas, -width / 2, -height / 2);
  return stretchContrast(toGrey(again.getImageData(0, 0, width, height).data, width, height));
}
