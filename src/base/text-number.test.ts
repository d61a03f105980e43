import { expect, it } from "vitest";
import { textNumber } from "./text-number.ts";

it("gives like texts numbers of their own, and the same text the same", () => {
  const urls = Array.from(
    { length: 200_000 },
    (_, place) => `https://example.com/articles/page-${place}?from=${place % 7}`,
  );
  const numbers = urls.map(textNumber);
  expect(new Set(numbers).size).toBe(urls.length);
  expect(numbers.every((number) => Number.isSafeInteger(number) && number >= 0)).toBe(true);
  expect(textNumber(urls[7] as string)).toBe(numbers[7]);
});
