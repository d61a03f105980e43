// POST /v1/deep-research: a run of the agent, with and without a language model.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AgentModel, inTurn, startAgentModel } from "../support/agent-model.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { anyEngine } from "../support/engines.ts";
import { type FixtureSite, startSite } from "../support/fixture-site.ts";
import { type SearchService, startSearchService } from "../support/search-service.ts";
import { withNewTeams } from "../support/shared-app.ts";

const page = (title: string, body: string) => `<title>${title}</title><main><h1>${title}</h1>${body}</main>`;
const otters =
  "<p>Sea otters hold hands while they sleep, so that the current does not drive them apart from each other.</p>";
const pups =
  "<p>A sea otter sleeps in kelp with its pup wrapped in the leaves, which keeps it afloat until it wakes.</p>";

let site: FixtureSite;
let service: SearchService;
let model: AgentModel;
let plain: TestApp;
let planned: TestApp;
beforeAll(async () => {
  site = await startSite({
    "/otters": page(
      "Otters",
      `${otters}<p><a href="/pups">How sea otters sleep with pups</a> <a href="/bread">Bread</a></p>`,
    ),
    "/pups": page("Pups", pups),
    "/bread": page(
      "Bread",
      "<p>Bread is baked of flour, water and salt in an oven that was hot for an hour before it.</p>",
    ),
  });
  service = await startSearchService();
  service.results = [{ url: `${site.url}/otters`, title: "Otters", content: "Sea otters sleep" }];
  model = await startAgentModel();
  const env = { ALLOWED_PRIVATE_HOSTS: "127.0.0.1", SEARXNG_ENDPOINT: service.url, CHROMIUM_PATH: "/nowhere/chromium" };
  [plain, planned] = await Promise.all([startApp(anyEngine, env), startApp(anyEngine, { ...env, ...model.env })]);
});
afterAll(async () => {
  await Promise.all([plain.stop(), planned.stop()]);
  await Promise.all([model.close(), service.close(), site.close()]);
});

const start = (app: TestApp, body: object) => app.call("POST", "/v1/deep-research", { body });
async function research(app: TestApp, body: object) {
  const { status, body: started } = await start(app, body);
  expect([status, started]).toEqual([
    200,
    { success: true, id: expect.any(String), warnings: expect.any(Array), replacement: "/v2/agent" },
  ]);
  const read = () => app.get(`/v1/deep-research/${started.id}`).then((answer) => answer.body);
  await expect.poll(async () => (await read()).status).not.toBe("processing");
  return { id: started.id, found: await read() };
}

describe("deep research", () => {
  it("answers with the passages that fit where there is no language model, and says so", async () => {
    const app = await withNewTeams(plain);
    const { found } = await research(app, { query: "how do sea otters sleep", maxUrls: 5, maxDepth: 2 });
    expect(found).toMatchObject({ success: true, status: "completed", maxDepth: 2, totalUrls: 2, summaries: [] });
    expect(found.data.finalAnalysis).toContain("hold hands while they sleep");
    expect(found.data.finalAnalysis).toContain(`Source: ${site.url}/pups`);
    expect(found.warnings.join(" ")).toMatch(/deprecated.*No language model is configured \(MODEL_NAME\)/s);
    expect(found.replacement).toBe("/v2/agent");
    const urls = found.sources.map(({ url }: { url: string }) => url).toSorted();
    expect(urls).toEqual([`${site.url}/otters`, `${site.url}/pups`]);
    expect(found.data.sources).toEqual(found.sources);
    expect(found.data.activities).toEqual(found.activities);
    expect(found.activities.map(({ type }: { type: string }) => type)).toEqual([
      "search",
      "extract",
      "extract",
      "synthesis",
    ]);
    expect(found.activities[0]).toEqual({
      ...{ type: "search", status: "complete", message: expect.any(String), depth: 1 },
      timestamp: expect.stringMatching(/Z$/),
    });
    expect(found.data.json).toBeUndefined();
    const [line] = (await app.get("/v2/team/activity?endpoint=deep_research")).body.data;
    expect(line).toMatchObject({ endpoint: "deep_research", api_version: "v1", target: "how do sea otters sleep" });
    const { periods } = (await app.get("/v2/team/credit-usage/historical")).body;
    expect(periods.at(-1).totalCredits).toBe(2);
  });

  it("lets the model answer as it is asked to, with data beside the answer", async () => {
    model.play({
      step: inTurn(
        { tool: "search", query: "otters" },
        { tool: "scrape", urls: [`${site.url}/otters`] },
        { tool: "finish", reason: "It is there." },
      ),
      answer: ({ schema }) =>
        "animal" in ((schema?.properties ?? {}) as object)
          ? { animal: "Sea otters" }
          : { answer: "They hold hands.", quotes: ["Sea otters hold hands while they sleep"] },
    });
    const app = await withNewTeams(planned);
    const { id, found } = await research(app, {
      ...{ topic: "how otters sleep", analysisPrompt: "Answer in one sentence.", maxDepth: 3 },
      formats: ["markdown", "json"],
      jsonOptions: { schema: { type: "object", properties: { animal: { type: "string" } } }, prompt: "the animal" },
    });
    expect([found.status, found.error]).toEqual(["completed", undefined]);
    expect(found.data.finalAnalysis).toBe("They hold hands.");
    expect(found.data.json).toEqual({ animal: "Sea otters" });
    expect(JSON.stringify(model.answers)).toContain("Answer in one sentence.");
    expect(found.activities.map(({ type }: { type: string }) => type)).toContain("thought");
    expect(found.currentDepth).toBe(2);
    expect((await app.get(`/v1/deep-research/${id}`, { key: app.otherKey })).status).toBe(404);
  });

  it("fails with the reason when nothing can be read", async () => {
    const app = await withNewTeams(plain);
    service.results = [{ url: `${site.url}/missing`, title: "Missing", content: "" }];
    const { found } = await research(app, { query: "nothing at all", maxUrls: 1, maxDepth: 1 });
    expect([found.status, found.data.finalAnalysis]).toEqual(["failed", ""]);
    expect(found.error).toMatch(/No page/);
  });

  it("names the field that is wrong, and knows its own jobs only", async () => {
    const wrong: [object, string][] = [
      [{}, "query"],
      [{ query: "x", maxDepth: 13 }, "maxDepth"],
      [{ query: "x", maxUrls: 1001 }, "maxUrls"],
      [{ query: "x", timeLimit: 29 }, "timeLimit"],
      [{ query: "x", formats: ["json"] }, "jsonOptions"],
      [{ query: "x", jsonOptions: { prompt: "y" } }, "formats"],
    ];
    for (const [sent, field] of wrong) {
      const { status, body } = await start(plain, sent);
      expect([sent, status, body.details[0].path[0]]).toEqual([sent, 400, field]);
    }
    const { status, body } = await plain.get("/v1/deep-research/0198f1c2-7b1e-7c11-9a55-0d6f5f0a1b01");
    expect([status, body.error]).toEqual([404, "Deep research job not found"]);
  });
});
