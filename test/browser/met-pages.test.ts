// Pages as users meet them: banners in frames, hidden copies, covered buttons, endless lists, pictures that load late, pages
// that never rest, scripts that answer anything.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { lacksChromium, openTestBrowser, type TestBrowser } from "../support/browser.ts";
import { type FixtureSite, startSite } from "../support/fixture-site.ts";

const page = (body: string) => `<!doctype html><title>Met</title><body style="margin:0">${body}`;
const press = `onclick="document.body.append('PRESSED')"`;
const sizeOf = (picture: Buffer | undefined) => [picture?.readUInt32BE(16), picture?.readUInt32BE(20)];

const pages = (elsewhere: string) => ({
  "/wall-elsewhere": page(`<p>Text</p><button id="under" ${press}>under</button>
    <div id="sp_message_container_1" style="position:fixed;inset:0"><iframe src="${elsewhere}/consent/"></iframe></div>
    <script>addEventListener("message", ({ data }) => { document.body.append("heard " + data); sp_message_container_1.remove(); })</script>`),
  "/wall-own": page(`<p>Text</p><button id="under" ${press}>under</button>
    <div id="cookie-wall" style="position:fixed;inset:0"><iframe src="/question"></iframe></div>`),
  "/question": page("<p>We use cookies.</p><button>Fine</button>"),
  "/covered": page(`<button id="under" ${press}>under</button>
    <div id="cover" class="veil" style="position:fixed;inset:0">cover</div>`),
  "/disabled": page(`<button id="off" disabled>off</button>`),
  "/copies": page(`<nav style="display:none"><button class="menu" ${press}>menu</button></nav>
    <button class="menu" onclick="document.body.append('SEEN')">menu</button>
    <div class="list" style="display:none">hidden</div>
    <div class="list" style="height:50px;overflow:auto"><div style="height:900px">tall</div></div>`),
  "/removing": page(
    [1, 2, 3, 4]
      .map((n) => `<button class="x" onclick="this.remove();document.body.append('gone${n};')">x</button>`)
      .join(""),
  ),
  "/endless": page(`<div id="list"></div><div id="end" style="height:20px"></div><script>
    let count = 0;
    const add = () => { for (let n = 0; n < 10; n++) { list.insertAdjacentHTML("beforeend", '<p style="height:100px">item ' + ++count + "</p>") } };
    add();
    new IntersectionObserver(async ([seen]) => { if (seen.isIntersecting) { await fetch("/more"); add(); } }).observe(end);</script>`),
  "/more": "more",
  "/late-pictures":
    page(`<div style="height:9000px"></div><img id="late" width="400" height="400" style="display:block">
    <script>new IntersectionObserver(([seen]) => { if (seen.isIntersecting) late.src = "/late.svg" }).observe(late)</script>`),
  "/stripes": page(
    Array.from({ length: 60 }, (_, n) => `<div style="height:500px;background:rgb(${n * 4},0,0)"></div>`).join(""),
  ),
  "/polling": page(`<p>polls</p><script>(async () => { for (;;) await fetch("/never") })()</script>`),
  "/busy": page(
    `<p id="clock"></p><script>setInterval(() => { fetch("/more"); clock.textContent = Date.now() }, 50)</script>`,
  ),
  "/leaving": page(`<a id="tab" target="_blank" href="/second">tab</a><input id="file" type="file"><input id="typed">
    <button id="ask" onclick="alert('a'); document.body.append('said ' + confirm('b') + prompt('c'))">ask</button>
    <a id="away" href="/second">away</a>
    <script>addEventListener("beforeunload", (event) => event.preventDefault())</script>`),
  "/second": page("<h1>Second page</h1>"),
  "/shadow": page(`<own-form></own-form><script>customElements.define("own-form", class extends HTMLElement {
    connectedCallback() {
      const root = this.attachShadow({ mode: "open" });
      root.innerHTML = "<input id=q><button id=go>go</button><p></p>";
      root.querySelector("#go").onclick = () => { root.querySelector("p").textContent = "sent " + root.querySelector("#q").value };
    } })</script>`),
  "/nested": page(`one <iframe src="/nested-2"></iframe>`),
  "/nested-2": page(`two <iframe src="/nested-3"></iframe>`),
  "/nested-3": page(`three <iframe srcdoc="<p>four</p>"></iframe>`),
});

