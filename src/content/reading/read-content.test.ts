import { describe, expect, it } from "vitest";
import { contentRequest, contentTools, noFormats, readPage } from "../../../test/support/content.ts";
import { findBadSelector } from "../../html/selectors.ts";
import type { ContentRequest, PageContent } from "./content-request.ts";
import { readContent } from "./read-content.ts";

function read(body: string | Uint8Array, changes: Partial<ContentRequest> = {}): PageContent {
  return readPage(body, { url: "https://site.test/dir/page?x=1", ...changes });
}

describe("outputs", () => {
  it("are present only when they were asked for", () => {
    expect(Object.keys(read("<p>a", { formats: noFormats })).sort()).toEqual([
      "charset",
      "metadata",
      "verdict",
      "warnings",
    ]);
    const all = {
      ...noFormats,
      markdown: true,
      html: true,
      rawHtml: true,
      links: true,
      images: true,
      attributes: { selectors: [{ selector: "p", attribute: "id" }] },
    };
    expect(read("<p id=x>a", { formats: all })).toEqual({
      markdown: "a",
      html: '<p id="x">a</p>',
      rawHtml: "<p id=x>a",
      links: [],
      images: [],
      attributes: [{ selector: "p", attribute: "id", values: ["x"] }],
      empty: { links: "The page has no links.", images: "The page has no images." },
      metadata: { title: "", description: "" },
      warnings: [],
      charset: "utf-8",
      verdict: { state: "content" },
    });
  });

  it("say what the page has nothing of, once", () => {
    const formats = { ...noFormats, html: true, rawHtml: true, images: true };
    expect(read("", { formats }).empty).toEqual({
      html: "The page is empty.",
      rawHtml: "The page is empty.",
      images: "The page has no images.",
    });
    const attributes = { selectors: [{ selector: "img", attribute: "alt" }] };
    expect(read("<p>a", { formats: { ...noFormats, attributes } }).empty).toEqual({
      attributes: "No element of the page has these attributes: alt of img.",
    });
    expect(
      read('<p>a <a href="/b">b</a>', { formats: { ...noFormats, html: true, links: true } }).empty,
    ).toBeUndefined();
  });

  it("html is clean, with absolute URLs and the largest picture", () => {
    const { html } = read(
      `<head><title>t</title><meta name=a content=b></head><body><script>x</script><!-- c --><noscript>n</noscript>
       <a href="../up" onclick="x()">l</a><img src=s.png srcset="m.png 2x, l.png 3x"><a href="#frag">f</a></body>`,
      { formats: { ...noFormats, html: true } },
    );
    expect(html).toContain('href="https://site.test/up"');
    expect(html).toContain('src="https://site.test/dir/l.png"');
    expect(html).toContain('href="#frag"');
    expect(html).not.toMatch(/script|meta|title|srcset|<!--/);
  });

  it("html has absolute URLs and the pictures that are shown, and nothing that runs", () => {
    const html = (page: string) => read(page, { formats: { ...noFormats, html: true } }).html;
    expect(html('<p onclick="x()"><a href="javascript:x()">a</a> <q cite="b">c</q></p>')).toBe(
      '<p><a>a</a> <q cite="https://site.test/dir/b">c</q></p>',
    );
    expect(html('<img src="data:image/gif;base64,R0" data-src="/a.jpg">')).toContain('src="https://site.test/a.jpg"');
    expect(html('<picture><source srcset="/a.webp 1x, /b.webp 2x"><img alt="A"></picture>')).toBe(
      '<picture><img alt="A" src="https://site.test/b.webp"></picture>',
    );
    expect(html('<p>a</p><noscript><img src="/a.jpg" alt="A"></noscript>')).toBe(
      '<p>a</p><span><img src="https://site.test/a.jpg" alt="A"></span>',
    );
    expect(html('<video controls poster="p.jpg"><source src="v.mp4">Too old</video>')).toBe(
      '<video controls poster="https://site.test/dir/p.jpg"><source src="https://site.test/dir/v.mp4"></video>',
    );
  });

  it("images are those of the page, with posters and those of AMP, once each", () => {
    const page = '<video poster="/p.jpg"></video><amp-img src="/a.jpg"></amp-img><img src="/a.jpg"><video></video>';
    expect(read(page, { formats: { ...noFormats, images: true } }).images).toEqual([
      "https://site.test/p.jpg",
      "https://site.test/a.jpg",
    ]);
  });

  it("links are absolute, unique, in order, http and https only", () => {
    const page = `<base href="https://base.test/b/"><a href="c">1</a><a href="//o.test/x">2</a><a href="c">3</a><a href="#f">4</a>
      <a href="javascript:x()">5</a><a href="mailto:a@b.test">6</a><a href="HTTP://UP.test">7</a><a href="http://[bad">8</a><area href="/d"><a href=" /e ">9</a>`;
    expect(read(page, { formats: { ...noFormats, links: true } }).links).toEqual([
      "https://base.test/b/c",
      "https://o.test/x",
      "http://up.test/",
      "https://base.test/d",
      "https://base.test/e",
    ]);
  });

  it("images come from src, srcset, lazy attributes and og:image", () => {
    const page = `<meta property="og:image" content="/og.png"><img src="/a.png"><img src="/s.png" srcset="/l.png 2x">
      <img data-src="/lazy.png"><img src="data:image/png;base64,AA"><img src="/a.png"><picture><source srcset="/p.webp 1x, /p2.webp 2x"><img></picture>`;
    expect(read(page, { formats: { ...noFormats, images: true } }).images).toEqual(
      ["a", "l", "lazy"]
        .map((name) => `https://site.test/${name}.png`)
        .concat("https://site.test/p2.webp", "https://site.test/og.png"),
    );
  });

  it("attributes come in document order; inherited names are not attributes", () => {
    const attributes = [
      { selector: "a[href]", attribute: "href" },
      { selector: "a", attribute: "constructor" },
      { selector: "a", attribute: "DATA-X" },
    ];
    const found = read("<a href=1 data-x=y></a><a></a><a href=2></a>", {
      formats: { ...noFormats, attributes: { selectors: attributes } },
    }).attributes;
    expect(found?.map((each) => each.values)).toEqual([["1", "2"], [], ["y"]]);
  });

  it("includeTags keep only what matches, excludeTags leave out, both on the original page", () => {
    const page = "<nav>menu</nav><div class=a>one<p class=b>two</p></div><div class=c>three</div><p class=b>four</p>";
    expect(read(page, { includeTags: [".b", ".a"] }).markdown).toBe("one\n\ntwo\n\nfour");
    expect(read(page, { excludeTags: [".b", "nav"] }).markdown).toBe("one\n\nthree");
    expect(read(page, { includeTags: ["nav"], onlyMainContent: true }).markdown).toBe("menu");
    expect(read(page, { includeTags: [".a"], excludeTags: [".b"] }).markdown).toBe("one");
    expect(read(page, { includeTags: [".nowhere"] })).toMatchObject({
      markdown: "",
      warnings: ["Nothing on the page matches includeTags"],
    });
    expect(read(page, { includeTags: [".zzz"] }).markdown).toBe("");
  });
});

