// Who wrote a page, from wherever it says so.
import { describe, expect, it } from "vitest";
import { readPage } from "../../../test/support/content.ts";

const text = `<p>${"The harbour was closed for most of the winter, and the boats were covered with ice. ".repeat(5)}</p>`;

function authorsOf(head: string, body = ""): string[] | undefined {
  const html = `<html><head>${head}</head><body><h1>Winter</h1>${body}${text}</body></html>`;
  return readPage(html, { url: "https://www.harbour-post.test/news/page" }).metadata.authors;
}

function linked(...things: object[]): string {
  return things.map((thing) => `<script type="application/ld+json">${JSON.stringify(thing)}</script>`).join("");
}

const article = { "@type": "NewsArticle", headline: "Winter" };
const site = '<meta property="og:site_name" content="Harbour Post">';

describe("the authors of a page", () => {
  it.each([
    ["JSON-LD", linked({ ...article, author: [{ "@type": "Person", name: "Ada Berg" }, { name: "Ben Holm" }] }), ""],
    ["names in one string", linked({ ...article, author: "Ada Berg and Ben Holm" }), ""],
    [
      "JSON-LD that names them elsewhere",
      linked({
        "@graph": [
          { ...article, author: [{ "@id": "#a" }, { "@id": "#b" }] },
          { "@type": "Person", "@id": "#a", name: "Ada Berg" },
          { "@type": "Person", "@id": "#b", name: "Ben Holm" },
        ],
      }),
      "",
    ],
    [
      "tags",
      '<meta property="article:author" content="Ada Berg"><meta property="article:author" content="Ben Holm">',
      "",
    ],
    [
      "a tag that says what it holds",
      '<meta name="twitter:label1" content="Verfasst von"><meta name="twitter:data1" content="Ada Berg, Ben Holm">',
      "",
    ],
    [
      "links to authors",
      "",
      '<div><a href="/author/ada-berg">Ada Berg</a> and <a href="/author/ben">Ben Holm</a></div>',
    ],
    [
      "names with what they are",
      "",
      '<p class="byline">By <a rel="author" href="/a">Ada Berg</a>, chief reporter, and <a rel="author" href="/b">Ben Holm</a></p>',
    ],
  ])("are read from %s", (_, head, body) => {
    const found = authorsOf(head, body);
    expect(found?.[0]).toBe("Ada Berg");
    expect(found).toEqual(expect.arrayContaining(["Ada Berg", ...(body.includes("<div>") ? [] : ["Ben Holm"])]));
  });

  it.each([
    ["English", "By Ada Berg", "Ada Berg"],
    ["German", "Von Ada Berg", "Ada Berg"],
    ["French", "Par Ada Berg", "Ada Berg"],
    ["Spanish", "Por Ada de la Cruz", "Ada de la Cruz"],
    ["Dutch", "Door Ada van den Berg", "Ada van den Berg"],
    ["Italian", "di Ada Berg", "Ada Berg"],
    ["Polish", "Autor: Ada Berg", "Ada Berg"],
    ["Turkish", "Yazar: Ayşe Işık", "Ayşe Işık"],
    ["Russian", "Автор: Ада Берг", "Ада Берг"],
    ["Greek", "Συντάκτης: Άντα Μπεργκ", "Άντα Μπεργκ"],
    ["Chinese", "记者：李小明", "李小明"],
    ["Japanese", "文：山田 太郎", "山田 太郎"],
  ])("are read from a line of names in %s", (_, line, name) => {
    expect(authorsOf("", `<p><em>${line}</em></p>`)).toEqual([name]);
  });

  it.each([
    ["the publisher", site + linked({ ...article, author: { "@type": "Organization", name: "Harbour Post" } }), ""],
    ["the publisher as a tag", `${site}<meta name="author" content="Harbour Post">`, ""],
    ["the host", '<meta name="author" content="harbour-post.test">', ""],
    ["an agency", '<meta name="author" content="Reuters">', ""],
    ["a desk", '<p class="byline">By News Desk</p>', ""],
    ["an address", '<meta property="article:author" content="https://social.test/harbour">', ""],
    ["authors of other pages", "", '<div class="related-posts"><p class="byline">By Ada Berg</p></div>'],
    ["writers of comments", "", '<div class="comments"><p class="author">Ada Berg</p></div>'],
    ["photographers", "", '<figure><figcaption class="author">Ada Berg</figcaption></figure>'],
  ])("are not %s", (_, head, body) => {
    expect(authorsOf(head, body)).toBeUndefined();
  });

  it("are persons, where the tag names the publisher", () => {
    const tag = `${site}<meta name="author" content="Harbour Post">`;
    expect(authorsOf(tag, '<p class="byline">By Ada Berg</p>')).toEqual(["Ada Berg"]);
    expect(authorsOf(tag + linked({ ...article, author: { name: "Ada Berg, Reuters" } }))).toEqual(["Ada Berg"]);
  });

  it("are those below the title, not those of a teaser above it", () => {
    const html = `<body><div>By Cy Dahl</div><h1>Winter</h1><p>By Ada Berg</p>${text}</body>`;
    expect(readPage(html, { url: "https://site.test/a" }).metadata.authors).toEqual(["Ada Berg"]);
  });
});
