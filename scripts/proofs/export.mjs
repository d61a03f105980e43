// Exports of jobs with many documents, in each format: that they are whole, and how much memory the server takes for them. One page
// is crawled, and its result is written into the job as often as it takes: an export reads and writes each of them again. Two sizes
// show that memory does not grow with them.
import { createWriteStream, mkdtempSync, openSync, readSync, rmSync, statSync } from "node:fs";
import { createServer, get } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { asyncBufferFromFile, parquetMetadataAsync } from "hyparquet";
import { memoryMb, send, startProgram } from "../../bench/measure.mjs";

const cli = fileURLToPath(new URL("../../dist/cli.js", import.meta.url));
/** The larger one is what the bars are for. */
const sizes = [20_000, 100_000];
const batchSize = 1000;
/** How each format tells how many documents its file has. */
const counters = { jsonl: countLines, csv: countCsvRows, "md.zip": countZipFiles, parquet: countParquetRows };
/** Resident, the idle server included. */
const mostMb = 300;
/**
 * V8 lets garbage lie until a share of its room is used, 300 MB and more where it may use gigabytes. With little room it shows what an
 * export needs: one whose needs grew with its documents would end the server.
 */
const heapMb = 96;
/** Of the larger export over the smaller one: what memory differs by from run to run, and the list that ends a ZIP file. */
const mostGrowthMb = 40;
const key = "fc-0123456789abcdef0123456789abcdef";
const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };

