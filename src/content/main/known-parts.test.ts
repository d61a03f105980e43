// What is known of parts of pages before a model is asked, through the door: captions, windows, footers, texts that are
// there twice, lines that lead elsewhere, signatures, and the sentences that open an article.
import { describe, expect, it } from "vitest";
import { readPage } from "../../../test/support/content.ts";
import { parseHtml } from "../../html/parse-page.ts";
import { PageBlocks } from "./blocks.ts";
import { leaveOutRepeated } from "./repeated-text.ts";

const sentence =
  "The harbour was closed for most of the winter, and the boats that had been left there were covered with ice, said the keeper";
const paragraphs = Array.from({ length: 12 }, (_, index) => `<p>${sentence} on day ${index}.</p>`).join("");
const menu = Array.from({ length: 12 }, (_, index) => `<li><a href="/m${index}">Menu entry ${index}</a></li>`).join("");
/** Enough text outside of the article that there is something to choose. */
const teasers = Array.from(
  { length: 6 },
  (_, index) =>
    `<li class="related-item"><a href="/r${index}">Teaser number ${index}</a><p>What else happened in the town, in a line or two, as teasers say it.</p></li>`,
).join("");
const aside = `<aside class="related-posts"><h3>Related articles</h3><ul>${teasers}</ul></aside>`;

interface Places {
  opening?: string;
  inside?: string;
  after?: string;
}

function markdownOf({ opening = "", inside = "", after = "" }: Places): string {
  const html = `<!doctype html><html lang="en"><head><title>Winter in the harbour</title>
<meta property="og:type" content="article"><meta property="article:published_time" content="2024-05-01">
<link rel="canonical" href="https://site.test/blog/2024/05/winter"><script type="application/ld+json">{"@type":"BlogPosting"}</script>
</head><body class="post-template-default single single-post">
<nav class="main-nav"><ul>${menu}</ul></nav><main><article class="post"><h1>Winter in the harbour</h1>${opening}
<div class="entry-content">${paragraphs}${inside}${paragraphs.replaceAll("day", "night")}</div></article></main>${aside}${after}</body></html>`;
  return readPage(html, { url: "https://site.test/news/page", onlyMainContent: true }).markdown ?? "";
}

describe("parts of a page that names and texts give away", () => {
  it.each([
    [
      "figcaption",
      '<figure><img src="/ice.jpg" alt="Ice"><figcaption>Boats in the ice, in March</figcaption></figure>',
    ],
    [
      "class",
      '<div class="wp-caption"><img src="/ice.jpg" alt="Ice"><p class="wp-caption-text">Boats in the ice, in March</p></div>',
    ],
  ])("leave out a caption and keep its picture: %s", (_, inside) => {
    const markdown = markdownOf({ inside });
    expect(markdown).toContain("![Ice](https://site.test/ice.jpg)");
    expect(markdown).not.toContain("Boats in the ice");
  });

  it("leave out the footer of the page, whatever it holds", () => {
    const notes = Array.from({ length: 5 }, (_, at) => `<li>${sentence}, as measured in test ${at}.</li>`).join("");
    const after = `<footer><div class="notes"><ol>${notes}</ol></div></footer>`;
    expect(markdownOf({ after })).not.toContain("as measured");
  });

  it("leave out a window that holds a separate text", () => {
    const policy = Array.from({ length: 8 }, (_, at) => `<p>${sentence}, as the policy says in part ${at}.</p>`).join(
      "",
    );
    const after = `<div class="modal-privacy fixed"><div class="prose"><h2>Privacy policy</h2>${policy}</div></div>`;
    const markdown = markdownOf({ after });
    expect(markdown).toContain(`${sentence} on day 3.`);
    expect(markdown).not.toContain("as the policy says");
  });

  it("are kept where they are most of the page", () => {
    const text = `<div class="modal"><h1>Winter</h1>${paragraphs}${paragraphs.replaceAll("day", "night")}</div>`;
    const html = `<html><body><ul>${menu}</ul>${text}${aside}</body></html>`;
    const { markdown } = readPage(html, { url: "https://site.test/news/page", onlyMainContent: true });
    expect(markdown).toContain(`${sentence} on night 3.`);
  });

  it("hold a text once that the page has twice in different places", () => {
    const twice = `<div class="wide"><p>${sentence} in a year.</p></div><div class="narrow"><p>${sentence} in a year.</p></div>`;
    expect(markdownOf({ inside: twice }).split("in a year")).toHaveLength(2);
  });

  const text = `${sentence}.`;
  it.each([
    ["in two places, once", `<div><p>${text}</p></div><div><p>${text}</p></div>`, 1],
    ["side by side, twice", `<p>${text}</p><p>${text}</p>`, 2],
    ["in tables, twice", `<table><tr><td>${text}</td></tr><tr><td>${text}</td></tr></table>`, 2],
    ["in code, twice", `<div><pre>${text}</pre></div><div><pre>${text}</pre></div>`, 2],
    ["of few words, twice", "<div><p>Eat every two hours</p></div><div><p>Eat every two hours</p></div>", 2],
  ])("hold a text that is there twice %s", (_, html, kept) => {
    const page = new PageBlocks(parseHtml(html).root.children, new Set());
    const isKept = new Uint8Array(page.blocks.length).fill(1);
    leaveOutRepeated(page, isKept);
    expect(isKept.reduce((sum, one) => sum + one, 0)).toBe(kept);
  });

  it("leave out lines of an article that only lead to another page", () => {
    const link = '<a href="/a">get the harbour news on the go</a>';
    expect(markdownOf({ inside: `<p><strong>${link}</strong></p>` })).not.toContain("harbour news");
    expect(markdownOf({ inside: `<p><strong>Read more: ${link}</strong></p>` })).not.toContain("harbour news");
    expect(markdownOf({ inside: `<p><strong>In short: ${link}</strong></p>` })).toContain("harbour news");
  });

  it("keep the sentences that open an article", () => {
    const text = "The keeper tells how he lived through a winter without ships. He says that he liked most of it.";
    expect(markdownOf({ opening: `<p class="standfirst">${text}</p>` })).toContain("without ships");
    expect(markdownOf({ opening: `<p class="box">${text}</p>` })).not.toContain("without ships");
  });

  it("leave out the signatures of a forum's posts", () => {
    const post = (at: number) =>
      `<div class="post" id="p${at}"><div class="post-author">reader${at}</div><div class="content"><p>${sentence}, wrote ${at}.</p></div><div class="signature">I sail the blue boat number ${at} with all my friends.</div></div>`;
    const html = `<html><head><title>Ice - Harbour forum</title><meta name="generator" content="phpBB">
<link rel="canonical" href="https://site.test/forum/viewtopic.php"></head><body class="section-viewtopic"><ul>${menu}</ul>
<h2 class="topic-title">Ice</h2>${Array.from({ length: 12 }, (_, at) => post(at)).join("")}${aside}</body></html>`;
    const { markdown } = readPage(html, { url: "https://site.test/forum/viewtopic.php", onlyMainContent: true });
    expect(markdown).toContain(`${sentence}, wrote 5.`);
    expect(markdown).not.toContain("I sail the blue boat");
  });
});
