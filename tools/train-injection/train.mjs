// Makes src/safety/injection/intent-model.json, which tells texts that talk to a model from others by what their words do:
//   npm run build && node tools/train-injection/train.mjs            trains, prints how well unseen kinds are found, and writes the model
//   node tools/train-injection/train.mjs --check                     prints, and writes nothing
// It learns from the texts beside this file, from pages of ../shared/facts (four fifths by kind; the other fifth is for
// `npm run bench -- facts injection unopened`) and, as texts that address no model, from real pages of ../shared. The same texts make the same model.
import { readFileSync, writeFileSync } from "node:fs";
import { intentFeaturesOf } from "../../dist/safety/injection/intent-features.js";
import { fit, scoreOf } from "./fit.mjs";
import { harmlessTexts, sharedAttacks, textsOfFile } from "./texts.mjs";

const file = new URL("../../src/safety/injection/intent-model.json", import.meta.url);
const leastWeight = 0.1;
const leastTexts = 4;
/** Share of harmless texts that may be taken for attacks; a page has a few texts. */
const onSubject = 2.5;
const leastScore = 0.5;
const alarmShare = 0.004;

const attacks = [...textsOfFile("attacks.txt"), ...sharedAttacks()].map((each) => ({ ...each, label: 1 }));
const harmless = [...textsOfFile("harmless.txt"), ...harmlessTexts()].map((each) => ({ ...each, label: 0 }));
const rows = [...attacks, ...harmless].map((each) => ({ ...each, features: [...intentFeaturesOf(each.text, each)] }));
/** What few texts have says something of these texts only. */
const counts = new Map();
for (const { features } of rows) for (const name of features) counts.set(name, (counts.get(name) ?? 0) + 1);
for (const row of rows) row.size = row.features.length;
for (const row of rows) row.features = row.features.filter((name) => counts.get(name) >= leastTexts);
console.log(`${attacks.length} texts that talk to a model, ${harmless.length} that do not`);

/** Every group of attacks is judged by a model that has seen none of it; harmless texts by one that has not seen their page. */
for (const [name, groupOf] of [
  ["kind", ({ kind }) => kind],
  ["carrier", ({ carrier }) => carrier],
]) {
  const outside = crossValidate(groupOf);
  const least = thresholdOf(outside.filter(({ row }) => row.kind === "page"));
  const found = outside.filter(({ row, score }) => row.label === 1 && score > least);
  const all = outside.filter(({ row }) => row.label === 1);
  const human = outside.filter(({ row }) => row.label === 0 && row.kind !== "page");
  console.log(`hard harmless alarms ${share(human.filter(({ score }) => score > least).length, human.length)}`);
  console.log(
    `leave one ${name} out: recall ${share(found.length, all.length)} at ${alarmShare} alarms (above ${least.toFixed(2)})`,
  );
  if (process.argv.includes("--curve"))
    for (const t of [0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 5]) {
      const bare = (row) =>
        /\b(?:your|deine|ta|ton|tu|sua|tua|je) (?:answer|response|reply|output|summary|message|code|solution|antwort|r[eé]ponse|respuesta|resposta|risposta|antwoord)/i.test(
          row.text,
        );
      const pick = (test) => outside.filter(({ row }) => test(row));
      const rate = (list) => share(list.filter(({ score }) => score > t).length, list.length);
      console.log(
        "  at",
        t,
        "dev",
        rate(pick((row) => row.label && !/own/.test(row.carrier))),
        "dev bare",
        rate(pick((row) => row.label && row.carrier === "bare")),
        "own",
        rate(pick((row) => row.label && /own/.test(row.carrier))),
        "hard answer",
        rate(pick((row) => !row.label && row.kind !== "page" && bare(row))),
        "hard other",
        rate(pick((row) => !row.label && row.kind !== "page" && !bare(row))),
        "page",
        pick((row) => row.kind === "page").filter(({ score }) => score > t).length,
      );
    }
  const groups = [...new Set(all.map(({ row }) => groupOf(row)))].sort();
  console.log(
    `  ${groups.map((group) => `${group} ${share(found.filter(({ row }) => groupOf(row) === group).length, all.filter(({ row }) => groupOf(row) === group).length)}`).join(", ")}`,
  );
  if (process.argv.includes("--wrong"))
    for (const { row, score } of outside)
      if (row.label === 1 ? score <= least : score > 0.3)
        console.log("   ", row.label, score.toFixed(1), row.kind, row.carrier, JSON.stringify(row.text.slice(0, 140)));
}

function crossValidate(groupOf) {
  const groups = [...new Set(attacks.map(groupOf))].sort();
  const folds = Math.min(12, groups.length);
  const foldOf = (row) => (row.label === 1 ? groups.indexOf(groupOf(row)) : row.fold) % folds;
  return Array.from({ length: folds }, (_, fold) => {
    const weights = fit(rows.filter((row) => foldOf(row) !== fold));
    return rows.filter((row) => foldOf(row) === fold).map((row) => ({ row, score: scoreOf(row, weights) }));
  }).flat();
}

function thresholdOf(outside) {
  const scores = outside.map(({ score }) => score).sort((one, other) => other - one);
  return Math.max(0, scores[Math.ceil(scores.length * alarmShare)] ?? 0, leastScore);
}

function share(part, all) {
  return (part / Math.max(1, all)).toFixed(3);
}

if (!process.argv.includes("--check")) {
  const weights = fit(rows);
  const least = thresholdOf(crossValidate(({ carrier }) => carrier).filter(({ row }) => row.kind === "page"));
  const kept = [...weights]
    .filter(([, weight]) => Math.abs(weight) >= leastWeight)
    .sort(([one], [other]) => (one < other ? -1 : 1));
  const stored = {
    about: `Made by tools/train-injection from ${attacks.length} texts that talk to a model and ${harmless.length} that do not`,
    least: Math.round(least * 100) / 100,
    leastOnSubject: Math.round((least + onSubject) * 100) / 100,
    weights: Object.fromEntries(kept.map(([name, weight]) => [name, Math.round(weight * 100) / 100])),
  };
  writeFileSync(file, `${JSON.stringify(stored)}\n`);
  console.log(`${kept.length} weights of ${weights.size}, ${readFileSync(file).length} bytes`);
}
