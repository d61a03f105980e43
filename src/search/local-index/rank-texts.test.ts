import { expect, it } from "vitest";
import { cutPassages, rankPassages } from "./rank-texts.ts";

const long = "A sentence that goes on for a while, so that it is long enough for a passage. ";

it.each([
  ["nothing", "", []],
  ["one short line", "Short.", ["Short."]],
  ["a heading goes with what follows", `# Title\n\n${long.trim()}`, [`# Title\n\n${long.trim()}`]],
  ["short blocks go together", `One.\n\nTwo.\n\n${long.trim()}`, [`One.\n\nTwo.\n\n${long.trim()}`]],
  ["code stays whole", `\`\`\`\n${long}\n\n${long}\n\`\`\``, [`\`\`\`\n${long}\n\n${long}\n\`\`\``]],
])("%s", (_, markdown, passages) => {
  expect(cutPassages(markdown)).toEqual(passages);
});

it("a long block is cut at the end of a sentence", () => {
  const passages = cutPassages(long.repeat(60).trim());
  expect(passages.length).toBeGreaterThan(2);
  for (const passage of passages) expect([passage.length <= 1500, passage.endsWith(".")]).toEqual([true, true]);
  expect(passages.join(" ")).toBe(long.repeat(60).trim());
});

it("passages of several texts are ranked together, without those that share no word unless every one is wanted", async () => {
  const texts = [`${long}\n\nBoats float on water, and this sentence about boats is long enough.`, long];
  expect((await rankPassages("boats", texts)).map(({ index, text }) => [index, text.slice(0, 5)])).toEqual([
    [0, "Boats"],
  ]);
  expect(await rankPassages("boats", texts, { every: true })).toHaveLength(3);
});
