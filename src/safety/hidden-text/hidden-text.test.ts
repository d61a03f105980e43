// What a page hides from people stays out of what is made of it, and nothing else does.
import { describe, expect, it } from "vitest";
import { noFormats, readPage } from "../../../test/support/content.ts";
import { startCpuTimer } from "../../../test/support/cpu-timer.ts";
import { hiddenPages } from "../../../test/support/hidden-pages.ts";
import styles from "../../../test/support/hidden-styles.json" with { type: "json" };

const foreign = `<link rel="stylesheet" href="/site.css">`;
const formats = { ...noFormats, markdown: true, html: true, rawHtml: true };

describe("an instruction that a page hides", () => {
  it("is tried in 64 ways", () => expect(hiddenPages).toHaveLength(64));

  it.each(hiddenPages.map((page) => [page.trick, page.where, page.length, page] as const))(
    "by %s, %s the text, %s, comes out only in rawHtml and is counted",
    (trick, _where, _length, { html, secret }) => {
      for (const onlyMainContent of [true, false]) {
        const result = readPage(html, { formats, onlyMainContent, forSearch: true });
        expect(result.markdown).not.toMatch(secret);
        expect(result.html).not.toMatch(secret);
        expect(result.searchText?.text).not.toMatch(secret);
        expect(result.markdown).toContain("three piers");
        expect(result.rawHtml).toMatch(secret);
        if (trick !== "a comment") expect(result.metadata.hiddenText).toBeGreaterThan(50);
      }
    },
  );

  it.each<[how: string, html: string, style?: string, head?: string]>([
    ["a style of its parent", `<div style="opacity:0"><p>SECRET words</p></div>`],
    ["nearly no opacity", `<p style="opacity:.01">SECRET words</p>`],
    [
      "nearly the colour of its background",
      `<p style="color:#fefefe;background-color:rgb(255,255,255)">SECRET words</p>`,
    ],
    [
      "the colour of a background around it",
      `<div style="background:#1a1a2e"><p>Seen <b style="color:#1a1a2e">SECRET</b></p></div>`,
    ],
    ["a colour that it takes over", `<div style="color:white"><section><p>SECRET words</p></section></div>`],
    ["transparent letters", `<p style="color:transparent">SECRET words</p>`],
    ["letters that a fill makes transparent", `<p style="-webkit-text-fill-color:rgba(0,0,0,0)">SECRET words</p>`],
    ["a colour by hue", `<p style="color:hsl(0 0% 100%)">SECRET words</p>`],
    ["old attributes", `<table bgcolor="#ffffff"><tr><td><font color="#FFFFFF">SECRET words</font></td></tr></table>`],
    ["a rule by id", `<p id="q">SECRET words</p>`, "#q{display:none}"],
    ["a rule by attribute", `<p data-x="1y">SECRET words</p>`, `[data-x^="1"]{visibility:hidden}`],
    ["a rule by place", `<div class="a"><i>x</i><p>SECRET words</p></div>`, ".a > i + p{display:none}"],
    [
      "a rule for a descendant",
      `<div class="a"><section><p class="b">SECRET words</p></section></div>`,
      "div.a p.b{opacity:0}",
    ],
    ["one of several rules", `<p class="b">SECRET words</p>`, ".x, .b, .c{font-size:0}"],
    ["an important rule", `<p class="b" style="display:block">SECRET words</p>`, ".b{display:none!important}"],
    ["a rule for screens", `<p class="b">SECRET words</p>`, "@media screen{.b{display:none}}"],
    [
      "a rule for windows of a usual width",
      `<p class="b">SECRET words</p>`,
      "@media only screen and (min-width:1px){.b{display:none}}",
    ],
    ["a rule in a layer", `<p class="b">SECRET words</p>`, "@layer base{.b{display:none}}"],
    ["a variable", `<p class="b">SECRET words</p>`, ":root{--paper:#fff}.b{color:var(--paper)}"],
    ["a rule with an escaped name", `<p class="md:gone">SECRET words</p>`, ".md\\:gone{display:none}"],
    ["a rule with a negation", `<p class="b">SECRET words</p>`, "p.b:not(.shown){display:none}"],
    ["a circle of nothing", `<p style="clip-path:circle(0)">SECRET words</p>`],
    ["letters of no size", `<p class="b">SECRET words</p>`, ".b{font:0/0 a}"],
    ["a negative margin", `<p style="position:absolute;margin-left:-999em">SECRET words</p>`],
    ["a filter", `<p style="filter:opacity(0%)">SECRET words</p>`],
    ["a style with a comment in it", `<p style="display:/* x */none">SECRET words</p>`],
    ["a style with a brace in it", `<p style="x:};display:none">SECRET words</p>`],
    ["a style whose letters are numbers", String.raw`<p style="d\69splay:none">SECRET words</p>`],
    ["a rule whose name begins with a number", `<p class="2x">SECRET words</p>`, String.raw`.\32x{display:none}`],
    ["a number with an exponent", `<p style="opacity:1e-9">SECRET words</p>`],
    ["a rule after a rule in a rule", `<p class="b">SECRET words</p>`, ".a{color:red;&:hover{top:0}}.b{display:none}"],
    [
      "two rules that are alike, beside a sheet of another file",
      `<p class="a b">SECRET words</p>`,
      ".a{color:#fff}.b{background:#fff}",
      foreign,
    ],
    [
      "its own colour on that of a rule, beside a sheet of another file",
      `<p class="b" style="color:#123456">SECRET words</p>`,
      ".b{background:#123456}",
      foreign,
    ],
  ])("by %s stays out", (_how, html, style = "", head = "") => {
    const { markdown, metadata } = readPage(page(html, style, head), { onlyMainContent: false });
    expect(markdown).not.toContain("SECRET");
    expect(markdown).toContain("Boats leave at noon");
    expect(metadata.hiddenText).toBeGreaterThanOrEqual("SECRET".length);
  });
});

