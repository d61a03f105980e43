// The official SDK, unmodified, against the real app with a language model: agents, and crawls by a prompt.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AgentModel, inTurn, startAgentModel } from "../support/agent-model.ts";
import { startApp, type TestApp, testKey } from "../support/app.ts";
import { anyEngine } from "../support/engines.ts";
import { type FixtureSite, startSite } from "../support/fixture-site.ts";
import { page, pagesFor } from "../support/jobs.ts";
import { Firecrawl } from "../support/official-sdk.ts";

const schema = { type: "object", properties: { founder: { type: "string" } }, required: ["founder"] };

describe.each([anyEngine])("the SDK with a language model on $name", (engine) => {
  let app: TestApp;
  let site: FixtureSite;
  let model: AgentModel;
  // biome-ignore lint/suspicious/noExplicitAny: the SDK's own types are not on the path
  let client: any;
  beforeAll(async () => {
    site = await startSite({
      "/": page("Lamps", ["/about", "/blog/a"]),
      "/about": "<main><h1>About us</h1><p>Ada Lumen founded the company in 1987.</p></main>",
      ...pagesFor(["/blog/a"]),
    });
    model = await startAgentModel();
    app = await startApp(engine, { ALLOWED_PRIVATE_HOSTS: "127.0.0.1", ...model.env });
    client = new Firecrawl({ apiKey: testKey, apiUrl: app.url });
  });
  afterAll(async () => {
    await app.stop();
    await model.close();
    await site.close();
  });

  it("agent waits for the data; startAgent, getAgentStatus and getAgentTrace read it later", async () => {
    model.play({
      step: inTurn({ tool: "scrape", urls: [`${site.url}/`] }, { tool: "scrape", urls: [`${site.url}/about`] }),
      answer: () => ({ founder: "Ada Lumen" }),
    });
    const wanted = { prompt: "Who founded the company?", urls: [`${site.url}/`] };
    const done = await client.agent({ ...wanted, schema, pollInterval: 1 });
    expect(done).toMatchObject({ success: true, status: "completed", data: { founder: "Ada Lumen" }, creditsUsed: 2 });

    model.play({
      step: inTurn({ tool: "scrape", urls: [`${site.url}/`] }, { tool: "scrape", urls: [`${site.url}/about`] }),
      answer: () => ({ answer: "Ada Lumen", quotes: ["Ada Lumen founded the company in 1987."] }),
    });
    const started = await client.startAgent({ ...wanted, maxCredits: 10, effort: "high" });
    expect(started).toMatchObject({ success: true, id: expect.any(String) });
    await expect.poll(async () => (await client.getAgentStatus(started.id)).status).toBe("completed");
    const { data } = await client.getAgentStatus(started.id);
    expect(data).toMatchObject({ answer: "Ada Lumen", sources: [{ url: `${site.url}/about` }] });
    const { events } = await client.getAgentTrace(started.id);
    expect(events.filter(({ type }: { type: string }) => type === "reasoning.summary")).toHaveLength(3);
  });

  it("cancelAgent ends it while the model thinks", async () => {
    model.play({ step: () => ({ json: { tool: "finish", reason: "" }, afterMs: 60_000 }) });
    const started = await client.startAgent({ prompt: "Who founded the company?", urls: [site.url] });
    await expect.poll(() => model.steps.length).toBe(1);
    expect(await client.cancelAgent(started.id)).toBe(true);
    expect(await client.getAgentStatus(started.id)).toMatchObject({ status: "cancelled", creditsUsed: 0 });
  });

  it("crawl takes a prompt; crawlParamsPreview shows what is made of it", async () => {
    model.play({ step: inTurn(), answer: () => ({ includePaths: ["^/blog/"], limit: 5 }) });
    const shown = await client.crawlParamsPreview(site.url, "only the blog");
    expect(shown).toMatchObject({ url: `${site.url}/`, includePaths: ["^/blog/"], limit: 5 });
    const crawled = await client.crawl(site.url, { prompt: "only the blog", pollInterval: 1 });
    expect(crawled).toMatchObject({ status: "completed", completed: 1 });
    expect(crawled.data[0].metadata.sourceURL).toBe(`${site.url}/blog/a`);
  });
});
