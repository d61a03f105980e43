// How much of a page's structure its markdown keeps: headings with their levels, code, tables, links, lists, quotes and the rest,
// as facts that a scorer beside the pages takes from their main parts. Other converters read the same pages.
//
// The content model has learned from these pages, so figures of it flatter: docs/decisions/0019-understanding.md has those of models
// that have not seen their sites.
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { readContent } from "../../dist/content/reading/read-content.js";
import { contentModel, languageModel, markdownRequest } from "../content-request.mjs";
import { installRivals } from "../install-rivals.mjs";

const leastMean = 0.94;
const leastOfKind = 0.85;

const file = (path) => fileURLToPath(new URL(path, import.meta.url));

export async function measure(shared) {
  const folder = new URL("quality/fidelity/", shared);
  if (!existsSync(folder)) {
    console.log("skipped structure: the pages and their scorer are not at ../shared/quality/fidelity");
    return null;
  }
  installRivals();
  const scorer = await loadScorer(folder);
  const chosen = new Set(readFileSync(new URL("dev-pages.txt", folder), "utf8").split(/\s+/));
  const pages = scorer.loadIndex(fileURLToPath(new URL("quality/dev/", shared))).filter(({ id }) => chosen.has(id));
  const converters = { ours: ownConverter(), ...loadConverters() };
  const scores = scoreAll(scorer, pages, converters);
  const names = { ...scorer.CORE, ...scorer.EXTRA };
  return figuresOf(scores, names, pages.length);
}

/** The scorer finds its parser among the packages of the rivals. */
async function loadScorer(folder) {
  const place = mkdtempSync(join(tmpdir(), "trawl-structure-"));
  try {
    cpSync(new URL("fidelity.mjs", folder), join(place, "fidelity.mjs"));
    symlinkSync(file("../rivals/node_modules"), join(place, "node_modules"));
    return await import(pathToFileURL(join(place, "fidelity.mjs")).href);
  } finally {
    rmSync(place, { recursive: true });
  }
}

function ownConverter() {
  const model = contentModel();
  return ({ url, charset = null }, bytes) =>
    readContent(markdownRequest({ bytes, url, charset }), { model, languages: languageModel() }).markdown ?? "";
}

function loadConverters() {
  const require = createRequire(new URL("../rivals/package.json", import.meta.url));
  const Turndown = require("turndown");
  const { gfm } = require("turndown-plugin-gfm");
  const { convert } = require("@kreuzberg/html-to-markdown-node");
  const { Readability } = require("@mozilla/readability");
  const { parseHTML } = require("linkedom");
  const turndown = new Turndown({ headingStyle: "atx", codeBlockStyle: "fenced" }).use(gfm).remove(["script", "style"]);
  return {
    "html-to-markdown": (_, __, html) => convert(html).content,
    turndown: (_, __, html) => turndown.turndown(html),
    "Readability and turndown": (_, __, html) =>
      turndown.turndown(new Readability(parseHTML(html).document).parse()?.content ?? ""),
  };
}

/** The scorer's table of each converter. A converter that fails on a page has written nothing there. */
function scoreAll(scorer, pages, converters) {
  const rows = Object.fromEntries(Object.keys(converters).map((name) => [name, []]));
  for (const page of pages) {
    const bytes = page.load();
    const html = scorer.decode(bytes, page.charset);
    const facts = scorer.facts(html, page.url, { expected: page.expected });
    for (const [name, convert] of Object.entries(converters)) {
      const found = scorer.check(
        facts,
        attempt(() => convert(page, bytes, html)),
      );
      const count = ([kind, hits]) => [kind, [hits.filter(Boolean).length, hits.length]];
      rows[name].push({ kinds: Object.fromEntries(Object.entries(found).map(count)) });
    }
  }
  return Object.fromEntries(Object.entries(rows).map(([name, each]) => [name, scorer.tabulate(each)]));
}

function attempt(convert) {
  try {
    return convert();
  } catch {
    return "";
  }
}

function figuresOf({ ours, ...rivals }, names, count) {
  const figure = (what, pick, bar, more = "") => ({
    what: `Markdown structure, ${what}`,
    value: round(pick(ours)),
    unit: "found",
    bar,
    isMinimum: true,
    detail: `${more}${Object.entries(rivals)
      .map(([name, scores]) => `${name} ${round(pick(scores))}`)
      .join(", ")}`,
  });
  const kinds = Object.keys(names).filter((kind) => ours.kinds[kind].total > 0);
  return [
    figure("mean of the kinds", ({ overall }) => overall, leastMean, `${count} pages; `),
    ...kinds.map((kind) =>
      figure(names[kind], (scores) => scores.kinds[kind].share, leastOfKind, `${ours.kinds[kind].total} facts; `),
    ),
  ];
}

function round(value) {
  return Number(value.toFixed(3));
}
