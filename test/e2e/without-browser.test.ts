// A server on a machine without Chromium: what needs one says so before anything is fetched; everything else works.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { TestApp } from "../support/app.ts";
import { anyEngine } from "../support/engines.ts";
import type { FixtureSite } from "../support/fixture-site.ts";
import { runJob } from "../support/jobs.ts";
import { startRenderedSite } from "../support/rendered-site.ts";
import { useApp, withoutBrowser } from "../support/shared-app.ts";

describe("without Chromium", () => {
  let site: FixtureSite;
  let app: TestApp;
  beforeAll(async () => {
    site = await startRenderedSite();
    app = await useApp(anyEngine, withoutBrowser);
  });
  afterAll(async () => {
    await app.stop();
    await site.close();
  });
  beforeEach(() => {
    site.asked.length = 0;
  });

  const post = (path: string, body: object) => app.call("POST", path, { body });
  const needing: [string, object][] = [
    ["screenshot", { formats: ["screenshot"] }],
    ["actions", { actions: [{ type: "scrape" }] }],
    ["waitFor", { waitFor: 100 }],
    ["profile", { profile: { name: "shop" } }],
  ];

  it.each(needing)(
    "%s is 501 for every way to ask, says what is missing, and fetches nothing",
    async (name, options) => {
      const url = `${site.url}/plain`;
      const requests = [
        post("/v2/scrape", { url, ...options }),
        post("/v2/batch/scrape", { urls: [url], ...options }),
        post("/v2/crawl", { url, scrapeOptions: options }),
        post("/v2/search", { query: "nets", scrapeOptions: { formats: ["markdown"], ...options } }),
      ];
      for (const { status, body } of await Promise.all(requests)) {
        expect([status, body.code]).toEqual([501, "BROWSER_NOT_AVAILABLE"]);
        expect(body.error).toContain(name);
        expect(body.error).toMatch(/CHROMIUM_PATH does not name a program that can run. To install it: \S+/);
      }
      expect(site.asked).toEqual([]);
    },
  );

  it("the same holds for v1", async () => {
    const { status, body } = await post("/v1/scrape", { url: `${site.url}/plain`, formats: ["screenshot@fullPage"] });
    expect([status, body.code]).toEqual([501, "BROWSER_NOT_AVAILABLE"]);
  });

  it("a page that scripts fill is answered as it came, with a warning, and not kept", async () => {
    const ask = () => post("/v2/scrape", { url: `${site.url}/shell`, formats: ["rawHtml"], trace: true });
    const { status, body } = await ask();
    expect(status).toBe(200);
    expect(body.data.rawHtml).toContain('<div id="root"></div>');
    expect(body.warning).toContain("Scripts fill in this page, and none ran");
    expect(body.trace).toContainEqual(
      expect.objectContaining({
        step: "choose",
        outcome: "http",
        detail: { reason: expect.stringContaining("letters") },
      }),
    );
    expect((await ask()).body.data.metadata.cacheState).toBe("miss");
  });

  it("a phone's page is asked for over HTTP, and the warning says so", async () => {
    const { status, body } = await post("/v2/scrape", { url: `${site.url}/plain`, mobile: true });
    expect(status).toBe(200);
    expect(body.warning).toContain("mobile only changed the user agent");
    expect(site.headers()["user-agent"]).toMatch(/Mobile/);
  });

  it("scrape, change tracking, rawBase64, crawl and map work", async () => {
    const url = `${site.url}/plain`;
    const formats = ["markdown", "changeTracking"];
    expect((await post("/v2/scrape", { url, formats })).body.data.changeTracking.changeStatus).toBe("new");
    expect((await post("/v2/scrape", { url, formats: ["rawBase64"] })).body.data.rawBase64).toBeTypeOf("string");
    expect((await runJob(app, "/v2/crawl", { url, limit: 1 })).data).toHaveLength(1);
    const map = await post("/v2/map", { url: `${site.url}/shell` });
    expect(map.status).toBe(200);
    expect(map.body.warning).toContain("Scripts fill in this page, and none ran");
  });

  it("health says that no browser is there, and is well", async () => {
    const { status, body } = await app.get("/health/readiness", { key: null });
    expect([status, body.browser.available]).toEqual([200, false]);
  });
});
