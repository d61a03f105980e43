// Pages made to hurt: each is read without a throw and in time that grows with its size.
import { describe, expect, it } from "vitest";
import { noFormats, readPage } from "../../../test/support/content.ts";
import { maxNodes, parseHtml } from "../../html/parse-page.ts";
import type { ContentRequest, PageContent } from "./content-request.ts";

/** `ms` is CPU time: what else the machine does counts little. */
function read(html: string | Uint8Array, changes: Partial<ContentRequest> = {}): { result: PageContent; ms: number } {
  const before = process.cpuUsage();
  const attributes = { selectors: [{ selector: "a", attribute: "href" }] };
  const formats = { markdown: true, html: true, rawHtml: true, links: true, images: true, outlinks: false, attributes };
  const result = readPage(html, { contentType: "text/html", formats, onlyMainContent: true, ...changes });
  const { user, system } = process.cpuUsage(before);
  return { result, ms: (user + system) / 1000 };
}

/** Seconds of a slow processor; what is quadratic takes minutes. */
const limitMs = 3000;

const slowSheets: [name: string, sheet: string][] = [
  ["many rules for one name", ".a{display:none;color:#fff}".replace("none", "block").repeat(8000)],
  ["steps without end", `${".a ".repeat(8)}.z{display:none}`.repeat(3000)],
  ["steps that nearly match", `${".b ".repeat(7)}p.a.q{opacity:0}`.repeat(3000)],
  ["braces that nothing closes", ".a{".repeat(100_000)],
  ["comments that nothing closes", "/*".repeat(150_000)],
  ["queries in queries", "@media screen{".repeat(20_000)],
  ["a selector without end", `${".a,".repeat(100_000)}.b{display:none}`],
  [
    "variables of variables",
    `:root{${Array.from({ length: 3000 }, (_, n) => `--v${n}:var(--v${n + 1})var(--v${n + 1})`).join(";")}}.a{color:var(--v0)}`,
  ],
  ["strings that nothing closes", `.a{content:"${"x;".repeat(100_000)}`],
];

