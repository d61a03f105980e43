import { describe, expect, it } from "vitest";
import { languagesFile, modelFile } from "../../../test/support/content.ts";
import { createContentPool } from "../threads/pool.ts";
import { featureNames } from "./feature-names.ts";
import { type ModelHeader, readModel, readModelHeader } from "./stored-model.ts";

/** The model that ships, with another header. */
function changed(change: (header: ModelHeader) => void): Uint8Array {
  const { header, bodyStart } = readModelHeader(modelFile);
  change(header);
  return Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n\n`), modelFile.subarray(bodyStart)]);
}

function swap(names: string[], one: string, other: string): void {
  const [first, second] = [names.indexOf(one), names.indexOf(other)];
  names[first] = other;
  names[second] = one;
}

describe("the stored model", () => {
  it("says how it was made and what it reached", () => {
    const { header } = readModelHeader(modelFile);
    expect(header.features).toEqual(featureNames);
    expect(header.training).toMatchObject({ command: expect.stringContaining("tools/train-content"), seed: 1 });
    expect(header.figures).toMatchObject({ "AEB shingle F1": expect.any(Number), "WCXB token F1": expect.any(Number) });
    expect(new Set(featureNames).size).toBe(featureNames.length);
  });

  it("is refused when two of its features have changed places, with the first that differs", () => {
    const file = changed(({ features }) => swap(features, "commas", "digits"));
    const place = featureNames.indexOf("commas") + 1;
    const sentence = `feature ${place} is "digits" in the model and "commas" in the code`;
    expect(() => readModel(file)).toThrow(sentence);
    expect(() =>
      createContentPool({ threads: 1, timeoutMs: 1000, maxMemoryMb: 64, model: file, languages: languagesFile }),
    ).toThrow(sentence);
  });

  it("is refused when it lacks a feature, or has one too many", () => {
    const last = `feature ${featureNames.length} is absent in the model and "${featureNames.at(-1)}" in the code`;
    expect(() => readModel(changed(({ features }) => features.pop()))).toThrow(last);
    const further = `feature ${featureNames.length + 1} is "more" in the model and absent in the code`;
    expect(() => readModel(changed(({ features }) => features.push("more")))).toThrow(further);
  });

  it("is refused when its page types have another order", () => {
    const file = changed(({ pageTypes }) => swap(pageTypes, "forum", "product"));
    expect(() => readModel(file)).toThrow('page type 3 is "product" in the model and "forum" in the code');
  });

  it("is refused in another version, cut short, or without a header", () => {
    expect(() =>
      readModel(
        changed((header) => {
          header.version = 1;
        }),
      ),
    ).toThrow("The main-content model has version 1; this code reads version 2");
    expect(() => readModel(modelFile.subarray(0, -4))).toThrow(/has \d+ bytes; its header describes \d+/);
    expect(() => readModel(Buffer.from("not a model"))).toThrow("The main-content model has no header");
    expect(() => readModel(Buffer.from("not JSON\n\n"))).toThrow("is not JSON");
  });
});
