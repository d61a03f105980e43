// PDF files written object by object, for tests of what no program would write.

type PdfObject = string | Uint8Array;

/** Objects are numbered from 1; the first is the catalog. */
export function handmadePdf(objects: readonly PdfObject[], trailer = ""): Uint8Array {
  const parts: Buffer[] = [Buffer.from("%PDF-1.7\n")];
  let length = parts[0]?.length ?? 0;
  const add = (part: Buffer) => {
    parts.push(part);
    length += part.length;
  };
  const places = objects.map((object, at) => {
    const place = length;
    add(Buffer.from(`${at + 1} 0 obj\n`));
    add(typeof object === "string" ? Buffer.from(object, "latin1") : Buffer.from(object));
    add(Buffer.from("\nendobj\n"));
    return `${String(place).padStart(10, "0")} 00000 n \n`;
  });
  const start = length;
  add(Buffer.from(`xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${places.join("")}`));
  add(Buffer.from(`trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${trailer} >>\nstartxref\n${start}\n%%EOF\n`));
  return new Uint8Array(Buffer.concat(parts));
}

export function pdfStream(entries: string, data: string | Uint8Array): Uint8Array {
  const bytes = typeof data === "string" ? Buffer.from(data, "latin1") : Buffer.from(data);
  const head = Buffer.from(`<< ${entries} /Length ${bytes.length} >>\nstream\n`);
  return Buffer.concat([head, bytes, Buffer.from("\nendstream")]);
}

/** One page of 400 by 200 points; `others` are numbered from 5. Object 4 is what the page draws. */
export function onePage(
  content: string | Uint8Array,
  resources: string,
  others: readonly PdfObject[] = [],
): Uint8Array {
  return handmadePdf([
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 400 200] /Contents 4 0 R /Resources << ${resources} >> >>`,
    typeof content === "string" ? pdfStream("", content) : content,
    ...others,
  ]);
}
