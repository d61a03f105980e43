// Actions through the API: what each does and brings back, and how a failing one is told.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { TestApp } from "../support/app.ts";
import { lacksChromium } from "../support/browser.ts";
import { anyEngine } from "../support/engines.ts";
import type { FixtureSite } from "../support/fixture-site.ts";
import { pictureOf, startRenderedSite } from "../support/rendered-site.ts";
import { useApp, withQuickBrowser } from "../support/shared-app.ts";

describe.skipIf(lacksChromium)("actions", () => {
  let site: FixtureSite;
  let app: TestApp;
  beforeAll(async () => {
    site = await startRenderedSite();
    app = await useApp(anyEngine, withQuickBrowser);
  });
  afterAll(async () => {
    await app.stop();
    await site.close();
  });
  beforeEach(() => {
    site.asked.length = 0;
  });

  const act = (actions: object[], options: object = {}) =>
    app.call("POST", "/v2/scrape", { body: { url: `${site.url}/form`, actions, ...options } });
  const done = async (...args: Parameters<typeof act>) => {
    const { status, body } = await act(...args);
    expect([status, body.error]).toEqual([200, undefined]);
    return body.data;
  };
  const bytesOf = async (url: string) => Buffer.from(await (await fetch(url)).arrayBuffer());

  it("wait for a time, and for an element", async () => {
    expect((await done([{ type: "wait", milliseconds: 2000 }])).markdown).toContain("arrived");
    expect((await done([{ type: "wait", selector: "#arrived" }])).markdown).toContain("arrived");
  });

  it("click the first element or all, write, and press keys", async () => {
    const first = await done([{ type: "click", selector: ".item" }]);
    expect(first.markdown).toMatch(/clicked[\s\S]*two/);
    const all = await done([{ type: "click", selector: ".item", all: true }]);
    expect(all.markdown).not.toMatch(/one|two/);
    const written = await done([
      { type: "click", selector: "#name" },
      { type: "write", text: "Ada" },
      { type: "press", key: "Tab" },
      { type: "press", key: "Enter" },
    ]);
    expect(written.markdown).toContain("Ada;");
    expect(written.markdown).toContain("Tab Enter");
  });

  it("scroll the page and an element", async () => {
    const script = "[scrollY, document.querySelector('#box').scrollTop]";
    const { actions } = await done([
      { type: "scroll" },
      { type: "scroll", selector: "#box" },
      { type: "executeJavascript", script },
      { type: "scroll", direction: "up" },
      { type: "executeJavascript", script },
    ]);
    const [[down, box], [up]] = actions.javascriptReturns.map(({ value }: { value: number[] }) => value);
    expect(down).toBeGreaterThan(0);
    expect(box).toBeGreaterThan(0);
    expect(up).toBeLessThan(down);
  });

  it("run scripts and give their values with their types", async () => {
    const scripts = [
      "1 + 1",
      "document.title",
      "({ a: [1, null] })",
      "undefined",
      "await fetch('/plain').then((answer) => answer.status)",
      "fetch('/plain').then((answer) => answer.status)",
      "const words = document.title.split(''); return words.length;",
      "async function late() { return 'late'; } late()",
    ];
    const { actions } = await done(scripts.map((script) => ({ type: "executeJavascript", script })));
    expect(actions.javascriptReturns).toEqual([
      { type: "number", value: 2 },
      { type: "string", value: "Form" },
      { type: "object", value: { a: [1, null] } },
      { type: "undefined", value: null },
      { type: "number", value: 200 },
      { type: "number", value: 200 },
      { type: "number", value: 4 },
      { type: "string", value: "late" },
    ]);
  });

  it("give the page's html as it is at that moment", async () => {
    const { actions } = await done([{ type: "scrape" }, { type: "click", selector: ".item" }, { type: "scrape" }]);
    expect(actions.scrapes).toHaveLength(2);
    expect(actions.scrapes[0]).toMatchObject({ url: `${site.url}/form`, html: expect.stringContaining(">one</li>") });
    expect(actions.scrapes[1].html).toContain(">clicked</li>");
  });

  it("take pictures and print, under both names", async () => {
    const { actions, screenshot } = await done(
      [
        { type: "screenshot" },
        { type: "screenshot", fullPage: true, quality: 50 },
        { type: "pdf", format: "A5", landscape: true },
        { type: "generatePDF" },
      ],
      { formats: ["markdown", "screenshot"] },
    );
    expect(actions.screenshots).toHaveLength(2);
    expect(actions.pdfs).toHaveLength(2);
    const [first, second] = await Promise.all<Buffer>(actions.screenshots.map(bytesOf));
    expect([pictureOf(first as Buffer).kind, pictureOf(second as Buffer).kind]).toEqual(["png", "jpg"]);
    for (const url of actions.pdfs) {
      const answer = await fetch(url);
      expect(answer.headers.get("content-type")).toBe("application/pdf");
      expect(Buffer.from(await answer.arrayBuffer()).toString("latin1", 0, 5)).toBe("%PDF-");
    }
    expect(pictureOf(await bytesOf(screenshot)).kind).toBe("png");
  });

  it("leave no copy and use none", async () => {
    const actions = [{ type: "wait", milliseconds: 1 }];
    await done(actions);
    expect((await done(actions)).metadata.cacheState).toBe("miss");
    expect(site.asked.filter((path) => path === "/form")).toHaveLength(2);
  });

  it("fifty at most, and waits of a minute at most", async () => {
    expect((await act(Array(51).fill({ type: "scrape" }))).status).toBe(400);
    const wait = { type: "wait", milliseconds: 31_000 };
    expect((await act([wait, wait], { timeout: 200_000 })).status).toBe(400);
    expect((await act([{ type: "dance" }])).status).toBe(400);
    expect(site.asked).toEqual([]);
  });

  it("that fail are named by index and selector, with a picture of the moment in the trace", async () => {
    const actions = [
      { type: "click", selector: "#add" },
      { type: "click", selector: "#nowhere" },
    ];
    const { status, body } = await act(actions, { trace: true });
    expect([status, body.code]).toEqual([500, "SCRAPE_ACTION_ERROR"]);
    expect(body.error).toMatch(/1.*#nowhere/);
    expect(body.details).toMatchObject({ index: 1, type: "click", selector: "#nowhere" });
    const shown = body.details.trace.find(({ step }: { step: string }) => step === "render");
    expect(shown).toMatchObject({ outcome: "SCRAPE_ACTION_ERROR", detail: { index: 1, selector: "#nowhere" } });
    expect(pictureOf(await bytesOf(shown.detail.screenshot)).kind).toMatch(/png|jpg/);
    const stored = await app.get(`/v2/jobs/${body.details.scrapeId}/trace`);
    expect(stored.body.trace).toEqual(body.details.trace);
    const { body: again, status: later } = await app.get(`/v2/scrape/${body.details.scrapeId}`);
    expect([later, again.code]).toEqual([500, "SCRAPE_ACTION_ERROR"]);
  });

  it("that fail cost nothing", async () => {
    const before = (await app.get("/v2/team/credit-usage/historical")).body.periods[0].creditsUsed;
    await act([{ type: "wait", selector: "#nowhere" }], { timeout: 3000 });
    expect((await app.get("/v2/team/credit-usage/historical")).body.periods[0].creditsUsed).toBe(before);
  });
});
