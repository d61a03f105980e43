// Pages as users meet them: banners in frames, hidden copies, covered buttons, endless lists, pictures that load late, pages
// that never rest, scripts that answer anything.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
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
  "/leaving": page(`<input id="file" type="file"><input id="typed">
    <button id="ask" onclick="alert('a'); document.body.append('said ' + confirm('b') + prompt('c'))">ask</button>
    <a id="away" href="/second">away</a>
    <script>addEventListener("beforeunload", (event) => event.preventDefault())</script>`),
  "/second": page("<h1>Second page</h1>"),
  "/windows": page(`<h1>Windows</h1><a id="tab" target="_blank" href="/second-slow">tab</a>
    <a class="many" target="_blank" href="/window?1">one</a><a class="many" target="_blank" href="/window?2">two</a>
    <form target="_blank" method="post" action="/posted"><input name="word" value="sent"><button id="post">post</button></form>
    <button id="late" onclick="fetch('/more').then(() => window.open('/window?late'))">late</button>
    <button id="written" onclick="window.open('').document.write('<h1>Written window</h1>')">written</button>
    <button id="empty" onclick="window.open('')">empty</button>
    <button id="sign" onclick="window.open('/sign-in')">sign in</button>
    <a id="advertisement" target="_blank" href="${elsewhere}/pop-under">advertisement</a>
    <a id="gone" target="_blank" href="http://gone.invalid/">gone</a>
    <a id="file" target="_blank" href="/file">file</a>
    <button id="storm" onclick="for (let n = 0; n < 50; n++) window.open('/window?' + n)">storm</button>
    <a id="own" target="_blank" href="/own">own</a>`),
  "/window": page("<h1>A window</h1>"),
  "/sign-in":
    page(`<input id="name"><button id="in" onclick="opener.document.body.append('signed in: ' + document.querySelector('#name').value);
    window.close()">in</button>`),
  "/shadow": page(`<own-form></own-form><script>customElements.define("own-form", class extends HTMLElement {
    connectedCallback() {
      const root = this.attachShadow({ mode: "open" });
      root.innerHTML = "<input id=q><button id=go>go</button><p></p>";
      root.querySelector("#go").onclick = () => { root.querySelector("p").textContent = "sent " + root.querySelector("#q").value };
    } })</script>`),
  "/embedding":
    page(`<p>before</p><iframe src="${elsewhere}/embedded/article" width="600" height="400"></iframe><p>between</p>
    <iframe sandbox="allow-scripts" srcdoc="<p>sandboxed words</p>"></iframe><own-box></own-box>
    <iframe src="/own-with-foreign" width="600" height="400"></iframe><p>after</p><script>
    customElements.define("own-box", class extends HTMLElement { connectedCallback() {
      this.attachShadow({ mode: "open" }).innerHTML = '<iframe src="${elsewhere}/embedded/shadow"></iframe>' } })</script>`),
  "/own-with-foreign": page(`<p>second of its own</p><iframe src="${elsewhere}/embedded/third"></iframe>`),
  "/leaving-alone": page(`<iframe id="player" src="${elsewhere}/embedded/player" width="600" height="400"></iframe>
    <iframe id="small" src="${elsewhere}/embedded/badge" width="256" height="60"></iframe>
    <iframe id="empty" src="${elsewhere}/embedded/empty"></iframe><iframe id="pop-under" src="${elsewhere}/pop-under"></iframe>
    <iframe id="gone" src="http://gone.invalid/"></iframe>`),
  "/mirrors":
    page(`<p>beside the mirrors</p><iframe src="${elsewhere}/embedded/mirror" width="900" height="600"></iframe>
    <iframe src="${elsewhere.replace("127.0.0.1", "localhost")}/embedded/busy" width="900" height="600"></iframe>`),
  "/large-frame": page(`<p>beside the large one</p><iframe src="${elsewhere}/embedded/large"></iframe>`),
  "/nested": page(`one <iframe src="/nested-2"></iframe>`),
  "/nested-2": page(`two <iframe src="/nested-3"></iframe>`),
  "/nested-3": page(`three <iframe srcdoc="<p>four</p>"></iframe>`),
});

/** Of another origin; `back` is the origin that embeds them. */
const embedded = (back: () => string): Parameters<typeof startSite>[0] => ({
  "/embedded/article": (_request, response) =>
    void response
      .writeHead(200, { "content-type": "text/html" })
      .end(page(`<h1>An article from elsewhere</h1><a href="next">next</a><iframe src="${back()}/window"></iframe>`)),
  "/embedded/shadow": page("<p>in a shadow</p>"),
  "/embedded/third": page("<p>third of its own</p>"),
  "/embedded/player": page("<video></video><button>Play now</button>"),
  "/embedded/badge": page("a badge"),
  "/embedded/empty": page("<div></div>"),
  "/embedded/large": page(`<p>${"large ".repeat(10_000)}</p>`),
  "/embedded/busy": page("<p>busy</p><script>setTimeout(() => { for (;;); }, 200)</script>"),
  "/embedded/mirror": ({ url = "" }, response) => {
    const depth = Number(url.split("?")[1] ?? 0) + 1;
    const next = depth > 12 ? "" : `<iframe src="${back()}/mirror?${depth}" width="800" height="500"></iframe>`;
    response.writeHead(200, { "content-type": "text/html" }).end(page(`a mirror ${next}`));
  },
});

