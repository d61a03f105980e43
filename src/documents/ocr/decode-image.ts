// Bytes of an image file -> pixels, enlarged and turned upright for recognition. Its declared size is checked before anything is decoded.

import type { Canvas, Image } from "@napi-rs/canvas";
import { FileFault, type FileTools, type GreyImage } from "../file/file-reading.ts";
import { imageKind } from "../kinds/identify-file.ts";
import { enlargement, skewOf, stretchContrast, toGrey } from "./prepare-image.ts";
import { unpackStrips } from "./tiff-lzw.ts";

const undecodable = () => new FileFault("broken", "The image cannot be decoded");

/** For libraries that throw whatever they like. */
function attempt<Value>(work: () => Value): Value {
  try {
    return work();
  } catch {
    throw undecodable();
  }
}

export interface ImageSize {
  width: number;
  height: number;
}

/** Null when the file does not say it where its kind does; then decoding will tell. */
export function declaredSize(kind: string, bytes: Uint8Array): ImageSize | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    switch (kind) {
      case "png":
        return { width: view.getUint32(16), height: view.getUint32(20) };
      case "gif":
        return { width: view.getUint16(6, true), height: view.getUint16(8, true) };
      case "bmp":
        return bitmapSize(view);
      case "jpg":
        return jpegSize(view);
      case "webp":
        return webpSize(view);
      case "avif":
        return avifSize(view, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
      default:
        return null;
    }
  } catch (error) {
    // The file ends before it says so.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** The oldest head has shorter numbers; heights are negative where rows start at the top. */
function bitmapSize(view: DataView): ImageSize {
  if (view.getUint32(14, true) === 12) return { width: view.getUint16(18, true), height: view.getUint16(20, true) };
  return { width: Math.abs(view.getInt32(18, true)), height: Math.abs(view.getInt32(22, true)) };
}

/** In the frame header, which follows other segments. */
function jpegSize(view: DataView): ImageSize | null {
  for (let at = 2; at < view.byteLength; ) {
    if (view.getUint8(at) !== 0xff) return null;
    const marker = view.getUint8(at + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
    if (isFrame) return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    // Fill bytes and markers without a length.
    if (marker === 0xff) at += 1;
    else if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)) at += 2;
    else at += 2 + view.getUint16(at + 2);
  }
  return null;
}

function webpSize(view: DataView): ImageSize | null {
  const format = view.getUint32(12);
  if (format === 0x56503820)
    return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
  if (format === 0x5650384c) {
    const bits = view.getUint32(21, true);
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
  }
  const low24 = (at: number) => view.getUint16(at, true) | (view.getUint8(at + 2) << 16);
  return format === 0x56503858 ? { width: low24(24) + 1, height: low24(27) + 1 } : null;
}

/** The largest of the sizes of its parts. */
function avifSize(view: DataView, bytes: Buffer): ImageSize | null {
  let found: ImageSize | null = null;
  for (let at = bytes.indexOf("ispe"); at >= 0; at = bytes.indexOf("ispe", at + 4)) {
    const size = { width: view.getUint32(at + 8), height: view.getUint32(at + 12) };
    if (!found || size.width * size.height > found.width * found.height) found = size;
  }
  return found;
}

interface Decoder {
  setOptions(options: { useWasm: boolean; useWorkerFetch: boolean; wasmUrl: null; handler: DecoderLoader }): void;
  parseImageProperties(bytes: Uint8Array): { width: number; height: number };
  decode(bytes: Uint8Array, options: { numComponents: number }): Promise<Uint8Array | Uint8ClampedArray>;
}

/** Asked for the decoder's program, since nothing is fetched. */
interface DecoderLoader {
  sendWithPromise(message: string, wanted: { filename: string }): Promise<Uint8Array>;
}

export interface Jpeg2000 {
  width: number;
  height: number;
  rgba(): Promise<Uint8ClampedArray>;
}

/** The package has no types. */
const library = "pdfjs-dist/legacy/image_decoders/pdf.image_decoders.mjs";

async function openJpeg2000(bytes: Uint8Array, loadDecoder: (name: string) => Promise<Uint8Array>): Promise<Jpeg2000> {
  // Loaded with the first file of its kind, which is rare.
  const { JpxImage, setVerbosityLevel } = (await import(library)) as {
    JpxImage: Decoder;
    setVerbosityLevel(level: number): void;
  };
  setVerbosityLevel(0);
  const handler = { sendWithPromise: (_: string, { filename }: { filename: string }) => loadDecoder(filename) };
  JpxImage.setOptions({ useWasm: true, useWorkerFetch: false, wasmUrl: null, handler });
  const { width, height } = attempt(() => JpxImage.parseImageProperties(bytes));
  return {
    width,
    height,
    async rgba() {
      const samples = await JpxImage.decode(bytes, { numComponents: 0 }).catch(() => null);
      const components = samples ? samples.length / (width * height) : 0;
      if (!samples || !Number.isInteger(components) || components < 1) throw undecodable();
      return toRgba(samples, components, width * height);
    },
  };
}

/** Grey or colour, each with or without a share of opacity. */
function toRgba(samples: Uint8Array | Uint8ClampedArray, components: number, count: number): Uint8ClampedArray {
  const isColour = components >= 3;
  const hasAlpha = components === 2 || components === 4;
  const rgba = new Uint8ClampedArray(4 * count);
  for (let at = 0, from = 0; at < rgba.length; at += 4, from += components) {
    rgba[at] = samples[from] as number;
    rgba[at + 1] = samples[isColour ? from + 1 : from] as number;
    rgba[at + 2] = samples[isColour ? from + 2 : from] as number;
    rgba[at + 3] = hasAlpha ? (samples[from + components - 1] as number) : 255;
  }
  return rgba;
}

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
  if (!loadDecoder) throw new FileFault("unsupported", "JPEG 2000 images are not supported here");
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
