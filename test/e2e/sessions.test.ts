// Browser sessions over the API: opened, driven, listed, ended, billed.
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { otherKey, startApp, type TestApp } from "../support/app.ts";
import { lacksChromium } from "../support/browser.ts";
import { engines } from "../support/engines.ts";
import { type FixtureSite, startSite } from "../support/fixture-site.ts";
import { drive, openSession } from "../support/sessions.ts";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

describe.skipIf(lacksChromium).each(engines)("browser sessions on $name", (engine) => {
  let site: FixtureSite;
  let app: TestApp;
  beforeAll(async () => {
    site = await startSite({ "/": "<title>Home</title><h1>Welcome</h1>" });
    app = await startApp(engine, { ALLOWED_PRIVATE_HOSTS: "127.0.0.1", PATH: process.env.PATH ?? "" });
  });
  afterAll(async () => {
    await app.stop();
    await site.close();
  });

  it("are driven by an unmodified Playwright over cdpUrl, one client after the other", async () => {
    const session = await openSession(app);
    for (const round of [1, 2]) {
      const browser = await drive(session);
      const page = await browser.newPage();
      await page.goto(site.url);
      expect([round, await page.title(), await page.textContent("h1")]).toEqual([round, "Home", "Welcome"]);
      await browser.close();
    }
    const ended = await app.call("DELETE", `/v2/browser/${session.id}`);
    expect(ended.body).toEqual({ success: true, sessionDurationMs: expect.any(Number), creditsBilled: 2 });
  });
});
