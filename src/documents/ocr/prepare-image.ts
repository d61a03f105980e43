// What is done to an image before it is read.

import type { GreyImage } from "../file/file-reading.ts";

/** Height of a capital letter, in pixels, that is recognized best. */
const wantedLetter = 28;
const minFactor = 0.4;
const maxFactor = 3;
/** Fewer shapes of a letter's size say nothing. */
const minLetters = 12;

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

/** How much an image is enlarged, or made smaller, before it is read. */
export function enlargement(image: GreyImage): number {
  const letter = letterHeight(image);
  return letter === null ? 1 : Math.min(maxFactor, Math.max(minFactor, wantedLetter / letter));
}

/** Of the shapes that hang together, those that can be letters: two thirds are lower than this, which is a capital's height. */
function letterHeight({ width, height, pixels }: GreyImage): number | null {
  const shapes = new Shapes();
  const limit = meanOf(pixels) * 0.75;
  let above = new Int32Array(width + 2).fill(-1);
  let row = new Int32Array(width + 2).fill(-1);
  for (let y = 0; y < height; y += 1) {
    row.fill(-1);
    for (let x = 0; x < width; x += 1) {
      if ((pixels[y * width + x] as number) >= limit) continue;
      // The rows begin one place before the first pixel, so that every pixel has neighbours.
      const near = [row[x], above[x], above[x + 1], above[x + 2]];
      let shape = -1;
      for (const other of near) if (other !== undefined && other >= 0) shape = shapes.join(shape, other);
      row[x + 1] = shapes.add(shape, x, y);
    }
    [above, row] = [row, above];
  }
  const heights = shapes.heights(Math.max(0.1 * height, 4 * wantedLetter)).sort((a, b) => a - b);
  return heights.length < minLetters ? null : (heights[Math.floor(heights.length * 0.65)] as number);
}

/** Shapes that grow pixel by pixel, and their bounds. */
class Shapes {
  readonly #parent: number[] = [];
  readonly #left: number[] = [];
  readonly #right: number[] = [];
  readonly #top: number[] = [];
  readonly #bottom: number[] = [];

  #root(shape: number): number {
    let at = shape;
    while (this.#parent[at] !== at) {
      this.#parent[at] = this.#parent[this.#parent[at] as number] as number;
      at = this.#parent[at] as number;
    }
    return at;
  }

  /** One of both, which are one from now on; the first may be -1. */
  join(first: number, second: number): number {
    const other = this.#root(second);
    if (first < 0 || first === other) return other;
    this.#parent[other] = first;
    this.#left[first] = Math.min(this.#left[first] as number, this.#left[other] as number);
    this.#right[first] = Math.max(this.#right[first] as number, this.#right[other] as number);
    this.#top[first] = Math.min(this.#top[first] as number, this.#top[other] as number);
    this.#bottom[first] = Math.max(this.#bottom[first] as number, this.#bottom[other] as number);
    return first;
  }

  /** Adds a pixel to a shape, or to a new one where it is -1. */
  add(shape: number, x: number, y: number): number {
    if (shape < 0) {
      for (const bound of [this.#left, this.#right]) bound.push(x);
      for (const bound of [this.#top, this.#bottom]) bound.push(y);
      return this.#parent.push(this.#parent.length) - 1;
    }
    this.#left[shape] = Math.min(this.#left[shape] as number, x);
    this.#right[shape] = Math.max(this.#right[shape] as number, x);
    this.#bottom[shape] = Math.max(this.#bottom[shape] as number, y);
    return shape;
  }

  /** Of all that are neither dust nor rules nor pictures. */
  heights(most: number): number[] {
    return this.#parent.flatMap((parent, shape) => {
      if (parent !== shape) return [];
      const height = (this.#bottom[shape] as number) - (this.#top[shape] as number) + 1;
      const width = (this.#right[shape] as number) - (this.#left[shape] as number) + 1;
      return height >= 5 && height < most && width <= 3 * height && height <= 5 * width + 10 ? [height] : [];
    });
  }
}

function meanOf(pixels: Uint8Array): number {
  let sum = 0;
  for (const pixel of pixels) sum += pixel;
  return sum / Math.max(pixels.length, 1);
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

/** Each pixel with its neighbours: the dots of a printer become strokes. */
export function softened({ width, height, pixels }: GreyImage): GreyImage {
  const across = new Uint16Array(pixels.length);
  for (let y = 0; y < height; y += 1) {
    const row = y * width;
    for (let x = 0; x < width; x += 1) {
      const left = pixels[row + Math.max(0, x - 1)] as number;
      const right = pixels[row + Math.min(width - 1, x + 1)] as number;
      across[row + x] = left + 2 * (pixels[row + x] as number) + right;
    }
  }
  const result = new Uint8Array(pixels.length);
  for (let y = 0; y < height; y += 1) {
    const above = Math.max(0, y - 1) * width;
    const row = y * width;
    const below = Math.min(height - 1, y + 1) * width;
    for (let x = 0; x < width; x += 1)
      result[row + x] =
        ((across[above + x] as number) + 2 * (across[row + x] as number) + (across[below + x] as number)) >> 4;
  }
  return { width, height, pixels: result };
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

/** Whether lines of text run up or down: then columns of pixels differ more from each other than rows do. */
export function runsDown({ width, height, pixels }: GreyImage): boolean {
  const rows = new Float64Array(height);
  const columns = new Float64Array(width);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const value = pixels[y * width + x] as number;
      rows[y] = (rows[y] as number) + value / width;
      columns[x] = (columns[x] as number) + value / height;
    }
  }
  return roughness(columns) > 1.5 * roughness(rows);
}

/** How much neighbours differ, in the mean. */
function roughness(values: Float64Array): number {
  let sum = 0;
  for (let at = 1; at < values.length; at += 1) sum += ((values[at] as number) - (values[at - 1] as number)) ** 2;
  return sum / Math.max(values.length - 1, 1);
}

/** Angle of the lines of text in radians, positive when they fall to the right; 0 when there are no lines. */
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