/** What Chromium shows of each is told by `npm run prove -- hidden-labels`. */
describe("a style", () => {
  it.each(styles.map(({ what, isHidden, ...rest }) => [what, isHidden ? "leaves out" : "keeps", rest] as const))(
    "with %s %s its sentence",
    (_what, outcome, { style, html }) => {
      const { markdown } = readPage(page(html.replace("SENTENCE", "Pelican is the word here."), style), {
        onlyMainContent: false,
      });
      expect(markdown?.includes("Pelican")).toBe(outcome === "keeps");
      expect(markdown).toContain("Boats leave at noon");
    },
  );
});

describe("selectors and conditions of style sheets", () => {
  const inList = "<ul><li>Seen one</li><li>SECRET words</li><li>Seen two</li></ul>";
  const ways: [how: string, style: string, hidden: string, shown: string][] = [
    [":is()", ":is(.b, .c){display:none}", `<p class="c">SECRET</p>`, `<p class="d">KEPT</p>`],
    [
      ":where()",
      "section :where(p.b){display:none}",
      `<section><p class="b">SECRET</p></section>`,
      `<p class="b">KEPT</p>`,
    ],
    [":where() alone", ":where(.b){display:none}", `<p class="b">SECRET</p>`, `<p class="c">KEPT</p>`],
    [
      ":is() around combinators",
      ":is(.a > .b, .x) i{display:none}",
      `<p class="a"><b class="b"><i>SECRET</i></b></p>`,
      `<p class="b"><i>KEPT</i></p>`,
    ],
    [
      ":has() of what is below",
      ".a:has(> i.k){display:none}",
      `<p class="a">SECRET<i class="k">x</i></p>`,
      `<p class="a">KEPT<b><i class="k">x</i></b></p>`,
    ],
    [":has() of what follows", "p:has(+ hr){display:none}", `<p>SECRET</p><hr>`, `<p>KEPT</p>`],
    [":nth-child()", "ul :nth-child(2n){display:none}", inList, "<ol><li>x</li><li>KEPT</li></ol>"],
    [
      ":nth-child(of)",
      "li:nth-child(1 of .k){display:none}",
      `<ul><li>Seen</li><li class="k">SECRET</li></ul>`,
      `<ul><li class="k"></li><li class="k">KEPT</li></ul>`,
    ],
    [":nth-last-child()", "li:nth-last-child(2){display:none}", inList, "<ul><li></li><li>KEPT</li></ul>"],
    [
      ":nth-of-type()",
      "s:nth-of-type(2){display:none}",
      "<p><s>a</s><b>b</b><s>SECRET</s></p>",
      "<p><b>b</b><s>KEPT</s></p>",
    ],
    [
      ":last-of-type",
      "s:last-of-type{display:none}",
      "<p><s>a</s><s>SECRET</s><b>b</b></p>",
      "<p><s>KEPT</s><s></s></p>",
    ],
    [":not() with a list", "p.b:not(.x, .y){display:none}", `<p class="b">SECRET</p>`, `<p class="b y">KEPT</p>`],
    [
      ":lang()",
      "p:lang(en){display:none}",
      `<div lang="en-GB"><p>SECRET</p></div>`,
      `<div lang="fr"><p>KEPT</p></div>`,
    ],
    [
      ":checked",
      ":checked + p{display:none}",
      `<input type="checkbox" checked><p>SECRET</p>`,
      `<input type="checkbox"><p>KEPT</p>`,
    ],
    [
      "an attribute in any case",
      `[data-x="HIDE" i]{display:none}`,
      `<p data-x="hide">SECRET</p>`,
      `<p data-x="show">KEPT</p>`,
    ],
    [
      "nesting",
      ".a{color:#111;& .b{display:none}}",
      `<div class="a"><p class="b">SECRET</p></div>`,
      `<p class="b">KEPT</p>`,
    ],
    [
      "nesting without an ampersand",
      ".a, .z{> p{display:none}}",
      `<div class="z"><p>SECRET</p></div>`,
      `<div class="y"><p>KEPT</p></div>`,
    ],
    [
      "nesting the other way round",
      ".a{.z &{display:none}}",
      `<div class="z"><p class="a">SECRET</p></div>`,
      `<p class="a">KEPT</p>`,
    ],
    ["a condition in a rule", ".a{@media screen{display:none}}", `<p class="a">SECRET</p>`, `<p class="b">KEPT</p>`],
    [
      "@container",
      "div{container-type:inline-size}@container (min-width: 1px){.a{display:none}} @container (width > 90000px){.k{display:none}}",
      `<div><p class="a">SECRET</p></div>`,
      `<div><p class="k">KEPT</p></div>`,
    ],
    [
      "a named @container",
      "div{container:card / inline-size}@container card (width >= 1px){.a{display:none}}",
      `<div><p class="a">SECRET</p></div>`,
      `<p class="a">KEPT</p>`,
    ],
    [
      "@media with a range",
      "@media (100px <= width <= 9000px){.a{display:none}} @media (width < 200px){.k{display:none}}",
      `<p class="a">SECRET</p>`,
      `<p class="k">KEPT</p>`,
    ],
    [
      "@media of a height",
      "@media (min-height: 1px) and (orientation: landscape){.a{display:none}} @media (min-height: 9000px){.k{display:none}}",
      `<p class="a">SECRET</p>`,
      `<p class="k">KEPT</p>`,
    ],
    [
      "@media not print",
      "@media not print{.a{display:none}} @media not screen{.k{display:none}}",
      `<p class="a">SECRET</p>`,
      `<p class="k">KEPT</p>`,
    ],
    [
      "@supports",
      "@supports (display: grid){.a{display:none}} @supports not (display: grid){.k{display:none}}",
      `<p class="a">SECRET</p>`,
      `<p class="k">KEPT</p>`,
    ],
    [
      "a later @layer",
      "@layer one, two; @layer two{.a{display:none}.k{display:block}} @layer one{p.a{display:block}p.k{display:none}}",
      `<p class="a">SECRET</p>`,
      `<p class="k">KEPT</p>`,
    ],
    [
      "rules outside of layers",
      "@layer x{p#i.a{display:block} p#k.k{display:none}} .a{display:none} .k{display:block}",
      `<p class="a" id="i">SECRET</p>`,
      `<p class="k" id="k">KEPT</p>`,
    ],
    [
      "the weight of :is()",
      ":is(#n, .a){display:none} p.a{display:block} :is(.k){display:none} p.k{display:block}",
      `<p class="a">SECRET</p>`,
      `<p class="k">KEPT</p>`,
    ],
    [
      "no weight of :where()",
      ":where(#i).k{display:none} p.k{display:block} .a{display:none} :where(p#j.a){display:block}",
      `<p class="a" id="j">SECRET</p>`,
      `<p class="k" id="i">KEPT</p>`,
    ],
  ];

  it.each(ways)("%s hides what it matches and nothing else", (_how, style, hidden, shown) => {
    const { markdown } = readPage(page(`${hidden}${shown}`, style), { onlyMainContent: false });
    expect(markdown).not.toContain("SECRET");
    expect(markdown).toContain("KEPT");
  });

  it.each([
    ["nested deeply", `${".a{& ".repeat(2000)}.b{display:none}${"}".repeat(2000)}`],
    ["that multiply", `${".a,.b{& & & & ".repeat(12)}i{display:none}${"}".repeat(12)}`],
    ["with many ampersands", `${".a".repeat(1500)}{${"& ".repeat(100_000)}{display:none}}`],
    ["of :is() in :is()", `${":is(".repeat(1200)}.a${")".repeat(1200)}{display:none}`],
    ["of :has() everywhere", "*:has(* * *){display:none}".repeat(500)],
    ["that count siblings", "p:nth-last-child(3n of p, i, b){display:none}".repeat(500)],
    ["of layers without end", "@layer a,b,c,d;".repeat(20_000)],
    ["of conditions in conditions", `@media ${"(".repeat(5000)}width > 1px${")".repeat(5000)}{.a{display:none}}`],
  ])("within bounds with selectors %s", (_what, style) => {
    const spentMs = startCpuTimer();
    readPage(page(`<p class="a b">x <i>y</i></p>`.repeat(2000), style), { onlyMainContent: false });
    expect(spentMs()).toBeLessThan(3000);
  });
});

