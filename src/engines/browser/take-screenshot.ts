// Pictures of a page, of a size that a decoder can bear.
import type { Page } from "playwright-core";
import { type Walk, walkThrough } from "./page-scripts.ts";
import type { ScreenshotLook } from "./render.ts";

/** In pixels of the picture. Beyond it decoders give up, and a picture takes hundreds of megabytes to make. */
const maxHeight = 32_768;
const timeoutMs = 20_000;
const walkMs = 4000;

/** `settle` waits for what the page loads because all of it was shown. */
/** One after the other: each changes the size of the window. */
export async function takeScreenshots(
  page: Page,
  looks: readonly ScreenshotLook[],
  settle: () => Promise<void>,
): Promise<Buffer[]> {
  const taken: Buffer[] = [];
  for (const look of looks) taken.push(await takeScreenshot(page, look, settle));
  return taken;
}

export async function takeScreenshot(page: Page, look: ScreenshotLook, settle: () => Promise<void>): Promise<Buffer> {
  const before = page.viewportSize();
  if (look.viewport !== undefined) await page.setViewportSize(look.viewport);
  try {
    if (look.fullPage) {
      const walk: Walk = { from: 0, end: maxHeight, maxGrowth: 0, growthMs: 0, maxMs: walkMs, after: "back" };
      await page.evaluate(walkThrough, walk).catch(() => undefined);
      await settle();
    }
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
      density: devicePixelRatio,
    };
  });
  const height = Math.floor(maxHeight / size.density);
  if (size.height <= height) return { fullPage: true };
  return { fullPage: true, clip: { x: 0, y: 0, width: size.width, height } };
}
