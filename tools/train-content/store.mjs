// A trained model -> the file that the product reads (src/content/main/stored-model.ts).
import { featureNames, pageTypes } from "../../dist/content/main/feature-names.js";
import { modelVersion } from "../../dist/content/main/stored-model.js";
import { lexiconScale } from "./lexicons.mjs";

/** The bytes of the file. `training` and `figures` are for people: the product does not read them. */
export function toFile({ lexicons, types, model }, { training = {}, figures = {}, confidence = [] } = {}) {
  const arrays = {
    ...lexiconArrays("names", lexicons.names),
    ...lexiconArrays("texts", lexicons.texts),
    "types.words": Int32Array.from(types.weights.keys()),
    "types.weights": Int8Array.from([...types.weights.values()].flat(), (weight) => Math.round(weight * types.scale)),
    "trees.depths": Uint8Array.from(model.trees, ({ features }) => features.length),
    "trees.features": Uint8Array.from(model.trees.flatMap(({ features }) => features)),
    "trees.cuts": Float32Array.from(model.trees.flatMap(({ cuts }) => cuts)),
    "trees.leaves": Float32Array.from(model.trees.flatMap(({ values }) => [...values])),
  };
  const header = {
    version: modelVersion,
    about:
      "The model of main content. Written by tools/train-content, not edited by hand. Trained on WCXB (CC-BY-4.0) and " +
      "on AEB: see NOTICE.",
    training,
    figures,
    features: featureNames,
    pageTypes,
    scales: { names: lexiconScale, texts: lexiconScale, types: types.scale },
    typeBias: types.bias,
    base: model.base,
    confidence,
    arrays: Object.entries(arrays).map(([name, array]) => ({ name, type: typeOf(array), length: array.length })),
  };
  const body = Object.values(arrays).map((array) => Buffer.from(array.buffer, array.byteOffset, array.byteLength));
  return Buffer.concat([Buffer.from(`${JSON.stringify(header, null, 1)}\n\n`), ...body]);
}

function lexiconArrays(name, lexicon) {
  return {
    [`${name}.words`]: Int32Array.from(lexicon.keys()),
    [`${name}.weights`]: Int8Array.from(lexicon.values(), (weight) => Math.round(weight * lexiconScale)),
  };
}

/** Float32Array -> float32 */
function typeOf(array) {
  return array.constructor.name.replace("Array", "").toLowerCase();
}
