// Opens the bytes of a PDF, or says why they cannot be opened; and what the file says about itself.

import type { PDFDocumentProxy } from "pdfjs-dist";
import { FileFault, type PdfFolders } from "../file/file-reading.ts";
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

interface LibraryFacts {
  info: Record<string, unknown>;
  metadata?: { get(name: string): unknown } | null;
}

export async function pdfFacts(document: PDFDocumentProxy) {
  const { info, metadata } = (await document.getMetadata().catch(() => ({ info: {} }))) as LibraryFacts;
  // Newer files say it in their metadata only.
  const text = (name: string, newName: string) => {
    const value = info[name] || metadata?.get(newName);
    const one = Array.isArray(value) ? value.filter((each) => typeof each === "string").join(", ") : value;
    return typeof one === "string" ? one.replace(/[\p{Cc}]+/gu, " ").trim() : "";
  };
  const title = text("Title", "dc:title").replace(/^Microsoft (?:Word|PowerPoint|Excel) - /, "");
  return {
    title: /^untitled$|^document\d*$/i.test(title) ? "" : title,
    author: text("Author", "dc:creator"),
    createdAt: readDate(text("CreationDate", "xmp:createdate")),
    modifiedAt: readDate(text("ModDate", "xmp:modifydate")),
  };
}

/** D:20240131120000+01'00' -> 2024-01-31T11:00:00.000Z; metadata have such dates already. */
function readDate(text: string): string | undefined {
  const match = /^D:(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?(?:Z|([+-])(\d\d)'?(\d\d)?)?/.exec(text);
  if (!match && !/^\d{4}-\d\d-\d\dT/.test(text)) return undefined;
  const part = (at: number, otherwise = "00") => match?.[at] ?? otherwise;
  const offset = match?.[7] ? `${match[7]}${part(8)}:${part(9)}` : "Z";
  const written = `${part(1)}-${part(2, "01")}-${part(3, "01")}T${part(4)}:${part(5)}:${part(6)}${offset}`;
  const date = new Date(match ? written : text);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}
