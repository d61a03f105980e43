import { describe, expect, it } from "vitest";
import { stem } from "./stem.ts";

describe("stemming", () => {
  // From Porter's paper and his list of examples.
  const examples: Record<string, string> = {
    ...{
      caresses: "caress",
      ponies: "poni",
      cats: "cat",
      feed: "feed",
      agreed: "agre",
      plastered: "plaster",
      sing: "sing",
    },
    ...{
      conflated: "conflat",
      sized: "size",
      hopping: "hop",
      falling: "fall",
      filing: "file",
      happy: "happi",
      sky: "sky",
    },
    ...{
      relational: "relat",
      conditional: "condit",
      vietnamization: "vietnam",
      hopefulness: "hope",
      electrical: "electr",
    },
    ...{
      revival: "reviv",
      adjustment: "adjust",
      adoption: "adopt",
      probate: "probat",
      controlling: "control",
      roll: "roll",
    },
    ...{
      generalizations: "gener",
      oscillators: "oscil",
      yes: "ye",
      is: "is",
      x2: "x2",
      "2024": "2024",
      straße: "straße",
    },
  };
  it.each(Object.entries(examples))("%s becomes %s", (word, expected) => {
    expect(stem(word)).toBe(expected);
  });

  it("takes any word in short time", () => {
    expect(stem("a".repeat(100_000))).toHaveLength(100_000);
  });
});
