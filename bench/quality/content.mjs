// How well the main content of real pages is found, by the measures that come with the pages: 4-shingle F1 of articles (AEB),
// token F1 by type of page (WCXB), and snippets that must and must not be there. Figures are of three kinds: in-sample (the
// shipped model, which has learned from these pages), out-of-sample (for each fifth of the sites, a model that has learned from
// the other four), and of the latter the fifth that no choice was made by. Bars are for the second kind. Other programs read
// the same pages in the same run.
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { calibrated } from "../../dist/content/main/confidence.js";
import { readModel } from "../../dist/content/main/stored-model.js";
import { readContent } from "../../dist/content/reading/read-content.js";
import { calibrate } from "../../tools/train-content/calibration.mjs";
import { foldCount, heldFold, readHtml, readIndex, readPage } from "../../tools/train-content/pages.mjs";
import { loadRivals } from "../../tools/train-content/rivals.mjs";
import { toFile } from "../../tools/train-content/store.mjs";
import { train } from "../../tools/train-content/training.mjs";
import { contentModel, languageModel, markdownRequest } from "../content-request.mjs";
import { installRivals } from "../install-rivals.mjs";

const types = ["article", "documentation", "forum", "service", "product", "listing", "collection"];
const goals = { forum: 0.87, service: 0.87, product: 0.8, listing: 0.8, collection: 0.78 };
/** Upper ends of the groups: words of the wanted text, and what the confidence says. */
const lengths = [250, 500, 1000, 2500, Number.POSITIVE_INFINITY];
const saidSteps = [0.5, 0.7, 0.8, 0.9, 0.95, 1];
/** Languages with fewer pages are counted together. */
const fewPages = 8;

export async function measure(shared) {
  const folders = ["quality/dev/", "quality/more/"]
    .map((name) => fileURLToPath(new URL(name, shared)))
    .filter(existsSync);
  const scorer = new URL("quality/score.mjs", shared);
  if (folders.length === 0 || !existsSync(scorer)) {
    console.log("skipped main content: the pages with known content are not at ../shared/quality");
    return null;
  }
  installRivals();
  const { mdToText, scorePage } = await import(scorer.href);
  const entries = folders.flatMap((folder) => readIndex(folder).map((entry) => ({ ...entry, folder })));
  const columns = await readAll(entries, (entry, markdown) => scorePage(entry, mdToText(markdown)), scorePage);
  const said = saidOfUnknown(columns["out-of-sample"]);
  printKinds(columns);
  printGroups(columns["out-of-sample"]);
  printReliability(said);
  return [...figuresOf(columns), reliabilityFigure(said)];
}

/** The scores of all pages by who read them. */
async function readAll(entries, scoreMarkdown, scoreText) {
  const pages = entries.map((entry) => readPage(entry.folder, entry));
  const shipped = contentModel();
  const models = Array.from({ length: foldCount }, (_, fold) => readModel(toFile(train(pages, fold))));
  const rivals = await loadRivals();
  const columns = { "in-sample": [], "out-of-sample": [] };
  for (const name of Object.keys(rivals)) columns[name] = [];
  for (const [at, entry] of entries.entries()) {
    const { fold, truth } = pages[at];
    const about = { fold, words: truth?.length ?? 0 };
    const bytes = gunzipSync(readFileSync(`${entry.folder}/${entry.html}`));
    for (const [name, model] of [
      ["in-sample", shipped],
      ["out-of-sample", models[fold]],
    ]) {
      const { markdown = "", metadata = {}, verdicts = [] } = read(entry, bytes, model);
      const { language, quality } = metadata;
      const isLearned = verdicts.some(({ probability }) => probability !== undefined);
      columns[name].push({
        ...scoreMarkdown(entry, markdown),
        ...about,
        language,
        isLearned,
        said: quality?.confidence,
      });
    }
    const html = readHtml(entry.folder, entry);
    for (const [name, { extract, isSlow }] of Object.entries(rivals)) {
      if (isSlow && fold !== heldFold) continue;
      columns[name].push({ ...scoreText(entry, await extract(html, entry.url)), ...about });
    }
  }
  return columns;
}

function read(entry, bytes, model) {
  const { url, charset = null } = entry;
  return readContent(markdownRequest({ bytes, url, charset, explain: true }), { model, languages: languageModel() });
}

/** Each row of the kind: which pages, and which of their scores. */
function rowsOf() {
  const isFull = ({ f, set }) => f !== undefined && set !== "aeb";
  return [
    {
      what: "AEB",
      unit: "shingle F1",
      goal: 0.972,
      value: (scores) => shingleF1(scores.filter(({ set }) => set === "aeb")),
    },
    { what: "WCXB", unit: "token F1", goal: 0.92, value: (scores) => mean(scores.filter(isFull), "f") },
    ...types.map((type) => ({
      what: `WCXB ${type}`,
      unit: "token F1",
      goal: goals[type],
      value: (scores) =>
        mean(
          scores.filter((score) => isFull(score) && score.type === type),
          "f",
        ),
    })),
    { what: "must-have snippets", unit: "present", goal: 0.95, value: (scores) => snippetShare(scores, "tp", "fn") },
    {
      what: "must-not snippets",
      unit: "present",
      goal: 0.06,
      isMaximum: true,
      value: (scores) => snippetShare(scores, "fp", "tn"),
    },
  ];
}

