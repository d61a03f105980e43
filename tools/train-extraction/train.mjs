// Trains the ranker of candidates from a folder of pages with schemas and right answers:
//   node tools/train-extraction/train.mjs FOLDER          trains on all pages and writes src/extraction/ranking/ranker.json
//   node tools/train-extraction/train.mjs FOLDER --cv     cross-validates by site instead, without the fifth that is kept back
//   node tools/train-extraction/train.mjs FOLDER --kept   trains without the fifth that is kept back and reports on it
//   --figures JSON when it writes: what the cross-validation printed, for the head of the file
// FOLDER has `dev` with the pages and `score.mjs`, which says what is right. Needs `npm run build`. Deterministic: same folder, same
// file.
import { writeFileSync } from "node:fs";
import { calibrated } from "../../dist/content/main/confidence.js";
import { readRanker } from "../../dist/extraction/ranking/ranker.js";
import { figuresOf, reliabilityOf } from "./figures.mjs";
import { rateUnseen, stepsOf } from "./folds.mjs";
import { groupOf, openMaterial } from "./pages.mjs";
import { collect } from "./rows.mjs";
import { settings, train } from "./training.mjs";

const [folder, ...options] = process.argv.slice(2);
if (folder === undefined) {
  console.error("node tools/train-extraction/train.mjs FOLDER [--cv | --kept] [--figures JSON]");
  process.exit(2);
}
/** Sites of this group are opened once, at the end. */
const keptGroup = 0;
const material = await openMaterial(folder);

function crossValidate() {
  const questions = collect(material, (row) => groupOf(row) !== keptGroup);
  const unseen = rateUnseen(questions);
  const seen = readRanker(train(questions));
  report("in sample", questions, ({ features }) => seen.probability(features));
  const groups = new Set(questions.map(({ group }) => group));
  // The confidence of a group's values is learned from the other groups, too.
  const confidences = new Map(
    [...groups].map((group) => {
      const steps = stepsOf(
        questions.filter((question) => question.group !== group),
        unseen,
      );
      return [group, (rating) => calibrated(rating, steps)];
    }),
  );
  report(
    "out of sample",
    questions,
    (one) => unseen.get(one),
    ({ group }) => confidences.get(group),
  );
}

function reportKept() {
  const questions = collect(material, () => true);
  const others = questions.filter(({ group }) => group !== keptGroup);
  const steps = stepsOf(others, rateUnseen(others));
  const ranker = readRanker(train(others));
  const kept = questions.filter(({ group }) => group === keptGroup);
  report(
    "kept back",
    kept,
    ({ features }) => ranker.probability(features),
    () => (rating) => calibrated(rating, steps),
  );
}

function report(name, questions, likelihood, confidenceOf) {
  const { scores, ...figures } = figuresOf(questions, likelihood, 10);
  for (const [figure, value] of Object.entries(figures)) figures[figure] = Number(value.toFixed(3));
  console.log(`${name} ${JSON.stringify(figures)}`);
  for (const { from, count, said, right } of reliabilityOf(questions, likelihood, confidenceOf))
    if (count > 0) console.log(`  said ${said.toFixed(2)} right ${right.toFixed(2)} (${count} values from ${from})`);
}

function writeRanker() {
  const questions = collect(material, () => true);
  const at = options.indexOf("--figures");
  const { features, base, trees } = train(questions);
  const stored = {
    about: "How likely a candidate is the value of a field. Trained by: node tools/train-extraction/train.mjs FOLDER",
    training: { pages: material.rows.length, sites: new Set(material.rows.map(({ site }) => site)).size, ...settings },
    figures: at === -1 ? {} : JSON.parse(options[at + 1]),
    confidence: stepsOf(questions, rateUnseen(questions)),
    features,
    base,
    trees,
  };
  const target = new URL("../../src/extraction/ranking/ranker.json", import.meta.url);
  writeFileSync(target, `${JSON.stringify(stored, null, 2)}\n`);
}

if (options.includes("--cv")) crossValidate();
else if (options.includes("--kept")) reportKept();
else writeRanker();