describe("texts that a host repeats", () => {
  const fact = (at: number) =>
    `Heron number ${at} stands in the shallow water of pond ${at} and waits for a fish to come near.`;
  const notice = "The Daily Heron is printed on Sundays by the heron society.";
  const story = Array.from({ length: 20 }, (_, at) => `<p>${fact(at)}</p>`).join("");
  const html = `<head><title>Herons</title></head><body><article><h1>Herons</h1>${story}<p><em>${notice}</em></p></article></body>`;
  const readMain = (repeated?: ReadonlySet<number>) =>
    read(html, repeated ? { onlyMainContent: true, repeated } : { onlyMainContent: true });
  const numbers = readMain(new Set()).textNumbers ?? [];

  it("are left out, and counted in the quality", () => {
    const alone = readMain();
    expect(alone.markdown).toContain(notice);
    expect(alone.metadata.quality).not.toHaveProperty("repeatedTexts");
    const known = readMain(new Set(numbers.slice(-1)));
    expect(known.markdown).toBe(alone.markdown?.replace(`\n\n*${notice}*`, ""));
    expect(known.metadata.quality).toMatchObject({ repeatedTexts: 1 });
  });

  it("stay where they are much of the page, which is then a copy of another", () => {
    expect(readMain(new Set(numbers)).markdown).toBe(readMain().markdown);
  });
});

