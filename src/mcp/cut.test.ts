import { expect, it } from "vitest";
import { cutAnswer } from "./cut.ts";
import { tokensOf } from "./tokens.ts";

const paragraphs = Array.from({ length: 300 }, (_, index) => `Paragraph ${index} of a page about tides and harbours.`);
const links = Array.from({ length: 120 }, (_, index) => `https://page.test/${index}/of/a/list/of/links`);
const whole = {
  success: true,
  data: { markdown: paragraphs.join("\n\n"), links, metadata: { title: "Tides", sourceURL: "https://page.test/" } },
};

it.each([400, 1000, 5000])(
  "an answer in parts of %d tokens is whole when they are joined, and each part fits",
  (most) => {
    const texts: string[] = [];
    const found: string[] = [];
    for (let from: number | null = 0; from !== null; ) {
      const part: ReturnType<typeof cutAnswer> = cutAnswer(whole, from, most, () => true);
      const { data } = part.answer as { data: { markdown?: string; links?: string[] } };
      texts.push(data.markdown ?? "");
      found.push(...(data.links ?? []));
      expect(tokensOf(JSON.stringify(part.answer))).toBeLessThanOrEqual(most);
      expect(part.next === null || part.next > from).toBe(true);
      from = part.next;
    }
    expect(texts.join("")).toBe(whole.data.markdown);
    expect(found).toEqual(links);
  },
);

it("an answer that fits is one part", () => {
  expect(cutAnswer(whole, 0, 1_000_000, () => true)).toEqual({ answer: whole, next: null });
});
