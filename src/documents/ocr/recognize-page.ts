// The image of a page -> its words, whichever way up it was scanned; from two readings where one is not sure.

import type { GreyImage, Recognize, RecognizedWord } from "../file/file-reading.ts";
import { createUnions, groupBy, overlapX, overlapY } from "../layout/geometry.ts";
import { isBlankImage, runsDown, softened } from "./prepare-image.ts";
import { meanConfidence, sureness } from "./recognized-rows.ts";

/** What only one of the readings saw is noise unless it is as sure as this. */
const minAlone = 60;

/** Words that cover each other are rivals; those that are surer stay, in the line of the first reading. */
function mergeReadings(first: readonly RecognizedWord[], second: readonly RecognizedWord[]): RecognizedWord[] {
  const all = [...first, ...second].map((word, at) => ({ word, at, isOwn: at < first.length }));
  const { join, rootOf } = createUnions(all.length);
  for (const [at, word] of first.entries())
    for (const [place, other] of second.entries()) if (areRivals(word, other)) join(at, first.length + place);
  const wordsIn = (group: typeof all, isOwn: boolean) =>
    group.filter((each) => each.isOwn === isOwn).map(({ word }) => word);
  return [...groupBy(all, ({ at }) => rootOf(at)).values()].flatMap((group) => {
    const own = wordsIn(group, true);
    const other = wordsIn(group, false);
    const [host] = own;
    if (!host)
      return other.filter((word) => word.confidence >= minAlone).map((word) => ({ ...word, line: `+${word.line}` }));
    if (other.length === 0) return own;
    return sureness(other) > sureness(own) ? other.map((word) => ({ ...word, line: host.line })) : own;
  });
}

function areRivals(a: RecognizedWord, b: RecognizedWord): boolean {
  return (
    overlapY(a, b) > 0.5 * Math.min(a.y1 - a.y0, b.y1 - b.y0) &&
    overlapX(a, b) > 0.3 * Math.min(a.x1 - a.x0, b.x1 - b.x0)
  );
}

export interface RecognizedPage {
  words: RecognizedWord[];
  /** Quarter turns against the clock that made it upright; places of words are those after it. */
  quarterTurns: number;
  confidence: number;
}

/** Less sure than this, the image is read once more, in another way. */
const sureConfidence = 0.85;
/** Surer than this, the image was upright. */
const uprightConfidence = 0.6;
/** With fewer words, rotation cannot be judged. */
const minWords = 8;

export async function recognizePage(image: GreyImage, recognize: Recognize): Promise<RecognizedPage> {
  if (isBlankImage(image)) return { words: [], quarterTurns: 0, confidence: 0 };
  const read = async (quarterTurns: number): Promise<RecognizedPage> => {
    const words = await recognize(turned(image, quarterTurns));
    return { words, quarterTurns, confidence: meanConfidence(words) };
  };
  const found = await findUpright(image, read);
  if (found.confidence >= sureConfidence || found.words.length < minWords) return found;
  // Without time for it, the first reading is all there is.
  const again = await recognize(softened(turned(image, found.quarterTurns)), "parts").catch(() => []);
  const words = mergeReadings(found.words, again);
  return { ...found, words, confidence: meanConfidence(words) };
}

async function findUpright(
  image: GreyImage,
  read: (quarterTurns: number) => Promise<RecognizedPage>,
): Promise<RecognizedPage> {
  const upright = await read(0);
  if (upright.confidence >= uprightConfidence) return upright;
  const others = runsDown(image) ? [1, 3] : upright.words.length >= minWords ? [2] : [];
  let best = upright;
  for (const quarterTurns of others) {
    const other = await read(quarterTurns);
    if (other.confidence > best.confidence && other.words.length >= minWords) best = other;
    if (best.confidence >= uprightConfidence) break;
  }
  // Noise is not turned: only what is read well is.
  return best.confidence >= uprightConfidence ? best : upright;
}

/** By quarter turns against the clock. */
function turned(image: GreyImage, quarterTurns: number): GreyImage {
  const { width, height, pixels } = image;
  if (quarterTurns === 0) return image;
  const isSideways = quarterTurns % 2 === 1;
  const result = new Uint8Array(pixels.length);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      let to = (height - 1 - y) * width + (width - 1 - x);
      if (quarterTurns === 1) to = (width - 1 - x) * height + y;
      else if (quarterTurns === 3) to = x * height + (height - 1 - y);
      result[to] = pixels[y * width + x] as number;
    }
  }
  return { width: isSideways ? height : width, height: isSideways ? width : height, pixels: result };
}
