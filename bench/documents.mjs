// What files cost and how well they are read. CPU of this process, warm: reader and content together, as in the server.
// With DOCUMENTS_SET=folder, a set of files with a scorer (score.mjs and dev/), its office files are scored, too.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import xlsx from "@e965/xlsx";
import { readModel } from "../dist/content/main/stored-model.js";
import { readContent } from "../dist/content/reading/read-content.js";
import { identifyFile, readFile } from "../dist/documents/index.js";

const model = readModel(readFileSync(new URL("../assets/main-content.model", import.meta.url)));
const officeKinds = ["docx", "doc", "odt", "rtf", "xlsx", "xls", "csv", "pptx", "ppt", "odp", "epub"];

async function toMarkdown(name, bytes) {
  const { kind } = identifyFile(bytes, { name, contentType: "" });
  const { html } = await readFile(kind, bytes, { mode: "auto" });
  const formats = { markdown: true, attributes: [] };
  const rest = { includeTags: [], excludeTags: [], onlyMainContent: true, removeBase64Images: true };
  const file = { pages: false, blocks: false, pageMarkers: false };
  const contentType = "text/html; charset=utf-8";
  const request = { bytes: Buffer.from(html), contentType, url: "file:///x", formats, file, ...rest };
  return readContent(request, { model }).markdown;
}

async function cpuOf(work) {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

export async function measure() {
  const docx = wordFile();
  for (let round = 0; round < 20; round += 1) await toMarkdown("a.docx", docx);
  const times = [];
  for (let round = 0; round < 20; round += 1) times.push(await cpuOf(() => toMarkdown("a.docx", docx)));
  const book = workbook();
  const sheetMs = await cpuOf(() => toMarkdown("a.xlsx", book));
  const figures = [
    {
      what: "CPU of a Word document, warm, median",
      value: Math.round(times.sort((a, b) => a - b)[10] * 10) / 10,
      unit: "ms",
      bar: 35,
      detail: `${Math.round(docx.length / 1024)} KB`,
    },
    {
      what: "CPU of a large workbook",
      value: Math.round(sheetMs / 10) / 100,
      unit: "s",
      bar: 5,
      detail: `${(book.length / 1024 ** 2).toFixed(1)} MB`,
    },
  ];
  return process.env.DOCUMENTS_SET ? [...figures, ...(await scores(process.env.DOCUMENTS_SET))] : figures;
}

/** The fixture's text many times over, stored unpacked so that its size says what is read. */
function wordFile() {
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
function workbook() {
  const rows = Array.from({ length: 90_000 }, (_, row) =>
    Array.from({ length: 10 }, (_, column) =>
      column % 3 === 0 ? `Boat ${row} of pier ${(row * 7919) % 9973}` : row * 1.37 + column,
    ),
  );
  const book = xlsx.utils.book_new();
  xlsx.utils.book_append_sheet(book, xlsx.utils.aoa_to_sheet(rows), "Catch");
  return xlsx.write(book, { type: "buffer", bookType: "xlsx", compression: true });
}

async function scores(folder) {
  const rows = gunzipSync(readFileSync(join(folder, "dev/index.jsonl.gz")))
    .toString()
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  const answers = {};
  for (const { id, kind, name, file } of rows) {
    if (!officeKinds.includes(kind)) continue;
    try {
      answers[id] = { markdown: await toMarkdown(name, readFileSync(join(folder, "dev", file))) };
    } catch (error) {
      answers[id] = { error: String(error) };
    }
  }
  const work = mkdtempSync(join(tmpdir(), "trawl-documents-"));
  writeFileSync(join(work, "answers.json"), JSON.stringify(answers));
  const words = [
    "--data",
    join(folder, "dev"),
    "--preds",
    join(work, "answers.json"),
    "--kinds",
    officeKinds.join(","),
  ];
  const run = spawnSync(process.execPath, [join(folder, "score.mjs"), ...words], { encoding: "utf8" });
  rmSync(work, { recursive: true });
  const line = run.stdout.split("\n").find((each) => each.startsWith("| office |")) ?? "";
  const all = run.stdout.split("\n").filter((each) => /^\| office \| \d/.test(each));
  const [, , count, , score, , , structure] = (all[0] ?? line).split("|").map((cell) => cell.trim());
  const detail = `${count} files`;
  return [
    { what: "score of office files", value: Number(score), unit: "", bar: 0.96, isMinimum: true, detail },
    { what: "structure of office files", value: Number(structure), unit: "", bar: 0.93, isMinimum: true, detail },
  ];
}
