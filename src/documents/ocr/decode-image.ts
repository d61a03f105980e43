// Bytes of an image file -> pixels, enlarged and turned upright as reading needs it.
import type { Canvas, Image } from "@napi-rs/canvas";
import { FileFault } from "../file/file-fault.ts";
import type { FileTools, GreyImage } from "../file/read-options.ts";
import { imageKind } from "../kinds/identify-file.ts";
import { attempt, undecodable } from "./decode-fault.ts";
import { openJpeg2000 } from "./decode-jpeg2000.ts";
import { declaredSize } from "./image-size.ts";
import { enlargement, skewOf, stretchContrast, toGrey } from "./prepare-image.ts";
import { unpackStrips } from "./tiff-lzw.ts";

const maxPixels = 100_000_000;
const maxPreparedPixels = 16_000_000;

export interface DecodedImage {
  image: GreyImage;
  /** Size of the image in the file, and pixels of `image` for one of its pixels. */
  width: number;
  height: number;
  factor: number;
}

/** An image file and its pages: a TIFF may have many, every other kind has one. */
export interface ImageFile {
  pages: number;
  /** From 0. */
  decode(page: number): Promise<DecodedImage>;
}

export async function openImage(bytes: Uint8Array, tools: Pick<FileTools, "loadDecoder">): Promise<ImageFile> {
  const kind = imageKind(Buffer.from(bytes.subarray(0, 64)).toString("latin1"));
  // The library would also draw what is no image of these kinds, such as a drawing that refers to other files.
  if (kind === null) throw undecodable();
  if (kind === "tiff") return openTiff(bytes);
  if (kind === "jp2") return openJp2(bytes, tools);
  const declared = declaredSize(kind, bytes);
  if (declared) checkSize(declared.width, declared.height);
  return {
    pages: 1,
    async decode() {
      // Loaded with the first image: a native library that other requests do not need.
      const { loadImage } = await import("@napi-rs/canvas");
      const source = await loadImage(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)).catch(() => null);
      if (!source || source.width < 1 || source.height < 1) throw undecodable();
      return prepare(source, source.width, source.height);
    },
  };
}

async function openJp2(bytes: Uint8Array, { loadDecoder }: Pick<FileTools, "loadDecoder">): Promise<ImageFile> {
  if (!loadDecoder) throw new FileFault("unsupported", "JPEG 2000 images are not read here");
  const { width, height, rgba } = await openJpeg2000(bytes, loadDecoder);
  checkSize(width, height);
  return { pages: 1, decode: async () => prepare(await canvasOf(await rgba(), width, height), width, height) };
}

/** Fields that say how large a page is. */
const widthField = "t256";
const heightField = "t257";

async function openTiff(bytes: Uint8Array): Promise<ImageFile> {
  // Loaded with the first file of its kind, which is rare. It is no ES module, whatever its types say.
  const { default: library } = (await import("utif2")) as unknown as { default: typeof import("utif2") };
  const { decode, decodeImage, toRGBA8 } = library;
  const file = new Uint8Array(bytes).buffer;
  const pages = attempt(() => decode(file)).filter((page) => page[widthField] && page[heightField]);
  if (pages.length === 0) throw undecodable();
  return {
    pages: pages.length,
    async decode(number) {
      const page = pages[number] as (typeof pages)[number];
      const width = Number((page[widthField] as number[])[0]);
      const height = Number((page[heightField] as number[])[0]);
      checkSize(width, height);
      const rgba = attempt(() => {
        decodeImage(unpackStrips(file, page, 8 * width * height), page);
        return toRGBA8(page);
      });
      if (rgba.length < 4 * width * height) throw undecodable();
      const pixels = new Uint8ClampedArray(rgba.buffer, rgba.byteOffset, 4 * width * height);
      return prepare(await canvasOf(pixels, width, height), width, height);
    },
  };
}

async function canvasOf(rgba: Uint8ClampedArray, width: number, height: number): Promise<Canvas> {
  // Like above.
  const { createCanvas, ImageData } = await import("@napi-rs/canvas");
  const canvas = createCanvas(width, height);
  canvas.getContext("2d").putImageData(new ImageData(rgba, width, height), 0, 0);
  return canvas;
}

function checkSize(width: number, height: number): void {
  if (!(width * height <= maxPixels)) throw new FileFault("limit", `The image has more than ${maxPixels} pixels`);
}

async function prepare(source: Image | Canvas, width: number, height: number): Promise<DecodedImage> {
  checkSize(width, height);
  // Like above.
  const { createCanvas } = await import("@napi-rs/canvas");
  const most = Math.sqrt(maxPreparedPixels / (width * height));
  const draw = (factor: number, angle = 0): GreyImage => {
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
  const first = Math.min(1, most);
  const asItIs = draw(first);
  const factor = Math.min(first * enlargement(asItIs), most);
  const straight = factor === first ? asItIs : draw(factor);
  const angle = skewOf(straight);
  return { image: stretchContrast(angle === 0 ? straight : draw(factor, angle)), width, height, factor };
}
