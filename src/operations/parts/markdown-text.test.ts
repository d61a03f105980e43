import { describe, expect, it } from "vitest";
import { startCpuTimer } from "../../../test/support/cpu-timer.ts";
import { headingsOf, readFrontMatter, withoutMarkup } from "./markdown-text.ts";

describe("markdown without its markup", () => {
  it.each([
    ["# Title\n\nSome *bold* text", "Title\n\nSome  bold  text"],
    ['See [the docs](https://a.example/x "Docs") now', "See the docs now"],
    ["[![Logo](/logo.png)](https://a.example)", "Logo"],
    ["- one\n  * two\n3. three\n> four", "one\ntwo\nthree\nfour"],
    ["a [ b ] c", "a [ b ] c"],
  ])("%j is %j", (markdown, text) => {
    expect(withoutMarkup(markdown)).toBe(text);
  });

  it("has the headings that begin with #, without those in code", () => {
    const markdown = "# One #\ntext\n```\n# code\n```\n## *Two*\n#three\n####### seven\n#   \n";
    expect(headingsOf(markdown)).toEqual(["One", "Two"]);
  });

  it("has fields at its start", () => {
    const { fields, body } = readFrontMatter("---\ntitle: 'A b'\nDate:   2026-01-02  \nlist:\n  - x\n---\nBody");
    expect([[...fields], body]).toEqual([
      [
        ["title", "A b"],
        ["date", "2026-01-02"],
      ],
      "Body",
    ]);
    expect(readFrontMatter("text\n---\n")).toEqual({ fields: new Map(), body: "text\n---\n" });
  });

  it.each(["[", "[a](", "![x](b ", "\n", " \n", "# ", "a: ", "-", "1", '[a](b "', "---\n", " #"])(
    "takes time in proportion to a text of nothing but %j",
    (piece) => {
      const hostile = piece.repeat(Math.ceil(500_000 / piece.length));
      const spentMs = startCpuTimer();
      withoutMarkup(hostile);
      headingsOf(`# ${hostile}`);
      readFrontMatter(`---\ntitle:${hostile}x\n---\n`);
      expect(spentMs()).toBeLessThan(1000);
    },
  );
});