describe("a page without text", () => {
  it("is empty and says so", () => {
    for (const body of [
      "",
      "  \n ",
      "<script>x()</script>",
      "<html><head><title>t</title></head><body></body></html>",
    ]) {
      expect(read(body, { onlyMainContent: true })).toMatchObject({ markdown: "", warnings: ["The page has no text"] });
    }
  });

  it("is told by its own description, if that says anything", () => {
    const shell = (description: string) =>
      `<head><title>Herons *wait*</title><meta name="description" content="${description}"></head><body><div id="root"></div></body>`;
    const long =
      "The heron stands in the shallow water and waits until a fish comes near, then strikes at once. ".repeat(2);
    expect(read(shell(long), { onlyMainContent: true })).toMatchObject({
      markdown: `# Herons \\*wait\\*\n\n${long.trim()}`,
      warnings: ["The page shows no text without its scripts; markdown is its title and description"],
    });
    expect(read(shell("A site about herons"), { onlyMainContent: true })).toMatchObject({
      markdown: "",
      warnings: ["The page has no text"],
    });
    expect(read(shell(long), { excludeTags: ["p"] }).markdown).toBe("");
  });

  it("is read from noscript, then from hidden elements, before it is given up", () => {
    expect(read("<div id=root></div><noscript><p>Turn scripts on</p></noscript>").markdown).toBe("Turn scripts on");
    expect(read('<div style="display:none"><p>Text</p></div>').markdown).toBe("Text");
  });

  it("is never made by leaving out frames", () => {
    expect(read("<nav><a href=/a>Only a menu</a></nav>", { onlyMainContent: true }).markdown).toBe(
      "[Only a menu](https://site.test/a)",
    );
    expect(read("<footer>Only a footer</footer>", { onlyMainContent: true }).markdown).toBe("Only a footer");
    expect(read("plain text", { onlyMainContent: true }).markdown).toBe("plain text");
  });
});

