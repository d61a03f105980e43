// Agents without a model through the API, on both engines: they follow links until a schema is full or a limit is reached.
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { createTestClock, otherKey, startApp, type TestApp } from "../support/app.ts";
import { bystanders, onOneEngine } from "../support/engines.ts";
import {
  emptyPage,
  productPage,
  productSchema,
  runAgent,
  skuPage,
  startSearchService,
  untilOver,
} from "../support/extract.ts";
import type { FixtureSite } from "../support/fixture-site.ts";
import { answerText, openSite, redirectTo } from "../support/jobs.ts";
import { useApp } from "../support/shared-app.ts";

const prompt = "Find the sku of the lamp";
describe.each(bystanders)("agent on $name", (engine) => {
  const { describeOnce, itOnce } = onOneEngine(engine);
  let app: TestApp;
  let service: FixtureSite;
  let results: string[] = [];
  beforeAll(async () => {
    service = await startSearchService(() => results.map((url) => ({ url, title: "Lamp", content: "sku" })));
    app = await startApp(engine, {
      ALLOWED_PRIVATE_HOSTS: "127.0.0.1",
      SEARXNG_ENDPOINT: service.url,
      AGENT_MAX_PAGES: "8",
      AGENT_MAX_SECONDS: "600",
    });
  });
  afterAll(async () => {
    await app.stop();
    await service.close();
  });

  const start = (body: object) => app.call("POST", "/v2/agent", { body });
  const pagesAsked = (site: FixtureSite) => site.asked.filter((path) => !/robots|sitemap|favicon/.test(path));

  it("follows the links that fit best until every field has a value, and then stops", async () => {
    const site = await openSite({
      "/": productPage({ name: "Desk lamp", links: ["/imprint", "/jobs", "/lamp-sku", "/press"] }),
      "/lamp-sku": skuPage("L-1"),
      "/imprint": emptyPage(),
      "/jobs": emptyPage(),
      "/press": emptyPage(),
    });
    const { started, ended, id } = await runAgent(app, { prompt, urls: [site.url], schema: productSchema });
    expect(started).toEqual({ success: true, id, threadId: id, threadTurn: 1 });
    expect(ended).toMatchObject({
      success: true,
      status: "completed",
      data: { name: "Desk lamp", sku: "L-1" },
      creditsUsed: 2,
      model: "spark-1-pro",
      mode: "extract",
      threadTurn: 1,
      expiresAt: expect.any(String),
    });
    expect(ended).not.toHaveProperty("partial");
    expect(pagesAsked(site)).toEqual(["/", "/lamp-sku"]);
  });

  it("is read at GET /v2/extract/{id}, too, as the specification says", async () => {
    const site = await openSite({ "/": productPage({ name: "Desk lamp", sku: "L-1" }) });
    const { id } = await runAgent(app, { prompt, urls: [site.url], schema: productSchema });
    expect((await app.get(`/v2/extract/${id}`)).body).toMatchObject({
      success: true,
      status: "completed",
      data: { name: "Desk lamp", sku: "L-1" },
      creditsUsed: 1,
      expiresAt: expect.any(String),
    });
    const { body } = await app.get("/v2/team/activity?endpoint=agent&limit=1");
    expect(body.data).toMatchObject([{ id, endpoint: "agent", target: prompt }]);
  });

  itOnce("with strictConstrainToURLs reads the given pages only", async () => {
    const site = await openSite({
      "/": productPage({ name: "Desk lamp", links: ["/lamp-sku"] }),
      "/lamp-sku": skuPage("L-1"),
    });
    const body = { prompt, urls: [site.url], schema: productSchema, strictConstrainToURLs: true };
    const { ended } = await runAgent(app, body);
    expect(ended).toMatchObject({ status: "completed", data: { name: "Desk lamp" }, creditsUsed: 1 });
    expect(ended.message).toContain("sku");
    expect(pagesAsked(site)).toEqual(["/"]);
    const none = await start({ ...body, urls: [] });
    expect([none.status, none.body.details]).toMatchObject([400, [{ path: ["urls"] }]]);
  });

  itOnce("reads no further given page when everything is found", async () => {
    const site = await openSite({
      "/a": productPage({ name: "Desk lamp", sku: "L-1" }),
      "/b": productPage({ name: "Chair" }),
    });
    const urls = [`${site.url}/a`, `${site.url}/b`];
    const { ended } = await runAgent(app, { prompt, urls, schema: productSchema });
    expect(ended).toMatchObject({ status: "completed", creditsUsed: 1 });
    expect(pagesAsked(site)).toEqual(["/a"]);
  });

  describeOnce("asked about one of several things", () => {
    const boatPage = (number: number) =>
      `<!doctype html><title>Boat ${number}</title><main><h1>Boat ${number}</h1><p>A boat for the sea.</p>
       <p>Price: $${number}099.00</p></main>`;
    const shop = (names: readonly string[]) =>
      `<!doctype html><title>Shop</title><main><h1>Shop</h1><ul>${names
        .map(
          (name, place) =>
            `<li><a href="/${name.toLowerCase().replace(" ", "-")}">${name}</a> $${place + 1}099.00</li>`,
        )
        .join("")}</ul></main>`;
    const schema = { type: "object", properties: { price: { type: "number" } } };

    it("answers from the page with its number, and for a number that nothing has, nothing", async () => {
      const boats = { "/boat-1": boatPage(1), "/boat-2": boatPage(2), "/boat-12": boatPage(12) };
      const site = await openSite({ "/": shop(["Boat 1", "Boat 2", "Boat 12"]), ...boats });
      for (const [number, price] of Object.entries({ 1: 1099, 2: 2099, 12: 12_099 })) {
        const { ended } = await runAgent(app, { prompt: `price of boat ${number}`, urls: [site.url], schema });
        expect(ended).toMatchObject({ status: "completed", data: { price }, creditsUsed: 2 });
      }
      const { ended } = await runAgent(app, { prompt: "price of boat 99", urls: [site.url], schema });
      expect(ended).toMatchObject({ status: "completed", data: {}, message: "Not found on the pages: price." });
      expect(pagesAsked(site).filter((path) => path === "/boat-1")).toHaveLength(1);
    });

    it("answers from the page with its words", async () => {
      const site = await openSite({
        "/": shop(["Blue kayak", "Red kayak"]),
        "/blue-kayak": boatPage(1).replaceAll("Boat 1", "Blue kayak"),
        "/red-kayak": boatPage(5).replaceAll("Boat 5", "Red kayak"),
      });
      const { ended } = await runAgent(app, { prompt: "price of the red kayak", urls: [site.url], schema });
      expect(ended).toMatchObject({ status: "completed", data: { price: 5099 }, creditsUsed: 2 });
    });
  });

  it("without URLs begins with what a search finds", async () => {
    const site = await openSite({ "/": emptyPage(), "/lamp": productPage({ name: "Desk lamp", sku: "L-1" }) });
    results = [`${site.url}/lamp`];
    const { ended } = await runAgent(app, { prompt, schema: productSchema });
    expect(ended).toMatchObject({ status: "completed", data: { name: "Desk lamp", sku: "L-1" }, creditsUsed: 1 });
  });

  itOnce("without URLs begins with the local index where there is no search service", async () => {
    const own = await startApp(engine, { ALLOWED_PRIVATE_HOSTS: "127.0.0.1", OWN_INDEX: "1" });
    onTestFinished(() => own.stop());
    const site = await openSite({
      "/lamp": `${productPage({ name: "Desk lamp", sku: "L-1" })}<h1>The sku of the lamp</h1>`,
    });
    expect((await own.call("POST", "/v2/scrape", { body: { url: `${site.url}/lamp` } })).status).toBe(200);
    const find = async () =>
      (await own.call("POST", "/v2/search", { body: { query: "sku lamp" } })).body.data.web?.length;
    await expect.poll(find).toBe(1);
    const { ended } = await runAgent(own, { prompt: "sku of the lamp", schema: productSchema });
    expect(ended).toMatchObject({ status: "completed", data: { name: "Desk lamp", sku: "L-1" } });
  });

  itOnce("obeys robots.txt for the links that it follows", async () => {
    const site = await openSite({
      "/robots.txt": answerText("User-agent: *\nDisallow: /lamp-sku"),
      "/": productPage({ name: "Desk lamp", links: ["/lamp-sku", "/other"] }),
      "/lamp-sku": skuPage("L-1"),
      "/other": emptyPage(),
    });
    const { ended } = await runAgent(app, { prompt, urls: [site.url], schema: productSchema });
    expect(ended).toMatchObject({ status: "completed", data: { name: "Desk lamp" } });
    expect(pagesAsked(site)).toEqual(["/", "/other"]);
  });

  describeOnce("at its cap", () => {
    const openEndless = () =>
      openSite((path) => {
        const number = path === "/" ? 0 : Number(/^\/page-(\d+)$/.exec(path)?.[1] ?? Number.NaN);
        if (Number.isNaN(number)) return undefined;
        const links = [`/page-${number + 1}`];
        return number === 0 ? productPage({ name: "Desk lamp", links }) : emptyPage(links);
      });

    it("of credits ends completed with partial and stopReason, charged for the work done", async () => {
      const site = await openEndless();
      const { ended } = await runAgent(app, { prompt, urls: [site.url], schema: productSchema, maxCredits: 3 });
      expect(ended).toMatchObject({ success: true, status: "completed", partial: true, creditsUsed: 3 });
      expect(ended).toMatchObject({ stopReason: "credit_limit_reached", data: { name: "Desk lamp" } });
      expect(pagesAsked(site)).toEqual(["/", "/page-1", "/page-2"]);
      const tooFew = await start({ prompt, urls: [site.url], schema: productSchema, maxCredits: 0.5 });
      expect([tooFew.status, tooFew.body.details]).toMatchObject([400, [{ path: ["maxCredits"] }]]);
    });

    it.each([
      ["low", 2],
      ["medium", 4],
      ["high", 8],
    ])("of pages with the effort %s", async (effort, pages) => {
      const site = await openEndless();
      const { ended } = await runAgent(app, { prompt, urls: [site.url], schema: productSchema, effort });
      expect(ended).toMatchObject({ status: "completed", partial: true, effort, creditsUsed: pages });
      expect(ended.stopReason).toBe("step_limit_reached");
    });

    it("of seconds", async () => {
      // It does not move by itself, so a slow machine has as much of the run's time as a fast one.
      const clock = createTestClock("2026-11-18T09:00:00Z");
      const env = { ALLOWED_PRIVATE_HOSTS: "127.0.0.1", AGENT_MAX_SECONDS: "60" };
      const quick = await startApp(engine, env, clock);
      onTestFinished(() => quick.stop());
      // Set, not advanced: however often a page is asked for, it takes the same time.
      const site = await openSite({
        "/": (_request, response) => {
          clock.set("2026-11-18T09:00:40Z");
          response.setHeader("content-type", "text/html").end(productPage({ name: "Desk lamp", links: ["/late"] }));
        },
        "/late": (_request, response) => {
          clock.set("2026-11-18T09:01:01Z");
          response.setHeader("content-type", "text/html").end(emptyPage(["/too-late"]));
        },
      });
      const { ended } = await runAgent(quick, { prompt, urls: [site.url], schema: productSchema });
      expect(ended).toMatchObject({
        status: "completed",
        partial: true,
        stopReason: "time_limit_reached",
        data: { name: "Desk lamp" },
        creditsUsed: 2,
      });
      expect(pagesAsked(site)).toEqual(["/", "/late"]);
    });
  });

  itOnce("answers what it has, however many pages could not be read", async () => {
    const names = Array.from({ length: 12 }, (_, index) => `/lamp-sku-${index}`);
    const site = await openSite({
      "/": productPage({ name: "Desk lamp", links: names }),
      ...Object.fromEntries(names.map((name) => [name, redirectTo(name)])),
    });
    const { ended } = await runAgent(app, { prompt, urls: [site.url], schema: productSchema, effort: "low" });
    expect(ended).toMatchObject({ status: "completed", data: { name: "Desk lamp" }, creditsUsed: 1 });
    expect(new Set(pagesAsked(site)).size).toBe(6);
  });

  it("that can read nothing has failed and costs nothing", async () => {
    const site = await openSite({ "/loop": redirectTo("/loop") });
    const { id, ended } = await runAgent(app, { prompt, urls: [`${site.url}/loop`], schema: productSchema });
    expect(ended).toMatchObject({ success: true, status: "failed", creditsUsed: 0, error: expect.any(String) });
    expect((await app.get(`/v2/extract/${id}`)).body).toMatchObject({ success: false, status: "failed" });
  });

  itOnce("needs a model without a schema, for a chat and for a further turn: 501 that names the setting", async () => {
    for (const body of [
      { prompt },
      { prompt, urls: ["https://example.com"] },
      { prompt, schema: productSchema, mode: "chat" },
      { prompt, schema: productSchema, threadId: "0198f1ca-1111-7000-8000-000000000008" },
    ]) {
      const { status, body: answer } = await start(body);
      expect([status, answer.code]).toEqual([501, "MODEL_NOT_CONFIGURED"]);
      expect(answer.error).toContain("MODEL_NAME");
    }
  });

  itOnce("is 400 for a bad schema or address, 403 for a refused one", async () => {
    const bad = await start({ prompt, schema: { type: "thing" } });
    expect([bad.status, bad.body.error]).toEqual([400, "Invalid JSON schema."]);
    expect((await start({ prompt, schema: productSchema, urls: ["bad::url"] })).status).toBe(400);
    const refused = await start({ prompt, schema: productSchema, urls: ["http://10.0.0.1/"] });
    expect([refused.status, refused.body.code]).toEqual([403, "URL_NOT_ALLOWED"]);
    expect(refused.body.details).toMatchObject([{ path: ["urls", 0] }]);
    expect((await start({ prompt, webhook: "notaurl::" })).status).toBe(400);
  });

  it("can be cancelled once, by its team; what runs ends", async () => {
    const site = await openSite({ "/": () => {} });
    const { body } = await start({ prompt, urls: [site.url], schema: productSchema });
    const path = `/v2/agent/${body.id}`;
    await expect.poll(() => site.asked).toContain("/");
    expect((await app.get(path)).body).toMatchObject({ success: true, status: "processing" });
    const theirs = await app.call("DELETE", path, { key: otherKey });
    expect([theirs.status, theirs.body.error]).toEqual([404, "Agent job not found"]);
    expect((await app.call("DELETE", path)).body).toEqual({ success: true });
    expect((await app.get(path)).body).toMatchObject({ status: "cancelled", creditsUsed: 0 });
    const again = await app.call("DELETE", path);
    expect([again.status, again.body.error]).toEqual([409, "Agent job has already ended"]);
  });

  it("belongs to its team", async () => {
    const site = await openSite({ "/": productPage({ name: "Desk lamp", sku: "L-1" }) });
    const { id } = await runAgent(app, { prompt, urls: [site.url], schema: productSchema });
    for (const path of [`/v2/agent/${id}`, `/v2/agent/${id}/trace`, `/v2/agent/threads/${id}`]) {
      const theirs = await app.get(path, { key: otherKey });
      expect([theirs.status, theirs.body.error]).toEqual([404, "Agent job not found"]);
    }
    const list = await app.get("/v2/agent", { key: otherKey });
    expect(list.body.agents.map((agent: { id: string }) => agent.id)).not.toContain(id);
  });

  it("is listed newest first, twenty at a time", async () => {
    const many = await useApp(engine);
    onTestFinished(() => many.stop());
    const site = await openSite({ "/": productPage({ name: "Desk lamp", sku: "L-1" }) });
    const ids: string[] = [];
    for (let index = 0; index < 22; index += 1) {
      const { body } = await many.call("POST", "/v2/agent", {
        body: { prompt: `${prompt} ${index}`, urls: [site.url], schema: productSchema, effort: "low", origin: "tests" },
      });
      ids.unshift(body.id);
      // Only the last one runs to its end: the others are listed all the same.
      if (index < 21) await many.call("DELETE", `/v2/agent/${body.id}`);
    }
    await untilOver(many, `/v2/agent/${ids[0]}`);
    const { body: first } = await many.get("/v2/agent");
    expect(first.agents.map(({ id }: { id: string }) => id)).toEqual(ids.slice(0, 20));
    expect(first.agents[0]).toEqual({
      id: ids[0],
      createdAt: expect.any(String),
      targetHint: `${prompt} 21`,
      origin: "tests",
      status: "completed",
      settings: { hidden: false, starred: false },
      options: {
        urls: [`${site.url}/`],
        prompt: `${prompt} 21`,
        schema: productSchema,
        model: "spark-1-pro",
        effort: "low",
      },
    });
    expect(first.next).toMatch(/^http:.*\/v2\/agent\?before=\d+$/);
    const { body: second } = await many.get(first.next.slice(many.url.length));
    expect(second.agents.map(({ id }: { id: string }) => id)).toEqual(ids.slice(20));
    expect(second).not.toHaveProperty("next");
  });

  it("tells every step in its trace", async () => {
    const site = await openSite({
      "/": productPage({ name: "Desk lamp", links: ["/lamp-sku"] }),
      "/lamp-sku": skuPage("L-1"),
    });
    const urls = [site.url, `${site.url}/gone`];
    const { id } = await runAgent(app, { prompt, urls, schema: productSchema });
    const { body } = await app.get(`/v2/agent/${id}/trace`);
    expect(body).toMatchObject({ success: true, id, creditsUsed: 3, activeBrowserSessions: [] });
    const events = body.events.map(({ type, input }: { type: string; input?: { url: string } }) => [type, input?.url]);
    expect(events).toEqual([
      ["run.started", undefined],
      ["tool_call.finished", `${site.url}/`],
      ["tool_call.finished", `${site.url}/gone`],
      ["tool_call.finished", `${site.url}/lamp-sku`],
      ["artifact.updated", undefined],
      ["run.finished", undefined],
    ]);
    expect(body.events.map(({ producerSequence }: { producerSequence: number }) => producerSequence)).toEqual([
      0, 1, 2, 3, 4, 5,
    ]);
    expect(body.events[1]).toMatchObject({ schemaVersion: 1, runId: id, agent: { id, role: "root" }, creditsUsed: 1 });
    expect((await app.get(`/v2/jobs/${id}/trace`)).body.trace.length).toBeGreaterThan(5);
    const thread = await app.get(`/v2/agent/threads/${id}?includeData=true`);
    expect(thread.body.thread).toMatchObject({
      id,
      status: "idle",
      runs: [{ id, turn: 1, prompt, status: "succeeded", data: { name: "Desk lamp", sku: "L-1" } }],
    });
  });

  it("tells its webhook of the start, of each page and of its end, with what it cost", async () => {
    // biome-ignore lint/suspicious/noExplicitAny: tests look into payloads of every shape
    const received: any[] = [];
    const receiver = await openSite({
      "/hook": async (request, response) => {
        const chunks: Buffer[] = [];
        for await (const chunk of request) chunks.push(chunk as Buffer);
        received.push(JSON.parse(Buffer.concat(chunks).toString()));
        response.writeHead(204).end();
      },
    });
    const webhook = `${receiver.url}/hook`;
    const site = await openSite({
      "/": productPage({ name: "Desk lamp", sku: "L-1" }),
      "/loop": redirectTo("/loop"),
      "/never": () => {},
    });
    await runAgent(app, { prompt, urls: [site.url], schema: productSchema, webhook });
    await expect.poll(() => received.length).toBe(3);
    expect(received).toMatchObject([
      { type: "agent.started", success: true, data: [] },
      { type: "agent.action", data: [{ creditsUsed: 1, action: "scrape", input: { url: `${site.url}/` } }] },
      { type: "agent.completed", success: true, data: [{ creditsUsed: 1, data: { name: "Desk lamp" } }] },
    ]);
    received.length = 0;
    await runAgent(app, {
      prompt,
      urls: [`${site.url}/loop`],
      schema: productSchema,
      webhook: { url: webhook, events: ["failed"] },
    });
    await expect.poll(() => received.length).toBe(1);
    expect(received[0]).toMatchObject({ type: "agent.failed", success: false, data: [{ creditsUsed: 0 }] });
    received.length = 0;
    const slow = await start({
      prompt,
      urls: [`${site.url}/never`],
      schema: productSchema,
      webhook: { url: webhook, events: ["cancelled"] },
    });
    await app.call("DELETE", `/v2/agent/${slow.body.id}`);
    await expect.poll(() => received.length).toBe(1);
    expect(received[0]).toMatchObject({ type: "agent.cancelled", success: false, data: [{ creditsUsed: 0 }] });
  });
});
