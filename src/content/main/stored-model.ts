// The learned model as a file: a header in JSON that ends with an empty line, then the arrays that it lists, as
// little-endian bytes one after the other. The header names the features in the order of the columns; a file whose names
// differ from the code's is refused, because its trees would ask their questions of other columns.
import type { Lexicons } from "./block-features.ts";
import type { ConfidenceSteps } from "./confidence.ts";
import { featureNames, pageTypes } from "./feature-names.ts";
import type { Lexicon } from "./lexicon.ts";
import type { TypeModel } from "./page-type.ts";
import type { Trees } from "./trees.ts";

export interface MainModel {
  lexicons: Lexicons;
  types: TypeModel;
  trees: Trees;
  confidence: ConfidenceSteps;
}

/** @public for tools/train-content */
export interface ModelHeader {
  version: number;
  /** What it is, and whose pages it learned from. */
  about: string;
  /** The command, the seed and the other settings that made it; how many pages of how many sites it learned from. */
  training: Record<string, string | number>;
  /** What models with the same settings reached on pages of sites that they were not trained on. */
  figures: Record<string, number>;
  features: string[];
  pageTypes: string[];
  /** Weights are stored as whole numbers: divided by these they are what was learned. */
  scales: { names: number; texts: number; types: number };
  typeBias: number[];
  base: number;
  /** The confidence that the model states, and the quality that such results reached. */
  confidence: [said: number, reached: number][];
  arrays: { name: ArrayName; type: keyof typeof readers; length: number }[];
}

type ArrayName =
  | "names.words"
  | "names.weights"
  | "texts.words"
  | "texts.weights"
  | "types.words"
  | "types.weights"
  | "trees.depths"
  | "trees.features"
  | "trees.cuts"
  | "trees.leaves";

/** @public for tools/train-content */
export const modelVersion = 2;

const readers = {
  int8: (bytes: Uint8Array<ArrayBuffer>) => new Int8Array(bytes.buffer),
  uint8: (bytes: Uint8Array<ArrayBuffer>) => bytes,
  int32: (bytes: Uint8Array<ArrayBuffer>) => new Int32Array(bytes.buffer),
  float32: (bytes: Uint8Array<ArrayBuffer>) => new Float32Array(bytes.buffer),
};
const elementBytes = { int8: 1, uint8: 1, int32: 4, float32: 4 };

/** Throws a sentence that says why the file cannot be used. */
export function readModel(file: Uint8Array): MainModel {
  const { header, bodyStart } = readModelHeader(file);
  const arrays = readArrays(file, bodyStart, header.arrays);
  const array = <Kind extends keyof typeof readers>(name: ArrayName, type: Kind) => {
    const found = arrays.get(name);
    if (found?.type !== type) throw new Error(`The main-content model has no array ${name} of ${type}`);
    return readers[type](found.bytes) as ReturnType<(typeof readers)[Kind]>;
  };
  const lexicon = (which: "names" | "texts") =>
    makeLexicon(array(`${which}.words`, "int32"), array(`${which}.weights`, "int8"), header.scales[which]);
  return {
    lexicons: { names: lexicon("names"), texts: lexicon("texts") },
    types: makeTypes(array("types.words", "int32"), array("types.weights", "int8"), header),
    trees: {
      base: header.base,
      depths: array("trees.depths", "uint8"),
      features: array("trees.features", "uint8"),
      cuts: array("trees.cuts", "float32"),
      leaves: array("trees.leaves", "float32"),
    },
    confidence: header.confidence,
  };
}

/** The header alone, checked against this code. Throws as `readModel` does. */
export function readModelHeader(file: Uint8Array): { header: ModelHeader; bodyStart: number } {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  const end = bytes.indexOf("\n\n");
  if (end < 0) throw new Error("The main-content model has no header");
  let header: ModelHeader;
  try {
    header = JSON.parse(bytes.toString("utf8", 0, end)) as ModelHeader;
  } catch (cause) {
    throw new Error("The header of the main-content model is not JSON", { cause });
  }
  if (header.version !== modelVersion)
    throw new Error(`The main-content model has version ${header.version}; this code reads version ${modelVersion}`);
  compareNames("feature", header.features, featureNames);
  compareNames("page type", header.pageTypes, pageTypes);
  return { header, bodyStart: end + 2 };
}

function compareNames(what: string, stored: readonly string[], known: readonly string[]): void {
  const length = Math.max(stored.length, known.length);
  for (let place = 0; place < length; place += 1) {
    if (stored[place] === known[place]) continue;
    const [own, other] = [stored[place], known[place]].map((name) => (name === undefined ? "absent" : `"${name}"`));
    throw new Error(
      `The main-content model does not fit this code: ${what} ${place + 1} is ${own} in the model and ${other} in the ` +
        "code. Train the model again with tools/train-content.",
    );
  }
}

function readArrays(file: Uint8Array, bodyStart: number, list: ModelHeader["arrays"]) {
  const arrays = new Map<ArrayName, { type: keyof typeof readers; bytes: Uint8Array<ArrayBuffer> }>();
  let from = bodyStart;
  for (const { name, type, length } of list) {
    const to = from + length * elementBytes[type];
    // A copy, because arrays of wider numbers must begin at a multiple of their width.
    arrays.set(name, { type, bytes: Uint8Array.from(file.subarray(from, to)) });
    from = to;
  }
  if (from !== file.byteLength)
    throw new Error(`The main-content model has ${file.byteLength} bytes; its header describes ${from}`);
  return arrays;
}

function makeLexicon(words: Int32Array, weights: Int8Array, scale: number): Lexicon {
  return new Map(Array.from(words, (word, at) => [word, (weights[at] as number) / scale]));
}

function makeTypes(words: Int32Array, weights: Int8Array, { typeBias, scales }: ModelHeader): TypeModel {
  const count = pageTypes.length;
  const rows = Array.from(words, (word, at): [number, number[]] => [
    word,
    Array.from(weights.subarray(at * count, (at + 1) * count), (weight) => weight / scales.types),
  ]);
  return { bias: typeBias, weights: new Map(rows) };
}