describe("metadata", () => {
  const page = `<html lang="en-GB"><head><title> A \n title </title><svg><title>no</title></svg>
    <meta name="Description" content="About"><meta name="keywords" content="a, b"><meta name="robots" content="noindex">
    <meta property="og:title" content="OG"><meta property="og:description" content="OGD"><meta property="og:url" content="https://site.test/">
    <meta property="og:image" content="/i.png"><meta property="og:site_name" content="Site">
    <meta property="og:locale:alternate" content="de_DE"><meta property="og:locale:alternate" content="fr_FR">
    <meta property="article:tag" content="x"><meta property="article:tag" content="y"><meta property="article:section" content="News">
    <meta property="article:published_time" content="2026-01-02"><meta property="article:modified_time" content="2026-01-03">
    <meta name="DC.date.created" content="2025"><meta name="dcterms.type" content="Text"><meta name="viewport" content="width=1">
    <meta name="author" content="A"><meta name="author" content="B">
    <link rel="shortcut icon" href="/fav.ico"></head><body>`;

  it("holds what the page says", () => {
    expect(read(page).metadata).toMatchObject({
      title: "A title",
      description: "About",
      language: "en-GB",
      keywords: "a, b",
      robots: "noindex",
      favicon: "https://site.test/fav.ico",
      ogTitle: "OG",
      ogDescription: "OGD",
      ogUrl: "https://site.test/",
      ogImage: "https://site.test/i.png",
      ogSiteName: "Site",
      ogLocaleAlternate: ["de_DE", "fr_FR"],
      articleTag: "x, y",
      articleSection: "News",
      publishedTime: "2026-01-02",
      modifiedTime: "2026-01-03",
      dcDateCreated: "2025",
      dcTermsType: "Text",
      viewport: "width=1",
      author: ["A", "B"],
    });
  });

  it("has one string each for title and description, whatever there is", () => {
    expect(read("<p>a").metadata).toEqual({ title: "", description: "" });
    const twice =
      "<title>one</title><title>two</title><meta name=description content=a><meta name=description content=b>";
    expect(read(twice).metadata).toEqual({ title: "one", description: "a" });
    expect(
      read('<meta property="og:title" content="T"><meta property="og:description" content="D">').metadata,
    ).toMatchObject({ title: "T", description: "D" });
  });

  it("cannot be used to set what the server says", () => {
    const names = [
      "sourceURL",
      "statusCode",
      "url",
      "scrapeId",
      "creditsUsed",
      "contentType",
      "error",
      "cacheState",
      "__proto__",
      "constructor",
      "STATUSCODE",
    ];
    const { metadata } = read(names.map((name) => `<meta name="${name}" content="evil">`).join(""));
    expect(Object.keys(metadata)).toEqual(["title", "description"]);
    expect(Object.getPrototypeOf(metadata)).toBe(Object.prototype);
  });

  it("stays small on a page of many tags", () => {
    const { metadata } = read(
      Array.from({ length: 5000 }, (_, index) => `<meta name="n${index}" content="v">`).join(""),
    );
    expect(Object.keys(metadata).length).toBeLessThan(300);
  });
});