it("words of hidden links are nowhere; where they lead stays known", () => {
  const links = `<a href="/a" style="display:none">SECRET</a><div class="h"><a href="/b" title="SECRET">SECRET</a></div>
    <a href="/c">Seen <span style="opacity:0">SECRET</span></a><p hidden><a href="/talk.mp3">SECRET</a></p>
    <table hidden><tr><th>SECRET<th>b<tr><td>1<td>2</table>`;
  const wanted = { ...formats, rawHtml: false, links: true, outlinks: true, audio: true, tables: true };
  const result = readPage(page(links, ".h{display:none}"), { formats: wanted, forSearch: true });
  expect(JSON.stringify(result)).not.toContain("SECRET");
  expect(result.links).toEqual(["a", "b", "c", "talk.mp3"].map((path) => `https://site.test/${path}`));
  expect(result.outlinks?.links.map(({ text }) => text)).toEqual(["", "", "Seen", ""]);
  expect(result.audios).toMatchObject([{ url: "https://site.test/talk.mp3" }]);
});

const body =
  "<p>The harbour has three piers. Boats leave at noon for the islands and come back in the evening, every day of the year but one.</p>".repeat(
    4,
  );

function page(html: string, style = "", head = ""): string {
  return `<!doctype html><html><head><title>Harbour</title><style>${style}</style>${head}</head><body>${body}${html}${body}</body></html>`;
}

