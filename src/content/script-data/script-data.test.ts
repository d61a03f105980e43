import { describe, expect, it } from "vitest";
import { noFormats, readPage } from "../../../test/support/content.ts";
import { startCpuTimer } from "../../../test/support/cpu-timer.ts";
import { unfoldValues } from "./flat-values.ts";
import { readLiteral } from "./literal.ts";

const sentences = Array.from(
  { length: 12 },
  (_, n) => `In net number ${n} the herons of the bay found eels, crabs and a letter that nobody had sent.`,
);
const paragraphs = sentences.map((text) => `<p>${text}</p>`).join("");
const url = "https://bay.test/news/the-herons-and-their-nets";
const title = "The herons and their nets";

const shell = (scripts: string, head = `<title>${title} | Bay News</title>`) =>
  `<!doctype html><html><head>${head}</head><body><div id="root"></div>${scripts}<script src="/app.js"></script></body></html>`;
const json = (value: unknown, attributes: string) =>
  `<script ${attributes} type="application/json">${JSON.stringify(value)}</script>`;
const response = { status: 200, headers: {}, askedUrl: url };
const asked = { url, response, onlyMainContent: true, isShell: true, refusesShell: true };
const read = (html: string, more: object = {}) => readPage(html, { ...asked, ...more });

const post = { title, slug: "the-herons-and-their-nets", content: paragraphs };
const related = { title: "Another page", content: "<p>Words of another page.</p>".repeat(40) };

/** What frameworks and content services write, by the name under which it is reported. */
const stateForms: [what: string, from: string, html: string][] = [
  [
    "Next.js, pages router",
    "__NEXT_DATA__",
    json({ props: { pageProps: { post, related: [related] } } }, 'id="__NEXT_DATA__"'),
  ],
  [
    "Nuxt 3",
    "__NUXT_DATA__",
    json(
      [["ShallowReactive", 1], { data: 2 }, { page: 3 }, { title: 4, body: 5 }, title, paragraphs],
      'id="__NUXT_DATA__"',
    ),
  ],
  [
    "Nuxt 2",
    "__NUXT__",
    `<script>window.__NUXT__={data:[{article:{title:${JSON.stringify(title)},body:${JSON.stringify(paragraphs)},draft:!1}}]};</script>`,
  ],
  [
    "Nuxt 2 with its values written once",
    "__NUXT__",
    `<script>window.__NUXT__=(function(a,b,c){return {layout:"default",data:[{article:{title:a,body:b,tags:[],views:1e3,draft:c}}]}}(${JSON.stringify(title)},${JSON.stringify(paragraphs)},void 0));</script>`,
  ],
  [
    "Remix",
    "__remixContext",
    `<script>window.__remixContext = ${JSON.stringify({ state: { loaderData: { "routes/news": { post } } } })};</script>`,
  ],
  [
    "React Router",
    "React Router",
    `<script>window.__reactRouterContext.streamController.enqueue(${JSON.stringify(`${JSON.stringify([{ _1: 2 }, "loaderData", { _3: 4 }, "page", { _5: 6, _7: 8 }, "title", title, "body", paragraphs])}\n`)});</script>`,
  ],
  [
    "a state of one's own",
    "__INITIAL_STATE__",
    `<script>window.__INITIAL_STATE__ = JSON.parse(${JSON.stringify(JSON.stringify({ story: post }))})</script>`,
  ],
  [
    "data in any script of JSON",
    "state",
    json({ entry: { fields: { headline: title, body: paragraphs } } }, 'id="state"'),
  ],
  ["JSON within JSON", "application/json", json({ status: 200, body: JSON.stringify({ page: post }) }, "data-fetched")],
  [
    "JSON-LD",
    "JSON-LD",
    `<script type="application/ld+json">${JSON.stringify({ "@type": "NewsArticle", headline: title, articleBody: [...sentences, ...sentences].join("\n\n") })}</script>`,
  ],
  [
    "a page known by its URL alone",
    "__NEXT_DATA__",
    json({ props: { pageProps: { post: { ...post, title: "Herons of the bay" } } } }, 'id="__NEXT_DATA__"'),
  ],
];

/** The same text as editors store it. */
const textForms: [what: string, body: unknown][] = [
  ["HTML", paragraphs],
  ["HTML with its signs escaped", paragraphs.replaceAll("<", "&lt;").replaceAll(">", "&gt;")],
  ["plain text", sentences.join("\n\n")],
  [
    "Portable Text",
    sentences.map((text) => ({ _type: "block", style: "normal", children: [{ _type: "span", marks: [], text }] })),
  ],
  [
    "Contentful",
    {
      nodeType: "document",
      content: sentences.map((value) => ({ nodeType: "paragraph", content: [{ nodeType: "text", value, marks: [] }] })),
    },
  ],
  [
    "ProseMirror",
    { type: "doc", content: sentences.map((text) => ({ type: "paragraph", content: [{ type: "text", text }] })) },
  ],
  ["Slate", sentences.map((text) => ({ type: "p", children: [{ text }] }))],
  ["Prismic", sentences.map((text) => ({ type: "paragraph", text, spans: [] }))],
  ["Editor.js", { time: 1, blocks: sentences.map((text) => ({ id: "x", type: "paragraph", data: { text } })) }],
  ["WordPress", { rendered: paragraphs, protected: false }],
  [
    "a tree of tags",
    {
      type: "root",
      children: sentences.map((value) => ({
        type: "element",
        tagName: "p",
        properties: {},
        children: [{ type: "text", value }],
      })),
    },
  ],
  ["elements as lists", sentences.map((text) => ["p", {}, text])],
  ["blocks of HTML", sentences.map((text, id) => ({ id, type: "text", html: `<p>${text}</p>` }))],
];

