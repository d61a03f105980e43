import { describe, expect, it } from "vitest";
import { findParts } from "../../html/page-parts.ts";
import { parseHtml } from "../../html/parse-page.ts";
import { findHidden, takeOut } from "../../safety/hidden-text/remove-hidden.ts";
import { PageUrls } from "../links/page-urls.ts";
import { findInvisible } from "../selection/visibility.ts";
import { toMarkdown } from "./markdown.ts";

function markdown(html: string, removeBase64Images = true): string {
  const { root } = parseHtml(html);
  takeOut(findHidden(root, findParts(root), { isRendered: false, byAttributes: true }).nodes);
  const { dropped } = findInvisible(root, { excludeTags: [], keepNoscript: false, keepHidden: false });
  const urls = new PageUrls("https://site.test/docs/page.html", null);
  return toMarkdown(root.children, { urls, dropped, removeBase64Images });
}

it("keeps TeX that a script of the page draws, and nothing that only looks like it", () => {
  const { root } = parseHtml("<p>We have \\(u_t = 1\\) and \\[a_b * c\\] for $5.</p>");
  const urls = new PageUrls("https://site.test/", null);
  const options = { urls, dropped: new Set<never>(), removeBase64Images: true };
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
  ["a list directly in a list, without an item", "<ul><li>a</li><ul><li>b</li></ul><li>c</li></ul>", "- a\n  - b\n- c"],
  ["paragraphs in items", "<ul><li><p>a</p><p>b</p></li><li><p>c</p></li></ul>", "- a\n\n  b\n\n- c"],
  [
    "code in items",
    "<ol><li>Run<pre>x\n y</pre></li><li>Done</li></ol>",
    "1. Run\n   ```\n   x\n    y\n   ```\n2. Done",
  ],
  ["lists of paragraphs", "<ul><li><p>a</p></li><li><p>b</p></li></ul>", "- a\n\n- b"],
  ["lists side by side", "<ul><li>a</li></ul><ul><li>b</li></ul><ul><li>c</li></ul>", "- a\n\n* b\n\n- c"],
  [
    "a rule and a heading in an item",
    "<ul><li>a<hr>b<h3>c</h3>d</li><li><hr></li></ul>",
    "- a\n  ___\n  b\n  ### c\n  d\n- ___",
  ],
  ["empty items", "<ul><li></li><li>a</li><li> </li></ul>", "- a"],
  [
    "tasks",
    '<ul><li><input type="checkbox" checked> Done</li><li><input type="checkbox"> Open</li></ul>',
    "- [x] Done\n- [ ] Open",
  ],
  ["a quote in an item", "<ul><li>a<blockquote>q</blockquote></li><li>b</li></ul>", "- a\n  > q\n- b"],
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
  [
    "spaces of inline code, and its line ends",
    "<p><code> a</code> b<code>\n c  d\n</code>e <code> f </code></p>",
    "` a` b `c d` e `  f  `",
  ],
  ["keys", "<p>Press <kbd>Ctrl</kbd>+<kbd>C</kbd></p>", "Press `Ctrl`+`C`"],
  // Emphasis
  ["emphasis", "<p><b>a</b> <em>b</em> <s>c</s> <strong><i>d</i></strong></p>", "**a** *b* ~~c~~ ***d***"],
  ["spaces stay outside", "<p>a<b> b </b>c</p>", "a **b** c"],
  ["emphasis of nothing", "<p>a<b> </b>b<i></i>c</p>", "a bc"],
  ["inside a word", "<p>un<b>believ</b>able</p>", "un**believ**able"],
  ["signs at the edge go out where emphasis could not be read", "<p>a<b>(b)</b>c <b>d:</b>e</p>", "a(**b**)c **d**:e"],
  ["given up where it could not be read", "<p>a<b>?</b>c <b><code>d</code></b>e</p>", "a?c `d`e"],
  ["side by side", "<p><b>a</b><b>b</b></p>", "**ab**"],
  ["bold in bold", "<p><b>a <strong>b</strong></b></p>", "**a b**"],
  [
    "strong in strong, emphasis in emphasis",
    "<p><strong>a <strong>b</strong></strong> <em><em>c</em></em> <em>d<em>e</em></em> <em><em>f</em></em>g</p>",
    "**a __b__** *_c_* *de* *f*g",
  ],
  ["over several blocks", "<b><p>One</p><p>Two</p></b>", "**One**\n\n**Two**"],
  // Links and images
  ["links", '<p><a href="../a?b=1#c">text</a></p>', "[text](https://site.test/a?b=1#c)"],
  ["link titles", '<a href="/a" title="Say &quot;hi&quot;">b</a>', '[b](https://site.test/a "Say \\"hi\\"")'],
  [
    "entities and backslashes in URLs and titles",
    '<a href="/?a&amp;lt;#\\b" title="&amp;lt; \\">c</a>',
    '[c](https://site.test/?a\\&lt;#%5Cb "\\&lt; \\\\")',
  ],
  ["balanced parentheses stay", '<a href="/a_(b)">c</a>', "[c](https://site.test/a_(b))"],
  ["others and spaces are escaped", '<a href="/a) b">c</a>', "[c](https://site.test/a%29%20b)"],
  ["empty links are dropped", '<p>a <a href="/b"> </a> c</p>', "a c"],
  [
    "links that lead nowhere keep their text",
    '<a href="javascript:x()">a</a> <a name="x">b</a> <a href=" java&#10;script:x()">c</a> <a href="data:text/html,x">d</a>',
    "a b c d",
  ],
  [
    "links of other schemes",
    '<a href="MAILTO:m@x.test">a</a> <a href="tel:+1">b</a> <a href="irc://x.test/c">c</a> <a href="made-up:a(b c">d</a>',
    "[a](mailto:m@x.test) [b](tel:+1) [c](irc://x.test/c) [d](made-up:a%28b%20c)",
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
  // Footnotes
  [
    "footnotes",
    '<p>Text<sup><a href="#fn1" id="fnref1">[1]</a></sup> more.</p><section class="footnotes"><ol><li id="fn1"><p>The note <a href="#fnref1" class="footnote-backref">↩</a></p></li></ol></section>',
    "Text[^1] more.\n\n[^1]: The note",
  ],
  [
    "footnotes of Wikipedia, one used twice",
    '<p>A.<sup class="reference"><a href="#n-1">[1]</a></sup> B.<sup class="reference"><a href="#n-1">[1]</a></sup></p><ol><li id="n-1"><span class="mw-cite-backlink"><a href="#r-1">^</a></span> <span>Source.</span></li></ol>',
    "A.[^1] B.[^1]\n\n[^1]: Source.",
  ],
  [
    "footnotes of two paragraphs, and of Pandoc",
    '<p>A<a href="#fn1" role="doc-noteref"><sup>1</sup></a> b<a href="#fn2" role="doc-noteref"><sup>2</sup></a></p><ol><li id="fn1"><p>One.</p><p>More.</p></li><li id="fn2"><p>Two.<a href="#x" role="doc-backlink">↩︎</a></p></li></ol>',
    "A[^1] b[^2]\n\n[^1]: One.\n\n    More.\n\n[^2]: Two.",
  ],
  [
    "a raised link that leads to no note",
    '<h2 id="top">Top</h2><p>See<sup><a href="#top">1</a></sup> and<sup><a href="#gone">2</a></sup></p>',
    "## Top\n\nSee[1](https://site.test/docs/page.html#top) and[2](https://site.test/docs/page.html#gone)",
  ],
  // Code as the usual programs write it
  [
    "Sphinx",
    '<div class="highlight-python3 notranslate"><div class="highlight"><pre><span></span><span class="linenos">1</span><span class="kn">import</span> x\n<span class="linenos">2</span>x()\n</pre></div></div>',
    "```python3\nimport x\nx()\n```",
  ],
  [
    "GitHub",
    '<div class="highlight highlight-source-js"><pre><span class="pl-k">let</span> a</pre></div>',
    "```js\nlet a\n```",
  ],
  [
    "a file of GitHub, a row for each line",
    '<table><tr><td class="blob-num" data-line-number="1"></td><td class="blob-code">if (a) {</td></tr><tr><td class="blob-num"></td><td class="blob-code">  b\n</td></tr></table>',
    "```\nif (a) {\n  b\n```",
  ],
  [
    "Prism",
    '<pre class="line-numbers language-css"><code class="language-css"><span class="token">a</span> {}\n<span aria-hidden="true" class="line-numbers-rows"><span></span></span></code></pre>',
    "```css\na {}\n```",
  ],
  [
    "highlight.js",
    '<pre><code class="hljs language-java">int a;</code></pre><pre><code class="java hljs">int b;</code></pre>',
    "```java\nint a;\n```\n\n```java\nint b;\n```",
  ],
  [
    "highlight.js with numbers",
    '<pre><code class="hljs sql"><table><tr><td class="hljs-ln-numbers"><div>1</div></td><td class="hljs-ln-code">SELECT 1</td></tr><tr><td class="hljs-ln-numbers"></td><td class="hljs-ln-code">FROM a</td></tr></table></code></pre>',
    "```sql\nSELECT 1\nFROM a\n```",
  ],
  [
    "Shiki",
    '<div class="language-ts"><button class="copy">Copy</button><span class="lang">ts</span><pre class="shiki"><code><span class="line">a</span>\n<span class="line"></span>\n<span class="line">  b</span></code></pre></div>',
    "```ts\na\n\n  b\n```",
  ],
  [
    "Chroma",
    '<table><tr><td><pre><code><span>1\n</span><span>2\n</span></code></pre></td><td><pre><code class="language-go" data-lang="go"><span class="line">a\n</span><span class="line">b\n</span></code></pre></td></tr></table>',
    "```go\na\nb\n```",
  ],
  [
    "MkDocs, with the name of the file",
    '<div class="language-py"><table><tr><th colspan="2">a.py</th></tr><tr><td class="linenos"><pre>1\n2</pre></td><td class="code"><pre><code>a\nb\n</code></pre></td></tr></table></div>',
    "a.py\n\n```py\na\nb\n```",
  ],
  [
    "Docusaurus",
    '<div class="language-bash"><pre class="prism-code language-bash"><code><span class="token-line">npm i<br></span><span class="token-line">npm t<br></span></code></pre></div>',
    "```bash\nnpm i\nnpm t\n```",
  ],
  ["a language in data-lang of the code", '<pre><code data-lang="rust">a</code></pre>', "```rust\na\n```"],
  ["lines of code without <pre>", '<code class="language-js">a<br>b</code>', "```js\na\nb\n```"],
  [
    "a code block in a cell",
    "<table><tr><th>A</th><th>B</th></tr><tr><td><pre>x\n  y</pre></td><td>2</td></tr></table>",
    "| A | B |\n| --- | --- |\n| `x`<br>`  y` | 2 |",
  ],
  ["runs of backticks", "<p><code>``</code> <code>a ``b`` c</code></p>", "``` `` ``` ```a ``b`` c```"],
  // Lists and tables, further
  ["a list that starts at zero", '<ol start="0"><li>a</li><li>b</li></ol>', "0. a\n1. b"],
  [
    "paragraphs, code and quotes in items",
    '<ol start="5"><li><p>One</p><pre><code class="language-sh">a\n\n  b</code></pre><p>after</p></li><li><p>Two</p><blockquote>q</blockquote></li></ol>',
    "5. One\n\n   ```sh\n   a\n\n     b\n   ```\n\n   after\n\n6. Two\n\n   > q",
  ],
  [
    "tasks in labels and paragraphs",
    '<ul><li><label><input type="checkbox" checked> Done</label></li><li><p><input type="checkbox"> Open</p></li></ul>',
    "- [x] Done\n- [ ] Open",
  ],
  [
    "definitions in groups, with paragraphs",
    "<dl><div><dt>A</dt><dd><p>One</p><p>Two</p></dd></div><div><dt>B</dt><dd>Three</dd></div></dl>",
    "**A**\n: One\n\n  Two\n\n**B**\n: Three",
  ],
  [
    "ordered lists in cells",
    '<table><tr><th>A</th><th>B</th></tr><tr><td><ol start="3"><li>x</li><li>y</li></ol></td><td>2</td></tr></table>',
    "| A | B |\n| --- | --- |\n| 3. x<br>4. y | 2 |",
  ],
  [
    "headers of rows",
    "<table><tr><th>Name</th><td>x</td></tr><tr><th>Size</th><td>y</td></tr></table>",
    "|  |  |\n| --- | --- |\n| Name | x |\n| Size | y |",
  ],
  [
    "a table of long texts is layout",
    `<table><tr><td><ul><li>a</li></ul></td><td><p>${"word ".repeat(100)}</p></td></tr><tr><td>b</td><td>c</td></tr></table>`,
    `- a\n\n${"word ".repeat(100).trim()}\n\nb\nc`,
  ],
  // Links and images, further
  [
    "base, protocol and fragment",
    '<a href="//o.test/a">a</a> <a href="#part">b</a> <a href="other#x">c</a> <a href="?q">d</a>',
    "[a](https://o.test/a) [b](https://site.test/docs/page.html#part) [c](https://site.test/docs/other#x) [d](https://site.test/docs/page.html?q)",
  ],
  [
    "a picture with sources",
    '<picture><source srcset="/a.webp 1x, /b.webp 2x"><img src="/a.jpg" alt="A"></picture>',
    "![A](https://site.test/a.jpg)",
  ],
  [
    "a picture whose sources are all there is",
    `<picture><source data-srcset="/a.webp 400w, /b.webp 800w"><img src="${gif}" alt="A"></picture>`,
    "![A](https://site.test/b.webp)",
  ],
  [
    "lazy images of several programs",
    `<p><img data-lazy-src="/a.jpg" src="/placeholder.png"> <img data-original="/b.jpg"> <img data-srcset="/c1.jpg 1x, /c2.jpg 2x" src="${gif}"></p>`,
    "![](https://site.test/a.jpg) ![](https://site.test/b.jpg) ![](https://site.test/c2.jpg)",
  ],
  [
    "images that stand in noscript only, without counters of visitors",
    '<p>a</p><noscript><img src="/real.jpg" alt="R"></noscript><noscript><img src="https://count.test/p?x"></noscript>',
    "a\n\n![R](https://site.test/real.jpg)",
  ],
  [
    "images in noscript before a placeholder",
    `<noscript><img src="/real.jpg" alt="R"></noscript><img src="${gif}" alt="R">`,
    "![R](https://site.test/real.jpg)",
  ],
  [
    "spaces between links",
    '<p><a href="/a">a</a> <a href="/b">b</a></p>',
    "[a](https://site.test/a) [b](https://site.test/b)",
  ],
  [
    "links from headings to themselves",
    '<h2 id="a">A<a class="headerlink" href="#a">¶</a></h2><h2><a href="/p#b">#</a> B</h2><h3><a href="#c">C</a></h3>',
    "## A\n\n## B\n\n### [C](https://site.test/docs/page.html#c)",
  ],
  [
    "code and emphasis in links",
    '<p><a href="/a"><code>f()</code> <b>b</b></a></p>',
    "[`f()` **b**](https://site.test/a)",
  ],
  [
    "figures around code and tables",
    '<figure><pre><code class="language-js">a</code></pre><figcaption>Listing <b>1</b></figcaption></figure>',
    "```js\na\n```\n\nListing **1**",
  ],
  ["a heading in a summary", "<details><summary><h3>Q</h3></summary>A</details>", "### Q\n\nA"],
  [
    "formulas of MediaWiki",
    '<p>a <span><span style="display: none;"><math><semantics><mi>b</mi><annotation encoding="application/x-tex">{\\displaystyle b^{2}}</annotation></semantics></math></span><img src="/b.svg" class="mwe-math-fallback-image-inline" aria-hidden="true" alt="{\\displaystyle b^{2}}"></span></p>',
    "a $b^{2}$",
  ],
  ["formulas that are pictures", '<p>a <img class="latex" src="/x.png" alt="x^2"></p>', "a $x^2$"],
  [
    "a formula of KaTeX set apart",
    '<p>a</p><span class="katex-display"><span class="katex"><span class="katex-mathml"><math display="block"><semantics><mi>E</mi><annotation encoding="application/x-tex">E=mc^2</annotation></semantics></math></span><span class="katex-html" aria-hidden="true">E</span></span></span>',
    "a\n\n$$\nE=mc^2\n$$",
  ],
  // Scripts of the world
  [
    "line ends between Chinese and Japanese characters",
    "<p>日本\n  語。\n次</p><p>한국어\n문장</p><p>中文\nabc</p>",
    "日本語。次\n\n한국어 문장\n\n中文 abc",
  ],
  ["emphasis without spaces", "<p>这是<b>重要</b>的。<b>注意：</b>小心</p>", "这是**重要**的。**注意**：小心"],
  [
    "text from right to left",
    '<p dir="rtl">שלום <b>עולם</b>, <a href="/x">קישור</a>.</p><ol dir="rtl"><li>אחד</li></ol><p>abc&rlm; 1</p>',
    "שלום **עולם**, [קישור](https://site.test/x).\n\n1. אחד\n\nabc\u200f 1",
  ],
  [
    "joiners that shape letters stay",
    "<p>می\u200cخواهم \u{1f468}\u200d\u{1f469}</p>",
    "می\u200cخواهم \u{1f468}\u200d\u{1f469}",
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
  // Headings, further
  ["a heading that ends with its own sign", "<h2>Use of #</h2><h3>C#</h3>", "## Use of \\#\n\n### C#"],
  ["headings by role", '<div role="heading" aria-level="3">A</div><div role="heading">B</div>', "### A\n\n## B"],
  [
    "words for those who do not see a permalink",
    '<h2 id="a">A <a class="hash-link" href="#a">Direct link to A</a></h2><h2><a class="anchor" href="#b">B</a></h2>',
    "## A\n\n## [B](https://site.test/docs/page.html#b)",
  ],
  [
    "permalinks of terms and captions",
    '<dl><dt>f()<a class="headerlink" href="#f">¶</a></dt><dd>x</dd></dl>',
    "**f()**\n: x",
  ],
  [
    "text for screen readers",
    '<h2>A<span class="sr-only"> section</span></h2><p>b <span class="screen-reader-text">c</span></p>',
    "## A\n\nb",
  ],
  [
    "headings in items are at the start of their line",
    "<ul><li><div><h3>A</h3></div><p>a</p></li><li><h3>B</h3></li></ul><ol><li><h3>C</h3></li></ol>",
    "### A\n\na\n\n### B\n\n1. ### C",
  ],
  // Lists, further
  ["text after a list in an item", "<ul><li>a<ul><li>b</li></ul>c</li><li>d</li></ul>", "- a\n  - b\n\n  c\n- d"],
  ["an inner list that does not begin with one", '<ul><li>a<ol start="3"><li>b</li></ol></li></ul>', "- a\n\n  3. b"],
  [
    "ordered lists side by side",
    '<ol><li>a</li></ol><ol><li>b</li></ol><ol start="2"><li>c</li></ol>',
    "1. a\n\n1) b\n\n2. c",
  ],
  ["numbers below zero", '<ol start="-1"><li>a</li><li>b</li></ol>', "- a\n- b"],
  ["an item that holds only a list", "<ul><li><ul><li>a</li><li>b</li></ul></li><li>c</li></ul>", "- - a\n  - b\n- c"],
  [
    "tasks with boxes of their own",
    '<ul><li><span role="checkbox" aria-checked="true"></span> a</li><li><span role="checkbox" aria-checked="false"></span> b</li></ul>',
    "- [x] a\n- [ ] b",
  ],
  ["a heading as a term", "<dl><dt><h4>A</h4></dt><dd>b</dd></dl>", "#### A\n\n: b"],
  [
    "definitions in definitions",
    "<dl><dt>A</dt><dd>a<dl><dt>B</dt><dd>b</dd></dl></dd></dl>",
    "**A**\n: a\n\n  **B**\n  : b",
  ],
  // Code, further
  ["code side by side", "<p><code>a</code><code>b</code></p>", "`a` `b`"],
  [
    "Chroma with numbers in the line",
    '<pre><code class="language-go"><span class="line"><span class="ln">1</span><span class="cl">a\n</span></span><span class="line"><span class="ln">2</span><span class="cl">b</span></span></code></pre>',
    "```go\na\nb\n```",
  ],
  [
    "Hexo",
    '<figure class="highlight js"><table><tr><td class="gutter"><pre><span class="line">1</span><br></pre></td><td class="code"><pre><span class="line">a</span><br></pre></td></tr></table></figure>',
    "```js\na\n```",
  ],
  [
    "Org mode, Enlighter, SyntaxHighlighter, Confluence",
    '<pre class="src src-sh">a</pre><pre data-enlighter-language="js">b</pre><div class="syntaxhighlighter php"><pre>c</pre></div><pre data-syntaxhighlighter-params="brush: java; gutter: false">d</pre><pre lang="ruby">e</pre><pre lang="en">f</pre>',
    "```sh\na\n```\n\n```js\nb\n```\n\n```php\nc\n```\n\n```java\nd\n```\n\n```ruby\ne\n```\n\n```\nf\n```",
  ],
  [
    "a button with a picture that copies",
    '<pre>a</pre><button aria-label="Copy code to clipboard">x</button>',
    "```\na\n```",
  ],
  [
    "Expressive Code",
    '<pre data-language="ts"><code><div class="ec-line"><div class="gutter"><div class="ln">1</div></div><div class="code">a</div></div><div class="ec-line"><div class="gutter"><div class="ln">2</div></div><div class="code">  b</div></div></code></pre>',
    "```ts\na\n  b\n```",
  ],
  // Tables, further
  [
    "row spans to the end, and not over it",
    '<table><tbody><tr><th>A</th><th>B</th></tr><tr><td rowspan="0">x</td><td>1</td></tr><tr><td>2</td></tr></tbody><tbody><tr><td rowspan="9">y</td><td>3</td></tr></tbody><tbody><tr><td>z</td><td>4</td></tr></tbody></table>',
    "| A | B |\n| --- | --- |\n| x | 1 |\n| x | 2 |\n| y | 3 |\n| z | 4 |",
  ],
  [
    "a span of more columns than there are",
    '<table><tr><th colspan="99">A</th></tr><tr><td>1</td><td>2</td></tr></table>',
    "| A | A |\n| --- | --- |\n| 1 | 2 |",
  ],
  [
    "two rows of headers",
    '<table><thead><tr><th rowspan="2">A</th><th colspan="2">B</th></tr><tr><th>b</th><th>c</th></tr></thead><tr><td>1</td><td>2</td><td>3</td></tr></table>',
    "| A | B | B |\n| --- | --- | --- |\n| A | b | c |\n| 1 | 2 | 3 |",
  ],
  [
    "an empty corner",
    "<table><tr><td></td><th>A</th><th>B</th></tr><tr><th>r</th><td>1</td><td>2</td></tr></table>",
    "|  | A | B |\n| --- | --- | --- |\n| r | 1 | 2 |",
  ],
  [
    "a pipe behind a backslash, a rule in a cell, and nothing escaped that is at no line's start",
    "<table><tr><th>A</th><th>B</th></tr><tr><td><code>a\\|b</code></td><td># 1<hr>- 2</td></tr></table>",
    "| A | B |\n| --- | --- |\n| <code>a\\&#124;b</code> | # 1<br>- 2 |",
  ],
  [
    "lines that would make a table of a text",
    "<p>a | b<br>--- | ---<br>| :-: |</p>",
    "a | b  \n\\--- | ---  \n\\| :-: |",
  ],
  // Formulas and players, further
  ["MathML with alternative text", '<p><math alttext="\\displaystyle a_{1}"><mi>a</mi></math></p>', "$a_{1}$"],
  [
    "matrices, accents, fences and functions",
    '<math display="block"><mfenced open="[" close="]"><mtable><mtr><mtd><mi>a</mi></mtd><mtd><mover><mi>b</mi><mo>¯</mo></mover></mtd></mtr><mtr><mtd><mi>sin</mi><mi>x</mi></mtd><mtd><mo>{</mo></mtd></mtr></mtable></mfenced></math>',
    "$$\n[\\begin{matrix}a & \\bar{b} \\\\ \\sin x & \\{\\end{matrix}]\n$$",
  ],
  ["MathJax 4", '<p><mjx-container jax="SVG"><svg data-latex="x^2"></svg></mjx-container></p>', "$x^2$"],
  [
    "KaTeX set apart by its class",
    '<span class="katex-display"><span class="katex"><math><semantics><mi>E</mi><annotation encoding="application/x-tex">E</annotation></semantics></math></span></span>',
    "$$\nE\n$$",
  ],
  [
    "TeX that its element calls so",
    '<p><span class="math inline">\\(x_1*y\\)</span> \\(z\\)</p>',
    "$x_1*y$ \\\\(z\\\\)",
  ],
  ["a picture drawn by a service", '<p><img src="https://latex.codecogs.com/svg.image?x" alt="x_1"></p>', "$x_1$"],
  [
    "films and recordings that readers start",
    '<video controls title="Film"><source src="/v.mp4">Too old</video><audio controls src="/a.mp3"></audio><video autoplay muted loop src="/b.mp4"></video>',
    "[Film](https://site.test/v.mp4)\n\n[Audio](https://site.test/a.mp3)",
  ],
  [
    "players of several services",
    '<iframe src="//player.vimeo.com/video/1?h=2"></iframe><iframe src="about:blank" data-lazy-src="https://www.youtube-nocookie.com/embed/abcdefghijk"></iframe><iframe src="https://www.youtube.com/embed/videoseries?list=PLabcdef"></iframe><iframe src="https://www.dailymotion.com/embed/video/x1"></iframe><lite-youtube videoid="abcdefghijk" playlabel="Play"></lite-youtube>',
    "[Video](https://vimeo.com/1)\n\n[Video](https://www.youtube.com/watch?v=abcdefghijk)\n\n[Video](https://www.youtube.com/playlist?list=PLabcdef)\n\n[Video](https://www.dailymotion.com/video/x1)\n\n[Play](https://www.youtube.com/watch?v=abcdefghijk)",
  ],
  [
    "shadow trees with places for what is written into them",
    '<my-card><template shadowrootmode="closed"><slot name="title">none</slot><p>middle</p><slot></slot><slot name="no">default</slot></template><p>text</p><h2 slot="title">T</h2></my-card>',
    "## T\n\nmiddle\n\ntext\n\ndefault",
  ],
  ["pictures of AMP", '<amp-img src="/a.png" alt="A"></amp-img>', "![A](https://site.test/a.png)"],
  [
    "other lazy loaders",
    '<p><img src="/blank.gif" data-flickity-lazyload="/a.jpg"> <img nitro-lazy-src="/b.webp"> <img data-image="/c.png"></p>',
    "![](https://site.test/a.jpg) ![](https://site.test/b.webp) ![](https://site.test/c.png)",
  ],
  [
    "images in noscript beside a wrapped placeholder",
    '<div><img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" alt="R"></div><noscript><img src="/real.jpg"></noscript>',
    "![R](https://site.test/real.jpg)",
  ],
  [
    "markup in alternative texts",
    '<img src="/a.png" alt="`a` <b> _c_">',
    "![\\`a\\` \\<b> \\_c\\_](https://site.test/a.png)",
  ],
  // Footnotes, further
  [
    "footnotes of docutils, three ages of it",
    '<p>a <a class="footnote-reference brackets" href="#i1" role="doc-noteref">[1]</a> b <a class="footnote-reference" href="#i2">2</a> c <a class="footnote-reference" href="#i3">[3]</a></p><aside id="i1" role="doc-footnote"><span class="label">[<a role="doc-backlink" href="#x">1</a>]</span><p>One</p></aside><dl><dt class="label" id="i2"><a class="fn-backref" href="#x">2</a></dt><dd><p>Two</p></dd></dl><table class="docutils footnote" id="i3"><tr><td class="label"><a class="fn-backref" href="#x">[3]</a></td><td>Three</td></tr></table>',
    "a [^1] b [^2] c [^3]\n\n[^1]: One\n\n[^2]: Two\n\n[^3]: Three",
  ],
  [
    "footnotes of word processors and of newsletters",
    '<p>a<a href="#_ftn1" name="_ftnref1">[1]</a> b<a class="footnote-anchor" href="#footnote-2">2</a></p><p><a href="#_ftnref1" name="_ftn1">[1]</a> One</p><div><a id="footnote-2" href="#b2" class="footnote-number">2</a><div>Two</div></div>',
    "a[^1] b[^2]\n\n[^1]: One\n\n[^2]: Two",
  ],
  [
    "the line above footnotes, their own signs, and notes without a reference",
    '<p>a<sup><a href="#s">*</a></sup> b<sup class="reference"><a href="#n1">[note 1]</a></sup></p><div class="footnotes"><hr><p id="s"><sup>*</sup> Star</p><ol><li id="n1">One</li><li id="n2">Two</li></ol></div>',
    "a[^s] b[^note1]\n\n[^s]: Star\n\n[^note1]: One\n\n2. Two",
  ],
  [
    "footnotes by the whole URL of the page",
    '<p>a<sup><a href="/docs/page.html#f">1</a></sup></p><p id="f">1. Note</p>',
    "a[^1]\n\n[^1]: Note",
  ],
  // Emphasis and escapes, further
  [
    "numbers and signs at the start of emphasis",
    "<p><b>1. a</b></p><p><i>- b</i></p><p><b>- c:</b>d</p>",
    "**1. a**\n\n*- b*\n\n**- c**:d",
  ],
  ["emphasis that begins with a sign inside a word", "<p>他说<b>“重要”</b>的</p>", "他说“**重要**”的"],
  ["a <b> that is not bold", '<b style="font-weight:normal"><p>a <b>b</b></p></b>', "a **b**"],
  [
    "raised text with markup of its own",
    "<p>x<sup><i>n</i></sup> a<sup>b<sup>c</sup></sup></p>",
    "x<sup>*n*</sup> a<sup>b<sup>c</sup></sup>",
  ],
  [
    "URLs in a text stay as they are",
    "<p>https://a.test/_b_*c* www.a.test/_d_ _e_</p>",
    "https://a.test/_b_*c* www.a.test/_d_ \\_e\\_",
  ],
  ["one tilde strikes through too", "<p>~a~ ~5 to ~6</p>", "~a\\~ ~5 to ~6"],
  [
    "stars behind those of emphasis",
    "<p><b>* a</b> &lt;https://a.test&gt;*b*</p>",
    "**\\* a** \\<https://a.test>\\*b\\*",
  ],
  ["what looks like a footnote", "<p>[^1] a</p>", "\\[^1] a"],
  [
    "links side by side in emphasis",
    '<p><em><a href="/a">a</a></em><b><a href="/b">b</a></b></p>',
    "*[a](https://site.test/a)* **[b](https://site.test/b)**",
  ],
  [
    "tildes around strikethrough",
    '<p><del>~a</del>~b <s>!</s><a href="/a">c</a></p>',
    "~~\\~a~~\\~b ~~!~~[c](https://site.test/a)",
  ],
  ["an inner list whose first item is empty", "<ul><li>a<ol><li></li><li>b</li></ol></li></ul>", "- a\n\n  2. b"],
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

  it("starts at the URL that <base> names", () => {
    const { root } = parseHtml('<a href="y">a</a> <a href="#z">b</a> <img src="i.png" alt="i">');
    const urls = new PageUrls("https://site.test/docs/", "https://cdn.test/x/");
    expect(toMarkdown(root.children, { urls, dropped: new Set(), removeBase64Images: true })).toBe(
      "[a](https://cdn.test/x/y) [b](https://cdn.test/x/#z) ![i](https://cdn.test/x/i.png)",
    );
  });

  it("keeps inline images when asked to", () => {
    expect(markdown(`<img src="${gif}" alt="Logo">`, false)).toBe(`![Logo](${gif})`);
  });

  it("has cases for more than two hundred constructs", () => {
    expect(cases.length).toBeGreaterThan(200);
  });

  it("does not multiply a page by its nesting", () => {
    const html = `${"<blockquote>".repeat(400)}${"<p>x</p>".repeat(1000)}`;
    expect(markdown(html).length).toBeLessThan(200_000);
  });
});
