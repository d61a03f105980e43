// Pages with schemas and right answers, read as the product reads them.
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { bareRequest, contentModel, languageModel } from "../../bench/content-request.mjs";
import { readContent } from "../../dist/content/reading/read-content.js";
import { fill } from "../../dist/extraction/filling/fill.js";
import { readPage } from "../../dist/extraction/reading/schema-reader.js";

const groupCount = 5;
const model = contentModel();

/** The folder holds the pages in `dev` and, in `score.mjs`, what counts as right. */
export async function openMaterial(folder) {
  const scorer = await import(pathToFileURL(join(resolve(folder), "score.mjs")).href);
  return { ...scorer, rows: scorer.load(join(resolve(folder), "dev")) };
}

/** Pages of one site are alike, so a site is in one group only. */
export function groupOf({ site }) {
  let hash = 2166136261;
  for (const char of site) hash = Math.imul(hash ^ char.charCodeAt(0), 16777619);
  hash ^= hash >>> 15;
  return (hash >>> 0) % groupCount;
}

/** What a caller gets for the page and its schema. `rate` may look at the candidates, and choose in the ranker's place. */
export function readRow(row, bytes, rate) {
  return fillRow(row, findRow(row, bytes, rate));
}

export function fillRow(row, finding) {
  return fill({ schema: row.schema, pages: [{ url: urlOf(row), finding }] });
}

/** What is found on the page. `site`: how rules that other pages of its host taught are used. */
export function findRow(row, bytes, rate, site) {
  const readerInput = { schema: row.schema, prompt: null, ...(site ? { site } : {}) };
  const request = bareRequest({ bytes, charset: row.charset ?? "utf-8", url: urlOf(row), readerInput });
  const { found } = readContent(request, {
    model,
    languages: languageModel(),
    readPage: (source, input) => readPage(source, input, rate),
  });
  return found ?? { found: null };
}

function urlOf({ url }) {
  try {
    const { pathname, search } = new URL(url);
    return `http://127.0.0.1${pathname}${search}`;
  } catch {
    return "http://127.0.0.1/";
  }
}
