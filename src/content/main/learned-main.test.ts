// The learned main part through the door: pages of ours that are neither small nor nearly all main text, which the rules read.
import { describe, expect, it } from "vitest";
import { readPage } from "../../../test/support/content.ts";
import type { ContentRequest, PageContent } from "../reading/content-request.ts";

function read(html: string, changes: Partial<ContentRequest> = {}): PageContent {
  return readPage(html, { url: "https://site.test/news/page", onlyMainContent: true, ...changes });
}

const menu = Array.from({ length: 12 }, (_, index) => `<li><a href="/m${index}">Menu entry ${index}</a></li>`).join("");
const sentence =
  "The harbour was closed for most of the winter, and the boats that had been left there were covered with ice, said the keeper";
const paragraphs = Array.from({ length: 12 }, (_, index) => `<p>${sentence} on day ${index}.</p>`).join("");
const teasers = Array.from(
  { length: 6 },
  (_, index) =>
    `<li class="related-item"><a href="/r${index}">Teaser number ${index}</a><p>What else happened in the town, in a line or two, as teasers say it.</p></li>`,
).join("");

function article(inside: string): string {
  return `<!doctype html><html lang="en"><head><title>Winter in the harbour</title></head><body>
<nav class="main-nav"><ul>${menu}</ul></nav><main><article class="post"><h1>Winter in the harbour</h1>
<div class="entry-content">${paragraphs}${inside}</div></article></main>
<aside class="related-posts"><h3>Related articles</h3><ul>${teasers}</ul></aside>
<footer class="site-footer"><p>Copyright of the site. All rights reserved.</p></footer></body></html>`;
}

