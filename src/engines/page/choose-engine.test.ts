import { describe, expect, it } from "vitest";
import { startCpuTimer } from "../../../test/support/cpu-timer.ts";
import { browserNeeds, chooseEngine, type OutputNeeds, whyRender } from "../index.ts";

type Options = Parameters<typeof chooseEngine>[0];
const plain: Options = { actions: [], waitFor: 0, mobile: false, fastMode: false };
const none: OutputNeeds = { browser: [], isRaw: false };
const screenshot: OutputNeeds = { browser: ["screenshot"], isRaw: false };
const profile = { name: "shop", saveChanges: true };

describe("the engine that is asked first", () => {
  it.each<[string, Partial<Options>, string, string, OutputNeeds?]>([
    ["nothing special", {}, "http", "HTTP first"],
    ["actions", { actions: [{ type: "scrape" }] }, "browser", "asked for: actions"],
    [
      "a PDF of the page",
      { actions: [{ type: "pdf", format: "A4", landscape: false, scale: 1 }] },
      "browser",
      "asked for: actions",
    ],
    ["a screenshot", {}, "browser", "asked for: screenshot", screenshot],
    ["a wait", { waitFor: 1 }, "browser", "asked for: waitFor"],
    ["a phone", { mobile: true }, "browser", "asked for: mobile"],
    ["a profile", { profile }, "browser", "asked for: profile"],
    ["several", { waitFor: 5, profile }, "browser", "asked for: screenshot, profile, waitFor", screenshot],
    ["the bytes", { mobile: true }, "http", "bytes as received", { ...none, isRaw: true }],
    ["a hurry", { fastMode: true }, "http", "fastMode"],
    ["a hurry, a phone and a wait", { fastMode: true, mobile: true, waitFor: 500 }, "http", "fastMode"],
  ])("for %s", (_, options, engine, reason, outputs = none) =>
    expect(chooseEngine({ ...plain, ...options }, outputs, () => true)).toEqual({ engine, reason }),
  );

  it("for a phone is HTTP with its user agent where there is no browser", () =>
    expect(chooseEngine({ ...plain, mobile: true }, none, () => false)).toEqual({
      engine: "http",
      reason: "HTTP first",
    }));

  it("needs nothing of a browser that is not used", () => {
    expect(browserNeeds({ ...plain, mobile: true }, none)).toEqual([]);
    expect(browserNeeds({ ...plain, actions: [{ type: "scrape" }] }, screenshot)).toEqual(["actions", "screenshot"]);
  });
});

describe("a page that came over HTTP", () => {
  const text = "A page with words of its own, many of them, one after the other. ".repeat(12);
  const html = "text/html; charset=utf-8";
  const why = (body: string, contentType = html, status = 200) =>
    whyRender({ status, contentType, body: Buffer.from(body) });

  it("a shadow tree that is written in the page is text of it", () => {
    const tree = (mode: string) =>
      `<x-page><template ${mode}><p>${text}</p></template></x-page><script src=/a.js></script>`;
    expect(why(tree('shadowrootmode="closed"'))).toBeNull();
    expect(why(tree('id="later"'))).toContain("0 letters");
  });

  it.each([
    [
      "React",
      '<div id="root"></div><script type="module" src="/a.js"></script>',
      "0 letters of text and the element #root",
    ],
    ["Vue", "<div id=app>Loading</div><script src=/a.js></script>", "7 letters of text and the element #app"],
    ["Next.js", "<div id='__next'></div><script src=/a.js></script>", "the element #__next"],
    ["Nuxt", '<div id="__nuxt"></div><script src=/a.js></script>', "the element #__nuxt"],
    ["Gatsby", '<div id="___gatsby"></div><script src=/a.js></script>', "the element #___gatsby"],
    ["Angular", "<app-root></app-root><script src=/a.js></script>", "the element app-root"],
    ["AngularJS", "<html ng-app='x'><body><script src=/a.js></script>", "the mark of a framework"],
    [
      "a note",
      "<noscript>You need to enable JavaScript to run this app.</noscript><p>Shop</p><script></script>",
      "a note",
    ],
    ["a note the other way", "<noscript>JavaScript is required.</noscript><p>Shop</p><script></script>", "a note"],
    [
      "nothing but a script",
      "<title>Many words in the title alone</title><script>document.write(1)</script>",
      "0 letters of text and scripts",
    ],
    ["a word and a script", "<p>Loading…</p><script>load()</script>", "letters of text and scripts"],
    [
      "words in scripts, styles and comments only",
      `<style>${text}</style><!-- ${text} --><script>${text}</script>`,
      "0 letters",
    ],
  ])("is rendered when it is a shell of %s", (_, body, sign) => expect(why(body)).toContain(sign));

  it.each([
    ["it has text", `<div id="root">${text}</div><script src="/a.js"></script>`],
    ["its text is in another script", `<div id="app">${"文字".repeat(100)}</div><script src="/a.js"></script>`],
    ["it has no script", '<div id="root"></div>'],
    ["its scripts are data", '<div id="root"></div><script type="application/ld+json">{}</script>'],
    ["it is short but said something", "<h1>A short page of a few words only</h1><script>count()</script>"],
    ["it is empty", ""],
  ])("is fine when %s", (_, body) => expect(why(body)).toBeNull());

  it("is never rendered when it is no HTML or an error", () => {
    const shell = '<div id="root"></div><script src="/a.js"></script>';
    expect(why(shell)).not.toBeNull();
    expect(why(shell, "text/plain")).toBeNull();
    expect(why(shell, "")).toBeNull();
    expect(why(shell, html, 404)).toBeNull();
  });

  it.each([
    ["unclosed tags", "<".repeat(1_000_000)],
    ["unclosed comments", "<!--".repeat(250_000)],
    ["end tags of other elements inside a script", `<script>${"</x".repeat(330_000)}`],
    ["tags without text", "<p>".repeat(330_000)],
    ["one long tag", `<p ${"x ".repeat(500_000)}`],
  ])("takes no time with %s", (_, body) => {
    const spentMs = startCpuTimer();
    why(`<script></script>${body}`);
    expect(spentMs()).toBeLessThan(1000);
  });
});
