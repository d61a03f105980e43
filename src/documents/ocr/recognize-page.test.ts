import { expect, it } from "vitest";
import type { GreyImage, Recognize, RecognizedWord } from "../file/file-reading.ts";
import { recognizePage } from "./recognize-page.ts";

const width = 240;
const height = 400;

/** Lines of black dashes on white, with a mark in the corner where reading starts. */
function page(): GreyImage {
  const pixels = new Uint8Array(width * height).fill(255);
  for (let y = 20; y < height - 20; y += 1) {
    for (let x = 20; x < width - 20; x += 1)
      if (y % 12 < 6 && (x * 7 + (y - (y % 12)) * 5) % 23 < 16) pixels[y * width + x] = 0;
  }
  pixels[0] = 7;
  return { width, height, pixels };
}

/** One quarter turn with the clock. */
function turn({ width: across, height: down, pixels }: GreyImage): GreyImage {
  const turned = new Uint8Array(pixels.length);
  for (let y = 0; y < down; y += 1)
    for (let x = 0; x < across; x += 1) turned[x * down + (down - 1 - y)] = pixels[y * across + x] as number;
  return { width: down, height: across, pixels: turned };
}

const words = (confidence: number): RecognizedWord[] =>
  Array.from({ length: 10 }, (_, at) => ({ text: "word", confidence, x0: at, y0: 0, x1: at + 1, y1: 9, line: "1" }));

/** Reads well what has its mark in the first corner. */
function recognizer() {
  const seen: string[] = [];
  const recognize: Recognize = async (image) => {
    seen.push(`${image.width}x${image.height}`);
    return words(image.pixels[0] === 7 ? 90 : 20);
  };
  return { seen, recognize };
}

it.each([
  [0, 1],
  [1, 2],
  [2, 2],
  [3, 3],
])("a page that was turned %i times with the clock is read in %i steps", async (turns, steps) => {
  let image = page();
  for (let count = 0; count < turns; count += 1) image = turn(image);
  const { seen, recognize } = recognizer();
  const found = await recognizePage(image, recognize);
  expect(found).toMatchObject({ quarterTurns: turns, confidence: 0.9 });
  expect(seen).toHaveLength(steps);
  expect(seen.at(-1)).toBe(`${width}x${height}`);
});

it("what cannot be read stays as it is", async () => {
  const image = page();
  image.pixels[0] = 0;
  expect(await recognizePage(image, recognizer().recognize)).toMatchObject({ quarterTurns: 0, confidence: 0.2 });
});

it("a page that is read uncertainly is read twice, and the surer words stay", async () => {
  const word = (text: string, confidence: number, x0: number): RecognizedWord => ({
    ...{ text, confidence, x0, x1: x0 + 40, y0: 20, y1: 40 },
    line: "1",
  });
  const first = Array.from({ length: 8 }, (_, at) => word(`w${at}`, at === 3 ? 30 : 80, 50 * at));
  const second = [word("three", 90, 152), word("w5?", 40, 250), word("noise", 20, 500), word("eight", 95, 400)];
  const readings = [first, second];
  const found = await recognizePage(page(), async () => readings.shift() ?? []);
  expect(found.words.map(({ text }) => text)).toEqual(["w0", "w1", "w2", "three", "w4", "w5", "w6", "w7", "eight"]);
  expect(readings).toEqual([]);
});

it("a blank page is not read at all", async () => {
  const blank = { width: 10, height: 10, pixels: new Uint8Array(100).fill(250) };
  const { seen, recognize } = recognizer();
  expect(await recognizePage(blank, recognize)).toMatchObject({ words: [] });
  expect(seen).toEqual([]);
});