const pages: [name: string, html: string][] = [
  ["100,000 elements deep", `${"<div>".repeat(100_000)}text${"</div>".repeat(100_000)}`],
  ["100,000 formatting elements deep", `${"<b><i>".repeat(50_000)}text`],
  ["100,000 lists deep", `${"<ul><li>".repeat(50_000)}text`],
  ["100,000 quotes deep", `${"<blockquote>".repeat(100_000)}text`],
  ["20,000 tables deep", `${"<table><tr><td>".repeat(20_000)}text`],
  ["100,000 links in links", `${"<a href=/x><span>".repeat(50_000)}text`],
  ["300 KB of <", "<".repeat(300_000)],
  ["300 KB of <a", "<a".repeat(150_000)],
  ["300 KB of unclosed tags", '<a href="x" '.repeat(25_000)],
  ["300 KB of unclosed comments", "<!--".repeat(75_000)],
  ["300 KB of end tags", "</p>".repeat(75_000)],
  ["300 KB of end tags that nothing opened", `${"<div>".repeat(500)}${"</x>".repeat(75_000)}`],
  ["an unclosed script", `<p>text</p><script>${"x<".repeat(150_000)}`],
  ["an attribute of 3 MB", `<p title="${"x".repeat(3_000_000)}">text</p>`],
  ["100,000 attributes", `<p ${Array.from({ length: 100_000 }, (_, index) => `a${index}=b`).join(" ")}>text</p>`],
  ["class names without end", `<p class="${"comment-".repeat(100_000)}">text</p>`],
  ["300 KB of brackets", `<p>${"[".repeat(150_000)}${"]".repeat(150_000)}</p>`],
  ["300 KB of stars and backticks", `<p>${"*`_~".repeat(75_000)}</p>`],
  ["300 KB of ampersands", `<p>${"&".repeat(300_000)}</p>`],
  ["300 KB of backslashes and digits", `<p>${"\\".repeat(150_000)}</p><p>${"1".repeat(150_000)}</p>`],
  ["300 KB of whitespace", `<p>a${" \n\t".repeat(100_000)}b</p>`],
  ["a srcset without end", `<img src=a srcset="${"a 1w,".repeat(60_000)}"><img srcset="${" ".repeat(300_000)}">`],
  ["a style without end", `<p style="${"display ".repeat(50_000)}">text</p>`],
  ["code of backticks", `<pre>${"`".repeat(300_000)}</pre><code>${"` ".repeat(150_000)}</code>`],
  ["a table of 100,000 cells", `<table><tr>${"<td>x".repeat(100_000)}</table>`],
  ["a table of 30,000 rows", `<table><tr><th>a<th>b</tr>${"<tr><td>x<td>y".repeat(30_000)}</table>`],
  ["spans of a billion", `<table>${"<tr><td colspan=1000000000 rowspan=1000000000>x<td>y</tr>".repeat(2000)}</table>`],
  [
    "a long cell that spans everything",
    `<table><tr><th>a<th>b<tr><td colspan=50 rowspan=50>${"x".repeat(300_000)}${"<tr><td>y".repeat(60)}</table>`,
  ],
  ["a wide row among many", `<table><tr>${"<th>x".repeat(200)}${"<tr><td>y".repeat(30_000)}</table>`],
  ["100,000 scripts side by side", "<script></script>".repeat(100_000)],
  ["50,000 lines of code in elements", `<pre>${"<div>x</div>".repeat(50_000)}</pre>`],
  ["50,000 readings", `<ruby>${"<rt>x".repeat(50_000)}`],
  ["500 hidden around 100,000 empty", `${"<div aria-hidden=true>".repeat(500)}${"<i></i>".repeat(100_000)}`],
  ["500 raised around 50,000 words", `${"<sup>".repeat(500)}${"<i>x </i>".repeat(50_000)}`],
  [
    "a list that starts at infinity",
    `<ol start=99999999999999999999><li>a</ol><ol start=-5 reversed><li value=1e9>b</ol>`,
  ],
  ["20,000 meta tags", '<meta name=a content=b><meta property="og:locale:alternate" content=c>'.repeat(10_000)],
  ["20,000 links", Array.from({ length: 20_000 }, (_, index) => `<a href="/${index}?q=[x] y">l</a>`).join("")],
  ...slowSheets.map(([name, sheet]): [string, string] => [
    `a style sheet made to be slow: ${name}`,
    `<style>${sheet}</style>${'<div class="a b c"><i class="a">'.repeat(250)}${'<p class="a b c">text</p>'.repeat(3000)}`,
  ]),
  ["control characters", "<p>a\u0001\u2028\u2029\ud800b</p>"],
];

describe("hostile pages", () => {
  it.each(pages)("%s", (_name, html) => {
    const { result, ms } = read(html);
    expect(ms).toBeLessThan(limitMs);
    expect(result.markdown).toBeTypeOf("string");
    expect(result.html).toBeTypeOf("string");
    // Prefixes and spans may lengthen a page, never multiply it without bound.
    expect(result.markdown?.length).toBeLessThan(html.length * 30 + 10_000);
    if (html.includes(">text")) expect(result.markdown).toContain("text");
  });

  it("says when a tree was flattened", () => {
    const { result } = read(`${"<div>".repeat(600)}deep${"</div>".repeat(600)}<p>after</p>`);
    expect(result.warnings).toEqual([expect.stringContaining("nested too deeply")]);
    expect(result.markdown).toBe("deep\n\nafter");
    expect(read("<div>".repeat(500)).result.warnings).toEqual(["The page has no text"]);
  });

  it("keeps the shape around a flattened part", () => {
    const { root, isFlattened } = parseHtml(
      `<main>${"<i>".repeat(600)}x${"</i>".repeat(600)}<p>y</p></main><footer>z</footer>`,
    );
    expect(isFlattened).toBe(true);
    expect(root.children.map((child) => "name" in child && child.name)).toEqual(["main", "footer"]);
  });

  it("cuts a tree of more than 1.5 million nodes and says so", () => {
    const { result, ms } = read(`<p>first</p>${"<br>".repeat(maxNodes + 10)}<p>last</p>`, {
      formats: { ...noFormats, markdown: true },
    });
    expect(result.warnings).toEqual([expect.stringContaining("1500000 nodes")]);
    expect(result.markdown).toContain("first");
    expect(result.markdown).not.toContain("last");
    expect(ms).toBeLessThan(15_000);
  });

  it("reads invalid UTF-8 and bytes of every value", () => {
    expect(read(Uint8Array.from([0x3c, 0x70, 0x3e, 0xc3, 0x28, 0xff])).result.markdown).toBe("Ã(ÿ");
    expect(read(Uint8Array.from({ length: 224 }, (_, index) => index + 32)).result.charset).toBe("windows-1252");
  });

  it("reads a page of 10 MB", () => {
    const part = '<div class="a b"><h2>Part</h2><p>Some words <a href="/x">and a link</a>, in a sentence.</p></div>';
    const { result, ms } = read(`<main>${part.repeat(Math.ceil(10_000_000 / part.length))}<p>The end.</p></main>`);
    expect(result.markdown?.endsWith("The end.")).toBe(true);
    expect(ms).toBeLessThan(20_000);
  });
});

/** Pages of so many parts each. At ten times as many they are below the bounds from which on other ways are taken. */
const parts = 240;
const numbered = (make: (index: number) => string) => (count: number) =>
  Array.from({ length: count }, (_, index) => make(index)).join("");
const repeated = (part: string) => (count: number) => part.repeat(count);
const within = (before: string, part: string, after: string) => (count: number) => before + part.repeat(count) + after;
const growing: [name: string, page: (count: number) => string][] = [
  ["paragraphs", repeated("<p>Some words <b>and more</b> of them, in a sentence that ends here.</p>")],
  [
    "a table",
    within("<table><tr><th>A<th>B</tr>", "<tr><td>one</td><td>two <a href=/x>three</a></td></tr>", "</table>"),
  ],
  ["tables", repeated("<table><tr><th>A<th>B</tr><tr><td>one</td><td>two</td></tr></table>")],
  ["lists", within("<ul>", "<li>one<ol><li>two</li></ol></li>", "</ul>")],
  ["nested elements", (count) => `${"<div>".repeat(count * 5)}text${"</div>".repeat(count * 5)}`],
  ["groups of nested elements", (count) => `${"<div class=a>".repeat(300)}x${"</div>".repeat(300)}`.repeat(count / 40)],
  ["links", numbered((index) => `<a href="/page/${index}?q=1#f">link ${index}</a> `)],
  [
    "footnotes",
    (count) =>
      numbered((index) => `<p>a<sup><a href="#n${index}">${index}</a></sup></p>`)(count) +
      numbered((index) => `<p id="n${index}">note</p>`)(count),
  ],
  ["code", within("<pre><code class=language-js>", "<span class=k>let</span> a = `b`;\n", "</code></pre>")],
  [
    "code blocks",
    repeated("<div class=highlight><button>Copy</button><span class=lang>js</span><pre>a\nb</pre></div>"),
  ],
  ["text", (count) => "words and *stars* [brackets] &amp; entities\n".repeat(count * 3)],
  ["Japanese text", (count) => "日本語の文章。\n".repeat(count * 8)],
  ["unclosed elements", repeated("<p>a<b>b<i>c<li>d")],
  ["unclosed tags", (count) => '<a href="x" '.repeat(count * 10)],
  ["attributes", (count) => `<p ${numbered((index) => `a${index}="b" `)(count * 10)}>x</p>`],
  ["classes", numbered((index) => `<div class="c${index} menu-item" id="d${index}">word ${index}</div>`)],
  ["comments", (count) => "<!-- a comment --><i>a</i>".repeat(count * 3)],
  ["images", numbered((index) => `<img src="/i${index}.png" srcset="/a${index}.png 1x, /b.png 2x" alt="a">`)],
  ["pictures of formulas", within("<p>", '<img class="latex" alt="x^2" src="/a.png"> ', "</p>")],
  ["<noscript>", within("<div>", '<noscript><img src="/r.jpg" alt="R"></noscript>', "</div>")],
  ["head", repeated('<meta name="a" content="b"><link rel="alternate" type="application/rss+xml" href="/f">')],
  ["hidden elements", repeated('<div style="display:none">x</div><div aria-hidden="true">y</div>')],
  ["quotes", repeated("<blockquote><p>a</p></blockquote>")],
  ["headings", repeated('<h2 id="a">Title<a href="#a">#</a></h2><p>text</p>')],
  ["scripts", repeated("<script>var a = '<p>';</script><style>a{}</style><p>Some text.</p>")],
];

describe("time", () => {
  const mostTimes = 14;
  const cpuOf = (html: string, times: number) => Math.min(...Array.from({ length: times }, () => read(html).ms));

  /**
   * The least of up to twenty measurements: what is quadratic costs a hundred times as much in each, noise is not in all.
   * Nearly always the first is enough, so each is a short one.
   */
  function measureGrowth(small: string, large: string): number {
    cpuOf(small, 3);
    let least = Number.POSITIVE_INFINITY;
    for (let round = 0; round < 20 && least >= mostTimes; round += 1) {
      least = Math.min(least, cpuOf(large, 1) / cpuOf(small, 4));
    }
    return least;
  }

  it.each(growing)("of ten times as many (%s) is at most fourteen times as much", (_, page) => {
    expect(measureGrowth(page(parts), page(parts * 10))).toBeLessThan(mostTimes);
  });
});
