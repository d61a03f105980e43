// Which headings are kept with the text below them, though the model was not sure of them.
import { describe, expect, it } from "vitest";
import { parseHtml } from "../tree/parse.ts";
import { PageBlocks } from "./blocks.ts";
import { keepHeadings, keepHeadingsAbove } from "./kept-headings.ts";

/** The texts that are kept of a page, when those that end in "!" were kept before and all others are as likely as said. */
function kept(html: string, probability = 0.2): string[] {
  const page = new PageBlocks(parseHtml(`<html><body>${html}</body></html>`).root.children, new Set());
  const texts = page.blocks.map(({ textFirst, textEnd }) =>
    page.texts
      .slice(textFirst, textEnd)
      .map(({ data }) => data)
      .join("")
      .trim(),
  );
  const isKept = Uint8Array.from(texts, (text) => (text.endsWith("!") ? 1 : 0));
  const probabilities = Float32Array.from(isKept, (own) => (own === 1 ? 0.9 : probability));
  keepHeadings(page, probabilities, isKept);
  keepHeadingsAbove(page, probabilities, isKept);
  return texts.filter((_, at) => isKept[at] === 1);
}

const words = (count: number) => Array.from({ length: count }, (_, index) => `word${index}`).join(" ");

describe("headings", () => {
  it("are kept right before kept text, that of the page too", () => {
    expect(kept("<h1>Page</h1><p>Text!</p>")).toEqual(["Page", "Text!"]);
    expect(kept("<h2>Part</h2><p>Text!</p>")).toEqual(["Part", "Text!"]);
    expect(kept("<h2>Part</h2><p>Text</p>")).toEqual([]);
  });

  it("are kept with a date or a price between them and the text, that of the page is not", () => {
    expect(kept("<h3>Record</h3><p>May 3</p><p>By Ada</p><p>Text!</p>")).toEqual(["Record", "Text!"]);
    expect(kept(`<h3>Record</h3><p>${words(20)}</p><p>Text!</p>`)).toEqual(["Text!"]);
    expect(kept("<h1>Page</h1><p>May 3</p><p>Text!</p>")).toEqual(["Text!"]);
  });

  it("are kept above headings of their parts, not above others", () => {
    expect(kept("<h2>Part</h2><p>New</p><h3>Smaller!</h3>")).toEqual(["Part", "Smaller!"]);
    expect(kept("<h2>Box</h2><p>New</p><h2>Part!</h2>")).toEqual(["Part!"]);
    expect(kept("<h2>Part</h2><h3>Record</h3><p>May 3</p><p>Text!</p>")).toEqual(["Part", "Record", "Text!"]);
  });

  it("are left out when they are unlikely", () => {
    expect(kept("<h2>Part</h2><p>Text!</p>", 0.04)).toEqual(["Text!"]);
    expect(kept("<h1>Page</h1><p>Text!</p>", 0.06)).toEqual(["Text!"]);
  });
});
