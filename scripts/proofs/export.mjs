// Exports of a job with 100,000 documents, in each format: how much memory the server takes for them. One page is crawled, and its
// result is written into the job as often as it takes: an export reads and writes each of them anew.
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, get } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { memoryMb, send, startProgram } from "../../bench/measure.mjs";

const cli = fileURLToPath(new URL("../../dist/cli.js", import.meta.url));
const count = 100_000;
const portion = 1000;
const formats = ["jsonl", "csv", "md.zip", "parquet"];
/** Resident, the idle server included. */
const mostMb = 400;
const key = "fc-0123456789abcdef0123456789abcdef";
const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };

/** Words are the formats to prove; without any, all. */
export async function prove(words) {
  const folder = mkdtempSync(join(tmpdir(), "trawl-prove-"));
  const dataDir = join(folder, "data");
  try {
    const id = await crawlOnePage(dataDir);
    await multiply(dataDir, id);
    const rows = [];
    for (const format of words.length === 0 ? formats : words) rows.push(await measure(dataDir, id, format));
    return rows;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function startServer(dataDir) {
  const keys = { TRAWL_API_KEYS: `default:${key}:0` };
  const env = { PORT: "0", DATA_DIR: dataDir, OPEN_SEARCH: "0", ALLOWED_PRIVATE_HOSTS: "127.0.0.1", ...keys };
  return startProgram([cli, "serve"], { env, until: /API page\s+(http:\S+)\/docs/ });
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

async function multiply(dataDir, id) {
  const [{ openStore }, { newId }] = await Promise.all([
    import("../../dist/store/index.js"),
    import("../../dist/base/index.js"),
  ]);
  const store = await openStore({ dataDir });
  const [result] = await store.jobResults.list(id, 0, 1);
  for (let from = 1; from < count; from += portion) {
    const length = Math.min(portion, count - from);
    const copies = Array.from({ length }, (_, index) => ({ ...result, seq: from + index, pageId: newId() }));
    await store.transaction(({ jobResults }) => jobResults.insert(copies));
  }
  await store.transaction(({ jobs }) => jobs.change(id, { completed: count - 1 }));
  await store.close();
}

async function measure(dataDir, id, format) {
  const server = await startServer(dataDir);
  const idleMb = memoryMb(server.pid);
  let peakMb = idleMb;
  const look = setInterval(() => {
    peakMb = Math.max(peakMb, memoryMb(server.pid));
  }, 50);
  const since = performance.now();
  const { bytes, lines } = await download(`${server.match[1]}/v2/crawl/${id}/export?format=${format}`);
  clearInterval(look);
  const seconds = Math.round((performance.now() - since) / 1000);
  await server.stop();
  const isWhole = format === "jsonl" ? lines === count : bytes > 0;
  return {
    subject: `export of ${count.toLocaleString("en")} documents as ${format}`,
    holds: isWhole && peakMb <= mostMb,
    figure: `peak ${Math.round(peakMb)} MB, idle ${Math.round(idleMb)} MB (bar ${mostMb}); ${Math.round(bytes / 2 ** 20)} MB in ${seconds} s`,
  };
}

function download(url) {
  return new Promise((done, failed) => {
    const asked = get(url, { headers }, (response) => {
      if (response.statusCode !== 200) failed(new Error(`${url} answered ${response.statusCode}`));
      let bytes = 0;
      let lines = 0;
      response.on("data", (chunk) => {
        bytes += chunk.length;
        for (const byte of chunk) if (byte === 10) lines += 1;
      });
      response.on("end", () => done({ bytes, lines }));
      response.on("error", failed);
    });
    asked.on("error", failed);
  });
}
