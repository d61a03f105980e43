// Markdown in parts for embedding: where it is cut, and that nothing is lost.
import { expect, it } from "vitest";
import { loadTokenCounter } from "../../text/index.ts";
import { chunks as format } from "./chunks.ts";

const countTokens = await loadTokenCounter();
const cut = (markdown: string, maxTokens = 60, overlap = 0) =>
  format.make(markdown, { maxTokens, overlap }, { countTokens }).chunks;

const sentence = (n: number) => `Sentence number ${n} tells of the tide and of the harbour.`;
const paragraph = (from: number, count: number) =>
  Array.from({ length: count }, (_, n) => sentence(from + n)).join(" ");

it("are cut at headings and know the headings above them", () => {
  const chunks = cut(
    `Before.\n\n# Port\n\n## The [tide](https://a.test)\n\nIt rises.\n\nIt falls.\n\n### Why\n\nThe moon.\n\n## Ferry\n\nAt nine.\n\n\`\`\`sh\n# no heading\n\nls\n\`\`\`\n`,
  );
  expect(chunks.map(({ headings, text }) => [headings.join(" > "), text])).toEqual([
    ["", "Before."],
    ["Port > The tide", "# Port\n\n## The [tide](https://a.test)\n\nIt rises.\n\nIt falls."],
    ["Port > The tide > Why", "### Why\n\nThe moon."],
    ["Port > Ferry", "## Ferry\n\nAt nine.\n\n```sh\n# no heading\n\nls\n```"],
  ]);
  expect(chunks.map(({ position }) => position)).toEqual([1, 2, 3, 4]);
});

it("end with paragraphs where they can, and hold what their span says within the bound", () => {
  const markdown = `# A\n\n${[0, 1, 2, 3, 4, 5].map((n) => paragraph(n * 10, 3)).join("\n\n")}\n\n${paragraph(100, 30)}`;
  const chunks = cut(markdown, 100);
  expect(chunks.length).toBeGreaterThan(6);
  for (const { text, tokens, markdownSpan } of chunks) {
    expect(text).toBe(markdown.slice(...markdownSpan));
    expect(tokens).toBe(countTokens(text));
    expect(tokens).toBeLessThanOrEqual(100);
  }
  expect(
    chunks
      .map(({ text }) => text)
      .join(" ")
      .replace(/\s+/g, " "),
  ).toBe(markdown.replace(/\s+/g, " "));
  expect(chunks[0]?.text.endsWith(sentence(12))).toBe(true);
});

it("begin with the end of the one before when they overlap, within a section only", () => {
  const chunks = cut(`# A\n\n${paragraph(0, 20)}\n\n# B\n\n${paragraph(50, 2)}`, 80, 30);
  for (const [index, { text, headings }] of chunks.entries()) {
    const before = chunks[index - 1];
    if (!before) continue;
    const first = text.slice(0, text.indexOf(".") + 1);
    expect(before.text.includes(first)).toBe(before.headings[0] === headings[0]);
  }
  expect(chunks.length).toBeGreaterThan(3);
});

it.each([
  ["one endless word", "x".repeat(50_000)],
  ["words without a sentence", "word ".repeat(20_000)],
  ["letters that are many tokens", "𒀀🏴‍☠️".repeat(3000)],
  ["Chinese without spaces", "潮水每天涨落两次。".repeat(2000)],
  ["a hundred thousand headings", "# h\n".repeat(100_000)],
  ["a fence that never ends", `\`\`\`\n${"code line\n".repeat(10_000)}`],
  ["a long table", `| a | b |\n| --- | --- |\n${"| one cell | other cell |\n".repeat(5000)}`],
])("stay within the bound and lose nothing with %s", (_name, markdown) => {
  const chunks = cut(markdown, 64, 16);
  let covered = 0;
  for (const { tokens, markdownSpan } of chunks) {
    expect(tokens).toBeLessThanOrEqual(64);
    expect(markdown.slice(covered, markdownSpan[0]).trim()).toBe("");
    covered = Math.max(covered, markdownSpan[1]);
  }
  expect(markdown.slice(covered).trim()).toBe("");
});

it("of an empty text are an empty list", () => expect(cut(" \n\n")).toEqual([]));