/** Words are the formats to prove; without any, all. */
export async function prove(words) {
  const folder = mkdtempSync(join(tmpdir(), "trawl-prove-"));
  const dataDir = join(folder, "data");
  try {
    const id = await crawlOnePage(dataDir);
    const formats = words.length === 0 ? Object.keys(counters) : words;
    const peaks = new Map(formats.map((format) => [format, []]));
    let written = 1;
    for (const size of sizes) {
      await multiply(dataDir, id, written, size);
      written = size;
      for (const format of formats) peaks.get(format).push(await measure({ dataDir, folder, id, format, size }));
    }
    return formats.map((format) => rowOf(format, peaks.get(format)));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function rowOf(format, runs) {
  const [small, large] = runs;
  const growthMb = large.peakMb - small.peakMb;
  const isWhole = runs.every(({ count }, index) => count === sizes[index]);
  const name = (size) => size.toLocaleString("en");
  return {
    subject: `export of ${name(sizes[0])} and ${name(sizes[1])} documents as ${format}`,
    holds: isWhole && large.peakMb <= mostMb && growthMb <= mostGrowthMb,
    figure:
      `${runs.map(({ count }) => name(count)).join(" and ")} found in the files; peak ${Math.round(small.peakMb)} and ` +
      `${Math.round(large.peakMb)} MB (bars ${mostMb}, growth ${mostGrowthMb}), idle ${Math.round(large.idleMb)} MB; ` +
      `${Math.round(large.bytes / 2 ** 20)} MB in ${large.seconds} s`,
  };
}

function startServer(dataDir) {
  const keys = { TRAWL_API_KEYS: `default:${key}:0` };
  const env = { PORT: "0", DATA_DIR: dataDir, OPEN_SEARCH: "0", ALLOWED_PRIVATE_HOSTS: "127.0.0.1", ...keys };
  return startProgram([`--max-old-space-size=${heapMb}`, cli, "serve"], { env, until: /API page\s+(http:\S+)\/docs/ });
}

async function crawlOnePage(dataDir) {
  const words = Array.from({ length: 40 }, (_, index) => `<p>Paragraph ${index} of a page with some text in it.</p>`);
  const site = createServer((request, response) => {
    const isPage = request.url === "/";
    const html = `<title>A page</title><main><h1>A page</h1>${words.join("")}</main>`;
    response.writeHead(isPage ? 200 : 404, { "content-type": "text/html" }).end(isPage ? html : "");
  });
  await new Promise((done) => site.listen(0, "127.0.0.1", done));
  const server = await startServer(dataDir);
  const [, url] = server.match;
  const body = JSON.stringify({ url: `http://127.0.0.1:${site.address().port}/`, limit: 1, retentionHours: 24 });
  const { id } = JSON.parse(await send({ url: `${url}/v2/crawl`, method: "POST", headers, body }));
  for (;;) {
    const job = JSON.parse(await send({ url: `${url}/v2/crawl/${id}`, headers }));
    if (job.status === "completed") break;
    if (job.status !== "scraping") throw new Error(`the crawl ended as ${job.status}`);
    await wait(100);
  }
  await server.stop();
  site.close();
  return id;
}

/** From so many documents to so many. */
async function multiply(dataDir, id, before, after) {
  const [{ openStore }, { newId }] = await Promise.all([
    import("../../dist/store/index.js"),
    import("../../dist/base/index.js"),
  ]);
  const store = await openStore({ dataDir });
  const [result] = await store.jobResults.list(id, 0, 1);
  for (let from = before; from < after; from += batchSize) {
    const length = Math.min(batchSize, after - from);
    const copies = Array.from({ length }, (_, index) => ({ ...result, seq: from + index, pageId: newId() }));
    await store.transaction(({ jobResults }) => jobResults.insert(copies));
  }
  await store.transaction(({ jobs }) => jobs.change(id, { completed: after - before }));
  await store.close();
}

async function measure({ dataDir, folder, id, format }) {
  const server = await startServer(dataDir);
  const idleMb = memoryMb(server.pid);
  let peakMb = idleMb;
  const look = setInterval(() => {
    peakMb = Math.max(peakMb, memoryMb(server.pid));
  }, 50);
  const since = performance.now();
  const file = join(folder, "export");
  await download(`${server.match[1]}/v2/crawl/${id}/export?format=${format}`, file);
  clearInterval(look);
  const seconds = Math.round((performance.now() - since) / 1000);
  await server.stop();
  return { idleMb, peakMb, seconds, bytes: statSync(file).size, count: await counters[format](file) };
}

function download(url, file) {
  return new Promise((done, failed) => {
    const asked = get(url, { headers }, (response) => {
      if (response.statusCode !== 200) failed(new Error(`${url} answered ${response.statusCode}`));
      response.on("error", failed);
      response.pipe(createWriteStream(file)).on("finish", done).on("error", failed);
    });
    asked.on("error", failed);
  });
}

function countLines(file) {
  let lines = 0;
  for (const chunk of chunksOf(file)) for (const byte of chunk) if (byte === 10) lines += 1;
  return lines;
}

/** Without the line of names. Texts are quoted and hold line breaks; a quote in a text is doubled. */
function countCsvRows(file) {
  let rows = 0;
  let isQuoted = false;
  for (const chunk of chunksOf(file)) {
    for (const byte of chunk) {
      if (byte === 34) isQuoted = !isQuoted;
      else if (byte === 10 && !isQuoted) rows += 1;
    }
  }
  return rows - 1;
}

/** From the record that ends the file: the long one (ZIP64) where there are more files than the short one can count. */
function countZipFiles(file) {
  const size = statSync(file).size;
  const tail = Buffer.alloc(Math.min(size, 98));
  readSync(openSync(file), tail, 0, tail.length, size - tail.length);
  const short = tail.subarray(-22);
  if (short.readUInt32LE(0) !== 0x06054b50) throw new Error("the ZIP file has no end");
  const count = short.readUInt16LE(10);
  return count < 0xffff ? count : Number(tail.readBigUInt64LE(32));
}

async function countParquetRows(file) {
  const metadata = await parquetMetadataAsync(await asyncBufferFromFile(file));
  return Number(metadata.num_rows);
}

function* chunksOf(file) {
  const descriptor = openSync(file);
  const chunk = Buffer.alloc(2 ** 20);
  for (let length = 1; length > 0; ) {
    length = readSync(descriptor, chunk);
    yield chunk.subarray(0, length);
  }
}
