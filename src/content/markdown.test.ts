import { describe, expect, it } from "vitest";
import { Addresses } from "./addresses.ts";
import { findInvisible } from "./clean.ts";
import { toMarkdown } from "./markdown.ts";
import { parseHtml } from "./parse.ts";

function markdown(html: string, removeBase64Images = true): string {
  const { root } = parseHtml(html);
  const { dropped } = findInvisible(root, { excludeTags: [], keepNoscript: false, keepHidden: false });
  const addresses = new Addresses("https://site.test/docs/page.html", null);
  return toMarkdown(root.children, { addresses, dropped, removeBase64Images });
}

it("keeps TeX that a script of the page draws, and nothing that only looks like it", () => {
  const { root } = parseHtml("<p>We have \\(u_t = 1\\) and \\[a_b * c\\] for $5.</p>");
  const addresses = new Addresses("https://site.test/", null);
  const options = { addresses, dropped: new Set<never>(), removeBase64Images: true };
  expect(toMarkdown(root.children, { ...options, hasTex: true })).toBe(
    "We have $u_t = 1$ and\n\n$$\na_b * c\n$$\n\nfor $5.",
  );
  expect(toMarkdown(root.children, options)).toContain("\\(u_t");
});

const gif = "data:image/gif;base64,R0lGODlhAQABAAAAACw=";

