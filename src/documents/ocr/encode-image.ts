// Pixels -> an image file of a size that language models take without making it smaller themselves.
import type { GreyImage } from "../file/read-options.ts";

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
