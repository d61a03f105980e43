// What a PDF says about itself.
import type { PDFDocumentProxy } from "pdfjs-dist";

export interface PdfFacts {
  title?: string;
  author?: string;
  createdAt?: string;
  modifiedAt?: string;
}

export async function pdfFacts(document: PDFDocumentProxy): Promise<PdfFacts> {
  const { info } = (await document.getMetadata().catch(() => ({ info: {} }))) as { info: Record<string, unknown> };
  const text = (name: string) => {
    const value = info[name];
    return typeof value === "string" ? value.replace(/[\p{Cc}]+/gu, " ").trim() : "";
  };
  const title = text("Title").replace(/^Microsoft (?:Word|PowerPoint|Excel) - /, "");
  const author = text("Author");
  const createdAt = readDate(text("CreationDate"));
  const modifiedAt = readDate(text("ModDate"));
  return {
    ...(title && !/^untitled$|^document\d*$/i.test(title) ? { title } : {}),
    ...(author ? { author } : {}),
    ...(createdAt ? { createdAt } : {}),
    ...(modifiedAt ? { modifiedAt } : {}),
  };
}

/** D:20240131120000+01'00' -> 2024-01-31T11:00:00.000Z */
function readDate(text: string): string | undefined {
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
