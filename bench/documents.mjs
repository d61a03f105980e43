// What files cost and how well they are read. CPU of this process, warm: reader and content together, as in the server.
// With DOCUMENTS_SET=folder, a set of files with a scorer (score.mjs and dev/), its files are scored, too; DOCUMENTS_LIMIT
// takes so many of each kind of score.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gunzipSync } from "node:zlib";
import { readContent } from "../dist/content/reading/read-content.js";
import { identifyFile, readFile } from "../dist/documents/index.js";
import { pdfFolders } from "../dist/pages/files/pdf-folders.js";
import { openRecognizer } from "../dist/pages/files/recognizer.js";
import { contentModel, languageModel, markdownRequest } from "./content-request.mjs";
import { scanOf, textPdf, wordFile, workbook } from "./document-files.mjs";

const model = contentModel();
const recognizer = openRecognizer({ languages: ["eng"] });
const tools = { folders: pdfFolders(), recognize: recognizer.recognize };
const rounds = 3;

async function toMarkdown(name, bytes) {
  const { kind } = identifyFile(bytes, { name, contentType: "" });
  const { html } = await readFile(kind, bytes, { mode: "auto", tools });
  const file = { pages: false, blocks: false, pageMarkers: false };
  return readContent(markdownRequest({ bytes: Buffer.from(html), url: "file:///x", file }), {
    model,
    languages: languageModel(),
  }).markdown;
}

async function cpuOf(work) {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

const round = (value, digits) => Number(value.toFixed(digits));
const median = (values) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)];

export async function measure() {
  try {
    const figures = [...(await pdfFigures()), ...(await officeFigures()), await scanFigure()];
    return process.env.DOCUMENTS_SET ? [...figures, ...(await scores(process.env.DOCUMENTS_SET))] : figures;
  } finally {
    await recognizer.close();
  }
}

async function pdfFigures() {
  const text = textPdf(100);
  const cpuMs = await cpuOf(() => toMarkdown("a.pdf", text));
  const megabytes = process.resourceUsage().maxRSS / 1024;
  return [
    { what: "CPU of a PDF with 100 pages of text, cold", value: round(cpuMs / 1000, 2), unit: "s", bar: 4 },
    { what: "most memory of the process meanwhile", value: round(megabytes, 0), unit: "MB", bar: 400 },
  ];
}

async function officeFigures() {
  const docx = wordFile();
  for (let count = 0; count < 20; count += 1) await toMarkdown("a.docx", docx);
  const times = [];
  for (let count = 0; count < 20; count += 1) times.push(await cpuOf(() => toMarkdown("a.docx", docx)));
  const book = workbook();
  const sheetMs = await cpuOf(() => toMarkdown("a.xlsx", book));
  return [
    {
      what: "CPU of a Word document, warm, median",
      value: round(median(times), 1),
      unit: "ms",
      bar: 35,
      detail: `${Math.round(docx.length / 1024)} KB`,
    },
    {
      what: "CPU of a large workbook",
      value: round(sheetMs / 1000, 2),
      unit: "s",
      bar: 5,
      detail: `${(book.length / 1024 ** 2).toFixed(1)} MB`,
    },
  ];
}

/** Next to the bare recognizer on the same image and data, in turns. */
async function scanFigure() {
  const { pdf, jpeg } = await scanOf();
  const { createWorker } = await import("tesseract.js");
  const pack = createRequire(import.meta.url).resolve("@tesseract.js-data/eng/package.json");
  const langPath = join(dirname(pack), "4.0.0_best_int");
  const bare = await createWorker("eng", 1, { langPath, cacheMethod: "none", gzip: true });
  const read = () => toMarkdown("a.pdf", pdf);
  const alone = () => bare.recognize(jpeg, {}, { text: true });
  await read();
  await alone();
  const ratios = [];
  for (let count = 0; count < rounds; count += 1) ratios.push((await cpuOf(read)) / (await cpuOf(alone)));
  await bare.terminate();
  const what = "CPU of an A4 scan, in that of bare tesseract.js on the same image";
  return { what, value: round(median(ratios), 2), unit: "×", bar: 1.2 };
}

/** Which figure of which group has which bar. */
const bars = [
  ["pdf", "overall", "score of one-page PDFs", 0.87],
  ["pdf", "nid", "order of the text of one-page PDFs", 0.92],
  ["pdf", "teds", "tables of one-page PDFs", 0.85],
  ["pdf", "mhs", "headings of one-page PDFs", 0.77],
  ["icdar", "f1", "cells of tables in PDFs, F1", 0.78],
  ["office", "score", "score of office files", 0.96],
  ["office", "structure", "structure of office files", 0.93],
  ["sroie", "score", "score of scanned receipts", 0.87],
];

async function scores(folder) {
  const rows = gunzipSync(readFileSync(join(folder, "dev/index.jsonl.gz")))
    .toString()
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  const answers = {};
  const limit = Number(process.env.DOCUMENTS_LIMIT ?? Number.POSITIVE_INFINITY);
  const taken = {};
  for (const { id, set, name, file } of rows) {
    taken[set] = (taken[set] ?? 0) + 1;
    if (taken[set] > limit) continue;
    try {
      answers[id] = { markdown: await toMarkdown(name, readFileSync(join(folder, "dev", file))) };
    } catch (error) {
      answers[id] = { error: String(error) };
    }
  }
  const work = mkdtempSync(join(tmpdir(), "trawl-documents-"));
  const [preds, report] = [join(work, "answers.json"), join(work, "report.json")];
  writeFileSync(preds, JSON.stringify(answers));
  const words = ["--data", join(folder, "dev"), "--preds", preds, "--report", report];
  spawnSync(process.execPath, [join(folder, "score.mjs"), ...words]);
  const { groups } = JSON.parse(readFileSync(report, "utf8"));
  rmSync(work, { recursive: true });
  return bars.flatMap(([group, name, what, bar]) => {
    const found = groups[group];
    if (!found) return [];
    return [{ what, value: round(found[name], 3), unit: "", bar, isMinimum: true, detail: `${found.n} files` }];
  });
}
