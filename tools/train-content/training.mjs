// Pages -> a model. Words and page types are learned from other sites than those whose blocks they describe, so that the
// trees meet them in training as they will meet them on unknown sites.
import { readFeatures } from "../../dist/content/main/block-features.js";
import { featureNames } from "../../dist/content/main/feature-names.js";
import { rulesFor } from "../../dist/content/main/learned-main.js";
import { typeProbabilities } from "../../dist/content/main/page-type.js";
import { makeBins, trainTrees } from "./boosted-trees.mjs";
import { countWords, makeLexicon, makeTypeModel } from "./lexicons.mjs";
import { foldCount } from "./pages.mjs";

export const settings = {
  seed: 1,
  /** So many models are trained, with one seed after the other, and their odds averaged. */
  models: 2,
  trees: 128,
  depth: 6,
  rate: 0.12,
  smoothing: 20,
  columnShare: 0.25,
  rowShare: 0.4,
  /** A block weighs its words to this power; all pages of a type weigh the same. */
  lengthPower: 0.75,
  pageWeight: 250,
  /** Most pages are articles: those of all other types weigh so much more. */
  otherTypes: 2,
};

/** Lexicons and page types, learned from the pages of some folds. */
function learnWords(pages, counts, isUsed) {
  const used = counts.filter((_, at) => isUsed(pages[at].fold));
  return {
    lexicons: { names: makeLexicon(used, "names"), texts: makeLexicon(used, "texts") },
    types: makeTypeModel(pages.filter(({ fold }) => isUsed(fold))),
  };
}

/** Trains on the pages with a full text, of all folds but `without` (-1: of all of them). */
export function train(allPages, without) {
  const pages = allPages.filter(({ truth }) => truth !== null && truth.length > 0);
  const counts = pages.map(countWords);
  const folds = Array.from({ length: foldCount }, (_, fold) => fold).filter((fold) => fold !== without);
  const columns = featureNames.map(() => []);
  const labels = [];
  const weights = [];
  for (const fold of folds) {
    const words = learnWords(pages, counts, (other) => other !== without && other !== fold);
    for (const page of pages) if (page.fold === fold) addRows(page, words, columns, labels, weights);
  }
  const binned = makeBins(columns.map((column) => Float32Array.from(column)));
  const models = Array.from({ length: settings.models }, (_, at) =>
    trainTrees(binned, Float32Array.from(labels), Float32Array.from(weights), {
      ...settings,
      seed: settings.seed + at,
    }),
  );
  return { ...learnWords(pages, counts, (fold) => fold !== without), model: averageOf(models) };
}

/** One model whose odds are the mean of those of all: their trees one after the other, each saying a share. */
function averageOf(models) {
  const share = 1 / models.length;
  return {
    base: Math.fround(models.reduce((sum, { base }) => sum + base, 0) * share),
    trees: models.flatMap(({ trees }) =>
      trees.map((tree) => ({ ...tree, values: tree.values.map((value) => value * share) })),
    ),
  };
}

function addRows(page, words, columns, labels, weights) {
  const read = featuresOf(page, words);
  const { blocks } = page.page;
  const masses = blocks.map(({ wordFirst, wordEnd }, at) =>
    Number.isNaN(page.labels[at]) ? 0 : (wordEnd - wordFirst) ** settings.lengthPower,
  );
  const total = masses.reduce((sum, mass) => sum + mass, 0);
  const scale = (settings.pageWeight * (page.type === "article" ? 1 : settings.otherTypes)) / total;
  for (let at = 0; at < blocks.length; at += 1) {
    if (masses[at] === 0) continue;
    labels.push(page.labels[at]);
    weights.push(masses[at] * scale);
    for (let column = 0; column < columns.length; column += 1) columns[column].push(read[column][at]);
  }
}

function featuresOf({ page, nodes, dropped, folded, signs, rules, typeWords }, words) {
  const types = typeProbabilities(words.types, typeWords);
  return readFeatures(page, folded, signs, words.lexicons, types, rulesFor(types, rules, nodes, dropped)).columns;
}
