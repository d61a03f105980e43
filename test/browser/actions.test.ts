// Every action on a real page, and what a caller is told when one fails.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { lacksChromium, openTestBrowser, type TestBrowser } from "../support/browser.ts";
import { type FixtureSite, startSite } from "../support/fixture-site.ts";

const jpegHead = "ffd8ff";
const pngHead = "89504e470d0a1a0a";
const headOf = (picture: Buffer | undefined, bytes: number) => picture?.subarray(0, bytes).toString("hex");
/** Width and height of a PNG. */
const sizeOf = (picture: Buffer | undefined) => [picture?.readUInt32BE(16), picture?.readUInt32BE(20)];

describe.skipIf(lacksChromium)("actions", () => {
  let site: FixtureSite;
  let browser: TestBrowser;

  beforeAll(async () => {
    site = await startSite({
      "/form": `<!doctype html><title>Form</title><body style="margin:0">
        <form onsubmit="event.preventDefault(); result.textContent = 'sent ' + name1.value">
          <input id="name1"><button id="send">Send</button></form>
        <p id="result"></p>
        <button class="more" onclick="this.textContent = 'opened'">more</button>
        <button class="more" onclick="this.textContent = 'opened'">more</button>
        <button id="late" onclick="setTimeout(() => fetch('/data').then((r) => r.text()).then((t) => {
          const p = document.createElement('p'); p.id = 'loaded'; p.textContent = t; document.body.append(p) }), 300)">late</button>
        <a id="leave" href="/second">leave</a>
        <div id="box" style="height:100px;overflow:auto"><div style="height:1000px">tall</div></div>
        <div style="height:3000px"></div>`,
      "/data": "from the server",
      "/second": "<title>Second</title><h1>Second page</h1>",
      "/strict": (_request, response) =>
        void response
          .writeHead(200, { "content-type": "text/html", "content-security-policy": "default-src 'none'" })
          .end("<title>Strict</title>"),
    });
    browser = openTestBrowser({ allow: "127.0.0.1" });
  });
  afterAll(async () => {
    await browser.close();
    await site.close();
  });

  const act = async (...actions: object[]) => browser.read(`${site.url}/form`, { actions });
  const script = (text: string) => ({ type: "executeJavascript", script: text });

  it("click, write, press: a form is filled and sent", async () => {
    const page = await act(
      { type: "click", selector: "#name1" },
      { type: "write", text: "Ada Lovelace" },
      { type: "press", key: "ENTER" },
      { type: "scrape" },
    );
    expect(page.body.toString()).toContain("sent Ada Lovelace");
    expect(page.actions.scrapes).toHaveLength(1);
    expect(page.actions.scrapes[0]?.url).toBe(`${site.url}/form`);
    expect(page.actions.scrapes[0]?.html).toContain("sent Ada Lovelace");
  });

  it("click with all clicks every match, without it the first", async () => {
    const one = await act({ type: "click", selector: ".more" });
    expect(one.body.toString().match(/>opened</g)).toHaveLength(1);
    const all = await act({ type: "click", selector: ".more", all: true });
    expect(all.body.toString().match(/>opened</g)).toHaveLength(2);
  });

  it("click on a link: the answer is the page it leads to", async () => {
    const page = await act({ type: "click", selector: "#leave" });
    expect(page.finalUrl).toBe(`${site.url}/second`);
    expect(page.body.toString()).toContain("Second page");
  });

  it("wait for a selector and for a time", async () => {
    const page = await act(
      { type: "click", selector: "#late" },
      { type: "wait", selector: "#loaded" },
      { type: "wait", milliseconds: 30 },
      { type: "scrape" },
    );
    expect(page.actions.scrapes[0]?.html).toContain("from the server");
  });

  it("scroll moves the page and an element, down and up", async () => {
    const { actions } = await act(
      { type: "scroll" },
      script("Math.round(scrollY)"),
      { type: "scroll", direction: "up" },
      script("Math.round(scrollY)"),
      { type: "scroll", selector: "#box" },
      script("box.scrollTop"),
    );
    const [down, up, box] = actions.javascriptReturns.map(({ value }) => value);
    expect(down).toBeGreaterThan(300);
    expect(up).toBe(0);
    expect(box).toBe(100);
  });

  it("executeJavascript answers value and type", async () => {
    const { actions } = await act(
      script("'text'"),
      script("6 * 7"),
      script("({ list: [1, 2] })"),
      script("null"),
      script("undefined"),
      script("await Promise.resolve(true)"),
      script("const sum = 1 + 1; return sum;"),
      script("10n ** 20n"),
      script("0 / 0"),
    );
    expect(actions.javascriptReturns).toEqual([
      { type: "string", value: "text" },
      { type: "number", value: 42 },
      { type: "object", value: { list: [1, 2] } },
      { type: "object", value: null },
      { type: "undefined", value: null },
      { type: "boolean", value: true },
      { type: "number", value: 2 },
      { type: "bigint", value: "100000000000000000000" },
      { type: "number", value: "NaN" },
    ]);
  });

  it("executeJavascript works on a page whose policy forbids eval", async () => {
    const page = await browser.read(`${site.url}/strict`, { actions: [script("document.title")] });
    expect(page.actions.javascriptReturns).toEqual([{ type: "string", value: "Strict" }]);
  });

  it("screenshot: the window, the whole page, a given window size, a quality", async () => {
    const { actions } = await act(
      { type: "screenshot" },
      { type: "screenshot", fullPage: true },
      { type: "screenshot", viewport: { width: 500, height: 400 } },
      { type: "screenshot", quality: 40 },
      script("innerWidth"),
    );
    const [plain, full, small, compressed] = actions.screenshots;
    expect(headOf(plain, 8)).toBe(pngHead);
    expect(sizeOf(plain)).toEqual([1280, 800]);
    expect(sizeOf(full)[1]).toBeGreaterThan(3000);
    expect(sizeOf(small)).toEqual([500, 400]);
    expect(headOf(compressed, 3)).toBe(jpegHead);
    expect(actions.javascriptReturns[0]?.value).toBe(1280);
  });

  it("pdf prints on the paper that is asked for", async () => {
    const { actions } = await act({ type: "pdf" }, { type: "generatePDF", format: "A5", landscape: true, scale: 0.5 });
    expect(actions.pdfs).toHaveLength(2);
    for (const pdf of actions.pdfs) expect(pdf.subarray(0, 5).toString()).toBe("%PDF-");
    const boxes = actions.pdfs.map((pdf) => /\/MediaBox \[([\d. ]+)\]/.exec(pdf.toString("latin1"))?.[1]);
    expect(boxes[0]).toMatch(/^0 0 612 792/);
    expect(Number(boxes[1]?.split(" ")[2])).toBeGreaterThan(Number(boxes[1]?.split(" ")[3]));
  });

  it.each([
    ["no such element", { type: "click", selector: "#missing" }, "#missing"],
    ["a selector that is none", { type: "click", selector: "a[" }, "a["],
    ["a program that throws", { type: "executeJavascript", script: "throw new Error('mine')" }, undefined],
    ["a key that is none", { type: "press", key: "NoSuchKey" }, undefined],
  ])("fails with %s: index, selector and a picture of the moment", async (_what, action, selector) => {
    const failure = await browser.fail(`${site.url}/form`, {
      timeout: 25_000,
      actions: [{ type: "wait", milliseconds: 10 }, action],
    });
    expect(failure.code).toBe("SCRAPE_ACTION_ERROR");
    expect(failure.message).toContain("Action 1");
    expect(failure.action).toMatchObject({ index: 1, type: action.type });
    expect(failure.action?.selector).toBe(selector);
    expect(headOf(failure.action?.screenshot, 3)).toBe(jpegHead);
  });
});
