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
import { textPdf } from "../support/text-pdf.ts";

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
      model: "spark-2",
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

    const wholeSchema = { ...productSchema, required: ["name", "sku"] };
    const capped = { prompt, schema: wholeSchema, maxCredits: 3 };

    it("of credits has failed with the part that it found, charged for the work done, and is no success in lists", async () => {
      const site = await openEndless();
      const { id, ended } = await runAgent(app, { ...capped, urls: [site.url] });
      expect(ended).toMatchObject({
        ...{ success: true, status: "failed", stopReason: "credit_limit_reached", creditsUsed: 3 },
        ...{ partial: { name: "Desk lamp" }, partialSchemaValid: false },
        error: expect.stringMatching(/^The limit of credits was reached before all required fields were found: sku\.$/),
      });
      expect(ended).not.toHaveProperty("data");
      expect(pagesAsked(site)).toEqual(["/", "/page-1", "/page-2"]);
      const { body } = await app.get(`/v2/agent/threads/${id}`);
      expect(body.thread.runs).toMatchObject([
        { status: "credit_limit_reached", partial: { name: "Desk lamp" }, stopReason: "credit_limit_reached" },
      ]);
      const { events } = (await app.get(`/v2/agent/${id}/trace`)).body;
      expect(events.slice(-3)).toMatchObject([
        { type: "artifact.updated", artifact: { change: "partial", changedFields: ["name"] } },
        { type: "agent.finished", outcome: "failed" },
        {
          type: "run.finished",
          outcome: "credit_limit_reached",
          error: { code: "credit_limit_reached", source: "billing" },
        },
      ]);
      expect((await app.get("/v2/agent")).body.agents[0]).toMatchObject({ id, status: "failed" });
    });

    it("of credits is completed where all that is required was found, and fails without a part where nothing was", async () => {
      const site = await openEndless();
      const { ended } = await runAgent(app, { ...capped, urls: [site.url], schema: productSchema });
      expect(ended).toMatchObject({ status: "completed", data: { name: "Desk lamp" }, creditsUsed: 3 });
      expect(ended.stopReason).toBe("credit_limit_reached");
      for (const name of ["partial", "partialSchemaValid", "error"]) expect(ended).not.toHaveProperty(name);
      const empty = await runAgent(app, { ...capped, urls: [`${site.url}/page-1`] });
      expect(empty.ended).toMatchObject({ status: "failed", stopReason: "credit_limit_reached", creditsUsed: 3 });
      expect(empty.ended.error).toBe("The limit of credits was reached before anything was found.");
      for (const name of ["partial", "partialSchemaValid", "data"]) expect(empty.ended).not.toHaveProperty(name);
      const tooFew = await start({ prompt, urls: [site.url], schema: productSchema, maxCredits: 0.5 });
      expect([tooFew.status, tooFew.body.details]).toMatchObject([400, [{ path: ["maxCredits"] }]]);
    });

    it("of credits is kept by documents, which cost a credit for each of their pages", async () => {
      const manual = textPdf("Manual of the lamp", "Second page", "Third page");
      const site = await openSite({
        "/": productPage({ name: "Desk lamp", links: ["/sku-of-the-lamp.pdf", "/page"] }),
        "/sku-of-the-lamp.pdf": (_request, response) =>
          response.writeHead(200, { "content-type": "application/pdf" }).end(manual),
        "/page": emptyPage(),
      });
      const { ended } = await runAgent(app, { ...capped, urls: [site.url] });
      expect(ended).toMatchObject({ stopReason: "credit_limit_reached", partial: { name: "Desk lamp" } });
      expect(pagesAsked(site)).toContain("/sku-of-the-lamp.pdf");
      expect(ended.creditsUsed).toBeLessThanOrEqual(capped.maxCredits);
    });

    it.each([
      ["low", 2],
      ["medium", 4],
      ["high", 8],
    ])("of pages with the effort %s", async (effort, pages) => {
      const site = await openEndless();
      const { ended } = await runAgent(app, { prompt, urls: [site.url], schema: productSchema, effort });
      expect(ended).toMatchObject({ status: "completed", data: { name: "Desk lamp" }, effort, creditsUsed: pages });
      expect(ended.stopReason).toBe("step_limit_reached");
    });

    it("of seconds", async () => {
      // It does not move by itself, so a slow machine has as much of the run's time as a fast one.
      const clock = createTestClock("2026-11-18T09:00:00Z");
      const settings = { AGENT_MAX_SECONDS: "300", JOB_LEASE_MS: "600000" };
      const quick = await startApp(engine, { ALLOWED_PRIVATE_HOSTS: "127.0.0.1", ...settings }, clock);
      onTestFinished(() => quick.stop());
      const site = await openSite({
        "/": productPage({ name: "Desk lamp", links: ["/late"] }),
        // Set, not advanced: however often a page is asked for, it takes the same time.
        "/late": (_request, response) => {
          clock.set("2026-11-18T09:05:01Z");
          response.setHeader("content-type", "text/html").end(emptyPage(["/too-late"]));
        },
      });
      const { ended } = await runAgent(quick, { prompt, urls: [site.url], schema: wholeSchema });
      expect(ended).toMatchObject({ status: "failed", stopReason: "time_limit_reached", creditsUsed: 2 });
      expect(ended.partial).toEqual({ name: "Desk lamp" });
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

  it("goes on with a thread where the earlier turn was, one turn at a time", async () => {
    const site = await openSite({
      "/": productPage({ name: "Desk lamp", sku: "L-1" }),
      "/never": () => {},
    });
    const first = await runAgent(app, { prompt, urls: [site.url], schema: productSchema });
    const { threadId } = first.started;
    const further = { prompt: "Only the name", schema: productSchema, threadId };
    const second = await runAgent(app, further);
    expect(second.started).toEqual({ success: true, id: second.id, threadId, threadTurn: 2 });
    expect(second.ended).toMatchObject({ status: "completed", data: { sku: "L-1" }, threadId, threadTurn: 2 });
    // It names no URLs, and nothing is searched for.
    const { events } = (await app.get(`/v2/agent/${second.id}/trace`)).body;
    const calls = events.flatMap(({ parameters }: { parameters?: object }) => parameters ?? []);
    expect(calls).toEqual([{ url: `${site.url}/` }, { pages: 1 }]);

    const [one, other] = await Promise.all([1, 2].map(() => start({ ...further, urls: [`${site.url}/never`] })));
    const refused = one?.status === 409 ? one : other;
    expect([one?.status, other?.status].toSorted()).toEqual([200, 409]);
    expect(refused?.body).toMatchObject({ success: false, code: "thread_busy" });
    const running = [one, other].find((answer) => answer?.status === 200)?.body;
    const { thread } = (await app.get(`/v2/agent/threads/${threadId}?includeData=true`)).body;
    expect(thread).toMatchObject({ id: threadId, status: "running" });
    expect(thread.runs).toMatchObject([
      { id: first.id, turn: 1, mode: "extract", prompt, urls: [`${site.url}/`], status: "succeeded", creditsUsed: 1 },
      { id: second.id, turn: 2, prompt: "Only the name", data: { sku: "L-1" }, schema: productSchema },
      { id: running.id, turn: 3, status: "processing", finishedAt: null, creditsUsed: null, message: null },
    ]);
    expect(thread.runs[1]).not.toHaveProperty("urls");
    expect((await app.get(`/v2/agent/threads/${threadId}`)).body.thread.runs[0]).not.toHaveProperty("data");
    await app.call("DELETE", `/v2/agent/${running.id}`);
    for (const [body, key] of [
      [{ ...further, threadId: "0198f1ca-1111-7000-8000-000000000008" }, undefined],
      [further, otherKey],
      // A thread is named by its first run.
      [{ ...further, threadId: second.id }, undefined],
    ] as const) {
      const { status, body: answer } = await app.call("POST", "/v2/agent", { body, ...(key ? { key } : {}) });
      expect([status, answer.code]).toEqual([404, "thread_not_found"]);
    }
    expect((await start({ ...further, threadId: "mine" })).status).toBe(400);
    for (const name of ["mine", second.id]) {
      const { status, body } = await app.get(`/v2/agent/threads/${name}`);
      expect([status, body.code]).toEqual([404, "thread_not_found"]);
    }
  });

  itOnce("takes the names of the models that clients know, and no others", async () => {
    const { url } = await openSite({ "/": productPage({ name: "Desk lamp" }) });
    for (const model of ["spark-1-pro", "spark-1-mini", "spark-2"]) {
      const { status, body } = await start({ prompt, urls: [url], schema: productSchema, model });
      expect([status, (await app.get(`/v2/agent/${body.id}`)).body.model]).toEqual([200, "spark-2"]);
    }
    const other = await start({ prompt, schema: productSchema, model: "spark-3" });
    expect([other.status, other.body.details[0].path]).toEqual([400, ["model"]]);
  });

  itOnce("needs a model without a schema and for a chat: 501 that names the setting", async () => {
    for (const body of [
      { prompt },
      { prompt, urls: ["https://example.com"] },
      { prompt, schema: productSchema, mode: "chat" },
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
    for (const [path, error] of [
      [`/v2/agent/${id}`, "Agent job not found"],
      [`/v2/agent/${id}/trace`, "Agent job not found"],
      [`/v2/agent/${id}/snapshots/1`, "Agent job not found"],
      [`/v2/agent/threads/${id}`, "Thread not found"],
    ]) {
      const theirs = await app.get(path ?? "", { key: otherKey });
      expect([theirs.status, theirs.body.error]).toEqual([404, error]);
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
        model: "spark-2",
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
    expect(body).toMatchObject({ success: true, id, creditsUsed: 3 });
    expect(body).not.toHaveProperty("activeBrowserSessions");
    expect((await app.get(`/v2/agent/${id}/trace?liveView=true`)).body.activeBrowserSessions).toEqual([]);
    // biome-ignore lint/suspicious/noExplicitAny: tests look into events of every shape
    const events: any[] = body.events;
    expect(events.map(({ type, parameters, phase }) => [type, parameters?.url ?? phase])).toEqual([
      ["run.started", undefined],
      ["agent.started", undefined],
      ["progress.reported", "planning"],
      ["tool_call.started", `${site.url}/`],
      ["tool_call.finished", undefined],
      ["tool_call.started", `${site.url}/gone`],
      ["tool_call.finished", undefined],
      ["tool_call.started", `${site.url}/lamp-sku`],
      ["tool_call.finished", undefined],
      ["progress.reported", "finalizing"],
      ["tool_call.started", undefined],
      ["tool_call.finished", undefined],
      ["artifact.updated", undefined],
      ["agent.finished", undefined],
      ["run.finished", undefined],
    ]);
    expect(events.map(({ producerSequence }) => producerSequence)).toEqual(events.map((_, index) => index + 1));
    const calls = (type: string) => events.filter((each) => each.type === type).map(({ toolCallId }) => toolCallId);
    expect(calls("tool_call.finished")).toEqual(calls("tool_call.started"));
    expect(new Set(calls("tool_call.started")).size).toBe(4);
    expect(events[4]).toMatchObject({
      ...{ schemaVersion: 1, runId: id, agent: { id, role: "orchestrator" } },
      ...{ toolName: "scrape", result: { url: `${site.url}/`, found: true, creditsUsed: 1 } },
    });
    expect(events.at(-2)).toMatchObject({ outcome: "succeeded", durationMs: expect.any(Number), error: null });
    const { artifact } = events.at(-3);
    expect(artifact).toMatchObject({ kind: "json", change: "init", changedFields: ["name", "sku"] });
    const snapshot = (name: string) => app.get(`/v2/agent/${id}/snapshots/${name}`);
    const { body: kept } = await snapshot(artifact.snapshotId);
    expect(kept).toEqual({ success: true, id, snapshotId: artifact.snapshotId, snapshot: expect.any(String) });
    expect(JSON.parse(kept.snapshot)).toEqual({ name: "Desk lamp", sku: "L-1" });
    for (const name of ["0", "99", "none"]) {
      const { status, body: answer } = await snapshot(name);
      expect([status, answer.error]).toEqual([404, "Snapshot not found"]);
    }
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
