// A trained model -> the form the product reads (src/content/main/model.ts), and the source file that holds it.
import { pageTypes } from "../../dist/content/main/page-type.js";
import { lexiconScale } from "./lexicons.mjs";

export function toStored({ lexicons, types, model }, about) {
  const words = [...types.weights.keys()];
  return {
    about,
    names: storeLexicon(lexicons.names),
    texts: storeLexicon(lexicons.texts),
    types: {
      bias: types.bias,
      words: base64(Int32Array.from(words)),
      weights: base64(
        Int8Array.from(
          words.flatMap((word) => types.weights.get(word).map((weight) => Math.round(weight * types.scale))),
        ),
      ),
      scale: types.scale,
    },
    trees: {
      base: model.base,
      depths: base64(Uint8Array.from(model.trees, ({ features }) => features.length)),
      features: base64(Uint8Array.from(model.trees.flatMap(({ features }) => features))),
      cuts: base64(Float32Array.from(model.trees.flatMap(({ cuts }) => cuts))),
      leaves: base64(Float32Array.from(model.trees.flatMap(({ values }) => [...values]))),
    },
  };
}

function storeLexicon(lexicon) {
  return {
    words: base64(Int32Array.from(lexicon.keys())),
    weights: base64(Int8Array.from(lexicon.values(), (weight) => Math.round(weight * lexiconScale))),
    scale: lexiconScale,
  };
}

function base64(array) {
  return Buffer.from(array.buffer, array.byteOffset, array.byteLength).toString("base64");
}

export function toSource(stored) {
  return (
    "// Written by tools/train-content; not edited by hand. Trained on WCXB (CC-BY-4.0) and on AEB: see NOTICE.\n" +
    `// Types: ${pageTypes.join(", ")}.\n` +
    'import type { StoredModel } from "./model.ts";\n\n' +
    `export const mainModel: StoredModel = ${JSON.stringify(stored, null, 2)};\n`
  );
}
