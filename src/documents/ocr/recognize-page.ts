// One image of a page -> its words, whichever way up it was scanned, by two readings where one is not sure.
import type { GreyImage, Recognize, RecognizedWord } from "../file/read-options.ts";
import { mergeReadings } from "./merge-readings.ts";
import { isBlankImage, runsDown, softened } from "./prepare-image.ts";
import { meanConfidence } from "./recognized-rows.ts";

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
/** Fewer words are no text that anybody has turned. */
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
