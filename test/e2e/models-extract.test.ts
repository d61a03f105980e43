// Extract with a language model, through the API, on both engines: what is asked, what it costs, how tokens are shown, and what
// happens when the model does not answer.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { otherKey } from "../support/app.ts";
import { bystanders, onOneEngine } from "../support/engines.ts";
import { productPage, runExtract, untilOver } from "../support/extract.ts";
import { type FixtureSite, startSite } from "../support/fixture-site.ts";
import { inTime } from "../support/in-time.ts";
import { openSite } from "../support/jobs.ts";
import { type ModelApp, pageTextOf, startModelApp } from "../support/models.ts";

const page = (title: string, ...sentences: string[]) =>
  `<!doctype html><html lang="en"><head><title>${title}</title></head><body><main><h1>${title}</h1>${sentences
    .map((sentence) => `<p>${sentence}</p>`)
    .join("")}</main></body></html>`;

/** Tokens that the service counts for one question: 100 read and one written a word. */
const perQuestion = 101;
const creditsOf = (tokens: number) => Math.ceil(tokens / 15);

describe.each(bystanders)("extract with a model on $name", (engine) => {
  const { itOnce } = onOneEngine(engine);
  let models: ModelApp;
  let site: FixtureSite;
  beforeAll(async () => {
    site = await startSite({
      "/about": page("About us", "Brine and Sons was founded by Ada Brine in a shed behind the fish market."),
      "/team": page("Team", "The managing director is Ole Brine, a grandson of the founder.", "Our cook is Pim."),
      "/lamp": productPage({ name: "Desk lamp", sku: "LAMP-2201" }),
    });
    models = await startModelApp(engine, { LLM_CONTEXT_TOKENS: "1000", LLM_TOKENS_PER_MONTH: "1000000" });
  });
  afterAll(async () => {
    await models.stop();
    await site.close();
  });

  const company = {
    type: "object",
    properties: { founderOfCompany: { type: "string" }, managingDirector: { type: "string" } },
    required: ["founderOfCompany"],
  };
  const urls = () => [`${site.url}/about`, `${site.url}/team`];
  const told = { founderOfCompany: "Ada Brine", managingDirector: "Ole Brine" };

  it("asks once over all pages for what is missing, with sources and evidence by page, and charges tokens once", async () => {
    models.script(() => ({ json: told }));
    const { ended } = await runExtract(models.app, {
      urls: urls(),
      schema: company,
      prompt: "who runs it",
      systemPrompt: "Names in full.",
      showSources: true,
      evidence: true,
    });
    expect(ended).toMatchObject({
      status: "completed",
      data: told,
      sources: { founderOfCompany: [`${site.url}/about`], managingDirector: [`${site.url}/team`] },
      evidence: { founderOfCompany: { method: "model", text: expect.stringContaining("founded by Ada Brine") } },
    });
    expect(models.asked).toHaveLength(1);
    expect(models.asked[0]?.turns[0]).toContain("who runs it");
    expect(models.asked[0]?.turns[0]).toContain("Names in full.");
    expect(pageTextOf(models.asked[0] as never)).toMatch(/shed behind[\s\S]*grandson/);
    const { tokensUsed, creditsUsed } = ended;
    expect(tokensUsed).toBeGreaterThan(perQuestion - 1);
    expect(creditsUsed).toBe(2 + creditsOf(tokensUsed));
    expect(ended).not.toHaveProperty("warning");
  });

  itOnce("asks nothing when the pages' own data say everything, and costs the pages", async () => {
    models.script(() => ({ json: {} }));
    const schema = { type: "object", properties: { name: { type: "string" }, sku: { type: "string" } } };
    const { ended } = await runExtract(models.app, { urls: [`${site.url}/lamp`], schema });
    expect(ended).toMatchObject({ data: { name: "Desk lamp", sku: "LAMP-2201" }, creditsUsed: 1, tokensUsed: 15 });
    expect(models.asked).toHaveLength(0);
  });

  itOnce("by a prompt alone, under v1 as well", async () => {
    models.script(() => ({ json: { json: '{"cook": "Pim", "baker": "Nobody Known"}' } }));
    for (const path of ["/v2/extract", "/v1/extract"]) {
      const { body } = await models.app.call("POST", path, { body: { urls: urls(), prompt: "the kitchen staff" } });
      const ended = await untilOver(models.app, `${path}/${body.id}`);
      expect(ended).toMatchObject({ status: "completed", data: { cook: "Pim" } });
      if (path === "/v2/extract") expect(ended.warning).toContain("baker");
    }
  });

  itOnce("reads a list over many pages in groups that fit, each item once", async () => {
    const filler = "The hall smells of salt and tar and wet rope in every season of the year. ".repeat(20);
    const crew = Array.from({ length: 9 }, (_, place) => `Sailor ${"ABCDEFGHI"[place]}son`);
    const ships = await openSite((path) => {
      const place = Number(/^\/ship\/(\d+)$/.exec(path)?.[1] ?? Number.NaN);
      const names = [crew[place], crew[(place + 1) % crew.length]].join(" and ");
      return crew[place] === undefined ? undefined : page(`Ship ${place}`, `On board are ${names}.`, filler);
    });
    models.script((asked) => {
      const names = pageTextOf(asked).match(/Sailor \w+son/g) ?? [];
      return { json: { crewMembers: names.map((name) => ({ name })) } };
    });
    const items = { type: "object", properties: { name: { type: "string" } }, required: ["name"] };
    const schema = { type: "object", properties: { crewMembers: { type: "array", items } } };
    const pages = crew.map((_, place) => `${ships.url}/ship/${place}`);
    const { ended } = await runExtract(models.app, { urls: pages, schema });
    const names = ended.data.crewMembers.map(({ name }: { name: string }) => name);
    expect(names.toSorted()).toEqual(crew.toSorted());
    expect(models.asked.length).toBeGreaterThan(2);
    expect(models.asked.length).toBeLessThanOrEqual(crew.length);
  });

  itOnce(
    "has what the pages' own data say, and the cause, when the model does not answer; nothing is charged for it",
    async () => {
      models.script(() => ({ status: 403, error: "no access" }));
      const schema = { type: "object", properties: { name: { type: "string" }, sellerNickname: { type: "string" } } };
      const { ended } = await runExtract(models.app, { urls: [`${site.url}/lamp`], schema });
      expect(ended).toMatchObject({ status: "completed", data: { name: "Desk lamp" }, creditsUsed: 1 });
      expect(ended.warning).toContain("The language model did not answer (MODEL_MISCONFIGURED)");
      expect(ended.warning).toContain("sellerNickname");
    },
  );

  itOnce("ends within its timeout when the model is slow", async () => {
    models.script(() => ({ json: told, afterMs: 60_000 }));
    const body = { urls: urls(), schema: company, timeout: 4000 };
    const { ended } = await inTime(5 * body.timeout, () => runExtract(models.app, body));
    expect(ended.status).toBe("completed");
    expect(ended.warning).toContain("MODEL_TIMEOUT");
  });

  it("tells its webhook the tokens, and its trace the question", async () => {
    const deliveries: { type: string; data: { llmUsage: number }[] }[] = [];
    const receiver = await openSite(() => (request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        deliveries.push(JSON.parse(Buffer.concat(chunks).toString()));
        response.end();
      });
    });
    models.script(() => ({ json: told }));
    const { ended } = await runExtract(models.app, {
      urls: urls(),
      schema: company,
      trace: true,
      webhook: { url: receiver.url, events: ["completed"] },
    });
    expect(ended.trace.at(-1)).toMatchObject({ step: "model", outcome: "answered", detail: { model: "test-model" } });
    await expect.poll(() => deliveries.at(0)?.data[0]?.llmUsage).toBe(ended.tokensUsed);
  });

  it("token-usage shows what teams used, by month and key, under v2 and v1", async () => {
    const key = { key: otherKey };
    models.script(() => ({ json: told }));
    const { remainingTokens, planTokens } = (await models.app.get("/v2/team/token-usage", key)).body.data;
    expect(planTokens).toBe(1_000_000);
    const { ended } = await runExtract(models.app, { urls: urls(), schema: company }, key);
    const formats = [{ type: "json", schema: company }];
    await models.app.call("POST", "/v2/scrape", { body: { url: `${site.url}/about`, formats, maxAge: 0 }, ...key });
    expect(ended.tokensUsed).toBeGreaterThan(0);
    const used = planTokens - remainingTokens + ended.tokensUsed * 2;
    expect((await models.app.get("/v2/team/token-usage", key)).body.data.remainingTokens).toBe(1_000_000 - used);
    expect((await models.app.get("/v1/team/token-usage", key)).body.data).toMatchObject({
      remaining_tokens: 1_000_000 - used,
      plan_tokens: 1_000_000,
    });
    for (const version of ["v2", "v1"]) {
      const path = `/${version}/team/token-usage/historical`;
      expect((await models.app.get(path, key)).body.periods).toMatchObject([{ totalTokens: used, tokensUsed: used }]);
    }
    const byKey = await models.app.get("/v2/team/token-usage/historical?byApiKey=true", key);
    expect(byKey.body.periods).toMatchObject([{ apiKey: "env-2", tokensUsed: used }]);
  });
});

