// What a PDF says about itself.
import type { PDFDocumentProxy } from "pdfjs-dist";

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
