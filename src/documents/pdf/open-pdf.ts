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

export interface PdfFacts {
  title?: string;
  author?: string;
  createdAt?: string;
  modifiedAt?: string;
}

interface LibraryFacts {
  info: Record<string, unknown>;
  metadata?: { get(name: string): unknown } | null;
}

export async function pdfFacts(document: PDFDocumentProxy): Promise<PdfFacts> {
  const { info, metadata } = (await document.getMetadata().catch(() => ({ info: {} }))) as LibraryFacts;
  // Newer files say it in their metadata only.
  const text = (name: string, newName: string) => {
    const value = info[name] || metadata?.get(newName);
    const one = Array.isArray(value) ? value.filter((each) => typeof each === "string").join(", ") : value;
    return typeof one === "string" ? one.replace(/[\p{Cc}]+/gu, " ").trim() : "";
  };
  const title = text("Title", "dc:title").replace(/^Microsoft (?:Word|PowerPoint|Excel) - /, "");
  const author = text("Author", "dc:creator");
  const createdAt = readDate(text("CreationDate", "xmp:createdate"));
  const modifiedAt = readDate(text("ModDate", "xmp:modifydate"));
  return {
    ...(title && !/^untitled$|^document\d*$/i.test(title) ? { title } : {}),
    ...(author ? { author } : {}),
    ...(createdAt ? { createdAt } : {}),
    ...(modifiedAt ? { modifiedAt } : {}),
  };
}

/** D:20240131120000+01'00' -> 2024-01-31T11:00:00.000Z; metadata have such dates already. */
function readDate(text: string): string | undefined {
  if (/^\d{4}-\d\d-\d\dT/.test(text)) {
    const date = new Date(text);
    return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
  }
  const match = /^D:(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?(?:(Z)|([+-])(\d\d)'?(\d\d)?)?/.exec(text);
  if (!match) return undefined;
  const [
    ,
    year,
    month = "01",
    day = "01",
    hour = "00",
    minute = "00",
    second = "00",
    ,
    sign,
    hours = "00",
    minutes = "00",
  ] = match;
  const offset = sign ? `${sign}${hours}:${minutes}` : "Z";
  const date = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}${offset}`);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}
