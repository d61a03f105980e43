// Files that the benchmark of documents measures: made here, so that anybody can measure the same.
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import xlsx from "@e965/xlsx";

/** One paragraph many times over, stored unpacked so that its size says what is read. */
export function wordFile() {
  const paragraph =
    "<w:p><w:r><w:t>The fleet landed more herring than in any year before. </w:t></w:r><w:r><w:rPr><w:b/></w:rPr><w:t>Much more.</w:t></w:r></w:p>";
  const body = paragraph.repeat(300);
  const xml = `<?xml version="1.0"?><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${body}</w:body></w:document>`;
  return storedZip([
    ["[Content_Types].xml", "<Types/>"],
    ["word/document.xml", xml],
  ]);
}

function storedZip(entries) {
  const parts = [];
  const directory = [];
  let at = 0;
  for (const [name, text] of entries) {
    const data = Buffer.from(text);
    const head = Buffer.alloc(30);
    head.writeUInt32LE(0x04034b50, 0);
    head.writeUInt32LE(data.length, 18);
    head.writeUInt32LE(data.length, 22);
    head.writeUInt16LE(name.length, 26);
    const central = Buffer.alloc(46);
    central.writeUInt32LE(0x02014b50, 0);
    central.writeUInt32LE(data.length, 20);
    central.writeUInt32LE(data.length, 24);
    central.writeUInt16LE(name.length, 28);
    central.writeUInt32LE(at, 42);
    parts.push(head, Buffer.from(name), data);
    directory.push(central, Buffer.from(name));
    at += 30 + name.length + data.length;
  }
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...parts, ...directory, end]);
}

/** About 10 MB. */
export function workbook() {
  const rows = Array.from({ length: 68_000 }, (_, row) =>
    Array.from({ length: 10 }, (_, column) =>
      column % 3 === 0 ? `Boat ${row} of pier ${(row * 7919) % 9973}` : row * 1.37 + column,
    ),
  );
  const book = xlsx.utils.book_new();
  xlsx.utils.book_append_sheet(book, xlsx.utils.aoa_to_sheet(rows), "Catch");
  return xlsx.write(book, { type: "buffer", bookType: "xlsx", compression: true });
}

const sentence =
  "The harbour was built in the year 1874 and has been enlarged three times since then, most recently for the ferries. ";

/** A file from its objects; each is text or bytes. */
function pdfOf(objects) {
  const parts = [Buffer.from("%PDF-1.7\n")];
  const places = [];
  let length = parts[0].length;
  const add = (part) => {
    parts.push(part);
    length += part.length;
  };
  objects.forEach((object, at) => {
    places.push(length);
    add(Buffer.from(`${at + 1} 0 obj\n`));
    add(Buffer.isBuffer(object) ? object : Buffer.from(object, "latin1"));
    add(Buffer.from("\nendobj\n"));
  });
  const start = length;
  const rows = places.map((place) => `${String(place).padStart(10, "0")} 00000 n \n`).join("");
  add(Buffer.from(`xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}`));
  add(Buffer.from(`trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`));
  return new Uint8Array(Buffer.concat(parts));
}

const streamOf = (head, bytes) =>
  Buffer.concat([
    Buffer.from(`<< ${head} /Length ${bytes.length} >>\nstream\n`),
    Buffer.from(bytes),
    Buffer.from("\nendstream"),
  ]);

export function textPdf(pages) {
  const lines = Array.from(
    { length: 48 },
    (_, at) => `(${(sentence + sentence).slice(at % 40, (at % 40) + 88)}) Tj T*`,
  );
  const kids = Array.from({ length: pages }, (_, at) => `${4 + at * 2} 0 R`).join(" ");
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Kids [${kids}] /Count ${pages} >>`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Times-Roman >>",
  ];
  for (let page = 0; page < pages; page += 1) {
    objects.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${5 + page * 2} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
      streamOf(
        "",
        Buffer.from(`BT /F1 18 Tf 60 780 Td (Chapter ${page + 1}) Tj /F1 11 Tf 14 TL T* T* ${lines.join("\n")} ET`),
      ),
    );
  }
  return pdfOf(objects);
}

/** A page of print, as an image and as a PDF that holds the image. */
export async function scanOf() {
  const { createCanvas, GlobalFonts } = await import("@napi-rs/canvas");
  // A font that every machine has: the PDF library brings it.
  const library = dirname(createRequire(import.meta.url).resolve("pdfjs-dist/package.json"));
  GlobalFonts.registerFromPath(join(library, "standard_fonts/LiberationSans-Regular.ttf"), "Scan");
  const canvas = createCanvas(2480, 3508);
  const context = canvas.getContext("2d");
  context.fillStyle = "white";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.fillStyle = "black";
  context.font = "46px Scan";
  for (let at = 0; at < 46; at += 1)
    context.fillText((sentence + sentence).slice(at % 40, (at % 40) + 88), 250, 300 + at * 66);
  const jpeg = canvas.toBuffer("image/jpeg", 90);
  const image = streamOf(
    `/Type /XObject /Subtype /Image /Width ${canvas.width} /Height ${canvas.height} /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /DCTDecode`,
    jpeg,
  );
  const pdf = pdfOf([
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595.2 841.92] /Contents 4 0 R /Resources << /XObject << /I 5 0 R >> >> >>",
    streamOf("", Buffer.from("595.2 0 0 841.92 0 0 cm /I Do")),
    image,
  ]);
  return { pdf, jpeg };
}