describe.each(bystanders)("budgets of a model on $name", (engine) => {
  const schema = { type: "object", properties: { nameOfTheCook: { type: "string" } } };
  const cook = { json: { nameOfTheCook: "Pim" } };
  const open = async (env: Record<string, string>) => {
    const models = await startModelApp(engine, env);
    const site = await openSite({ "/team": page("Team", "Our cook is Pim.", "He likes soup. ".repeat(200)) });
    models.script(() => cook);
    return { models, url: `${site.url}/team`, stop: () => models.stop() };
  };
  const json = { formats: [{ type: "json", schema }], maxAge: 0 };

  it("of a request and of a month end the questions by name, and nothing hangs", async () => {
    const request = await open({ LLM_TOKENS_PER_REQUEST: "200" });
    const first = await request.models.app.call("POST", "/v2/scrape", { body: { url: request.url, ...json } });
    expect([first.status, first.body.data.json]).toEqual([200, {}]);
    expect(first.body.warning).toContain("MODEL_BUDGET_EXCEEDED");
    expect(request.models.asked).toHaveLength(0);
    await request.stop();

    const month = await open({ LLM_TOKENS_PER_MONTH: "1500" });
    const scrape = (key?: string) =>
      month.models.app.call("POST", "/v2/scrape", { body: { url: month.url, ...json }, ...(key ? { key } : {}) });
    let asked = 0;
    for (; asked < 20; asked += 1) {
      const { body } = await scrape();
      if (body.warning?.includes("MODEL_BUDGET_EXCEEDED")) break;
      expect(body.data.json).toEqual({ nameOfTheCook: "Pim" });
    }
    expect(asked).toBeGreaterThan(1);
    expect(asked).toBeLessThan(20);
    expect((await month.models.app.get("/v2/team/token-usage")).body.data.remainingTokens).toBeLessThan(1500);
    expect((await scrape(otherKey)).body.data.json).toEqual({ nameOfTheCook: "Pim" });
    await month.stop();
  });

  it("in credits: an extract uses no more tokens than the team can pay for", async () => {
    const { models, url, stop } = await open({ CREDITS_PER_MONTH: "30" });
    const { ended } = await runExtract(models.app, { urls: [url], schema });
    expect(ended.data).toEqual({});
    expect(ended.warning).toContain("MODEL_BUDGET_EXCEEDED");
    expect(models.asked).toHaveLength(0);
    expect((await models.app.get("/v2/team/credit-usage")).body.data.remainingCredits).toBe(29);
    await stop();
  });
});
