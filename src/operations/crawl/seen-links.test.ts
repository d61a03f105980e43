import { expect, it } from "vitest";
import { hashText } from "../../text/hash.ts";
import { createSeenLinks } from "./seen-links.ts";

it("knows what was added and nothing else, however much it is, up to a bound", () => {
  const seen = createSeenLinks();
  const numbers = Array.from({ length: 250_000 }, (_, place) => hashText(`https://example.com/${place}`));
  const added = [0, 1, 2 ** 32, 2 ** 32 + 1, 2 ** 53 - 1, ...numbers.slice(0, 150_000)];
  for (const number of [...added, ...added]) seen.add(number);
  expect(added.every(seen.has)).toBe(true);
  expect(numbers.slice(150_000).some(seen.has)).toBe(false);
  for (const number of numbers) seen.add(number);
  expect(numbers.filter(seen.has).length).toBeLessThanOrEqual(200_000);
  expect(numbers.slice(0, 150_000).every(seen.has)).toBe(true);
});