describe("the learned main part", () => {
  it("holds the article and nothing of its frame", () => {
    const { markdown = "" } = read(article(""));
    expect(markdown.split(sentence)).toHaveLength(13);
    expect(markdown).not.toMatch(/Menu entry|Teaser number|in the town|rights reserved/);
  });

  it("is a short post, not the many comments below it", () => {
    const comments = Array.from(
      { length: 25 },
      (_, index) =>
        `<li class="comment" id="comment-${index}"><div class="comment-body"><div class="comment-author">Reader ${index} on May 3</div><p>What reader ${index} has to say about the ice, in a sentence that is long enough to be read as text.</p></div></li>`,
    ).join("");
    const post = `<!doctype html><html lang="en"><head><title>Open thread</title><meta property="og:type" content="article">
<meta property="article:published_time" content="2024-05-01"><link rel="canonical" href="https://site.test/blog/2024/05/open-thread">
<script type="application/ld+json">{"@type":"BlogPosting","datePublished":"2024-05-01"}</script></head>
<body class="post-template-default single single-post"><nav class="main-nav"><ul>${menu}</ul></nav><main class="site-main">
<article class="post type-post"><header class="entry-header"><h1 class="entry-title">Open thread</h1></header>
<div class="entry-content"><p>${sentence} in the first week.</p><p>${sentence} in the second week.</p></div></article>
<div id="comments" class="comments-area"><h2 class="comments-title">25 comments</h2><ol class="comment-list">${comments}</ol></div></main>
<footer class="site-footer"><p>Copyright of the site. All rights reserved.</p></footer></body></html>`;
    const { markdown = "" } = read(post);
    expect(markdown.split(sentence)).toHaveLength(3);
    expect(markdown).not.toMatch(/What reader|Menu entry|rights reserved/);
  });

  it("says what kind of page it read, how much of it was kept, and how sure it is", () => {
    const { quality } = read(article("")).metadata;
    expect(quality).toMatchObject({ pageType: "article" });
    for (const share of [quality?.mainTextShare, quality?.boilerplateShare, quality?.confidence]) {
      expect(share).toBeGreaterThan(0);
      expect(share).toBeLessThanOrEqual(1);
    }
    expect((quality?.mainTextShare ?? 0) + (quality?.boilerplateShare ?? 0)).toBeCloseTo(1);
  });

  it("says of every block whether it was kept, when it is to be explained", () => {
    expect(read(article("")).verdicts).toBeUndefined();
    const { verdicts: blocks = [] } = read(article(""), { explain: true });
    expect(blocks.filter(({ text }) => text.startsWith(sentence)).every(({ isKept }) => isKept)).toBe(true);
    expect(blocks.find(({ text }) => text === "Menu entry 3")).toMatchObject({
      isKept: false,
      probability: expect.any(Number),
      reason: "unlikely main text",
    });
  });

  it.each([
    "display:none",
    "color: red; visibility: hidden",
    "font-size:0",
    "font-size: 0px !important",
    "position:absolute;left:-9999px",
    "top: -10000px; position: fixed",
    "text-indent:-9999px",
    "position:absolute;clip:rect(0 0 0 0)",
    "position:absolute;clip:rect(1px, 1px, 1px, 1px)",
    "clip-path: inset(50%)",
    "opacity:0",
  ])("counts text hidden by %s and leaves it out", (style) => {
    const { markdown, metadata } = read(article(`<p style="${style}">Nobody sees these words.</p>`));
    expect(markdown).not.toContain("Nobody sees");
    expect(metadata.hiddenText).toBe("Nobody sees these words.".length);
  });

  it.each([
    "font-size:0.9em",
    "left:-9999px",
    "position:absolute;left:-20px",
    "text-indent:-20px",
    "opacity:0;transition:opacity 1s",
    "clip:rect(0 200px 100px 0)",
  ])("keeps text with the style %s", (style) => {
    const { markdown, metadata } = read(article(`<p style="${style}">Everybody reads these words with joy.</p>`));
    expect(markdown).toContain("Everybody reads");
    expect(metadata.hiddenText).toBeUndefined();
  });

  it("keeps a list of links that a sentence announces, and leaves out one that none does", () => {
    const links = (word: string) =>
      `<ul>${[1, 2, 3].map((index) => `<li><a href="/${word}${index}">${word} report number ${index}</a></li>`).join("")}</ul>`;
    const told = `<p>These reports were sent to the harbour office last week:</p>${links("Told")}`;
    const boxed = told.replace("<ul>", "</div><div class=ulist><ul>").replace(/$/, "</div>");
    const pages = [told, `<div class=paragraph>${boxed}`].map(
      (part) => `<main><h1>Ice</h1>${paragraphs}${part}${paragraphs}</main>`,
    );
    for (const html of [article(told), ...pages]) {
      expect(read(html).markdown).toContain("- [Told report number 3](https://site.test/Told3)");
    }
    const label = `<main><h1>Ice</h1>${paragraphs}<p>Read more:</p>${links("Label")}${paragraphs}</main>`;
    expect(read(label).markdown).not.toContain("Label report");
  });

  it("keeps the picture of a figure beside its text, without the words that are left out", () => {
    const buttons = '<ul class="share-buttons"><li><a href="/s1">Share</a></li><li><a href="/s2">Save</a></li></ul>';
    const figure = `<figure><div><img src="/ice.jpg" alt="Ice"></div><nav>${buttons}</nav></figure>`;
    const { markdown = "" } = read(article(`<div class="social">${figure}</div>`));
    expect(markdown).toContain("![Ice](https://site.test/ice.jpg)");
    expect(markdown).not.toMatch(/Share|Save/);
  });

  it("is the same for the same bytes", () => {
    expect(read(article(""))).toEqual(read(article("")));
  });

  it("is read from pages that stream their parts or hide them until scripts have run", () => {
    const streamed = article("").replace("<main>", '<div hidden id="S:0"><main>').replace("</main>", "</main></div>");
    expect(read(streamed).markdown).toContain(sentence);
    const veiled = article("")
      .replace("<main>", '<div style="visibility:hidden"><main>')
      .replace("</main>", "</main></div>");
    expect(read(veiled).markdown).toContain(sentence);
  });

  it("is read from the data of a Discourse forum", () => {
    const post = (index: number) => ({
      username: `reader${index}`,
      created_at: "2024-09-05T23:15:00Z",
      cooked: `<p>${sentence}, wrote ${index}.</p><p>${sentence}, and once more ${index}.</p>`,
    });
    const topic = JSON.stringify({
      title: "Ice",
      post_stream: { posts: Array.from({ length: 6 }, (_, index) => post(index)) },
    });
    const data = JSON.stringify({ topic_1: topic }).replace(/&/g, "&amp;").replace(/"/g, "&quot;");
    const html = `<html><body><div id="data-preloaded" data-preloaded="${data}"></div></body></html>`;
    expect(read(html).markdown).toContain(`${sentence}, wrote 5.`);
    expect(read('<html><body><div data-preloaded="{broken"></div><p>a</p></body></html>').markdown).toBe("a");
  });

  it("holds posts once that a Discourse forum has both as data and for readers without scripts", () => {
    const posts = Array.from({ length: 8 }, (_, index) => `<p>${sentence}, wrote ${index}.</p>`);
    const topic = JSON.stringify({ title: "Ice", post_stream: { posts: posts.map((cooked) => ({ cooked })) } });
    const data = JSON.stringify({ topic_1: topic }).replace(/"/g, "&quot;");
    const written = posts.map(
      (post) => `<div class="topic-body crawler-post"><div itemprop="text">${post}</div></div>`,
    );
    const html = `<html><body><div data-preloaded="${data}"></div><noscript><div id="main-outlet"><h1>Ice</h1>${written.join("")}</div></noscript></body></html>`;
    expect(read(html).markdown?.split(`${sentence}, wrote 5.`)).toHaveLength(2);
  });

  it("can hold teasers that only programs for the blind are to leave out", () => {
    const teaser = `<p><a href="/a" aria-hidden="true">${sentence}.</a><a href="/b" aria-hidden="true">Go on</a></p>`;
    expect(read(teaser).markdown).toBe(`[${sentence}.](https://site.test/a)`);
  });

  it("holds nothing of a long list of purposes for which consent is asked", () => {
    const purpose = `<div class="ot-acc-grpcntr"><h4>Purpose</h4><p class="ot-acc-grpdesc">${"These partners store your choices. ".repeat(20)}</p></div>`;
    const dialog = `<div id="onetrust-consent-sdk"><div class="ot-sdk-row">${purpose.repeat(12)}</div></div>`;
    const html = article("").replace("</body>", `${dialog}</body>`);
    expect(read(html).markdown).toContain(sentence);
    expect(read(html).markdown).not.toContain("store your choices");
  });
});

describe("the main part that rules chose", () => {
  /** Nearly all of its text is main text: there is nothing to learn. */
  const clear = (head = "") =>
    `<html><head>${head}</head><body><nav class="menu"><a href="/a">Home</a></nav><main id="text"><h1>Winter</h1>${paragraphs}${paragraphs}</main><p class="note">Outside.</p><footer class="site-footer">Imprint</footer></body></html>`;

  it("has its quality in the same shape", () => {
    const { quality } = read(clear()).metadata;
    expect(quality).toEqual({
      pageType: "article",
      mainTextShare: expect.any(Number),
      boilerplateShare: expect.any(Number),
      confidence: expect.any(Number),
    });
    expect(quality?.mainTextShare).toBeGreaterThan(0.9);
    expect((quality?.mainTextShare ?? 0) + (quality?.boilerplateShare ?? 0)).toBeCloseTo(1);
    expect(read("<p>Only a few words.</p>").metadata.quality).toMatchObject({ mainTextShare: 1, confidence: 1 });
    expect(read("").metadata.quality).toBeUndefined();
    expect(read(clear(), { onlyMainContent: false }).metadata.quality).toBeUndefined();
  });

  it.each([
    ["forum", '<script type="application/ld+json">{"@type":"DiscussionForumPosting"}</script>'],
    ["product", '<meta property="og:type" content="product">'],
    ["documentation", '<link rel="canonical" href="https://x.test/docs/start">'],
    ["article", '<meta property="og:type" content="article">'],
  ])("is of the kind that the page names: %s", (pageType, head) => {
    expect(read(clear(head)).metadata.quality).toMatchObject({ pageType });
  });

  it("says of every block which element decided, when it is to be explained", () => {
    const { verdicts: blocks = [] } = read(clear(), { explain: true });
    const verdict = (start: string) => blocks.find(({ text }) => text.startsWith(start));
    expect(verdict(sentence)).toMatchObject({ isKept: true, reason: "inside of <main>#text" });
    expect(verdict("Imprint")).toMatchObject({ isKept: false, reason: "<footer>.site-footer frames the text" });
    expect(verdict("Outside.")).toMatchObject({ isKept: false, reason: "outside of the main part" });
  });
});