describe.skipIf(lacksChromium)("pages as users meet them", () => {
  let elsewhere: FixtureSite;
  let site: FixtureSite;
  let browser: TestBrowser;
  let lists: string;
  beforeAll(async () => {
    elsewhere = await startSite({
      "/consent/":
        page(`<p>We value your privacy</p><button onclick="parent.postMessage('yes', '*')">Accept all</button>
        <button onclick="parent.postMessage('no', '*')">Reject all</button>`),
      "/pop-under": page("<h1>Buy now</h1>"),
      ...embedded(() => site.url),
    });
    site = await startSite({
      ...pages(elsewhere.url),
      "/never": () => undefined,
      "/mirror": ({ url = "" }, response) =>
        void response.writeHead(302, { location: `${elsewhere.url}/embedded${url}` }).end(),
      "/second-slow": (_request, response) =>
        void setTimeout(() => response.writeHead(200, { "content-type": "text/html" }).end(page("Slow")), 2500),
      "/posted": (request, response) => {
        request.setEncoding("utf8").on("data", (body) => {
          response.writeHead(201, { "content-type": "text/html" }).end(page(`${request.method} ${body}`));
        });
      },
      "/own": ({ headers }, response) =>
        void response.writeHead(200, { "content-type": "text/html" }).end(page(`token ${headers["x-token"]}`)),
      "/file": (_request, response) =>
        void response.writeHead(200, { "content-disposition": "attachment", "content-type": "a/b" }).end("a file"),
      "/late.svg": (_request, response) =>
        void response
          .writeHead(200, { "content-type": "image/svg+xml" })
          .end(
            `<svg xmlns="http://www.w3.org/2000/svg" width="400" height="400"><rect width="400" height="400"/></svg>`,
          ),
    });
    lists = mkdtempSync(join(tmpdir(), "trawl-met-"));
    const blockList = join(lists, "list.txt");
    writeFileSync(blockList, "/pop-under^$document,subdocument\n/pop-under\n");
    browser = openTestBrowser({ allow: "127.0.0.1,localhost", blockLists: [blockList], concurrency: 4 });
  });
  afterAll(async () => {
    await browser.close();
    await site.close();
    await elsewhere.close();
    rmSync(lists, { recursive: true });
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
    // As the steps leave it: the page is scrolled through afterwards, as far as there is time.
    const count = async (...actions: object[]) => {
      const { scrapes } = (await act("/endless", ...actions, { type: "scrape" })).actions;
      return scrapes[0]?.html.match(/item \d+</g)?.length ?? 0;
    };
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

  it("a window that a step opens is the page from then on", async () => {
    const script = { type: "executeJavascript", script: "window.open('/window?script')" };
    const picture = { screenshots: [{ fullPage: false }] };
    const slow = await act("/windows", click("#tab"), { type: "scrape" });
    const posted = await act("/windows", click("#post"));
    const late = await browser.read(`${site.url}/windows`, { actions: [click("#late")] }, picture);
    const written = await textOf("/windows", click("#written"));
    const many = await act("/windows", click(".many", { all: true }));
    const scripted = await act("/windows", script);
    expect([slow.finalUrl, slow.actions.scrapes[0]?.url]).toEqual([
      `${site.url}/second-slow`,
      `${site.url}/second-slow`,
    ]);
    expect(slow.body.toString()).toContain("Slow");
    expect([posted.status, posted.body.toString()]).toEqual([201, expect.stringContaining("POST word=sent")]);
    expect([late.finalUrl, sizeOf(late.screenshots[0])]).toEqual([`${site.url}/window?late`, [1280, 800]]);
    expect(written).toContain("Written window");
    expect([many.finalUrl, scripted.finalUrl]).toEqual([`${site.url}/window?2`, `${site.url}/window?script`]);
  });

  it("a window that closes itself gives the page back, and what it did there is seen", async () => {
    const steps = [click("#sign"), click("#name"), { type: "write", text: "Ada" }, click("#in")];
    const back = await act("/windows", ...steps);
    expect(back.finalUrl).toBe(`${site.url}/windows`);
    expect(back.body.toString()).toContain("signed in: Ada");
  });

  it("windows of advertisements, empty ones and files are not the page; one that cannot be reached says so", async () => {
    // One after the other: a click has ten seconds, which windows that open together on a busy machine may take.
    for (const selector of ["#advertisement", "#empty", "#file"]) {
      const { finalUrl } = await act("/windows", click(selector));
      expect([selector, finalUrl]).toEqual([selector, `${site.url}/windows`]);
    }
    const gone = await browser.fail(`${site.url}/windows`, { actions: [click("#gone")] });
    expect(gone.code).toBe("SCRAPE_DNS_RESOLUTION_ERROR");
  });

  it("a window is opened for each step at most, and gets the caller's headers like the page", async () => {
    expect((await act("/windows", click("#storm"))).finalUrl).toBe(`${site.url}/window?0`);
    const options = { actions: [click("#own")], headers: { "X-Token": "secret" } };
    expect((await browser.read(`${site.url}/windows`, options)).body.toString()).toContain("token secret");
    const asked: string[] = [];
    const mayFollow = async (url: string) => !asked.push(url);
    const kept = await browser.read(`${site.url}/windows`, { actions: [click("#own")] }, { mayFollow });
    expect([kept.finalUrl, asked]).toEqual([`${site.url}/windows`, [`${site.url}/own`]]);
  });

  it("choosers of files and questions hold nothing up", async () => {
    const there = await act("/leaving", click("#file"), click("#ask"));
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

  it("frames within frames are part of the page", async () => {
    expect(await textOf("/nested")).toMatch(/one[\s\S]*two[\s\S]*three[\s\S]*four/);
  });

  it("frames of other origins are part of the page, within each other and in shadow roots too", async () => {
    const read = await act("/embedding", { type: "scrape" });
    const text = read.body.toString();
    expect(text).toMatch(/before.*An article from elsewhere.*between.*sandboxed words.*in a shadow.*after/s);
    expect(text).toContain(`<a href="${elsewhere.url}/embedded/next">next</a>`);
    expect(text).toContain(`<div data-frame="${site.url}/window"><h1>A window</h1></div>`);
    expect(text).toMatch(/<p>second of its own<\/p>.*third of its own/s);
    expect(read.actions.scrapes[0]?.html).toContain("An article from elsewhere");
    expect(text).not.toMatch(/<!--/);
  });

  it("frames that are players, small, empty, blocked or gone stay what they are", async () => {
    const text = await textOf("/leaving-alone");
    for (const name of ["player", "small", "empty", "pop-under", "gone"]) {
      expect(text).toMatch(new RegExp(`<iframe[^>]* id="${name}"|<iframe id="${name}"`));
    }
    expect(text).not.toMatch(/Play now|a badge|Buy now|<!--/);
  });

  it("frames without end, too large or busy for ever hold no page up", async () => {
    const text = await textOf("/mirrors");
    expect(text).toContain("beside the mirrors");
    expect(text).toContain("a mirror");
    const small = openTestBrowser({ allow: "127.0.0.1", maxBodyBytes: 20_000 });
    try {
      const page = await small.read(`${site.url}/large-frame`);
      expect(page.body.toString()).toContain("beside the large one");
      expect(page.body.length).toBeLessThan(20_000);
    } finally {
      await small.close();
    }
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

  it("pages that never rest are read", async () => {
    const [polling, busy] = await Promise.all([textOf("/polling"), textOf("/busy")]);
    expect(polling).toContain("polls");
    expect(busy).toMatch(/<p id="clock">\d+/);
  });

  describe.concurrent("waited for in vain, all at the same time", () => {
    it("what is covered is not clicked, and the failure says what covers it", async () => {
      const { code, message } = await browser.fail(`${site.url}/covered`, { actions: [click("#under")] });
      expect([code, message]).toEqual([
        "SCRAPE_ACTION_ERROR",
        'Action 0 (click on "#under") failed: another element covers it: <div id="cover" class="veil">',
      ]);
    });

    it("what is not there is said to be missing, also when the time of the request is short", async () => {
      await act("/second");
      const more = { endsAt: performance.now() + 14_000 };
      const { message } = await browser.fail(
        `${site.url}/second`,
        { actions: [click("#none")], timeout: 14_000 },
        more,
      );
      expect(message).toBe('Action 0 (click on "#none") failed: no matching element became usable in time');
    });

    it("what is disabled is not clicked, and the failure says so", async () => {
      const { message } = await browser.fail(`${site.url}/disabled`, { actions: [click("#off")] });
      expect(message).toContain("the element is disabled");
    });

    it("a script that never ends is a step that failed, named before the time of the request is over", async () => {
      const actions = [{ type: "executeJavascript", script: "new Promise(() => {})" }];
      const more = { endsAt: performance.now() + 14_000 };
      const { code, message } = await browser.fail(`${site.url}/second`, { actions, timeout: 14_000 }, more);
      expect([code, message]).toEqual(["SCRAPE_ACTION_ERROR", "Action 0 (executeJavascript) failed: it timed out"]);
    });
  });
});