describe("what is no HTML", () => {
  const markdownOf = (body: string, contentType: string | null) => read(body, { contentType }).markdown;

  it("text and markdown stay as they are", () => {
    expect(markdownOf("# a\n<b>  *x*", "text/plain")).toBe("# a\n<b>  *x*");
    expect(markdownOf("# a\n\n- b", "text/markdown; charset=utf-8")).toBe("# a\n\n- b");
    expect(markdownOf("just words", null)).toBe("just words");
  });

  it("JSON is fenced and indented", () => {
    expect(markdownOf('{"a":[1]}', "application/json")).toBe('```json\n{\n  "a": [\n    1\n  ]\n}\n```');
    expect(markdownOf('{"a":1}', "text/html")).toBe('```json\n{\n  "a": 1\n}\n```');
    expect(markdownOf("{broken", "application/ld+json")).toBe("```json\n{broken\n```");
    expect(markdownOf('{"a":1}', null)).toContain("```json");
  });

  it("XML is fenced, a feed is read", () => {
    expect(markdownOf("<?xml version='1.0'?><a>b</a>", "application/xml")).toBe(
      "```xml\n<?xml version='1.0'?><a>b</a>\n```",
    );
    const feed = `<?xml version="1.0"?><rss><channel><title>F</title><item><title>One</title><link>https://site.test/1</link>
      <description><![CDATA[<p>Text &amp; more</p>]]></description></item></channel></rss>`;
    const result = read(feed, {
      contentType: "application/rss+xml",
      formats: { ...noFormats, markdown: true, links: true },
    });
    expect(result.markdown).toBe("# F\n\n## [One](https://site.test/1)\n\nText & more");
    expect(result).toMatchObject({ links: ["https://site.test/1"], metadata: { title: "F" } });
  });

  it("XHTML and HTML under a wrong or missing type are HTML", () => {
    expect(
      markdownOf("<?xml version='1.0'?><!DOCTYPE html><html><body><b>a</b></body></html>", "application/xhtml+xml"),
    ).toBe("**a**");
    expect(markdownOf("<!doctype html><b>a</b>", null)).toBe("**a**");
    expect(markdownOf("<!doctype html><b>a</b>", "application/octet-stream")).toBe("**a**");
  });

  it("scripts and styles are fenced", () => {
    expect(markdownOf("let a = `x`;", "text/javascript")).toBe("```javascript\nlet a = `x`;\n```");
  });

  it.each([
    ["a PNG image", "89504e470d0a1a0a0000000d49484452"],
    ["a JPEG image", "ffd8ffe000104a464946"],
    ["a PDF document", Buffer.from("%PDF-1.7\n1 0 obj").toString("hex")],
    ["a ZIP archive or Office document", "504b030414000600080000002100"],
    ["a gzip archive", "1f8b0800000000000003"],
    ["a program", "7f454c4602010100"],
  ])("%s declared as HTML is refused with its name", (name, hex) => {
    expect(readContent(contentRequest(Buffer.from(hex, "hex")), contentTools)).toEqual({
      unsupported: true,
      reason: `The file is ${name}`,
    });
  });

  describe("a page that holds NULs", () => {
    const nuls = "\0".repeat(40);

    it.each([
      ["text/html"],
      ["text/html; charset=utf-8"],
      ["application/xhtml+xml"],
      ["application/octet-stream"],
      [null],
    ])("is read as browsers read it, served as %s", (contentType) => {
      expect(markdownOf(`<html><body><p>a${nuls}b</p></body></html>`, contentType)).toBe("ab");
      expect(markdownOf(`\0<!doctype html><p>a\0b</p>${nuls}`, contentType)).toBe("ab");
    });

    it("may begin as an archive does", () => {
      expect(markdownOf("BZh <b>a\0</b>", "text/html")).toBe("BZh **a**");
    });

    it("keeps them in rawHtml", () => {
      const html = `<p>a${nuls}b</p>`;
      expect(read(html, { formats: { ...noFormats, rawHtml: true } }).rawHtml).toBe(html);
    });
  });

  it("a plain text with some NULs is a text; one that is mostly NULs is not", () => {
    expect(markdownOf(`words ${"\0".repeat(10)} and ${"more words ".repeat(10)}`, "text/plain")).toContain(
      "more words",
    );
    expect(readContent(contentRequest(new Uint8Array(500), { contentType: "text/plain" }), contentTools)).toEqual({
      unsupported: true,
      reason: "The file is binary",
    });
  });

  it.each([
    ["text/html; charset=utf-16le", Buffer.from("<p>grün</p>", "utf16le")],
    ["text/html", Buffer.from("\ufeff<p>grün</p>", "utf16le")],
    ["text/plain", Buffer.from("\ufeffgrün", "utf16le")],
  ])("UTF-16 is text: %s", (contentType, bytes) => {
    expect(read(bytes, { contentType }).markdown).toBe("grün");
  });

  it("other binary bytes are refused; a stray control character is not", () => {
    const noise = Uint8Array.from({ length: 5000 }, (_, index) => (index * 7919 + (index >> 3)) % 256);
    expect(readContent(contentRequest(noise), contentTools)).toEqual({
      unsupported: true,
      reason: "The file is binary",
    });
    expect(read(`<p>a\0b${"c".repeat(500)}</p>`).markdown).toContain("ccc");
    expect(read("GIF8 is how it begins", { contentType: "text/plain" }).markdown).toBe("GIF8 is how it begins");
  });
});

describe("selectors", () => {
  it("that can be used are not named", () => {
    expect(findBadSelector([])).toBeNull();
    expect(
      findBadSelector(["p", "#id .class > a[href^='x']", "div:not(.a):nth-child(2n+1), h1 ~ p", "a:has(img)"]),
    ).toBeNull();
  });

  it.each([
    ["p["],
    ["a >"],
    [""],
    ["  "],
    ["p:unknown-pseudo"],
    ["::before"],
    ["a".repeat(1025)],
    ["a:has(b:has(c:has(d)))"],
  ])("%s is named", (bad) => {
    expect(findBadSelector(["p", bad, "["])).toMatchObject({
      index: 1,
      selector: bad,
      message: expect.stringMatching(/selector/i),
    });
  });

  it("that cannot be used match nothing when they get here all the same", () => {
    expect(read("<p>a</p>", { excludeTags: ["p["] }).markdown).toBe("a");
  });
});
