import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyText, propertyRuns } from "../../test/support/property-runs.ts";
import { splitWords } from "./fold.ts";
import { createWordTable } from "./word-table.ts";

function createReader() {
  const words: string[] = [];
  const eachPair = createWordTable((word) => [words.push(word) - 1, word.length]);
  const read = (text: string | Buffer, most?: number) => {
    const found: string[] = [];
    eachPair(text, (number, length) => found.push(words[number]?.slice(0, length) ?? ""), most);
    return found;
  };
  return { words, read };
}

describe("word table", () => {
  const { read } = createReader();

  const texts = fc.oneof(fc.string({ unit: fc.constantFrom(..."abzABZ019 -.’–éÉßΣİ\u0301\u00a0漢คี่한") }), anyText());

  it("reads the words of any text, from a string and from bytes, as they are split elsewhere", () => {
    fc.assert(
      fc.property(texts, (text) => {
        const expected = splitWords(text);
        expect(read(text)).toEqual(expected);
        expect(read(Buffer.from(text))).toEqual(expected);
      }),
      { numRuns: propertyRuns(2000) },
    );
  });

  it("makes the numbers of a word once", () => {
    const { words, read } = createReader();
    read("Word word WORD");
    expect(read("the Word is word", 4)).toEqual(["the", "word", "is", "word"]);
    expect(words).toEqual(["word", "the", "is"]);
  });

  it("stops after the first words", () => {
    expect(read("one, two, three", 2)).toEqual(["one", "two"]);
    expect(read("one, two, three", 0)).toEqual([]);
  });

  it("still reads every word right when there are more than it keeps", () => {
    const many = Array.from({ length: 300_000 }, (_, number) => `w${number}`);
    for (const times of [1, 2]) expect(read(many.join(" ")), `time ${times}`).toEqual(many);
  });
});
