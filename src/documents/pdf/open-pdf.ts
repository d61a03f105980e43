// Opens the bytes of a PDF, or says why they cannot be opened.
import type { PDFDocumentProxy } from "pdfjs-dist";
import { FileFault } from "../file/file-fault.ts";
import type { PdfFolders } from "../file/read-options.ts";
import type { OperatorCodes } from "./page/read-pdf-page.ts";

export interface OpenPdf {
  document: PDFDocumentProxy;
  codes: OperatorCodes;
  close(): Promise<void>;
}

/** Larger images are left out of their pages; each pixel takes up to twelve bytes. */
const maxImagePixels = 64_000_000;

/** `forText` leaves images out, which is most of the work of a scanned or illustrated file. */
export async function openPdf(bytes: Uint8Array, folders: PdfFolders, forText: boolean): Promise<OpenPdf> {
  // Loaded with the first PDF: the library is large. The other build needs a browser.
  const library = await import("pdfjs-dist/legacy/build/pdf.mjs");
  const task = library.getDocument({
    // The library takes its bytes away.
    data: new Uint8Array(bytes),
    cMapUrl: folders.characterMaps,
    cMapPacked: true,
    standardFontDataUrl: folders.standardFonts,
    wasmUrl: folders.decoders,
    verbosity: 0,
    isEvalSupported: false,
    enableXfa: false,
    useSystemFonts: false,
    stopAtErrors: false,
    maxImageSize: forText ? 1 : maxImagePixels,
  } as Parameters<typeof library.getDocument>[0]);
  try {
    const document = await task.promise;
    return { document, codes: library.OPS as unknown as OperatorCodes, close: () => task.destroy() };
  } catch (error) {
    await task.destroy().catch(() => undefined);
    throw faultOf(error);
  }
}

function faultOf(error: unknown): FileFault {
  const { name = "", message = "" } = error as { name?: string; message?: string };
  if (name === "PasswordException") return new FileFault("encrypted", "The PDF is encrypted and needs a password.");
  return new FileFault("broken", `The PDF cannot be read: ${message || name || "its structure is damaged"}`);
}