const cases: [name: string, html: string, markdown: string][] = [
  // Formulas, videos, parts of custom elements
  [
    "MathML with its TeX",
    '<p>a <math><semantics><mi>x</mi><annotation encoding="application/x-tex">x^2</annotation></semantics></math> b</p>',
    "a $x^2$ b",
  ],
  [
    "MathML alone",
    "<p><math><mfrac><mi>a</mi><mn>2</mn></mfrac><mo>=</mo><msqrt><mi>b</mi></msqrt></math></p>",
    "$\\frac{a}{2}=\\sqrt{b}$",
  ],
  ["a formula set apart", '<math display="block"><msup><mi>a</mi><mn>2</mn></msup></math>', "$$\na^{2}\n$$"],
  [
    "MathJax 2",
    '<p>a <span class="MathJax_Preview"></span><span class="MathJax">λ</span><script type="math/tex">\\lambda</script> b</p>',
    "a $\\lambda$ b",
  ],
  [
    "MathJax 3",
    "<p>a <mjx-container><mjx-math>W</mjx-math><mjx-assistive-mml><math><mi>W</mi></math></mjx-assistive-mml></mjx-container></p>",
    "a $W$",
  ],
  [
    "KaTeX",
    '<p><span class="katex"><span class="katex-mathml"><math><semantics><mi>g</mi><annotation encoding="application/x-tex">g_0</annotation></semantics></math></span><span class="katex-html" aria-hidden="true">g0</span></span></p>',
    "$g_0$",
  ],
  [
    "videos",
    '<p>a</p><iframe src="https://www.youtube.com/embed/abcdefghijk?rel=0" title="A film"></iframe>',
    "a\n\n[A film](https://www.youtube.com/watch?v=abcdefghijk)",
  ],
  ["frames that are no videos", '<p>a</p><iframe src="https://ads.test/frame"></iframe>', "a"],
  [
    "declarative shadow DOM",
    '<my-card><template shadowrootmode="open"><p>In the shadow</p></template></my-card><template><p>no</p></template>',
    "In the shadow",
  ],
  [
    "code whose lines are elements",
    '<pre data-language="ts"><code><span class="line">a {</span><span class="line">  b</span><span class="line">}</span></code></pre>',
    "```ts\na {\n  b\n}\n```",
  ],
  [
    "code beside its numbers in a table",
    '<div class="highlight-rust"><table><tr><td class="linenos"><pre>1\n2</pre></td><td class="code"><div><pre>a\nb</pre></div></td></tr></table></div>',
    "```rust\na\nb\n```",
  ],
  // Blocks
  ["headings", "<h1>One</h1><h2>Two</h2><h6>Six</h6>", "# One\n\n## Two\n\n###### Six"],
  ["a heading over two lines", "<h2>One<br>line\n only</h2>", "## One line only"],
  ["paragraphs", "<p>One</p><p>Two</p>", "One\n\nTwo"],
  ["paragraphs that were never closed", "<p>One<p>Two", "One\n\nTwo"],
  ["text beside blocks", "Before<div>inside</div>after", "Before\n\ninside\n\nafter"],
  ["whitespace as a browser shows it", "<p>  a \n\t b&nbsp; c  <b> d </b> e</p>", "a b c **d** e"],
  ["no whitespace where there is none", "<p>a<span>b</span>c</p>", "abc"],
  ["soft hyphens and other invisible characters", "<p>Donau&shy;dampf&#8203;schiff</p>", "Donaudampfschiff"],
  ["line breaks", "<p>One<br>two</p>", "One  \ntwo"],
  ["two line breaks make a paragraph", "<p>One<br><br>two<br></p>", "One\n\ntwo"],
  ["rules", "<p>One</p><hr><p>Two</p>", "One\n\n---\n\nTwo"],
  ["quotes", "<blockquote><p>One</p><p>Two</p></blockquote><p>After</p>", "> One\n>\n> Two\n\nAfter"],
  ["quotes in quotes", "<blockquote>One<blockquote>Two</blockquote></blockquote>", "> One\n>\n> > Two"],
  ["quotes beside quotes", "<blockquote>One</blockquote><blockquote>Two</blockquote>", "> One\n\n> Two"],
  [
    "figures",
    '<figure><img src="/a.png" alt="A"><figcaption>Cap</figcaption></figure>',
    "![A](https://site.test/a.png)\n\nCap",
  ],
  ["details", "<details><summary>More</summary><p>Text</p></details>", "**More**\n\nText"],
  [
    "definitions",
    "<dl><dt>Term</dt><dd>Meaning</dd><dd>Other</dd><dt>Next</dt><dd>Last</dd></dl>",
    "**Term**\n: Meaning\n: Other\n\n**Next**\n: Last",
  ],
  // Lists
  ["lists", "<ul><li>One</li><li>Two</li></ul>", "- One\n- Two"],
  ["ordered lists", "<ol><li>One</li><li>Two</li></ol>", "1. One\n2. Two"],
  ["a start number", '<ol start="9"><li>Nine</li><li>Ten</li></ol>', "9. Nine\n10. Ten"],
  ["reversed lists", "<ol reversed><li>a</li><li>b</li><li>c</li></ol>", "3. a\n2. b\n1. c"],
  ["a number of its own", '<ol><li>a</li><li value="7">b</li><li>c</li></ol>', "1. a\n7. b\n8. c"],
  ["lists in lists", "<ul><li>a<ul><li>b<ul><li>c</li></ul></li></ul></li><li>d</li></ul>", "- a\n  - b\n    - c\n- d"],
  ["ordered in unordered", "<ul><li>a<ol><li>b</li><li>c</li></ol></li></ul>", "- a\n  1. b\n  2. c"],
  ["unordered in ordered", "<ol><li>a<ul><li>b</li></ul></li><li>c</li></ol>", "1. a\n   - b\n2. c"],
  ["a list that stands in a list without an item", "<ul><li>a</li><ul><li>b</li></ul><li>c</li></ul>", "- a\n- b\n- c"],
  ["paragraphs in items", "<ul><li><p>a</p><p>b</p></li><li><p>c</p></li></ul>", "- a\n\n  b\n- c"],
  [
    "code in items",
    "<ol><li>Run<pre>x\n y</pre></li><li>Done</li></ol>",
    "1. Run\n\n   ```\n   x\n    y\n   ```\n2. Done",
  ],
  ["empty items", "<ul><li></li><li>a</li><li> </li></ul>", "- a"],
  [
    "tasks",
    '<ul><li><input type="checkbox" checked> Done</li><li><input type="checkbox"> Open</li></ul>',
    "- [x] Done\n- [ ] Open",
  ],
  ["a quote in an item", "<ul><li>a<blockquote>q</blockquote></li><li>b</li></ul>", "- a\n\n  > q\n- b"],
  ["items without a list", "<li>a</li><li>b</li>", "- a\n- b"],
  // Code
  ["a code block inside a heading", "<h1>Run<pre>x</pre></h1>", "# Run\n```\nx\n```"],
  ["code blocks keep whitespace", "<pre>  a\n\n    b\tc\n</pre>", "```\n  a\n\n    b\tc\n```"],
  ["a language in the class", '<pre><code class="hljs language-ts">let a;</code></pre>', "```ts\nlet a;\n```"],
  ["a language in a wrapper", '<div class="highlight highlight-source-python"><pre>x</pre></div>', "```python\nx\n```"],
  ["a language in data-lang", '<pre data-lang="Go">x</pre>', "```go\nx\n```"],
  ["a fence longer than those inside", "<pre>a\n```\nb</pre>", "````\na\n```\nb\n````"],
  ["no escapes in code", "<pre>*a* _b_ &lt;c&gt; [d](e)</pre>", "```\n*a* _b_ <c> [d](e)\n```"],
  ["highlighted code", '<pre><code><span class="k">if</span> <span>x</span><br>y</code></pre>', "```\nif x\ny\n```"],
  [
    "line numbers are left out",
    '<pre><span class="lineno">1</span>a\n<span class="lineno">2</span>b</pre>',
    "```\na\nb\n```",
  ],
  ["inline code", "<p>Use <code>a_b*c</code> here</p>", "Use `a_b*c` here"],
  ["inline code with backticks", "<p><code>a`b</code> <code>`c`</code></p>", "``a`b`` `` `c` ``"],
  ["keys", "<p>Press <kbd>Ctrl</kbd>+<kbd>C</kbd></p>", "Press `Ctrl`+`C`"],
  // Emphasis
  ["emphasis", "<p><b>a</b> <em>b</em> <s>c</s> <strong><i>d</i></strong></p>", "**a** *b* ~~c~~ ***d***"],
  ["spaces stay outside", "<p>a<b> b </b>c</p>", "a **b** c"],
  ["emphasis of nothing", "<p>a<b> </b>b<i></i>c</p>", "a bc"],
  ["inside a word", "<p>un<b>believ</b>able</p>", "un**believ**able"],
  ["given up where it could not be read", "<p>a<b>(b)</b>c <b>d:</b>e</p>", "a(b)c d:e"],
  ["side by side", "<p><b>a</b><b>b</b></p>", "**ab**"],
  ["bold in bold", "<p><b>a <strong>b</strong></b></p>", "**a b**"],
  ["over several blocks", "<b><p>One</p><p>Two</p></b>", "**One**\n\n**Two**"],
  // Links and images
  ["links", '<p><a href="../a?b=1#c">text</a></p>', "[text](https://site.test/a?b=1#c)"],
  ["link titles", '<a href="/a" title="Say &quot;hi&quot;">b</a>', '[b](https://site.test/a "Say \\"hi\\"")'],
  ["balanced parentheses stay", '<a href="/a_(b)">c</a>', "[c](https://site.test/a_(b))"],
  ["others and spaces are escaped", '<a href="/a) b">c</a>', "[c](https://site.test/a%29%20b)"],
  ["empty links are dropped", '<p>a <a href="/b"> </a> c</p>', "a c"],
  [
    "links that lead nowhere keep their text",
    '<a href="javascript:x()">a</a> <a name="x">b</a> <a href="mailto:m@x.test">c</a>',
    "a b c",
  ],
  [
    "images in links",
    '<a href="/b"><img src="/i.png" alt="I"></a>',
    "[![I](https://site.test/i.png)](https://site.test/b)",
  ],
  [
    "blocks in links",
    '<a href="/b"><h3>Title</h3><p>Text</p></a>',
    "### [Title](https://site.test/b)\n\n[Text](https://site.test/b)",
  ],
  ["links side by side", '<a href="/a">a</a><a href="/b">b</a>', "[a](https://site.test/a) [b](https://site.test/b)"],
  ["brackets in a link", '<a href="/a">[1]</a>', "[\\[1\\]](https://site.test/a)"],
  ["an exclamation mark before a link", '<p>Look!<a href="/a">a</a></p>', "Look\\![a](https://site.test/a)"],
  ["images", '<img src="a.png" alt="An  [image]" title="T">', '![An \\[image\\]](https://site.test/docs/a.png "T")'],
  [
    "the largest of a srcset",
    '<img src="s.png" srcset="/m.png 400w, /l.png 1200w, /s.png 200w" alt="">',
    "![](https://site.test/l.png)",
  ],
  ["lazy images", `<img src="${gif}" data-src="/real.jpg" alt="R">`, "![R](https://site.test/real.jpg)"],
  [
    "images in noscript beside a placeholder",
    `<img src="${gif}" alt="R"><noscript><img src="/real.jpg"></noscript>`,
    "![R](https://site.test/real.jpg)",
  ],
  ["inline images keep their alt text", `<img src="${gif}" alt="Logo">`, "![Logo](<Base64-Image-Removed>)"],
  ["placeholders and tracking pixels", `<p>a<img src="${gif}"><img src="/t.gif" width="1" height="1"></p>`, "a"],
  // Tables
  [
    "tables",
    "<table><tr><th>A</th><th>B</th></tr><tr><td>1</td><td>2</td></tr></table>",
    "| A | B |\n| --- | --- |\n| 1 | 2 |",
  ],
  [
    "alignment",
    '<table><thead><tr><th align="left">A</th><th style="text-align: right">B</th><th align="center">C</th></tr></thead><tr><td>1</td><td>2</td><td>3</td></tr></table>',
    "| A | B | C |\n| :--- | ---: | :---: |\n| 1 | 2 | 3 |",
  ],
  [
    "pipes and breaks in cells",
    "<table><tr><th>A</th><th>B</th></tr><tr><td>a|b<br>c</td><td><code>x|y</code></td></tr></table>",
    "| A | B |\n| --- | --- |\n| a\\|b<br>c | `x\\|y` |",
  ],
  [
    "lists in cells",
    "<table><tr><th>A</th><th>B</th></tr><tr><td><ul><li>x</li><li>y</li></ul></td><td>2</td></tr></table>",
    "| A | B |\n| --- | --- |\n| - x<br>- y | 2 |",
  ],
  [
    "spans",
    '<table><tr><th colspan="2">A</th><th>B</th></tr><tr><td rowspan="2">1</td><td>2</td><td>3</td></tr><tr><td>4</td><td>5</td></tr></table>',
    "| A | A | B |\n| --- | --- | --- |\n| 1 | 2 | 3 |\n| 1 | 4 | 5 |",
  ],
  [
    "no header",
    "<table><tr><td>1</td><td>2</td></tr><tr><td>3</td><td>4</td></tr></table>",
    "|  |  |\n| --- | --- |\n| 1 | 2 |\n| 3 | 4 |",
  ],
  [
    "captions",
    "<table><caption>Sizes</caption><tr><th>A</th><th>B</th></tr><tr><td>1</td><td>2</td></tr></table>",
    "Sizes\n\n| A | B |\n| --- | --- |\n| 1 | 2 |",
  ],
  [
    "layout tables are unwrapped",
    '<table role="presentation"><tr><td><h2>A</h2></td><td><p>B</p></td></tr></table>',
    "## A\n\nB",
  ],
  ["tables of one column are unwrapped", "<table><tr><td>a</td></tr><tr><td>b</td></tr></table>", "a\nb"],
  [
    "a table in a cell stays on its line",
    "<table><tr><th>A</th><th>B</th></tr><tr><td><table><tr><td>x</td><td>y</td></tr></table></td><td>2</td></tr></table>",
    "| A | B |\n| --- | --- |\n| x<br>y | 2 |",
  ],
  [
    "a data table in a layout table",
    "<table><tr><td>Menu</td><td><table><tr><th>A</th><th>B</th></tr><tr><td>1</td><td>2</td></tr></table></td></tr></table>",
    "Menu\n\n| A | B |\n| --- | --- |\n| 1 | 2 |",
  ],
  [
    "rows of unequal length",
    "<table><tr><th>A</th><th>B</th></tr><tr><td>1</td></tr></table>",
    "| A | B |\n| --- | --- |\n| 1 |  |",
  ],
  // Small things
  ["numbers above and below", "<p>x<sup>2</sup> H<sub>2</sub>O 10<sup>-3</sup></p>", "x² H₂O 10⁻³"],
  ["other text above", "<p>a<sup>n+k</sup>, the 1<sup>st</sup></p>", "a<sup>n+k</sup>, the 1st"],
  ["abbreviations", '<p><abbr title="HyperText">HT</abbr></p>', "HT"],
  ["readings", "<p><ruby>漢<rt>kan</rt></ruby><ruby>字<rp>(</rp><rt>ji</rt><rp>)</rp></ruby></p>", "漢(kan)字(ji)"],
  ["quotations", "<p>He said <q>yes</q>.</p>", "He said “yes”."],
  [
    "formulas keep their TeX",
    '<p><math><semantics><mi>x</mi><annotation encoding="application/x-tex">x^2</annotation></semantics></math></p>',
    "$x^2$",
  ],
  // Escaping: only what would be read as markup
  ["stars, backticks, tags", "<p>2*3 `a` &lt;b&gt; a &lt; b</p>", "2\\*3 \\`a\\` \\<b> a < b"],
  ["underscores in words stay", "<p>snake_case _x_ a _ b</p>", "snake_case \\_x\\_ a _ b"],
  ["entities", "<p>&amp;copy; AT&amp;T a &amp; b</p>", "\\&copy; AT&T a & b"],
  ["what looks like a link", "<p>[a](b) [c] [d]</p>", "[a\\](b) [c] [d]"],
  [
    "the start of a line",
    "<p># a</p><p>1. b</p><p>- c</p><p>+ d</p><p>> e</p><p>#tag 1.5 -x</p>",
    "\\# a\n\n1\\. b\n\n\\- c\n\n\\+ d\n\n\\> e\n\n#tag 1.5 -x",
  ],
  ["the start of a line after a break", "<p>a<br>- b<br>===</p>", "a  \n\\- b  \n\\==="],
  ["backslashes", "<p>C:\\dir \\*</p>", "C:\\dir \\\\\\*"],
  ["tildes", "<p>~5 ~~x~~</p>", "~5 \\~\\~x\\~\\~"],
  // Hidden
  [
    "hidden elements",
    '<p>a</p><p hidden>b</p><p style="color:red; display : none">c</p><p aria-hidden="true">d</p><dialog>e</dialog>',
    "a",
  ],
  [
    "code of the page",
    "<p>a</p><script>b()</script><style>c{}</style><template><p>d</p></template><noscript>e</noscript><svg><text>f</text></svg>",
    "a",
  ],
  [
    "long text behind a dialog stays",
    `<div aria-hidden="true"><p>${"word ".repeat(60).trim()}</p></div>`,
    "word ".repeat(60).trim(),
  ],
];

describe("markdown", () => {
  it.each(cases)("%s", (_name, html, expected) => {
    expect(markdown(html)).toBe(expected);
  });

  it("keeps inline images when asked to", () => {
    expect(markdown(`<img src="${gif}" alt="Logo">`, false)).toBe(`![Logo](${gif})`);
  });

  it("has cases for more than sixty constructs", () => {
    expect(cases.length).toBeGreaterThan(60);
  });

  it("does not multiply a page by its nesting", () => {
    const html = `${"<blockquote>".repeat(400)}${"<p>x</p>".repeat(1000)}`;
    expect(markdown(html).length).toBeLessThan(200_000);
  });
});