describe("text that belongs to the page", () => {
  it.each<[what: string, html: string, style?: string, head?: string]>([
    [
      "a menu that opens when it is pointed at",
      `<ul class="m"><li>KEPT words</li></ul>`,
      ".m{display:none}.top:hover .m{display:block}",
    ],
    ["a menu that a script opens", `<div class="main-menu">KEPT words</div>`, ".main-menu{display:none}"],
    ["the tab that is not chosen", `<div class="t">KEPT words</div>`, ".t{display:none}.t.chosen{display:block}"],
    ["a panel that a link opens", `<a href="#more">More</a><div id="more">KEPT words</div>`, "#more{display:none}"],
    [
      "a panel that a button controls",
      `<button aria-controls="z1">More</button><div id="z1">KEPT words</div>`,
      "#z1{height:0;overflow:hidden}",
    ],
    ["an accordion", `<div class="accordion-body">KEPT words</div>`, ".accordion-body{max-height:0;overflow:hidden}"],
    [
      "a part that folds out slowly",
      `<div class="q">KEPT words</div>`,
      ".q{max-height:0;overflow:hidden;transition:max-height .3s}",
    ],
    ["a section that fades in", `<section style="opacity:0;transform:translateY(20px)">KEPT words</section>`],
    ["a section that a script fades in by its name", `<section class="reveal" style="opacity:0">KEPT words</section>`],
    ["a section that a rule fades in", `<section class="s">KEPT words</section>`, ".s{opacity:0}.s.in{opacity:1}"],
    ["a section of a page that fades in all of them", `<section style="opacity:0">KEPT words</section>`.repeat(5)],
    [
      "a text for screen readers",
      `<span class="a11y-text">KEPT words</span>`,
      ".a11y-text{position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0,0,0,0)}",
    ],
    [
      "a text that only phones show",
      `<div class="p">KEPT words</div>`,
      ".p{display:none}@media (max-width:600px){.p{display:block}}",
    ],
    ["a text that is hidden on paper", `<p class="p">KEPT words</p>`, "@media print{.p{display:none}}"],
    ["a rule for what comes before an element", `<p class="p">KEPT words</p>`, ".p::before{display:none}"],
    ["a rule that a later one takes back", `<p class="p">KEPT words</p>`, ".p{display:none}.p{display:block}"],
    [
      "a rule that a stronger one takes back",
      `<p class="p" id="i">KEPT words</p>`,
      "#i{display:block}.p{display:none}",
    ],
    ["a rule that the element takes back", `<p class="p" style="display:block">KEPT words</p>`, ".p{display:none}"],
    [
      "a sheet for readers without scripts",
      `<noscript><style>.p{display:none}</style></noscript><p class="p">KEPT words</p>`,
    ],
    [
      "white letters on a dark part",
      `<div class="d"><p style="color:#fff">KEPT words</p></div>`,
      ".d{background:#123}",
    ],
    [
      "white letters on a picture",
      `<div class="d"><p class="w">KEPT words</p></div>`,
      ".d{background:url(x.jpg)}.w{color:#fff}",
    ],
    [
      "white letters on what another sheet may have painted",
      `<div class="d"><p style="color:#fff">KEPT words</p></div>`,
      "",
      foreign,
    ],
    [
      "letters that a gradient shines through",
      `<h2 style="background:linear-gradient(#f00,#00f);-webkit-background-clip:text;color:transparent">KEPT words</h2>`,
    ],
    [
      "white letters in an old table",
      `<table bgcolor="#000080"><tr><td><font color="#ffffff">KEPT words</font></td></tr></table>`,
    ],
    [
      "columns in a row without gaps",
      `<div style="x:y" class="r"><div class="c">KEPT words</div></div>`,
      ".r{font-size:0}.c{font-size:16px}",
    ],
    [
      "columns that another sheet gives a size",
      `<div class="r"><div class="c">KEPT words</div></div>`,
      ".r{font-size:0}",
      foreign,
    ],
    ["a link whose parent is white", `<div style="color:#fff"><a href="/x">KEPT words</a></div>`],
    [
      "a box that keeps the shape of a film",
      `<div style="height:0;overflow:hidden;padding-bottom:56%">KEPT words</div>`,
    ],
  ])("stays: %s", (_what, html, style = "", head = "") => {
    const { markdown } = readPage(page(html, style, head), { onlyMainContent: false });
    expect(markdown).toContain("KEPT words");
  });

  it("stays when a page hides all of itself until its scripts have run", () => {
    const { markdown } = readPage(`<style>.app{display:none}</style><div class=app>${body}</div>`);
    expect(markdown).toContain("Boats leave at noon");
  });
});

