// What libraries of the field make of the same pages: detectors of encodings and of languages, and Readability.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { loadRivals } from "../../tools/train-content/rivals.mjs";

const require = createRequire(new URL("../rivals/package.json", import.meta.url));

/** By figure of the set, then by name: what each reached. */
export async function factRivals(set, rows) {
  if (set === "encodings") return encodingRivals(rows);
  if (set === "languages") return languageRivals(rows);
  return set === "news" ? newsRivals(rows) : {};
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
  const at = (name) => import(pathToFileURL(require.resolve(name)).href);
  const [{ eld }, { franc }, { detect }] = await Promise.all([at("eld/large"), at("franc"), at("tinyld")]);
  const detectors = {
    eld: (text) => eld.detect(text).language,
    tinyld: detect,
    franc: (text) => new Intl.Locale(franc(text, { minLength: 3 })).language,
  };
  const same = [
    ["no", "nb", "nn"],
    ["id", "ms", "zsm"],
    ["zh", "cmn"],
    ["sr", "sh"],
    ["fa", "pes"],
    ["ar", "arb"],
    ["et", "ekk"],
  ];
  const isSame = (said, wanted) =>
    said === wanted || same.some((group) => group.includes(said) && group.includes(wanted));
  const result = await byKind(rows, detectors, (row, detectIn) => {
    const text = row
      .read()
      .toString()
      .replace(/<head>[\s\S]*?<\/head>/, "")
      .replace(/<[^>]+>/g, " ")
      .trim();
    return isSame(detectIn(text), row.language);
  });
  return { sentences: result.sentences, wordpairs: result["word-pairs"] };
}

async function newsRivals(rows) {
  const { tokenPRF } = await import(new URL("../../../shared/quality/score.mjs", import.meta.url).href);
  const { Readability } = await loadRivals();
  const articles = rows.filter(({ source, body_text }) => source !== "rouge" && body_text);
  let sum = 0;
  for (const row of articles) {
    const text = await Readability.extract(row.read().toString(), row.url);
    sum += tokenPRF(text, row.body_text)[2];
  }
  return { body: { Readability: sum / articles.length } };
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