function figuresOf(columns) {
  const { "out-of-sample": ours, ...others } = columns;
  const held = ours.filter(({ fold }) => fold === heldFold);
  return rowsOf()
    .filter(({ goal }) => goal !== undefined)
    .map(({ what, unit, goal, isMaximum, value }) => ({
      what: `Main content, ${what}`,
      value: round(value(ours)),
      unit,
      bar: goal,
      isMinimum: !isMaximum,
      detail: [["held-out fifth", held], ...Object.entries(others)]
        .map(([name, scores]) => `${name} ${round(value(scores))}`)
        .join(", "),
    }));
}

function mean(scores, key) {
  return scores.reduce((sum, score) => sum + score[key], 0) / scores.length;
}

/** As AEB defines it: of the means of precision and recall. */
function shingleF1(scores) {
  const precision = mean(
    scores.filter(({ sp }) => sp !== null),
    "sp",
  );
  const recall = mean(
    scores.filter(({ sr }) => sr !== null),
    "sr",
  );
  return (2 * precision * recall) / (precision + recall);
}

/** Of the pages that are known by snippets alone. */
function snippetShare(scores, hit, miss) {
  const pages = scores.filter(({ f }) => f === undefined);
  const sum = (key) => pages.reduce((total, score) => total + (score[key] ?? 0), 0);
  return sum(hit) / (sum(hit) + sum(miss));
}

/** What the product says of pages of unknown sites: its steps are learned on the other fifths. */
function saidOfUnknown(scores) {
  const known = scores.filter(({ f, said }) => f !== undefined && said !== undefined);
  const stepsOf = Array.from({ length: foldCount }, (_, fold) =>
    calibrate(known.filter((score) => score.isLearned && score.fold !== fold).map(({ said, f }) => [said, f])),
  );
  return known.map((score) => {
    const { said: raw, isLearned, fold } = score;
    return { ...score, raw, said: isLearned ? calibrated(raw, stepsOf[fold]) : raw };
  });
}

function printKinds(columns) {
  const { "out-of-sample": ours } = columns;
  const all = { ...columns, "held-out fifth": ours.filter(({ fold }) => fold === heldFold) };
  const rows = rowsOf().map(({ what, value }) => [what, ...Object.values(all).map(value)]);
  printTable("Main content", Object.keys(all), rows);
}

function printGroups(ours) {
  const full = ours.filter(({ f }) => f !== undefined);
  const counts = countBy(full, languageOf);
  const language = (score) => (counts.get(languageOf(score)) < fewPages ? "others" : languageOf(score));
  const length = ({ words }) => `up to ${lengths.find((most) => words <= most)}`;
  for (const [title, key] of [
    ["Main content by language, out-of-sample", language],
    ["Main content by words of the wanted text, out-of-sample", length],
  ]) {
    const groups = [...countBy(full, key).keys()].map((name) => [name, full.filter((score) => key(score) === name)]);
    groups.sort(([, one], [, other]) => mean(one, "words") - mean(other, "words"));
    printTable(
      title,
      ["pages", "token F1", "recall", "precision"],
      groups.map(([name, scores]) => [name, scores.length, mean(scores, "f"), mean(scores, "r"), mean(scores, "p")]),
    );
  }
}

function languageOf({ language }) {
  return language?.slice(0, 2).toLowerCase() ?? "none";
}

function countBy(scores, key) {
  const counts = new Map();
  for (const score of scores) counts.set(key(score), (counts.get(key(score)) ?? 0) + 1);
  return counts;
}

/** Pages by what is said of them: in steps, with what was reached. */
function printReliability(said) {
  for (const [title, key] of [
    ["metadata.quality.confidence, out-of-sample", "said"],
    ["The same before calibration", "raw"],
  ]) {
    const rows = stepsBy(said, key).map(([most, scores]) => [
      `up to ${most}`,
      scores.length,
      mean(scores, key),
      mean(scores, "f"),
    ]);
    printTable(title, ["pages", "said", "token F1"], rows);
  }
}

function stepsBy(scores, key) {
  const groups = saidSteps.map((most, at) => [
    most,
    scores.filter((score) => score[key] <= most && (at === 0 || score[key] > saidSteps[at - 1])),
  ]);
  return groups.filter(([, members]) => members.length > 0);
}

/** How far what is said is from what is reached, on average over all pages. */
function reliabilityFigure(said) {
  const gap = (key) => {
    const groups = stepsBy(said, key).map(
      ([, scores]) => Math.abs(mean(scores, key) - mean(scores, "f")) * scores.length,
    );
    return groups.reduce((sum, part) => sum + part, 0) / said.length;
  };
  return {
    what: "Main content, confidence away from token F1",
    value: round(gap("said")),
    unit: "mean over pages",
    bar: 0.02,
    detail: `before calibration ${round(gap("raw"))}; ${said.length} pages`,
  };
}

function printTable(title, columns, rows) {
  const cell = (value) =>
    typeof value !== "number" ? value : Number.isInteger(value) ? String(value) : value.toFixed(3);
  console.log([`| ${title} | ${columns.join(" | ")} |`, `|${" --- |".repeat(columns.length + 1)}`].join("\n"));
  for (const row of rows) console.log(`| ${row.map(cell).join(" | ")} |`);
  console.log("");
}

function round(value) {
  return Number(value.toFixed(4));
}
