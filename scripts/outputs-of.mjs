// `node scripts/outputs-of.mjs CHECKOUT MATERIAL` prints what the built checkout makes of pages and queries of a folder with test
// material, a line each: kind, id and a hash of the output. Two checkouts with the same lines give the same answers.
import { hash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { gunzipSync } from "node:zlib";

const [checkout, material] = process.argv.slice(2).map((folder) => resolve(folder));
const fromCheckout = (path) => import(pathToFileURL(join(checkout, path)).href);
const tell = (kind, id, output) =>
  console.log(`${kind}\t${id}\t${hash("sha256", JSON.stringify(output) ?? "", "hex")}`);

await tellPages(join(material, "quality/dev"));
await tellExtraction(join(material, "extract"));
for (const name of ["dev", "dev-cacm"]) await tellSearch(name, join(material, "search", name));

/** Markdown, HTML, links, pictures and metadata, of the main content and of the whole page. */
async function tellPages(folder) {
  const { readModel } = await fromCheckout("dist/content/main/stored-model.js");
  const { readContent } = await fromCheckout("dist/content/reading/read-content.js");
  const { readLanguageTable } = await fromCheckout("dist/detection/languages/language-table.js");
  const file = (name) => readFileSync(join(checkout, "assets", name));
  const tools = { model: readModel(file("main-content.model")), languages: readLanguageTable(file("languages.model")) };
  const formats = {
    markdown: true,
    html: true,
    rawHtml: false,
    links: true,
    images: true,
    outlinks: true,
    // Asked for by checkouts before the formats were modules.
    attributes: false,
  };
  for (const { id, url, html, charset } of readLines(join(folder, "index.jsonl.gz"))) {
    const bytes = gunzipSync(readFileSync(join(folder, html)));
    const contentType = charset ? `text/html; charset=${charset}` : "text/html";
    for (const onlyMainContent of [true, false]) {
      const request = { bytes, contentType, url, formats, onlyMainContent, removeBase64Images: true };
      // Sentences about what is empty came later in earlier checkouts.
      const { empty: _, ...output } = readContent({ ...request, includeTags: [], excludeTags: [] }, tools);
      tell(onlyMainContent ? "main content" : "whole page", id ?? html, output);
    }
  }
}

async function tellExtraction(folder) {
  const { openMaterial, readRow } = await fromCheckout("tools/train-extraction/pages.mjs");
  const { rows } = await openMaterial(folder);
  for (const row of rows) tell("extraction", row.id, readRow(row, row.read()));
}

/** The whole list of results of each query, best first, without the time at which a page was indexed. */
async function tellSearch(name, folder) {
  const { ask, indexPages, makePage, withStore } = await fromCheckout("bench/local-index.mjs");
  const { createLocalIndex } = await fromCheckout("dist/search/index.js");
  const pages = readLines(join(folder, "docs.jsonl"));
  await withStore(async (store) => {
    await indexPages(
      store,
      pages.map(({ id, title, text }) => makePage(`http://127.0.0.1/d/${id}`, title || "untitled", [], text)),
    );
    const index = createLocalIndex({ store });
    for (const { id, text } of readLines(join(folder, "queries.jsonl"))) {
      // Signs are operators to a query.
      const found = await ask(index, text.replace(/[^\w\s]+/g, " ").slice(0, 500), 50);
      tell(
        `search, ${name}`,
        id,
        found.map(({ date: _, ...result }) => result),
      );
    }
  });
}

function readLines(path) {
  if (!existsSync(path)) throw new Error(`${path} is not there`);
  const bytes = readFileSync(path);
  const text = (path.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString();
  return text.trim().split("\n").map(JSON.parse);
}
