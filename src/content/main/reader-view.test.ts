// What a reading view keeps of pages of ours, and how blocks of articles lean on it.
import { describe, expect, it } from "vitest";
import { findParts } from "../../html/page-parts.ts";
import { parseHtml } from "../../html/parse-page.ts";
import { wholePage } from "../selection/select.ts";
import { findInvisible } from "../selection/visibility.ts";
import { PageBlocks } from "./blocks.ts";
import { readElementFacts } from "./element-facts.ts";
import { readerView } from "./reader-view.ts";
import { findMain } from "./rule-based-main.ts";
import { leaned } from "./smoothing.ts";

const sentence = "The keeper of the harbour said that the ice, which had come early, would stay until the end of March";

function paragraphs(count: number): string {
  return Array.from({ length: count }, (_, index) => `<p>${sentence}, ${index}.</p>`).join("");
}

function comment(index: number): string {
  return `<li class="comment"><p>I have seen such ice before, but never so early, and never in that harbour, ${index}.</p></li>`;
}

const comments = Array.from({ length: 30 }, (_, index) => comment(index)).join("");

/** The texts that a reading view keeps of the content between a menu and a footer. */
function view(inside: string): string[] {
  const { root } = parseHtml(
    `<html><body class="single has-sidebar"><nav><a href="/a">Start page</a> <a href="/b">All news</a></nav>${inside}
<footer><p>All rights reserved, also those of the keeper of the harbour.</p></footer></body></html>`,
  );
  const parts = findParts(root);
  const { dropped, folded } = findInvisible(root, { excludeTags: [], keepNoscript: false, keepHidden: false });
  const nodes = wholePage(root, parts);
  const page = new PageBlocks(nodes, dropped);
  const { isKept } = readerView(page, readElementFacts(page, folded, new Map(), findMain(nodes, dropped)));
  return page.blocks.flatMap(({ textFirst, textEnd }, at) => {
    const texts = page.texts.slice(textFirst, textEnd);
    return isKept[at] === 1 ? [texts.map(({ data }) => data).join("")] : [];
  });
}

describe("a reading view", () => {
  it("keeps the paragraphs and nothing of the frame", () => {
    const texts = view(`<main><div class="story">${paragraphs(6)}</div></main>`);
    expect(texts).toHaveLength(6);
    expect(texts.every((text) => text.startsWith("The keeper"))).toBe(true);
  });

  it("keeps a short post and none of its many comments", () => {
    const texts = view(
      `<main><div class="post">${paragraphs(2)}</div><ol class="comment-list">${comments}</ol></main>`,
    );
    expect(texts.filter((text) => text.startsWith("The keeper"))).toHaveLength(2);
    expect(texts.filter((text) => text.startsWith("I have seen"))).toHaveLength(0);
  });

  it("keeps no articles inside of an article", () => {
    const other = `<article><p>${sentence}, elsewhere.</p></article>`.repeat(8);
    const texts = view(`<article>${paragraphs(3)}<h3>You may like</h3>${other}</article>`);
    expect(texts.filter((text) => text.startsWith("The keeper") && !text.endsWith("elsewhere."))).toHaveLength(3);
    expect(texts.filter((text) => text.endsWith("elsewhere."))).toHaveLength(0);
  });

  it("keeps all parts of a text whose parts each have an element", () => {
    const section = `<section><div><h2>Part</h2>${paragraphs(3)}</div></section>`;
    const texts = view(`<main><div class="parts">${section.repeat(4)}</div></main>`);
    expect(texts.filter((text) => text.startsWith("The keeper"))).toHaveLength(12);
  });

  it("keeps nothing of a page without paragraphs", () => {
    expect(view("")).toEqual([]);
  });
});

describe("blocks of an article", () => {
  const half = new Float32Array(3).fill(0.5);
  const reader = Float32Array.of(1, 0, 0);
  const replies = Float32Array.of(0, 0, 1);

  it("become less likely where a reading view leaves them out, and least likely in replies", () => {
    const [kept = 0, out = 0, below = 0] = leaned(half, reader, replies, 1);
    expect(kept).toBeGreaterThan(out);
    expect(out).toBeGreaterThan(below);
    expect(below).toBeLessThan(0.1);
  });

  it("stay as likely as they are on a page of another kind", () => {
    for (const probability of leaned(half, reader, replies, 0)) expect(probability).toBeCloseTo(0.5);
  });
});
