// What is done to an image before it is read.
import type { GreyImage } from "../read-options.ts";

/** Letters of a page are read best when they are about this many pixels wide in all. */
const wantedWidth = 1500;
const maxFactor = 2.5;

/** RGBA -> grey on white paper. */
export function toGrey(rgba: Uint8ClampedArray | Uint8Array, width: number, height: number): GreyImage {
  const pixels = new Uint8Array(width * height);
  for (let at = 0, from = 0; at < pixels.length; at += 1, from += 4) {
    const alpha = rgba[from + 3] as number;
    const grey =
      (77 * (rgba[from] as number) + 150 * (rgba[from + 1] as number) + 29 * (rgba[from + 2] as number)) >> 8;
    pixels[at] = alpha === 255 ? grey : (grey * alpha + 255 * (255 - alpha)) / 255;
  }
  return { width, height, pixels };
}

/** How much an image is enlarged before it is read. */
export function enlargement(width: number, height: number): number {
  const short = Math.min(width, height);
  return short >= wantedWidth * 0.8 ? 1 : Math.min(maxFactor, wantedWidth / Math.max(short, 1));
}

/** The darkest and lightest of the image become black and white. */
export function stretchContrast(image: GreyImage): GreyImage {
  const counts = new Uint32Array(256);
  for (const pixel of image.pixels) counts[pixel] = (counts[pixel] as number) + 1;
  const edge = image.pixels.length * 0.01;
  let low = 0;
  let high = 255;
  for (let sum = 0; low < 255; low += 1) {
    sum += counts[low] as number;
    if (sum > edge) break;
  }
  for (let sum = 0; high > 0; high -= 1) {
    sum += counts[high] as number;
    if (sum > edge) break;
  }
  if (high - low < 40 || (low < 20 && high > 235)) return image;
  const pixels = image.pixels.map((pixel) => Math.max(0, Math.min(255, ((pixel - low) * 255) / (high - low))));
  return { ...image, pixels };
}

export function isBlankImage({ pixels }: GreyImage): boolean {
  let least = 255;
  let most = 0;
  for (const pixel of pixels) {
    if (pixel < least) least = pixel;
    if (pixel > most) most = pixel;
  }
  return most - least < 24;
}

/** Angle of the lines of text in radians, positive when they fall to the right; 0 when there is none to be seen. */
export function skewOf(image: GreyImage): number {
  const step = Math.max(1, Math.floor(Math.max(image.width, image.height) / 900));
  const width = Math.floor(image.width / step);
  const height = Math.floor(image.height / step);
  const dark: number[] = [];
  let sum = 0;
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) sum += image.pixels[y * step * image.width + x * step] as number;
  const limit = (sum / Math.max(width * height, 1)) * 0.7;
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1)
      if ((image.pixels[y * step * image.width + x * step] as number) < limit) dark.push(x, y);
  }
  if (dark.length < 400 || dark.length > width * height) return 0;
  const sharpness = (angle: number) => {
    const slope = Math.tan(angle);
    const rows = new Float64Array(height * 2 + width);
    for (let at = 0; at < dark.length; at += 2) {
      const row = Math.round((dark[at + 1] as number) - slope * (dark[at] as number)) + width / 2;
      if (row >= 0 && row < rows.length) rows[row | 0] = (rows[row | 0] as number) + 1;
    }
    let total = 0;
    for (let at = 1; at < rows.length; at += 1) total += ((rows[at] as number) - (rows[at - 1] as number)) ** 2;
    return total;
  };
  const degree = Math.PI / 180;
  let best = 0;
  let most = sharpness(0) * 1.05;
  for (let angle = -5; angle <= 5; angle += 0.5) {
    const value = sharpness(angle * degree);
    if (value > most) [best, most] = [angle * degree, value];
  }
  return Math.abs(best) < 0.4 * degree ? 0 : best;
}
