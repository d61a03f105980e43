// Trains the model of main content from folders of pages with truth:
//   node tools/train-content/train.mjs FOLDER …          cross-validates by site, trains on all pages and writes
//                                                        assets/main-content.model with the figures in its header
//   node tools/train-content/train.mjs FOLDER … --cv     cross-validates on four fifths of the sites, beside the rivals: choices
//                                                        are made by these figures
//   node tools/train-content/train.mjs FOLDER … --held   what a model of these four fifths makes of the fifth that they leave
// Needs `npm run build`, and for --cv and --held `npm ci` in bench/rivals. Deterministic: same folder, same file.
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { findLearnedMain } from "../../dist/content/main/learned-main.js";
import { findMain } from "../../dist/content/main/rule-based-main.js";
import { readModel } from "../../dist/content/main/stored-model.js";
import { wordsOf } from "../../dist/content/main/word-hash.js";
import { calibrate } from "./calibration.mjs";
import { figuresOf, tokenScore } from "./figures.mjs";
import { foldCount, heldFold, parsePage, readHtml, readIndex, readPage } from "./pages.mjs";
import { loadRivals } from "./rivals.mjs";
import { toFile } from "./store.mjs";
import { settings, train } from "./training.mjs";

const options = process.argv.slice(2).filter((word) => word.startsWith("--"));
const folders = process.argv.slice(2).filter((word) => !word.startsWith("--"));
if (folders.length === 0) {
  console.error("node tools/train-content/train.mjs FOLDER … [--cv] [--held]");
  process.exit(2);
}
const entries = folders.flatMap((folder) => readIndex(folder).map((entry) => ({ ...entry, folder })));
const pages = entries.map((entry) => readPage(entry.folder, entry));
const allFolds = Array.from({ length: foldCount }, (_, fold) => fold);
const openFolds = allFolds.filter((fold) => fold !== heldFold);

async function writeModel() {
  const target = fileURLToPath(new URL("../../assets/main-content.model", import.meta.url));
  const used = entries.filter(({ expected }) => expected);
  const training = {
    command: `node tools/train-content/train.mjs${" FOLDER".repeat(folders.length)}`,
    pages: used.length,
    sites: new Set(used.map(({ url }) => new URL(url).hostname)).size,
    ...settings,
  };
  const { ours } = await crossValidate(allFolds, pages, {});
  const said = ours.filter(({ truth, confidence }) => truth !== null && confidence !== undefined);
  const confidence = calibrate(said.map((page) => [page.confidence, tokenScore(page.words, page.truth).f1]));
  writeFileSync(target, toFile(train(pages, -1), { training, figures: figuresOf(ours), confidence }));
}

/** Every fold's pages by a model of the others of `known`. */
async function crossValidate(folds, known, rivals) {
  const results = Object.fromEntries(["ours", ...Object.keys(rivals)].map((name) => [name, []]));
  for (const fold of folds) {
    const model = readModel(toFile(train(known, fold)));
    for (const [at, page] of pages.entries()) {
      if (page.fold !== fold) continue;
      const { set, type, truth } = page;
      const html = readHtml(entries[at].folder, entries[at]);
      const about = { fold, set, type, truth, with: page.with, without: page.without };
      const main = mainOf(html, model);
      const text = main.nodes.map((node) => ` ${visibleText(node, main.dropped)} `).join("");
      results.ours.push({ ...about, words: wordsOf(text), confidence: main.quality?.confidence });
      for (const [name, { extract, isSlow }] of Object.entries(rivals)) {
        if (isSlow && fold !== heldFold) continue;
        results[name].push({ ...about, words: wordsOf(await extract(html, entries[at].url)) });
      }
    }
  }
  return results;
}

async function report(folds) {
  const known = pages.filter(({ fold }) => fold !== heldFold);
  const results = await crossValidate(folds, known, await loadRivals());
  for (const [name, rows] of Object.entries(results)) {
    for (const fold of folds)
      console.log(`fold ${fold} ${name} ${JSON.stringify(figuresOf(rows.filter((row) => row.fold === fold)))}`);
    console.log(`all ${name} ${JSON.stringify(figuresOf(rows))}`);
  }
}

function mainOf(html, model) {
  const { parts, visibility, nodes } = parsePage(html);
  const rules = findMain(nodes, visibility.dropped);
  return findLearnedMain(nodes, visibility.dropped, visibility.folded, parts, rules, model) ?? rules;
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

if (options.includes("--cv")) await report(openFolds);
else if (options.includes("--held")) await report([heldFold]);
else await writeModel();
