// Reads the folder of pages with truth, and cuts each page into blocks as the product does.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { PageBlocks } from "../../dist/content/main/blocks.js";
import { readSigns } from "../../dist/content/main/page-signs.js";
import { typeWords } from "../../dist/content/main/page-type.js";
import { findMain } from "../../dist/content/main/rule-based-main.js";
import { wordsOf } from "../../dist/content/main/word-hash.js";
import { addDataText } from "../../dist/content/script-data/add-data-text.js";
import { wholePage } from "../../dist/content/selection/select.js";
import { findConsent, findInvisible } from "../../dist/content/selection/visibility.js";
import { decodeBytes } from "../../dist/detection/encodings/decode-bytes.js";
import { findParts } from "../../dist/html/page-parts.js";
import { parseHtml } from "../../dist/html/parse-page.js";
import { findHidden, takeOut } from "../../dist/safety/hidden-text/remove-hidden.js";
import { labelBlocks } from "./labels.mjs";

export const foldCount = 5;
/** The fifth of the sites that no choice is made by: it is scored once, at the end of a search. */
export const heldFold = 4;

export function readIndex(folder) {
  const packed = join(folder, "index.jsonl.gz");
  const text = existsSync(packed)
    ? gunzipSync(readFileSync(packed)).toString("utf8")
    : readFileSync(join(folder, "index.jsonl"), "utf8");
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}

export function readHtml(folder, entry) {
  const bytes = gunzipSync(readFileSync(join(folder, entry.html)));
  const contentType = entry.charset ? `text/html; charset=${entry.charset}` : "text/html";
  return decodeBytes(bytes, { contentType }).text;
}

/** Pages of one site are alike, so a site is in one fold only. */
function foldOf(url) {
  let hash = 2166136261;
  for (const char of new URL(url).hostname.replace(/^www\./, "")) hash = Math.imul(hash ^ char.charCodeAt(0), 16777619);
  hash ^= hash >>> 15;
  return (hash >>> 0) % foldCount;
}

export function parsePage(html) {
  const { root } = parseHtml(html);
  const parts = findParts(root);
  addDataText(root, parts, "", false);
  const hidden = findHidden(root, parts, { isRendered: false, byAttributes: true });
  takeOut(hidden.nodes);
  const visibility = findInvisible(root, { excludeTags: [], keepNoscript: false, keepHidden: false });
  for (const node of hidden.folded) visibility.folded.add(node);
  for (const element of findConsent(root, visibility.dropped)) visibility.dropped.add(element);
  return { parts, visibility, nodes: wholePage(root, parts) };
}

/** Everything training needs of a page. The tree itself is kept only as far as its blocks point to it. */
export function readPage(folder, entry) {
  const { parts, visibility, nodes } = parsePage(readHtml(folder, entry));
  const { dropped, folded } = visibility;
  const page = new PageBlocks(nodes, dropped);
  const signs = readSigns(parts);
  return {
    id: entry.id,
    set: entry.set,
    type: entry.type,
    fold: foldOf(entry.url),
    page,
    nodes,
    dropped,
    folded,
    signs,
    rules: findMain(nodes, dropped),
    typeWords: typeWords(page, signs),
    truth: entry.expected == null ? null : wordsOf(entry.expected),
    labels: entry.expected == null ? null : labelBlocks(page, wordsOf(entry.expected)),
    with: entry.with?.map(wordsOf) ?? [],
    without: entry.without?.map(wordsOf) ?? [],
  };
}
