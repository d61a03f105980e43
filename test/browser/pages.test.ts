// Rendered pages in a real Chromium: scripts, waiting, looks, pictures, storage.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { chromiumPath, lacksChromium, openTestBrowser, type TestBrowser } from "../support/browser.ts";
import { type FixtureSite, startSite } from "../support/fixture-site.ts";

describe.skipIf(lacksChromium)("a rendered page", () => {
  let site: FixtureSite;
  let browser: TestBrowser;

  beforeAll(async () => {
    site = await startSite({
      "/shell": `<!doctype html><title>Shell</title><div id="root"></div>
        <script>setTimeout(() => { root.innerHTML = "<h1>Filled by a script</h1>" }, 200)</script>`,
    });
    browser = openTestBrowser({ allow: "127.0.0.1" });
  });
  afterAll(async () => {
    await browser.close();
    await site.close();
  });

  it("has Chromium", () => expect(chromiumPath).not.toBeNull());

  it("holds what its scripts wrote", async () => {
    const page = await browser.read(`${site.url}/shell`);
    expect(page.body.toString()).toContain("<h1>Filled by a script</h1>");
    expect(page).toMatchObject({ engine: "browser", status: 200, finalUrl: `${site.url}/shell`, isPrivate: true });
    expect(browser.status()).toMatchObject({ available: true, sandbox: true, isolated: true });
  });
});
