// JPEG 2000 -> RGBA, by the decoder that the PDF library has for the images of its pages.
import { attempt, undecodable } from "./decode-fault.ts";

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

export async function openJpeg2000(
  bytes: Uint8Array,
  loadDecoder: (name: string) => Promise<Uint8Array>,
): Promise<Jpeg2000> {
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
