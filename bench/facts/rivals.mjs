// What libraries of the field make of the same pages: detectors of encodings and of languages, and Readability.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { loadRivals } from "../../tools/train-content/rivals.mjs";
import { languageModel } from "../content-request.mjs";

const require = createRequire(new URL("../rivals/package.json", import.meta.url));

/** By figure of the set, then by name: what each reached. */
export async function factRivals(set, rows, shared) {
  if (set === "encodings") return encodingRivals(rows);
  if (set === "languages") return languageRivals(rows);
  return set === "news" ? newsRivals(rows, shared) : {};
}

async function encodingRivals(rows) {
  const chardet = require("chardet");
  const jschardet = require("jschardet");
  const firefox = await loadFirefoxDetector();
  const detectors = {
    "chardetng-wasm": firefox,
    chardet: (bytes) => chardet.detect(bytes),
    jschardet: (bytes) => jschardet.detect(bytes).encoding,
  };
  const counted = rows.filter(({ counted }) => counted);
  return byKind(counted, detectors, (row, detect) => {
    const bytes = row.read();
    return hasWords(new TextDecoder(detect(bytes)).decode(bytes), row.gold);
  });
}

/** The package is made for bundlers; here its two files are joined by hand. */
async function loadFirefoxDetector() {
  const folder = join(dirname(require.resolve("chardetng-wasm/package.json")), "dist");
  const glue = readFileSync(join(folder, "chardetng_wasm_bg.js"), "utf8").replace(
    /import \* as wasm from .*;/,
    "let wasm; export const setWasm = (exports) => { wasm = exports; };",
  );
  const bindings = await import(`data:text/javascript;base64,${Buffer.from(glue).toString("base64")}`);
  const module = new WebAssembly.Module(readFileSync(join(folder, "chardetng_wasm_bg.wasm")));
  bindings.setWasm(new WebAssembly.Instance(module, { "./chardetng_wasm_bg.js": bindings }).exports);
  return (bytes) => {
    const detector = bindings.EncodingDetector.new();
    detector.feed(bytes, true);
    const encoding = detector.guess(undefined, true);
    detector.free();
    return encoding;
  };
}

/** The scorer's rule. */
function hasWords(text, gold) {
  const left = new Map();
  for (const run of letterRuns(text)) left.set(run, (left.get(run) ?? 0) + 1);
  const wanted = letterRuns(gold.join(" "));
  let found = 0;
  for (const run of wanted) {
    if (!left.get(run)) continue;
    left.set(run, left.get(run) - 1);
    found += 1;
  }
  return found >= wanted.length * 0.99 && !text.includes("\ufffd");
}

function letterRuns(text) {
  const runs = text.normalize("NFC").match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return runs.filter((run) => Buffer.byteLength(run) > run.length);
}

async function languageRivals(rows) {
  // Without an entry for require: found by their files.
  const at = (path) => import(new URL(`../rivals/node_modules/${path}`, import.meta.url).href);
  const [{ eld }, { franc }, { detect }] = await Promise.all([
    at("eld/src/entries/static.large.js"),
    at("franc/index.js"),
    at("tinyld/dist/tinyld.normal.node.mjs"),
  ]);
  const detectors = {
    eld: (text) => eld.detect(text).language,
    tinyld: detect,
    franc: (text) => new Intl.Locale(franc(text, { minLength: 3 })).language,
  };
  const result = await byKind(rows, detectors, (row, detectIn) => {
    return isSame(detectIn(sentenceOf(row)), row.language);
  });
  return { sentences: result.sentences, wordpairs: result["word-pairs"] };
}

const sameLanguages = [
  ["no", "nb", "nn"],
  ["id", "ms", "zsm"],
  ["zh", "cmn"],
  ["sr", "sh"],
  ["fa", "pes"],
  ["ar", "arb"],
  ["et", "ekk"],
];

function isSame(said, wanted) {
  return said === wanted || sameLanguages.some((group) => group.includes(said) && group.includes(wanted));
}

function sentenceOf(row) {
  return row
    .read()
    .toString()
    .replace(/<head>[\s\S]*?<\/head>/, "")
    .replace(/<[^>]+>/g, " ")
    .trim();
}

/** How far the confidence of the detector is from how often it is right, over ten ranges of it. */
export async function languageCalibration(rows) {
  const { detectLanguage } = await import("../../dist/detection/index.js");
  const ranges = new Map();
  for (const row of rows) {
    const found = detectLanguage(sentenceOf(row), languageModel());
    if (found === null) continue;
    const range = Math.min(9, Math.floor(found.confidence * 10));
    const { count = 0, said = 0, right = 0 } = ranges.get(range) ?? {};
    const isRight = isSame(found.language, row.language);
    ranges.set(range, { count: count + 1, said: said + found.confidence, right: right + Number(isRight) });
  }
  const all = [...ranges.values()];
  return (
    all.reduce((sum, { said, right }) => sum + Math.abs(said - right), 0) /
    all.reduce((sum, { count }) => sum + count, 0)
  );
}

async function newsRivals(rows, shared) {
  const { tokenPRF } = await import(new URL("quality/score.mjs", shared).href);
  const { Readability } = await loadRivals();
  const articles = rows.filter(({ source, body_text }) => source !== "rouge" && body_text);
  let sum = 0;
  for (const row of articles) {
    const text = await Readability.extract(row.read().toString(), row.url);
    sum += tokenPRF(text, row.body_text)[2];
  }
  return { body: { Readability: sum / articles.length }, rouge: storedRouge(rows) };
}

/** Scores of the outputs that other programs once made of the same pages. */
function storedRouge(rows) {
  const stored = rows.filter(({ source }) => source === "rouge");
  const names = Object.keys(stored[0]?.rivals ?? {});
  return Object.fromEntries(
    names.map((name) => [name, stored.reduce((sum, { rivals }) => sum + rivals[name], 0) / stored.length]),
  );
}

function byKind(rows, detectors, isRight) {
  const result = {};
  for (const kind of new Set(rows.map((row) => row.kind))) {
    const own = rows.filter((row) => row.kind === kind);
    result[kind] = {};
    for (const [name, detect] of Object.entries(detectors)) {
      result[kind][name] = own.filter((row) => attempt(() => isRight(row, detect))).length / own.length;
    }
  }
  return result;
}

function attempt(read) {
  try {
    return read();
  } catch {
    return false;
  }
}