describe("a page that scripts fill in", () => {
  it.each(stateForms)("is read from %s", (_what, from, scripts) => {
    const { markdown = "", textFrom, lacksText, verdict } = read(shell(scripts));
    expect({ textFrom, lacksText, verdict }).toEqual({
      textFrom: from,
      lacksText: undefined,
      verdict: { state: "content" },
    });
    for (const sentence of sentences) expect(markdown).toContain(sentence);
    expect(markdown).toMatch(/^# .*herons/i);
    expect(markdown).not.toContain("another page");
  });

  it.each(textForms)("is read from %s", (_what, body) => {
    const { markdown = "" } = read(shell(json({ page: { title, body } }, 'id="state"')));
    for (const sentence of sentences) expect(markdown).toContain(`\n\n${sentence}`);
  });

  it("is read where it has no body, as many have not", () => {
    const bare = `<title>${title}</title><div id="app"></div>${json({ post }, 'id="state"')}<script src="/app.js"></script>`;
    expect(read(bare).markdown).toContain(sentences[11]);
  });

  it("keeps headings, lists and links of blocks", () => {
    const body = [
      { _type: "block", style: "h2", children: [{ _type: "span", text: "What they caught" }] },
      ...sentences.map((text) => ({ _type: "block", style: "normal", children: [{ _type: "span", text }] })),
      {
        type: "list",
        children: [
          { type: "list-item", children: [{ text: "eels" }] },
          { type: "list-item", children: [{ text: "crabs" }] },
        ],
      },
      {
        type: "paragraph",
        children: [
          { text: "See " },
          { type: "link", url: "/eels", children: [{ text: "the eels" }] },
          { text: " too." },
        ],
      },
    ];
    const { markdown } = read(shell(json({ page: { title, body } }, 'id="state"')));
    expect(markdown).toContain("## What they caught");
    expect(markdown).toMatch(/- eels\n- crabs/);
    expect(markdown).toContain("See [the eels](https://bay.test/eels) too.");
  });

  it("is read from the elements of Next.js' app router, in several scripts, with separate texts", () => {
    const body = paragraphs.replace("<p>In", "<p>Ünd in");
    const element = (type: string, children: unknown, more: object = {}) => ["$", type, null, { ...more, children }];
    const rows = [
      `0:${JSON.stringify({ b: "x", f: [[["", {}], element("$L1", element("html", element("body", [element("nav", "Menu of the site"), "$L2"])))]] })}`,
      '1:I["app.js",["1"],"Layout"]',
      `2:${JSON.stringify(element("main", [element("h1", title), ["$", "div", null, { dangerouslySetInnerHTML: { __html: "$3" } }], element("p", ["It ends ", element("a", "here", { href: "/end" }), "."])]))}`,
    ].join("\n");
    const stream = `${rows}\n3:T${Buffer.byteLength(body).toString(16)},${body}4:"$Sreact.suspense"\n`;
    const scripts = stream
      .match(/[\s\S]{1,700}/g)
      ?.map((part) => `<script>self.__next_f.push([1,${JSON.stringify(part)}])</script>`);
    const { markdown = "", textFrom } = read(
      shell(`<script>(self.__next_f=self.__next_f||[]).push([0])</script>${scripts?.join("")}`),
      { onlyMainContent: false, refusesShell: false },
    );
    expect(textFrom).toBe("__next_f");
    expect(markdown).toContain(`# ${title}`);
    for (const sentence of sentences.slice(1)) expect(markdown).toContain(sentence);
    expect(markdown).toContain("It ends [here](https://bay.test/end).");
  });

  const withBody = (content: string, more: object = {}) => json({ post: { ...post, content, ...more } }, 'id="state"');
  it.each([
    ["has no data", ""],
    ["has data of other pages only", json({ posts: [related] }, 'id="state"')],
    ["has a teaser only", withBody("<p>In the nets the herons found eels.</p>")],
    ["has a text that is cut short", withBody(`${paragraphs}<p>And then…</p>`)],
    ["has its text in a language of its editor", withBody(`## Eels\n\n${sentences.join("\n\n")} See [more](/more).`)],
    ["has text in comments only", withBody(`<!-- ${paragraphs} -->`)],
    [
      "shows its text to subscribers only",
      `${withBody(paragraphs)}<script type="application/ld+json">{"@type":"NewsArticle","isAccessibleForFree":"False"}</script>`,
    ],
    [
      "has a program and no data",
      `<script>window.__NUXT__=(function(a){a.title="x";return {page:a}}({title:${JSON.stringify(title)},body:${JSON.stringify(paragraphs)}}))</script>`,
    ],
    [
      "has broken data",
      `<script id="state" type="application/json">{"post":{"title":"${title}","content":"${paragraphs}"</script>`,
    ],
    [
      "is a forum's thread, whose linked data hold the first post",
      `<script type="application/ld+json">${JSON.stringify({ "@type": "DiscussionForumPosting", headline: title, articleBody: paragraphs.repeat(2) })}</script>`,
    ],
    [
      "holds a part of its text as linked data",
      `<script type="application/ld+json">${JSON.stringify({ "@type": "Article", headline: title, wordCount: 5000, articleBody: sentences.join(" ").repeat(2) })}</script>`,
    ],
  ])("is left to a browser when it %s", (_what, scripts) => {
    const { lacksText, textFrom, markdown } = read(shell(scripts));
    expect({ lacksText, textFrom, markdown }).toEqual({ lacksText: true });
  });

  it("is left to a browser when more than its main text is wanted", () => {
    const page = shell(json({ post }, 'id="state"'));
    for (const more of [
      { formats: { ...noFormats, markdown: true, links: true } },
      { formats: { ...noFormats, markdown: true, outlinks: true } },
      { onlyMainContent: false },
      { includeTags: ["article"] },
    ])
      expect(read(page, more)).toMatchObject({ lacksText: true });
    expect(read(page, { onlyMainContent: false, refusesShell: false })).toMatchObject({
      lacksText: true,
      textFrom: "state",
    });
  });

  it("that has its text is not touched, whatever its data say", () => {
    const own =
      "The page itself says this, and it says it at some length, so that nobody could take it for empty. ".repeat(6);
    const html = shell(json({ post }, 'id="state"')).replace('<div id="root">', `<div id="root"><p>${own}</p>`);
    for (const isShell of [true, false]) {
      const { markdown, textFrom, lacksText } = read(html, { isShell });
      expect({ textFrom, lacksText }).toEqual({});
      expect(markdown).toContain("The page itself says this");
      expect(markdown).not.toContain("herons");
    }
  });

  it("costs no more than its length, whatever it holds", () => {
    const many = 30_000;
    for (const scripts of [
      json({ a: Array.from({ length: many }, () => ({ title, content: { content: [{ text: "x " }] } })) }, 'id="a"'),
      withBody(`<p>${"<script ".repeat(many)}`),
      withBody(`<p>${"<!-- ".repeat(many)}`),
      `<script>window.a = ${"[".repeat(many)}</script>`,
      `<script>${"window.a = {".repeat(many)}</script>`,
      `<script>self.__next_f.push([1,${JSON.stringify(`0:["$","div",null,{"children":"$0"}]\n${"1:T5,".repeat(many)}`)}])</script>`,
      json([1, ...Array.from({ length: many }, (_, n) => [n])], 'id="__NUXT_DATA__"'),
    ]) {
      const spentMs = startCpuTimer();
      expect(read(shell(scripts)).lacksText).toBe(true);
      expect(spentMs()).toBeLessThan(5000);
    }
  });
});

describe("data in programs", () => {
  it.each([
    ["{a:1,'b':[2,,3],\"c\":-1.5e3,}", { a: 1, b: [2, undefined, 3], c: -1500 }],
    ["{t:!0,f:!1,n:null,u:void 0,h:0x1f}", { t: true, f: false, n: null, u: undefined, h: 31 }],
    ["['it\\'s \\u0041\\x42\\u{43}\\n', `plain`]", ["it's ABC\n", "plain"]],
    ["/* why */ {a: // one\n 1}", { a: 1 }],
    ["{d:new Date(5),s:new Set([1]),j:JSON.parse('{\"k\":1}')}", { d: 5, s: [1], j: { k: 1 } }],
    ['(function(a,b){return [a,{b:b,c:a}]}("x",{y:1}))', ["x", { b: { y: 1 }, c: "x" }]],
    ["(function(a){return {a:a}})(7)", { a: 7 }],
  ])("%s is read", (text, value) => {
    expect(readLiteral(text, 0)).toEqual(value);
  });

  it.each([
    "{a:b}",
    "{a:f()}",
    "{a:1",
    "[1",
    "'x",
    "`\u0024{x}`",
    "{get a(){}}",
    "(function(a){a.b=1;return a}({}))",
    "JSON.parse('{')",
    "(()=>1)()",
  ])("%s is no data", (text) => {
    expect(readLiteral(text, 0)).toBeUndefined();
  });

  it("values that are written once are put in all their places, cycles too", () => {
    expect(
      unfoldValues([{ a: 1, b: 1, d: 2, gone: -1 }, ["Reactive", 3], ["Date", "2020-01-01"], { n: 4 }, "x"]),
    ).toEqual({
      a: { n: "x" },
      b: { n: "x" },
      d: null,
      gone: null,
    });
    const ring = unfoldValues([{ self: 0, name: 1 }, "ring"]) as { self: unknown };
    expect(ring.self).toBe(ring);
    expect(unfoldValues(["plain", "list"])).toBeUndefined();
  });
});