describe.skipIf(lacksChromium)("pages as users meet them", () => {
  let elsewhere: FixtureSite;
  let site: FixtureSite;
  let browser: TestBrowser;
  beforeAll(async () => {
    elsewhere = await startSite({
      "/consent/":
        page(`<p>We value your privacy</p><button onclick="parent.postMessage('yes', '*')">Accept all</button>
        <button onclick="parent.postMessage('no', '*')">Reject all</button>`),
    });
    site = await startSite({
      ...pages(elsewhere.url),
      "/never": () => undefined,
      "/late.svg": (_request, response) =>
        void response
          .writeHead(200, { "content-type": "image/svg+xml" })
          .end(
            `<svg xmlns="http://www.w3.org/2000/svg" width="400" height="400"><rect width="400" height="400"/></svg>`,
          ),
    });
    browser = openTestBrowser({ allow: "127.0.0.1" });
  });
  afterAll(async () => {
    await browser.close();
    await site.close();
    await elsewhere.close();
  });

  const act = async (path: string, ...actions: object[]) => browser.read(`${site.url}${path}`, { actions });
  const textOf = async (path: string, ...actions: object[]) => (await act(path, ...actions)).body.toString();
  const click = (selector: string, more: object = {}) => ({ type: "click", selector, ...more });

  it("a banner that asks for consent in a frame of another origin is answered there, by its own no", async () => {
    const text = await textOf("/wall-elsewhere", click("#under"));
    expect(text).toContain("heard no");
    expect(text).toContain("PRESSED");
  });

  it("a banner in a frame that leaves no way to say no is taken away", async () => {
    expect(await textOf("/wall-own", click("#under"))).toContain("PRESSED");
  });

  it("what is covered is not clicked, and the failure says what covers it", async () => {
    const { code, message } = await browser.fail(`${site.url}/covered`, { actions: [click("#under")] });
    expect([code, message]).toEqual([
      "SCRAPE_ACTION_ERROR",
      'Action 0 (click on "#under") failed: another element covers it: <div id="cover" class="veil">',
    ]);
  });

  it("what is disabled is not clicked, and the failure says so", async () => {
    const { message } = await browser.fail(`${site.url}/disabled`, { actions: [click("#off")] });
    expect(message).toContain("the element is disabled");
  });

  it("of several matches the first that can be seen is used", async () => {
    const text = await textOf("/copies", { type: "wait", selector: ".menu" }, click(".menu"));
    expect(text).toContain("SEEN");
    expect(text).not.toContain("</div>PRESSED");
    const { actions } = await act(
      "/copies",
      { type: "scroll", selector: ".list" },
      {
        type: "executeJavascript",
        script: "document.querySelectorAll('.list')[1].scrollTop",
      },
    );
    expect(actions.javascriptReturns).toEqual([{ type: "number", value: 50 }]);
  });

  it("all matches are clicked that can be seen, also where a click takes its element away", async () => {
    expect(await textOf("/removing", click(".x", { all: true }))).toContain("gone1;gone2;gone3;gone4;");
    expect(await textOf("/copies", click(".menu", { all: true }))).toContain("SEEN");
  });

  it("a list that grows at its end grows with every scroll", async () => {
    const scroll = { type: "scroll", direction: "down" };
    const count = async (...actions: object[]) =>
      (await textOf("/endless", ...actions)).match(/item \d+</g)?.length ?? 0;
    const [before, after] = [await count(), await count(scroll, scroll, scroll, scroll)];
    expect(after).toBeGreaterThanOrEqual(before + 20);
  });

  it("a picture of a whole page shows what the page loads late, and the page is where it was", async () => {
    site.asked.length = 0;
    const shot = await act(
      "/late-pictures",
      { type: "screenshot", fullPage: true },
      {
        type: "executeJavascript",
        script: "scrollY",
      },
    );
    expect(site.asked).toContain("/late.svg");
    expect(sizeOf(shot.actions.screenshots[0])).toEqual([1280, 9400]);
    expect(shot.actions.javascriptReturns).toEqual([{ type: "number", value: 0 }]);
  });

  it("a picture of 30,000 pixels is whole; on a phone it ends at 32,768", async () => {
    const look = { screenshots: [{ fullPage: true }] };
    const [wide, phone] = [
      await browser.read(`${site.url}/stripes`, {}, look),
      await browser.read(`${site.url}/stripes`, { mobile: true }, look),
    ];
    expect(sizeOf(wide.screenshots[0])).toEqual([1280, 30_000]);
    expect(sizeOf(phone.screenshots[0])[1]).toBe(32_768);
  });

  it("pages that never rest are read", async () => {
    expect(await textOf("/polling")).toContain("polls");
    expect(await textOf("/busy")).toMatch(/<p id="clock">\d+/);
  });

  it("new tabs, choosers of files and questions hold nothing up", async () => {
    const there = await act("/leaving", click("#tab"), click("#file"), click("#ask"));
    expect(there.finalUrl).toBe(`${site.url}/leaving`);
    expect(there.body.toString()).toContain("said falsenull");
    const away = await act("/leaving", click("#typed"), { type: "write", text: "x" }, click("#away"), {
      type: "scrape",
    });
    expect(away.finalUrl).toBe(`${site.url}/second`);
    expect(away.actions.scrapes[0]).toMatchObject({ url: `${site.url}/second` });
  });

  it("forms inside of open shadow roots are used, with any text", async () => {
    const text = await textOf("/shadow", click("#q"), { type: "write", text: "héllo 日本 😀" }, click("#go"));
    expect(text).toContain("sent héllo 日本 😀");
  });

  it("frames within frames stand in the page", async () => {
    expect(await textOf("/nested")).toMatch(/one[\s\S]*two[\s\S]*three[\s\S]*four/);
  });

  it("scripts may answer anything: what JSON cannot hold is its text", async () => {
    const answers: [script: string, type: string, value: unknown][] = [
      ["Promise.resolve({ when: new Date(0), no: undefined })", "object", { when: "1970-01-01T00:00:00.000Z" }],
      ["undefined", "undefined", null],
      ["const own = {}; own.own = own; own", "object", "[object Object]"],
      ["Promise.resolve(window)", "object", "[object Window]"],
      ["(one) => one + 1", "function", "(one) => one + 1"],
      ["Symbol('s')", "symbol", "Symbol(s)"],
      ["[1, null, 'x']", "object", [1, null, "x"]],
    ];
    const scripts = answers.map(([script]) => ({ type: "executeJavascript", script }));
    const { actions } = await act("/second", ...scripts);
    expect(actions.javascriptReturns).toEqual(answers.map(([, type, value]) => ({ type, value })));
  });

  it("a script that never ends is a step that failed, named before the time of the request is over", async () => {
    const actions = [{ type: "executeJavascript", script: "new Promise(() => {})" }];
    const more = { endsAt: performance.now() + 8000 };
    const { code, message } = await browser.fail(`${site.url}/second`, { actions, timeout: 8000 }, more);
    expect([code, message]).toEqual([
      "SCRAPE_ACTION_ERROR",
      "Action 0 (executeJavascript) failed: it did not end in time",
    ]);
  });
});
