// `node scripts/responses-of.mjs CHECKOUT MATERIAL PORT` serves the built checkout, sends it pages and files of a folder with test
// material through the public API, and prints a line for each: kind, id, a hash of the response and a hash of its messages. The
// pages come from PORT, so that two checkouts see the same URLs. Only HTTP is used: the two may be built in any way.
import { hash } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { gunzipSync } from "node:zlib";
import { startProgram } from "../bench/measure.mjs";

const [checkout, material] = process.argv.slice(2, 4).map((folder) => resolve(folder));
const port = Number(process.argv[4]);
/** Files and pages beyond a share would take an hour. */
const everyNth = 8;
const key = "fc-0123456789abcdef0123456789abcdef";

const pages = new Map();
for (const name of ["quality/dev", "quality/more"])
  for (const [place, page] of readLines(join(material, name, "index.jsonl.gz")).entries())
    if (place % everyNth === 0) pages.set(page.id, { ...page, file: join(material, name, page.html) });

const site = createServer((request, response) => {
  const page = pages.get(decodeURIComponent(request.url.slice(1)));
  if (page === undefined) return response.writeHead(404).end();
  const charset = page.charset ? `; charset=${page.charset}` : "";
  response.writeHead(200, { "content-type": `text/html${charset}` }).end(gunzipSync(readFileSync(page.file)));
});
await new Promise((listening) => site.listen(port, "127.0.0.1", listening));

const folder = mkdtempSync(join(tmpdir(), "trawl-prove-"));
const server = await startProgram([join(checkout, "dist/cli.js"), "serve"], {
  env: {
    PORT: "0",
    HOST: "127.0.0.1",
    DATA_DIR: folder,
    TRAWL_API_KEYS: `prove:${key}:0`,
    ALLOWED_PRIVATE_HOSTS: "127.0.0.1",
    HOST_CONCURRENCY: "16",
    RATE_LIMIT_SCRAPE: "1000000",
    RATE_LIMIT_PARSE: "1000000",
    OPEN_SEARCH: "0",
    LOG_LEVEL: "error",
  },
  until: /API page\s+(http:\S+)\/docs/,
});

const schema = {
  type: "object",
  properties: {
    title: { type: "string" },
    author: { type: "string" },
    price: { type: "number" },
    date: { type: "string" },
    links: {
      type: "array",
      items: { type: "object", properties: { name: { type: "string" }, url: { type: "string" } } },
    },
  },
};
const pageFormats = [
  ...["markdown", "html", "links", "images", "tables", "summary", "product", "menu", "audio", "video"],
  { type: "json", schema, evidence: true },
  { type: "question", question: "Who wrote it, and when?" },
  { type: "highlights", query: "price of the product" },
  { type: "chunks", maxTokens: 200 },
  { type: "attributes", selectors: [{ selector: "a[href^='/']", attribute: "href" }] },
];

try {
  await each([...pages.keys()], async (id) => {
    const url = `http://127.0.0.1:${port}/${id}`;
    tell("page", id, await scrape({ url, formats: pageFormats, onlyMainContent: true }));
    tell(
      "whole page, personal data out",
      id,
      await scrape({ url, formats: ["markdown"], onlyMainContent: false, redactPII: true }),
    );
  });
  const files = ["documents/dev", "documents/dev2"].flatMap((name) =>
    readLines(join(material, name, "index.jsonl.gz"))
      .filter((_, place) => place % everyNth === 0)
      .map((file) => ({ ...file, path: join(material, name, file.file) })),
  );
  await each(files, async ({ id, path, name }) => tell("file", id, await parse(path, name)));
} finally {
  await server.stop();
  site.close();
  rmSync(folder, { recursive: true, force: true });
}

async function each(items, work) {
  const waiting = [...items];
  const inTurn = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item);
  };
  await Promise.all([inTurn(), inTurn(), inTurn()]);
}

async function scrape(body) {
  return ask("/v2/scrape", JSON.stringify({ ...body, maxAge: 0, storeInCache: false, timeout: 120_000 }), {
    "content-type": "application/json",
  });
}

async function parse(path, name) {
  const form = new FormData();
  form.set("file", new Blob([readFileSync(path)]), name);
  form.set("options", JSON.stringify({ formats: ["markdown", "html", "links", "images", "tables"], timeout: 120_000 }));
  return ask("/v2/parse", form, {});
}

async function ask(path, body, headers) {
  const response = await fetch(server.match[1] + path, {
    method: "POST",
    headers: { ...headers, authorization: `Bearer ${key}` },
    body,
  });
  return { status: response.status, body: await response.json() };
}

/** Messages apart, and without what differs from run to run. */
function tell(kind, id, { status, body }) {
  const messages = [];
  const kept = JSON.stringify(body, (name, value) => {
    if (/^(?:scrapeId|id|cachedAt|requestId|timestamp|indexedAt)$/.test(name)) return undefined;
    if (/^(?:warning|error|message)$/.test(name) && typeof value === "string") return void messages.push(value);
    return value;
  });
  console.log(`${kind}\t${id}\t${hash("sha256", `${status} ${kept}`, "hex")}`);
  console.log(`messages of a ${kind}\t${id}\t${hash("sha256", messages.join("\n"), "hex")}`);
}

function readLines(path) {
  if (!existsSync(path)) throw new Error(`${path} is not there`);
  return gunzipSync(readFileSync(path)).toString().trim().split("\n").map(JSON.parse);
}
