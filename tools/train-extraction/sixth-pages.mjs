// How right values are on pages of a site when five others of it were read before, and without these.
// As a program it trains rankers that have not seen the site, so that the figures are out of sample:
//   node tools/train-extraction/sixth-pages.mjs FOLDER
// FOLDER has `dev` with the pages and `score.mjs`, which says what is right. Needs `npm run build`.
import { argv } from "node:process";
import { pathToFileURL } from "node:url";
import { featuresOf } from "../../dist/extraction/ranking/features.js";
import { readRanker } from "../../dist/extraction/ranking/ranker.js";
import { withObservation } from "../../dist/extraction/site-rules/count-observations.js";
import { fillRow, findRow, groupOf, openMaterial } from "./pages.mjs";

const taught = 5;

/** `rateOf`: what chooses on a page in the ranker's place. Of a set only sites with more pages than teach count. */
export function scoreSixthPages({ rows, score, strip }, set, rateOf = () => undefined) {
  const sites = groupBySite(rows);
  const read = (row, site) => findRow(row, strip(row.read()), rateOf(row), site);
  const answers = { without: {}, with: {} };
  const asked = [];
  let cut = 0;
  for (const pages of sites.values()) {
    if (pages[0].set !== set || pages.length <= taught) continue;
    const others = pages.length - taught;
    // Each page teaches and is asked, but never both at once.
    for (const [teachers, pupils] of [
      [pages.slice(0, taught), pages.slice(taught)],
      [pages.slice(-taught), pages.slice(0, Math.min(others, taught))],
    ]) {
      const template = teachers.reduce((before, row) => {
        const { observation } = read(row, { use: "observe", rules: before, mayCut: false, mayLearn: true });
        return observation ? withObservation(before, observation) : before;
      }, null);
      for (const row of pupils) {
        const found = read(row, { use: "observe", rules: template, mayCut: true, mayLearn: true });
        if (found.found && !found.observation) cut += 1;
        answers.with[row.id] = { json: fillRow(row, found).data };
        answers.without[row.id] = { json: fillRow(row, read(row)).data };
        asked.push(row);
      }
    }
  }
  const figure = (own) => score(asked, own, { boot: 0, ground: false, strip: true }).macroExact[set];
  return { with: figure(answers.with), without: figure(answers.without), pages: asked.length, cut };
}

function groupBySite(rows) {
  const sites = new Map();
  for (const row of rows) sites.set(row.site, [...(sites.get(row.site) ?? []), row]);
  return sites;
}

if (import.meta.url === pathToFileURL(argv[1] ?? "").href) {
  const material = await openMaterial(argv[2]);
  const { collect } = await import("./rows.mjs");
  const { train } = await import("./training.mjs");
  const questions = collect(material, () => true);
  const rankers = [...new Set(questions.map(({ group }) => group))].map((group) => [
    group,
    readRanker(train(questions.filter((question) => question.group !== group))),
  ]);
  const byGroup = new Map(rankers);
  const rateOf = (row) => (field, candidates, page) =>
    featuresOf(field, candidates, page).map((features) => byGroup.get(groupOf(row)).probability(features));
  console.log(JSON.stringify(scoreSixthPages(material, "swde", rateOf)));
}
