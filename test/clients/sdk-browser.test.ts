// The official SDK, unmodified, against the real app with a real Chromium: actions, screenshots, change tracking.
import { chromium } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { newId } from "../../src/base/index.ts";
import type { TestApp } from "../support/app.ts";
import { lacksChromium } from "../support/browser.ts";
import { anyEngine } from "../support/engines.ts";
import type { FixtureSite } from "../support/fixture-site.ts";
import { Firecrawl } from "../support/official-sdk.ts";
import { pictureOf, startRenderedSite } from "../support/rendered-site.ts";
import { useApp, withQuickBrowser } from "../support/shared-app.ts";

describe.skipIf(lacksChromium).each([anyEngine])("the SDK with a browser on $name", (engine) => {
  let app: TestApp;
  let site: FixtureSite;
  // biome-ignore lint/suspicious/noExplicitAny: the SDK's own types are not on the path
  let client: any;
  beforeAll(async () => {
    site = await startRenderedSite();
    app = await useApp(engine, withQuickBrowser);
    client = new Firecrawl({ apiKey: app.key, apiUrl: app.url });
  });
  afterAll(async () => {
    await app.stop();
    await site.close();
  });
  const look = async (url: string) => pictureOf(Buffer.from(await (await fetch(url)).arrayBuffer()));

  it("opens a browser session, finds it in the list, drives it and ends it", async () => {
    const { success, id, cdpUrl, liveViewUrl, expiresAt } = await client.browser({
      ttl: 120,
      activityTtl: 60,
      profile: { name: `sdk ${newId()}`, saveChanges: true },
    });
    onTestFinished(() => client.deleteBrowser(id));
    expect([success, Date.parse(expiresAt) > Date.now(), liveViewUrl]).toEqual([true, true, expect.any(String)]);
    const listed = async (status: string) => {
      const { sessions } = await client.listBrowsers({ status });
      return sessions.map((session: { id: string }) => session.id);
    };
    expect(await listed("active")).toEqual([id]);
    const page = await (await chromium.connectOverCDP(cdpUrl)).newPage();
    await page.goto(`${site.url}/form`);
    expect(await page.title()).toBe("Form");
    const ended = await client.deleteBrowser(id);
    expect(ended).toEqual({ success: true, sessionDurationMs: expect.any(Number), creditsBilled: 2 });
    expect(await client.deleteBrowser(id)).toEqual(ended);
    expect([await listed("active"), await listed("destroyed")]).toEqual([[], expect.arrayContaining([id])]);
    await expect(client.deleteBrowser("0198f1cb-0000-7000-8000-000000000009")).rejects.toThrow(/not found/);
    await expect(client.browser({ ttl: 5 })).rejects.toThrow();
  });

  it("waits, looks like a phone, and keeps a profile (v2)", async () => {
    const waited = await client.scrape(`${site.url}/form`, { waitFor: 2000, mobile: true });
    expect(waited.markdown).toContain("arrived");
    const options = { profile: { name: `sdk ${newId()}`, saveChanges: true } };
    await client.scrape(`${site.url}/profile`, options);
    expect((await client.scrape(`${site.url}/profile`, options)).markdown).toContain("Kept: something");
  });

  it("tracks changes (v2)", async () => {
    const formats = ["markdown", { type: "changeTracking", modes: ["git-diff"] }];
    const statuses = [];
    const url = `${site.url}/plain?${newId()}`;
    for (let visit = 0; visit < 2; visit += 1) {
      const { changeTracking } = await client.scrape(url, { formats });
      statuses.push(changeTracking.changeStatus);
    }
    expect(statuses).toEqual(["new", "same"]);
  });

  it("scrapes with actions and a screenshot (v2)", async () => {
    const document = await client.scrape(`${site.url}/form`, {
      formats: ["markdown", { type: "screenshot", fullPage: true }],
      actions: [
        { type: "wait", selector: "#arrived" },
        { type: "click", selector: "#name" },
        { type: "write", text: "Ada" },
        { type: "click", selector: "#add" },
        { type: "press", key: "Escape" },
        { type: "scroll", direction: "down" },
        { type: "screenshot" },
        { type: "scrape" },
        { type: "executeJavascript", script: "document.title" },
        { type: "pdf" },
      ],
    });
    expect(document.markdown).toContain("Ada;");
    expect(document.actions).toMatchObject({
      scrapes: [{ url: `${site.url}/form`, html: expect.stringContaining("Ada;") }],
      javascriptReturns: [{ type: "string", value: "Form" }],
    });
    expect((await look(document.screenshot)).height).toBeGreaterThan(3000);
    expect((await look(document.actions.screenshots[0])).kind).toBe("png");
    expect((await look(document.actions.pdfs[0])).kind).toBe("%PDF");
  });

  it("learns which action failed", async () => {
    const actions = [{ type: "click", selector: "#nowhere" }];
    await expect(client.scrape(`${site.url}/form`, { actions, timeout: 12_000 })).rejects.toThrow(/#nowhere/);
  });

  it("takes v1's screenshot@fullPage and screenshot", async () => {
    const whole = await client.v1.scrapeUrl(`${site.url}/tall`, { formats: ["markdown", "screenshot@fullPage"] });
    expect(whole).toMatchObject({ success: true, markdown: expect.stringContaining("# Tall") });
    expect((await look(whole.screenshot)).height).toBe(4000);
    const window = await client.v1.scrapeUrl(`${site.url}/tall`, { formats: ["screenshot"] });
    expect((await look(window.screenshot)).height).toBeLessThan(2000);
  });

  it("crawls with pictures of pages (v2)", async () => {
    const job = await client.crawl(`${site.url}/shell`, {
      limit: 1,
      pollInterval: 1,
      scrapeOptions: { formats: ["markdown", "screenshot"] },
    });
    expect(job.data[0].markdown).toContain("# Filled by a script");
    expect((await look(job.data[0].screenshot)).kind).toBe("png");
  });
});
