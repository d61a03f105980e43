// A PDF with one line of text on each page.
import { handmadePdf, pdfStream } from "./handmade-pdf.ts";

/** Plain ASCII lines. */
export function textPdf(...lines: string[]): Uint8Array {
  const kids = lines.map((_, at) => `${4 + at * 2} 0 R`).join(" ");
  const pages = lines.flatMap((line, at) => [
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents ${5 + at * 2} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
    pdfStream("", `BT /F1 12 Tf 72 700 Td (${line}) Tj ET`),
  ]);
  return handmadePdf([
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Kids [${kids}] /Count ${lines.length} >>`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ...pages,
  ]);
}
