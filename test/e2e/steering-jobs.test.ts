// Crawls and batches that are steered: paused and resumed, listed, kept for longer.
import type { ServerResponse } from "node:http";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { createTestClock, otherKey, startApp, type TestApp } from "../support/app.ts";
import { bystanders, onOneEngine } from "../support/engines.ts";
import { openSite, page, pagesFor, runJob, startJob, untilEnded } from "../support/jobs.ts";
import { openGate } from "../support/page-gate.ts";
import { startReceiver } from "../support/webhook-receiver.ts";

const env = { ALLOWED_PRIVATE_HOSTS: "127.0.0.1", CHROMIUM_PATH: "/nowhere/chromium" };

describe.each(bystanders)("steered jobs on $name", (engine) => {
  const { itOnce } = onOneEngine(engine);
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp(engine, { ...env, HOST_CONCURRENCY: "1", WEBHOOK_SECRET: "x".repeat(20) });
  });
  afterAll(() => app.stop());
  const steer = (path: string, id: string, how: string, call = {}) => app.call("POST", `${path}/${id}/${how}`, call);

  describe.each([
    { kind: "crawl", path: "/v2/crawl", event: "crawl" },
    { kind: "batch", path: "/v2/batch/scrape", event: "batch_scrape" },
  ])("a $kind that is paused", ({ kind, path, event }) => {
    it("ends its active pages, starts no other, tells its webhook, and goes on when it is resumed", async () => {
      const gate = openGate();
      const paths = Array.from({ length: 12 }, (_, index) => `/p/${index}`);
      const links = page("Start", paths);
      const site = await openSite({ "/": links, ...Object.fromEntries(paths.map((each) => [each, gate.page(each)])) });
      const receiver = await startReceiver();
      const webhook = { url: receiver.url, events: ["paused", "resumed", "completed"] };
      const maxAge = 0;
      const body =
        kind === "crawl"
          ? { url: site.url, sitemap: "skip", maxConcurrency: 1, webhook, scrapeOptions: { maxAge } }
          : { urls: paths.map((each) => site.url + each), maxConcurrency: 1, webhook, maxAge };
      const id = await startJob(app, path, body);
      await gate.asked(1);
      expect((await steer(path, id, "pause")).body).toEqual({ success: true, status: "scraping", paused: true });
      // Asked again it stays as it is, and no event is sent twice.
      expect((await steer(path, id, "pause")).body).toMatchObject({ paused: true });
      const before = (await app.get(`${path}/${id}`)).body;
      expect(before).toMatchObject({ status: "scraping", paused: true });
      gate.open();
      await expect.poll(async () => (await app.get(`${path}/${id}`)).body.completed).toBe(before.completed + 1);
      // The worker goes on with others meanwhile.
      const other = await openSite({ "/": page("Another") });
      expect((await runJob(app, "/v2/crawl", { url: other.url })).status.completed).toBe(1);
      expect(gate.count()).toBe(1);
      expect((await app.get(`${path}/${id}`)).body).toMatchObject({ status: "scraping", paused: true });
      if (kind === "crawl") {
        const active = (await app.get("/v2/crawl/active")).body.crawls.map((crawl: { id: string }) => crawl.id);
        expect(active).toContain(id);
      }
      expect((await steer(path, id, "resume")).body).toEqual({ success: true, status: "scraping", paused: false });
      expect((await steer(path, id, "resume")).status).toBe(200);
      const ended = await untilEnded(app, `${path}/${id}`);
      expect(ended).toMatchObject({ status: "completed", completed: kind === "crawl" ? 13 : 12 });
      expect(ended).not.toHaveProperty("paused");
      await expect.poll(receiver.types).toEqual([`${event}.paused`, `${event}.resumed`, `${event}.completed`]);
      for (const how of ["pause", "resume"]) {
        const late = await steer(path, id, how);
        expect([late.status, late.body.code]).toEqual([409, "JOB_ALREADY_ENDED"]);
      }
    });

    it("is another team's 404, and so is an unknown one or one of the other kind", async () => {
      const site = await openSite({ "/": page("Start") });
      const { id } = await runJob(app, path, kind === "crawl" ? { url: site.url } : { urls: [site.url] });
      const otherPath = kind === "crawl" ? "/v2/batch/scrape" : "/v2/crawl";
      for (const how of ["pause", "resume"]) {
        const answers = [
          await steer(path, id, how, { key: otherKey }),
          await steer(path, "0198f1c2-7b1e-7c11-9a55-0d6f5f0a1b01", how),
          await steer(otherPath, id, how),
        ];
        expect(answers.map(({ status, body }) => [status, body.code])).toEqual(Array(3).fill([404, "JOB_NOT_FOUND"]));
      }
    });

    it("can be cancelled, and is not paused then", async () => {
      const gate = openGate();
      const site = await openSite({ "/": gate.page("/"), ...pagesFor(["/a"]) });
      const id = await startJob(
        app,
        path,
        kind === "crawl" ? { url: site.url } : { urls: [site.url, `${site.url}/a`], maxConcurrency: 1 },
      );
      await gate.asked(1);
      await steer(path, id, "pause");
      expect((await app.call("DELETE", `${path}/${id}`)).status).toBe(200);
      gate.open();
      const { body } = await app.get(`${path}/${id}`);
      expect(body.status).toBe("cancelled");
      expect(body).not.toHaveProperty("paused");
      expect((await steer(path, id, "resume")).status).toBe(409);
    });
  });

  it("a paused crawl keeps its delay when it goes on", async () => {
    const asked: number[] = [];
    const note = (path: string) => (_request: unknown, response: ServerResponse) => {
      asked.push(performance.now());
      response.writeHead(200, { "content-type": "text/html" }).end(page(path));
    };
    const site = await openSite({ "/": page("Start", ["/a", "/b"]), "/a": note("/a"), "/b": note("/b") });
    const since = performance.now();
    const id = await startJob(app, "/v2/crawl", { url: site.url, sitemap: "skip", delay: 2 });
    await expect.poll(() => asked.length).toBe(1);
    await steer("/v2/crawl", id, "pause");
    await steer("/v2/crawl", id, "resume");
    expect(await untilEnded(app, `/v2/crawl/${id}`)).toMatchObject({ completed: 3 });
    // Requests may arrive late, but none before it is sent: two seconds after the start page, and two after the first of these.
    expect((asked[1] ?? 0) - since).toBeGreaterThan(2 * 1990);
  });

  it("the list of crawls shows those that ended too, page by page, by their status, and only the team's own", async () => {
    const own = await startApp(engine, { ...env, HOST_CONCURRENCY: "1" });
    onTestFinished(() => own.stop());
    const gate = openGate();
    const site = await openSite({ "/": page("Start"), "/held": gate.page("/held") });
    const ids: string[] = [];
    for (let index = 0; index < 3; index += 1) ids.push((await runJob(own, "/v2/crawl", { url: site.url })).id);
    const running = await startJob(own, "/v2/crawl", { url: `${site.url}/held`, limit: 1 });
    await gate.asked(1);
    const list = async (query: string, call = {}) => (await own.get(`/v2/crawl${query}`, call)).body;
    const first = await list("?limit=2");
    expect(first).toMatchObject({ success: true, has_more: true });
    expect(first.crawls.map((crawl: { id: string }) => crawl.id)).toEqual([running, ids[2]]);
    expect(first.crawls[1]).toMatchObject({ status: "completed", completed: 1, creditsUsed: 1, url: `${site.url}/` });
    const second = await list(`?limit=2&cursor=${first.cursor}`);
    expect(second.crawls.map((crawl: { id: string }) => crawl.id)).toEqual([ids[1], ids[0]]);
    expect([second.has_more, second.cursor]).toEqual([false, null]);
    const scraping = await list("?status=scraping");
    expect(scraping.crawls.map((crawl: { id: string }) => crawl.id)).toEqual([running]);
    expect((await list("", { key: otherKey })).crawls).toEqual([]);
    const bad = [await own.get("/v2/crawl?status=lost"), await own.get("/v2/crawl?cursor=abc")];
    expect(bad.map(({ status, body }) => [status, body.details?.[0]?.path])).toEqual([
      [400, ["status"]],
      [400, ["cursor"]],
    ]);
    gate.open();
  });

  it("results are kept for as long as was asked for, and no longer than the operator allows", async () => {
    const clock = createTestClock("2026-11-16T10:00:00Z");
    const own = await startApp(engine, { ...env, MAX_RETENTION_HOURS: "48" }, clock);
    onTestFinished(() => own.stop());
    const site = await openSite({ "/": page("Start") });
    for (const [path, body] of [
      ["/v2/crawl", { url: site.url }],
      ["/v2/batch/scrape", { urls: [site.url] }],
    ] as const) {
      clock.set("2026-11-16T10:00:00Z");
      const long = await runJob(own, path, { ...body, retentionHours: 48 });
      const plain = await runJob(own, path, body);
      expect([long.status.expiresAt, plain.status.expiresAt]).toEqual([
        "2026-11-18T10:00:00.000Z",
        "2026-11-17T10:00:00.000Z",
      ]);
      clock.set("2026-11-18T09:59:00Z");
      const asked = async (id: string) => (await own.get(`${path}/${id}`)).status;
      expect([await asked(long.id), await asked(plain.id)]).toEqual([200, 404]);
      expect((await own.get(`${path}/${long.id}`)).body.data).toHaveLength(1);
      clock.set("2026-11-18T10:00:00Z");
      expect(await asked(long.id)).toBe(404);
      for (const retentionHours of [0, 49]) {
        const { status, body: answer } = await own.call("POST", path, { body: { ...body, retentionHours } });
        expect([status, answer.details?.[0]?.path]).toEqual([400, ["retentionHours"]]);
      }
    }
  });

  describe("the deliveries of webhooks", () => {
    it("are listed newest first, page by page, and one can be sent again with the same body and id", async () => {
      const receiver = await startReceiver();
      const site = await openSite({ "/": page("Start", ["/a"]), ...pagesFor(["/a"]) });
      const own = await startApp(engine, env);
      onTestFinished(() => own.stop());
      const webhook = { url: `${receiver.url}?token=1`, metadata: { run: 1 } };
      const { id } = await runJob(own, "/v2/crawl", { url: site.url, sitemap: "skip", webhook });
      const list = async (query = "", call = {}) => (await own.get(`/v2/team/webhooks${query}`, call)).body;
      const isDone = async () => (await list()).deliveries.map((each: { status: string }) => each.status);
      await expect.poll(isDone).toEqual(Array(4).fill("delivered"));
      const first = await list("?limit=3");
      expect(first).toMatchObject({ success: true, has_more: true });
      expect(first.deliveries[0]).toMatchObject({ url: webhook.url, attempts: 1, lastError: null });
      const rest = await list(`?limit=3&cursor=${first.cursor}`);
      expect(rest.deliveries.map((each: { event: string }) => each.event)).toEqual(["crawl.started"]);
      const events = first.deliveries.map((each: { event: string }) => each.event);
      expect(events.toSorted()).toEqual(["crawl.completed", "crawl.page", "crawl.page"]);
      expect(rest).toMatchObject({ has_more: false, cursor: null });
      expect((await list("", { key: otherKey })).deliveries).toEqual([]);

      const wanted = first.deliveries.find((each: { event: string }) => each.event === "crawl.page");
      const again = `/v2/team/webhooks/${wanted.id}/redeliver`;
      expect((await own.call("POST", again, { key: otherKey })).body.code).toBe("DELIVERY_NOT_FOUND");
      const answer = await own.call("POST", again);
      expect(answer).toMatchObject({ status: 200, body: { success: true, delivery: { id: wanted.id } } });
      await expect.poll(() => receiver.received.length).toBe(5);
      const sent = receiver.received.filter(({ body }) => body.webhookId === wanted.id);
      expect(sent.map(({ text }) => text)).toEqual([sent[0]?.text, sent[0]?.text]);
      expect(sent[0]?.body).toMatchObject({ id, type: "crawl.page" });
      await expect
        .poll(async () => (await list()).deliveries.find((each: { id: string }) => each.id === wanted.id))
        .toMatchObject({ status: "delivered", attempts: 2 });
    });

    itOnce("to an address that is not allowed are refused at the start, and never leave by a redelivery", async () => {
      const closed = await startApp(engine, { ...env, ALLOWED_PRIVATE_HOSTS: "" });
      onTestFinished(() => closed.stop());
      const receiver = await startReceiver();
      const body = { url: "https://example.com", webhook: receiver.url };
      const { status, body: answer } = await closed.call("POST", "/v2/crawl", { body });
      expect([status, answer.code]).toEqual([403, "URL_NOT_ALLOWED"]);

      // Allowed at the start, not any more after a restart with other settings.
      const fresh = await engine.fresh();
      onTestFinished(() => fresh.cleanup());
      const open = await startApp(engine, env, undefined, fresh);
      const site = await openSite({ "/": page("Start") });
      await runJob(open, "/v2/crawl", { url: site.url, webhook: { url: receiver.url, events: ["completed"] } });
      await expect.poll(receiver.types).toEqual(["crawl.completed"]);
      await open.stop();
      const later = await startApp(engine, { ...env, ALLOWED_PRIVATE_HOSTS: "" }, undefined, fresh);
      onTestFinished(() => later.stop());
      const delivery = async () => (await later.get("/v2/team/webhooks")).body.deliveries[0];
      await later.call("POST", `/v2/team/webhooks/${(await delivery()).id}/redeliver`);
      await expect.poll(async () => (await delivery()).status).toBe("failed");
      expect(receiver.received).toHaveLength(1);
    });
  });
});
