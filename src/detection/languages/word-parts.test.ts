import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { propertyRuns } from "../../../test/support/property-runs.ts";
import { partHash, wordParts } from "./word-parts.ts";

function partsOf(text: string, maxBytes = 10_000): number[] {
  const parts: number[] = [];
  wordParts(text, maxBytes, (hash) => parts.push(hash));
  return parts;
}

/** What a model is trained on: words between anything but letters, where an apostrophe belongs to the letters after it. */
function wordsOf(text: string): string[] {
  return text.split(/[^\p{L}]+(?<!['`’])/u).filter((word) => word !== "");
}

describe("parts of words", () => {
  it("are those of each word in lower case, in order", () => {
    const character = fc.constantFrom(..."aZ é'`’ 1.-ßİ한ж漢😀𝒜\u0301\ud835");
    fc.assert(
      fc.property(fc.string({ unit: character, maxLength: 60 }), (text) => {
        expect(partsOf(text)).toEqual(wordsOf(text).flatMap((word) => partsOf(word)));
      }),
      { numRuns: propertyRuns(300) },
    );
  });

  it("overlap by a byte, with a space at both ends of the word", () => {
    const parts = [" abcd", "defg", "fghi "].map((part) => partHash(Buffer.from(part)));
    expect(partsOf("AbcDefghi")).toEqual(parts);
    expect(partsOf("the 'Abcdefghi'!")).toEqual([partHash(Buffer.from(" the ")), ...partsOf("'abcdefghi")]);
  });

  it("end after so many bytes", () => {
    expect(partsOf("one two three four", 5)).toEqual(partsOf("one two"));
    expect(partsOf("")).toEqual([]);
  });
});
