// CPU and memory of reading PDFs: a text of 100 pages, and a scanned page next to the bare recognizer on the same image.
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { readPdf } from "../dist/documents/index.js";
import { pdfFolders } from "../dist/pages/files/pdf-folders.js";
import { openRecognizer } from "../dist/pages/files/recognizer.js";

const sentence =
  "The harbour was built in the year 1874 and has been enlarged three times since then, most recently for the ferries. ";
const rounds = 3;

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

function textPdf(pages) {
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

async function scanOf() {
  const { createCanvas } = await import("@napi-rs/canvas");
  const canvas = createCanvas(2480, 3508);
  const context = canvas.getContext("2d");
  context.fillStyle = "white";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.fillStyle = "black";
  context.font = "46px serif";
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

async function cpuOf(work) {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

export async function measure() {
  const folders = pdfFolders();
  const text = textPdf(100);
  const long = await cpuOf(() => readPdf(text, { mode: "auto", folders }));
  const megabytes = process.resourceUsage().maxRSS / 1024;
  const { pdf, jpeg } = await scanOf();
  const recognizer = openRecognizer({ languages: ["eng"] });
  const { createWorker } = await import("tesseract.js");
  const langPath = join(
    dirname(createRequire(import.meta.url).resolve("@tesseract.js-data/eng/package.json")),
    "4.0.0_best_int",
  );
  const bare = await createWorker("eng", 1, { langPath, cacheMethod: "none", gzip: true });
  const read = () => readPdf(pdf, { mode: "auto", folders, recognize: recognizer.recognize });
  const alone = () => bare.recognize(jpeg, {}, { text: true });
  await read();
  await alone();
  const ratios = [];
  for (let round = 0; round < rounds; round += 1) ratios.push((await cpuOf(read)) / (await cpuOf(alone)));
  await recognizer.close();
  await bare.terminate();
  return [
    { what: "PDF with 100 pages of text: CPU", value: long, unit: "s", bar: 4 },
    { what: "PDF with 100 pages of text: most memory of the process", value: megabytes, unit: "MB", bar: 400 },
    {
      what: "A4 scan: CPU in that of bare tesseract.js on the same image",
      value: ratios.sort()[1],
      unit: "×",
      bar: 1.2,
    },
  ];
}
