import fc from "fast-check";
import { expect, it } from "vitest";
import { hashLines, hashText } from "./hash.ts";

it("gives similar texts different hashes, and the same text the same", () => {
  const urls = Array.from(
    { length: 200_000 },
    (_, place) => `https://example.com/articles/page-${place}?from=${place % 7}`,
  );
  const numbers = urls.map(hashText);
  expect(new Set(numbers).size).toBe(urls.length);
  expect(numbers.every((number) => Number.isSafeInteger(number) && number >= 0)).toBe(true);
  expect(hashText(urls[7] as string)).toBe(numbers[7]);
});

it("gives the lines of a text in ASCII the numbers of the lines, and others with another seed", () => {
  const line = fc.string({ unit: "grapheme-ascii" });
  fc.assert(
    fc.property(fc.array(line, { minLength: 1 }), (lines) => {
      const bytes = Buffer.from(lines.join("\n"));
      expect([...hashLines(bytes, lines.length)]).toEqual(lines.map(hashText));
      for (const [place, number] of hashLines(bytes, lines.length, 7).entries()) {
        expect(number).not.toBe(hashText(lines[place] as string));
      }
    }),
  );
  expect(hashLines(Buffer.from(""), 0)).toHaveLength(0);
});
