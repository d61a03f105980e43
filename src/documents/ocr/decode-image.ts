// Bytes of an image file -> pixels, enlarged and turned upright as reading needs it.
import { FileFault } from "../file-fault.ts";
import { enlargement, skewOf, stretchContrast, toGrey } from "./prepare-image.ts";
import type { GreyImage } from "./recognize.ts";

const maxPixels = 100_000_000;
const maxPreparedPixels = 16_000_000;

/** Kinds of images that the canvas library does not know, by their first bytes. */
const unreadKinds: ReadonlyMap<string, (bytes: Uint8Array) => boolean> = new Map([
  ["TIFF", ([a, b, c, d]) => (a === 0x49 && b === 0x49 && c === 0x2a) || (a === 0x4d && b === 0x4d && d === 0x2a)],
  [
    "JPEG 2000",
    ([a, b, c, d, e, f]) => (d === 0x0c && e === 0x6a && f === 0x50) || (a === 0xff && b === 0x4f && c === 0xff),
  ],
]);

export interface DecodedImage {
  image: GreyImage;
  /** Size of the file's own image, and pixels of `image` for one of its own. */
  width: number;
  height: number;
  factor: number;
}

export async function decodeImage(bytes: Uint8Array): Promise<DecodedImage> {
  const undecodable = [...unreadKinds].find(([, test]) => test(bytes))?.[0];
  if (undecodable)
    throw new FileFault("unsupported", `${undecodable} images cannot be decoded; convert the image to PNG or JPEG.`);
  // Loaded with the first image: a native library that other requests do not need.
  const { createCanvas, loadImage } = await import("@napi-rs/canvas");
  const source = await loadImage(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)).catch(() => null);
  if (!source || source.width < 1 || source.height < 1) throw new FileFault("broken", "The image cannot be decoded.");
  const { width, height } = source;
  if (width * height > maxPixels) throw new FileFault("limit", `The image has more than ${maxPixels} pixels.`);
  const wanted = enlargement(width, height);
  const factor = Math.min(wanted, Math.sqrt(maxPreparedPixels / (width * height)));
  const draw = (angle: number): GreyImage => {
    const canvas = createCanvas(Math.max(1, Math.round(width * factor)), Math.max(1, Math.round(height * factor)));
    const context = canvas.getContext("2d");
    context.fillStyle = "white";
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.imageSmoothingQuality = "high";
    if (angle !== 0) {
      context.translate(canvas.width / 2, canvas.height / 2);
      context.rotate(-angle);
      context.translate(-canvas.width / 2, -canvas.height / 2);
    }
    context.drawImage(source, 0, 0, canvas.width, canvas.height);
    return toGrey(context.getImageData(0, 0, canvas.width, canvas.height).data, canvas.width, canvas.height);
  };
  const straight = draw(0);
  const angle = skewOf(straight);
  return { image: stretchContrast(angle === 0 ? straight : draw(angle)), width, height, factor };
}
