// Where the PDF library keeps its character maps, fonts and decoders.
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { PdfFolders } from "../../documents/index.ts";

export function pdfFolders(): PdfFolders {
  const folder = dirname(createRequire(import.meta.url).resolve("pdfjs-dist/package.json"));
  return {
    characterMaps: join(folder, "cmaps/"),
    standardFonts: join(folder, "standard_fonts/"),
    decoders: join(folder, "wasm/"),
  };
}

export function loadDecoder(name: string): Promise<Uint8Array> {
  return readFile(join(pdfFolders().decoders, name));
}
