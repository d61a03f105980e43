import { describe, expect, it } from "vitest";
import { splitByRarity } from "./rare-words.ts";

const rows = 100_000;

describe("splitByRarity", () => {
  it("leaves out pages that hold a common word alone", () => {
    const split = splitByRarity([["common"], ["rare"]], [40_000, 500], rows, 96);
    expect(split).toMatchObject({ rare: [["rare"]], common: [["common"]] });
    expect(split?.bound).toBeCloseTo(2.2 * Math.log((rows - 40_000 + 0.5) / 40_000.5));
  });

  it("counts a word as often as the query has it", () => {
    const once = splitByRarity([["common"], ["rare"]], [40_000, 500], rows, 96);
    const twice = splitByRarity([["common"], ["rare"], ["common"]], [40_000, 500, 40_000], rows, 96);
    expect(twice?.common).toEqual([["common"], ["common"]]);
    expect(twice?.bound).toBeCloseTo(2 * (once?.bound ?? 0));
  });

  it.each([
    ["too few pages hold the rare word", [["common"], ["rare"]], [40_000, 100]],
    ["the words are about as rare", [["one"], ["other"]], [4000, 3000]],
    ["there are few pages to leave out", [["one"], ["other"]], [900, 300]],
    ["a run has several words", [["common"], ["two", "words"]], [40_000, 500]],
    ["there is one word", [["common"]], [40_000]],
  ])("leaves out none where %s", (_, runs, counts) => {
    expect(splitByRarity(runs, counts, rows, 96)).toBeNull();
  });
});
