// Which lists, tables and quotes are kept as a whole when the model kept parts of them, or the text around them.
import { describe, expect, it } from "vitest";
import { parseHtml } from "../../html/parse-page.ts";
import { PageBlocks } from "./blocks.ts";
import { keepWholeStructures } from "./whole-structures.ts";

/** The texts that are kept of a page, when those that end in "!" were kept before. */
function kept(html: string): string[] {
  const page = new PageBlocks(parseHtml(`<html><body>${html}</body></html>`).root.children, new Set());
  const texts = page.blocks.map(({ textFirst, textEnd }) =>
    page.texts
      .slice(textFirst, textEnd)
      .map(({ data }) => data)
      .join("")
      .trim(),
  );
  const isKept = Uint8Array.from(texts, (text) => (text.endsWith("!") ? 1 : 0));
  keepWholeStructures(page, isKept);
  return texts.filter((_, at) => isKept[at] === 1);
}

const words = (count: number) => Array.from({ length: count }, (_, index) => `word${index}`).join(" ");

describe("structures", () => {
  it.each([
    ["a list", "<ul><li>One!</li><li>Two<ul><li>Three</li></ul></li></ul>", ["One!", "Two", "Three"]],
    [
      "a table",
      "<table><tr><th>Name</th><th>Size!</th></tr><tr><td>Boat</td><td>12</td></tr></table>",
      ["Name", "Size!", "Boat", "12"],
    ],
    ["a quote", `<blockquote><p>${words(90)}</p><p>${words(10)}!</p></blockquote>`, [words(90), `${words(10)}!`]],
  ])("are kept as a whole when a part of them is: %s", (_, html, expected) => {
    expect(kept(html)).toEqual(expected);
  });

  it("are left out when nothing of them or next to nothing is kept", () => {
    const items = Array.from({ length: 50 }, (_, index) => `<li>Entry ${index}</li>`).join("");
    expect(kept("<ul><li>One</li><li>Two</li></ul>")).toEqual([]);
    expect(kept(`<ul><li>More!</li>${items}</ul>`)).toEqual(["More!"]);
  });

  it("are kept in part when they lay out a page", () => {
    expect(kept(`<ul><li><h3>Card!</h3></li><li><h3>Other</h3></li></ul>`)).toEqual(["Card!"]);
    expect(kept(`<ol><li>Post!</li><li>${words(80)}</li></ol>`)).toEqual(["Post!"]);
    expect(kept("<table><tr><td>Post!</td></tr><tr><td>Other</td></tr></table>")).toEqual(["Post!"]);
  });

  it("are whole inside of one that lays out a page", () => {
    const html = "<table><tr><td>Menu</td><td><ul><li>One!</li><li>Two</li></ul></td></tr></table>";
    expect(kept(html.replace("<ul>", "<h2>Title!</h2><ul>"))).toEqual(["Title!", "One!", "Two"]);
  });

  it("are kept in the midst of kept text: tables, quotes, and lists that hold lists", () => {
    const table = "<table><tr><td>Boat</td><td>12</td></tr><tr><td>Ship</td><td>40</td></tr></table>";
    expect(kept(`<p>Before!</p><p>Table 1</p>${table}<p>After!</p>`)).toEqual([
      "Before!",
      "Boat",
      "12",
      "Ship",
      "40",
      "After!",
    ]);
    expect(kept(`<p>Before!</p>${table}`)).toEqual(["Before!"]);
    expect(kept("<p>Before!</p><blockquote>Said</blockquote><p>After!</p>")).toContain("Said");
    expect(kept("<p>Before!</p><ul><li>One<ul><li>Two</li></ul></li></ul>")).toEqual(["Before!", "One", "Two"]);
    expect(kept("<p>Before!</p><ul><li>One</li><li>Two</li></ul><p>After!</p>")).toEqual(["Before!", "After!"]);
  });

  it("are left out in frames, whatever is beside them", () => {
    const list = "<ul><li>One<ul><li>Two</li></ul></li></ul>";
    for (const frame of [`<nav>${list}</nav>`, `<div class="sidebar">${list}</div>`, `<header>${list}</header>`])
      expect(kept(`<p>Before!</p>${frame}<p>After!</p>`)).toEqual(["Before!", "After!"]);
  });
});
