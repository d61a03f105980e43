// Trains the model of main content from a folder of pages with truth:
//   node tools/train-content/train.mjs FOLDER            trains on all pages and writes assets/main-content.model
//   node tools/train-content/train.mjs FOLDER --cv       cross-validates by site instead, beside the rivals
//   --figures JSON without --cv: what the cross-validation printed for "all ours", for the header of the file
//   --save FILE with --cv: the markdown of each page by the model that has not seen its site, as {id: markdown}
// Needs `npm run build`, and for --cv `npm ci` in bench/rivals. Deterministic: same folder, same file.
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { PageUrls } from "../../dist/content/links/page-urls.js";
import { findLearnedMain } from "../../dist/content/main/learned-main.js";
import { findMain } from "../../dist/content/main/main.js";
import { readModel } from "../../dist/content/main/stored-model.js";
import { wordsOf } from "../../dist/content/main/word-hash.js";
import { toMarkdown } from "../../dist/content/markdown/markdown.js";
import { figuresOf } from "./figures.mjs";
import { foldCount, parsePage, readHtml, readIndex, readPage } from "./pages.mjs";
import { loadRivals } from "./rivals.mjs";
import { toFile } from "./store.mjs";
import { settings, train } from "./training.mjs";

const [folder, ...options] = process.argv.slice(2);
if (folder === undefined) {
  console.error("node tools/train-content/train.mjs FOLDER [--figures JSON] [--cv] [--save FILE]");
  process.exit(2);
}
const entries = readIndex(folder);
const pages = entries.map((entry) => readPage(folder, entry));

function writeModel() {
  const target = fileURLToPath(new URL("../../assets/main-content.model", import.meta.url));
  const used = entries.filter(({ expected }) => expected);
  const training = {
    command: "node tools/train-content/train.mjs FOLDER",
    pages: used.length,
    sites: new Set(used.map(({ url }) => new URL(url).hostname)).size,
    ...settings,
  };
  writeFileSync(target, toFile(train(pages, -1), training, readFigures()));
}

function readFigures() {
  const at = options.indexOf("--figures");
  return at === -1 ? {} : JSON.parse(options[at + 1]);
}

function crossValidate() {
  const rivals = loadRivals();
  const results = new Map([["ours", []], ...Object.keys(rivals).map((name) => [name, []])]);
  const markdown = {};
  for (let fold = 0; fold < foldCount; fold += 1) {
    const model = readModel(toFile(train(pages, fold)));
    const inFold = new Map([...results.keys()].map((name) => [name, []]));
    for (const [at, page] of pages.entries()) {
      if (page.fold !== fold) continue;
      const { set, type, truth } = page;
      const html = readHtml(folder, entries[at]);
      const known = { set, type, truth, with: page.with, without: page.without };
      const main = mainOf(html, model);
      markdown[page.id] = toMarkdown(main.nodes, {
        urls: new PageUrls(entries[at].url, main.baseHref),
        dropped: main.dropped,
        removeBase64Images: true,
      });
      inFold
        .get("ours")
        .push({ ...known, words: wordsOf(main.nodes.map((node) => ` ${visibleText(node, main.dropped)} `).join("")) });
      for (const [name, extract] of Object.entries(rivals))
        inFold.get(name).push({ ...known, words: attempt(extract, html) });
    }
    for (const [name, rows] of inFold) {
      console.log(`fold ${fold} ${name} ${JSON.stringify(figuresOf(rows))}`);
      results.get(name).push(...rows);
    }
  }
  for (const [name, rows] of results) console.log(`all ${name} ${JSON.stringify(figuresOf(rows))}`);
  const at = options.indexOf("--save");
  if (at !== -1) writeFileSync(options[at + 1], JSON.stringify(markdown));
}

function mainOf(html, model) {
  const { parts, visibility, nodes } = parsePage(html);
  const rules = findMain(nodes, visibility.dropped);
  const main = findLearnedMain(nodes, visibility.dropped, visibility.folded, parts, rules, model) ?? rules;
  return { ...main, baseHref: parts.baseHref };
}

/** Markdown shows nothing of these. */
const silent = new Set(["select", "textarea", "datalist", "script", "iframe"]);

/** Words that touch across elements are apart on the screen. */
function visibleText(node, dropped) {
  if (dropped.has(node)) return "";
  if (node.type === "text") return node.data;
  if (!node.children || silent.has(node.name)) return "";
  const inner = node.children.map((child) => visibleText(child, dropped)).join("");
  return /^(?:a|b|i|em|strong|span|code|sup|sub|u|s|small|mark|abbr|font|cite|q|time)$/.test(node.name)
    ? inner
    : ` ${inner} `;
}

/** A rival that fails on a page has found nothing there. */
function attempt(extract, html) {
  try {
    return extract(html);
  } catch {
    return [];
  }
}

if (options.includes("--cv")) crossValidate();
else writeModel();
