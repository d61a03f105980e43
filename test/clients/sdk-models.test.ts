// The official SDK, unmodified, against the real app with a language model: json, summary, question, and extract by prompt.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testKey } from "../support/app.ts";
import { anyEngine } from "../support/engines.ts";
import { type FixtureSite, startSite } from "../support/fixture-site.ts";
import { type ModelApp, startModelApp } from "../support/models.ts";
import { Firecrawl } from "../support/official-sdk.ts";

const page = `<!doctype html><html lang="en"><head><title>Harbour</title></head><body><main><h1>Harbour</h1>
  <p>The harbour pilot is Greta Lind, who has guided ships since 1987.</p></main></body></html>`;
const sentence = "The harbour pilot is Greta Lind, who has guided ships since 1987.";

describe.each([anyEngine])("a model behind the SDK on $name", (engine) => {
  let models: ModelApp;
  let site: FixtureSite;
  // biome-ignore lint/suspicious/noExplicitAny: the SDK's own types are not on the path
  let client: any;
  beforeAll(async () => {
    site = await startSite({ "/": page });
    models = await startModelApp(engine);
    client = new Firecrawl({ apiKey: testKey, apiUrl: models.app.url });
  });
  afterAll(async () => {
    await models.stop();
    await site.close();
  });

  it("scrape with json, summary and question (v2)", async () => {
    models.script(({ schema }) => {
      const fields = Object.keys((schema?.properties as object | undefined) ?? {});
      if (fields.includes("nameOfThePilot")) return { json: { nameOfThePilot: "Greta Lind" } };
      return fields.includes("answer")
        ? { json: { answer: "Greta Lind.", quotes: [sentence] } }
        : { text: "About the harbour pilot." };
    });
    const schema = { type: "object", properties: { nameOfThePilot: { type: "string" } } };
    const formats = [
      { type: "json", schema, prompt: "the pilot" },
      "summary",
      { type: "question", question: "Who is the pilot?" },
    ];
    const document = await client.scrape(site.url, { formats });
    expect(document).toMatchObject({
      json: { nameOfThePilot: "Greta Lind" },
      summary: "About the harbour pilot.",
      answer: "Greta Lind.",
      passages: [{ text: sentence }],
    });
  });

  it("extract by a prompt alone (v2 and v1), and its tokens", async () => {
    models.script(() => ({ json: { json: '{"pilot": "Greta Lind"}' } }));
    const done = await client.extract({ urls: [site.url], prompt: "who is the pilot?", pollInterval: 1 });
    expect(done).toMatchObject({ success: true, status: "completed", data: { pilot: "Greta Lind" } });
    expect(done.tokensUsed).toBeGreaterThan(100);
    const old = await client.v1.extract([site.url], { prompt: "who is the pilot?" });
    expect(old).toMatchObject({ success: true, data: { pilot: "Greta Lind" } });
    const { periods } = await client.getTokenUsageHistorical();
    expect(periods[0].tokensUsed).toBeGreaterThanOrEqual(2 * done.tokensUsed);
  });
});
