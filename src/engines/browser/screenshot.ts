// Pictures of a page, of a size that a decoder can bear.
import type { Page } from "playwright-core";
import type { ScreenshotLook } from "./render.ts";

/** Chromium paints no more than this in one piece; beyond it a picture repeats itself. */
const maxHeight = 16_384;
const timeoutMs = 20_000;

export async function takeScreenshot(page: Page, look: ScreenshotLook): Promise<Buffer> {
  const before = page.viewportSize();
  if (look.viewport !== undefined) await page.setViewportSize(look.viewport);
  try {
    const kind =
      look.quality === undefined ? { type: "png" as const } : { type: "jpeg" as const, quality: look.quality };
    return await page.screenshot({ ...kind, ...(await extent(page, look.fullPage)), timeout: timeoutMs });
  } finally {
    if (look.viewport !== undefined && before !== null) await page.setViewportSize(before);
  }
}

async function extent(page: Page, isFull: boolean) {
  if (!isFull) return {};
  const size = await page.evaluate(() => {
    const { documentElement: root, body } = document;
    return {
      width: Math.max(root.clientWidth, 1),
      height: Math.max(root.scrollHeight, body?.scrollHeight ?? 0),
    };
  });
  if (size.height <= maxHeight) return { fullPage: true };
  return { fullPage: true, clip: { x: 0, y: 0, width: size.width, height: maxHeight } };
}
