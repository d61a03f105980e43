import { describe, expect, it } from "vitest";
import { noFormats, readPage } from "../../../test/support/content.ts";
import type { ContentRequest } from "../reading/content-request.ts";

function read(html: string, fields: Partial<ContentRequest> = {}) {
  const own = { url: "https://site.test/a/", formats: noFormats, onlyMainContent: true, forSearch: true };
  return readPage(html, { ...own, ...fields });
}

const page = `<html><head><title>T</title></head><body><nav><a href="/menu">Menu</a></nav><main><h1>Sea <b>ice</b></h1>
<p>The  quick&nbsp;fox <a href="b#x">jumps</a>.</p><ul><li>One</li><li>Two<br>Three</li></ul>
<table><tr><td>Cell</td><td>Other</td></tr></table><img src="i.png" alt="A fox"><script>var a</script>
<p>${"Enough words. ".repeat(30)}</p></main></body></html>`;

describe("what search keeps of a page", () => {
  it("is its main text, one line a block, its headings, and all of its links with their words", () => {
    const { searchText, markdown } = read(page);
    expect(markdown).toBeUndefined();
    expect(searchText?.text.split("\n").map((line) => line.trim())).toEqual([
      "Sea ice",
      "The quick fox jumps.",
      "One",
      "Two",
      "Three",
      "Cell",
      "Other",
      "A fox",
      "Enough words. ".repeat(30).trim(),
    ]);
    expect(searchText?.headings).toEqual(["Sea ice"]);
    expect(searchText?.links).toEqual([
      { url: "https://site.test/menu", text: "Menu" },
      { url: "https://site.test/a/b#x", text: "jumps" },
    ]);
  });

  it("is the same whatever part and format the caller wants, and absent unless asked for", () => {
    const { searchText } = read(page);
    const formats = { ...noFormats, markdown: true, outlinks: true };
    expect(read(page, { formats }).searchText).toEqual(searchText);
    expect(read(page, { formats, includeTags: ["li"] }).searchText).toEqual(searchText);
    expect(read(page, { formats, onlyMainContent: false, excludeTags: ["p"] }).searchText).toEqual(searchText);
    expect(read(page, { forSearch: false })).not.toHaveProperty("searchText");
  });

  it("is bounded, and of other kinds their text", () => {
    const many = read(`<main>${"<p><a href='/x'>word</a></p>".repeat(40_000)}</main>`).searchText;
    expect(many?.text.length).toBeLessThanOrEqual(100_000);
    const links = Array.from({ length: 500 }, (_, index) => `<a href="/${index}">x</a>`).join(" ");
    expect(read(`<main>${links}</main>`).searchText?.links).toHaveLength(300);
    expect(read("plain words", { contentType: "text/plain" }).searchText).toEqual({
      text: "plain words",
      headings: [],
      links: [],
    });
  });
});
