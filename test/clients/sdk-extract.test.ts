// The official SDK, unmodified, against the real app: extracts and agents, through its v2 and v1 objects.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TestApp } from "../support/app.ts";
import { anyEngine } from "../support/engines.ts";
import { productPage, productSchema, skuPage } from "../support/extract.ts";
import { type FixtureSite, startSite } from "../support/fixture-site.ts";
import { Firecrawl } from "../support/official-sdk.ts";
import { useApp } from "../support/shared-app.ts";

describe.each([anyEngine])("extracts of the SDK on $name", (engine) => {
  let app: TestApp;
  let site: FixtureSite;
  // biome-ignore lint/suspicious/noExplicitAny: the SDK's own types are not on the path
  let client: any;
  const lamp = { name: "Desk lamp", sku: "L-1" };
  beforeAll(async () => {
    site = await startSite({
      "/": productPage({ name: "Desk lamp", links: ["/sku-of-the-lamp"] }),
      "/sku-of-the-lamp": skuPage("L-1"),
      "/lamp": productPage(lamp),
    });
    app = await useApp(engine);
    client = new Firecrawl({ apiKey: app.key, apiUrl: app.url });
  });
  afterAll(async () => {
    await app.stop();
    await site.close();
  });

  it("extract waits for the data; startExtract and getExtractStatus read it later (v2)", async () => {
    const urls = [`${site.url}/lamp`];
    const done = await client.extract({ urls, schema: productSchema, showSources: true, pollInterval: 1 });
    expect(done).toMatchObject({ success: true, status: "completed", data: lamp, sources: { name: urls, sku: urls } });
    const started = await client.startExtract({ urls, schema: productSchema, prompt: "the lamp" });
    expect(started).toMatchObject({ success: true, id: expect.any(String) });
    await expect.poll(async () => (await client.getExtractStatus(started.id)).status).toBe("completed");
    expect(await client.getExtractStatus(started.id)).toMatchObject({ data: lamp, creditsUsed: 1 });
    await expect(client.startExtract({ urls, schema: { type: "thing" } })).rejects.toThrow(/schema/i);
    await expect(client.getExtractStatus("0198f1c9-0000-7000-8000-000000000006")).rejects.toThrow(/not found/);
  });

  it("extract under v1 polls until the data is there", async () => {
    const done = await client.v1.extract([`${site.url}/lamp`], { schema: productSchema, prompt: "the lamp" });
    expect(done).toMatchObject({ success: true, data: lamp });
  });

  it("agent waits for the data; startAgent, getAgentStatus, listAgents and cancelAgent (v2)", async () => {
    const wanted = { prompt: "the sku of the lamp", schema: productSchema };
    const done = await client.agent({ ...wanted, urls: [site.url], pollInterval: 1 });
    expect(done).toMatchObject({ success: true, status: "completed", data: lamp, creditsUsed: 2 });
    const started = await client.startAgent({ ...wanted, urls: [`${site.url}/lamp`], maxCredits: 10 });
    expect(started).toMatchObject({ success: true, id: expect.any(String), threadTurn: 1 });
    await expect.poll(async () => (await client.getAgentStatus(started.id)).status).toBe("completed");
    const { agents } = await client.listAgents();
    expect(agents).toMatchObject([{ id: started.id, status: "completed" }, { status: "completed" }]);
    expect((await client.getAgentTrace(started.id)).events.length).toBeGreaterThan(2);
    await expect(client.cancelAgent(started.id)).rejects.toThrow(/already ended/);
    await expect(client.startAgent({ prompt: "who founded it?" })).rejects.toThrow(/MODEL_NAME/);
  });

  it("scrape takes a json format", async () => {
    const document = await client.scrape(`${site.url}/lamp`, { formats: [{ type: "json", schema: productSchema }] });
    expect(document.json).toEqual(lamp);
  });
});
