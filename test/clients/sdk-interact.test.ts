// The official SDK, unmodified: programs in sessions and on scraped pages.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TestApp } from "../support/app.ts";
import { lacksChromium } from "../support/browser.ts";
import { anyEngine } from "../support/engines.ts";
import type { FixtureSite } from "../support/fixture-site.ts";
import { Firecrawl } from "../support/official-sdk.ts";
import { startRenderedSite } from "../support/rendered-site.ts";
import { useApp, withQuickBrowser } from "../support/shared-app.ts";

describe.skipIf(lacksChromium).each([anyEngine])("the SDK with programs on $name", (engine) => {
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

  it("interacts with a scraped page and stops", async () => {
    const document = await client.scrape(`${site.url}/form`, { actions: [{ type: "wait", selector: "#arrived" }] });
    const { scrapeId } = document.metadata;
    const first = await client.interact(scrapeId, { code: "await page.fill('#name', 'Ada'); await page.title()" });
    expect(first).toMatchObject({ success: true, result: "Form", exitCode: 0, cdpUrl: expect.stringMatching(/^ws/) });
    const second = await client.interact(scrapeId, { code: "page.inputValue('#name')", timeout: 60 });
    expect(second.result).toBe("Ada");
    await expect(client.interact(scrapeId, { prompt: "Say hello" })).rejects.toMatchObject({ status: 501 });
    expect(await client.stopInteraction(scrapeId)).toEqual({
      success: true,
      sessionDurationMs: expect.any(Number),
      creditsBilled: 2,
    });
    const unknown = "0198f1cb-0000-7000-8000-000000000009";
    await expect(client.interact(unknown, { code: "1" })).rejects.toMatchObject({ status: 404 });
    await expect(client.stopInteraction(unknown)).rejects.toMatchObject({ status: 404 });
  });

  it("interacts with a page of a batch, brought back as the batch read it", async () => {
    const actions = [
      { type: "wait", selector: "#arrived" },
      { type: "click", selector: "#name" },
      { type: "write", text: "Ada" },
    ];
    const { data } = await client.batchScrape([`${site.url}/form`], { options: { formats: ["markdown"], actions } });
    const { scrapeId } = data[0].metadata;
    const { result } = await client.interact(scrapeId, { code: "page.inputValue('#name')" });
    expect(result).toBe("Ada");
    expect(await client.stopInteraction(scrapeId)).toMatchObject({ success: true });
  });

  it("executes in a session, by default verbs", async () => {
    const { id } = await client.browser({ ttl: 120 });
    const code = `agent-browser open ${site.url}/form && agent-browser get title`;
    expect(await client.browserExecute(id, { code })).toEqual({
      success: true,
      stdout: "Form\n",
      result: "Form",
      stderr: "",
      exitCode: 0,
      killed: false,
    });
    const answer = await client.browserExecute(id, {
      code: "return await page.title()",
      language: "node",
      timeout: 60,
    });
    expect(answer.result).toBe("Form");
    await expect(client.browserExecute(id, { code: "ls /" })).rejects.toThrow(/EXECUTE_LANGUAGES/);
    expect(await client.deleteBrowser(id)).toMatchObject({ success: true, creditsBilled: 2 });
    await expect(client.browserExecute(id, { code })).rejects.toMatchObject({ status: 410 });
  });
});