describe("invisible characters", () => {
  const flag = "\u{1F3F4}\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}";
  it.each([
    ["tags", `We\u{E0041}\u{E0042}ll`, "Well", 2],
    ["tags after a flag that is none", `\u{1F3F4}\u{E0041}\u{E0042}`, "\u{1F3F4}", 2],
    ["the flag of Scotland", `Go ${flag} go`, `Go ${flag} go`, 0],
    ["a run without width", "We\u200b\u200c\u2060ll", "Well", 3],
    ["one place for a line to break", "won\u200bder", "won\u200bder", 0],
    ["an override of the direction", "a\u202egnp\u202c.exe", "agnp.exe", 2],
    ["marks of direction", "a\u200e \u05d0\u200f \u0627\u061c b", "a\u200e \u05d0\u200f \u0627\u061c b", 0],
    ["a family", "\u{1F468}\u200d\u{1F469}\u200d\u{1F467}", "\u{1F468}\u200d\u{1F469}\u200d\u{1F467}", 0],
    ["a burning heart", "\u2764\ufe0f\u200d\u{1F525}", "\u2764\ufe0f\u200d\u{1F525}", 0],
    [
      "a Persian word",
      "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
      "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
      0,
    ],
    ["a Persian word with two joiners", "\u0645\u06cc\u200c\u200c\u062e", "\u0645\u06cc\u200c\u062e", 1],
    ["a run of variation selectors", "Hi\ufe01\ufe02\u{E0110}!", "Hi!", 3],
  ])("%s", (_what, written, seen, removed) => {
    const plain = readPage(`<title>${written}</title><p>The pier ${written} stands.</p>`);
    expect(plain.metadata.title).toBe(seen);
    // Where a line may break makes no difference in markdown.
    expect(plain.markdown).toContain(seen.replaceAll("\u200b", ""));
    expect(plain.metadata.hiddenText ?? 0).toBe(removed * 2);
  });

  it("are found where the source writes them as numbers", () => {
    const { markdown } = readPage("<p>Wel&#x200B;&#8204;l&#xE0041;&#917570; done</p>");
    expect(markdown).toBe("Well done");
  });

  it("are left out of texts that are no HTML", () => {
    const { markdown, html, rawHtml, metadata } = readPage("A pier\u{E0041}\u{E0042}.", {
      contentType: "text/plain",
      formats,
    });
    expect([markdown, html, rawHtml]).toEqual(["A pier.", "<pre>A pier.</pre>", "A pier\u{E0041}\u{E0042}."]);
    expect(metadata.hiddenText).toBe(2);
  });
});

describe("a rendered page", () => {
  const rendered = (html: string) => readPage(page(html), { isRendered: true, onlyMainContent: false, formats });

  it("is read by what its browser noted, and shows nothing of the notes", () => {
    const { markdown, html, rawHtml } = rendered(
      `<p data-trawl-hidden="display">SECRET</p><p data-trawl-hidden="text">SECRET <b>Seen</b></p>`,
    );
    expect(markdown).not.toContain("SECRET");
    expect(markdown).toContain("Seen");
    expect(html).not.toContain("data-trawl");
    expect(rawHtml).toContain("<p>SECRET</p>");
  });

  it("keeps menus, panels and text for screen readers", () => {
    const { markdown } = rendered(
      `<nav data-trawl-hidden="display">One</nav><div class="accordion" data-trawl-hidden="size">Two</div><span class="a11y-text" data-trawl-hidden="clip">Three</span>`,
    );
    for (const word of ["One", "Two", "Three"]) expect(markdown).toContain(word);
  });
});
