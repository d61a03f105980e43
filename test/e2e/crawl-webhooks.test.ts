// The webhooks of crawls and batches through the API; how single events are delivered is tested in src/webhooks.
import { createHmac } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { startApp, type TestApp } from "../support/app.ts";
import { engines, onOneEngine } from "../support/engines.ts";
import { openSite, page, pagesFor, redirectTo, runJob, startJob, untilEnded } from "../support/jobs.ts";
import { startSite } from "../support/site-server.ts";
import { startReceiver } from "../support/webhook-receiver.ts";

const secret = "a secret of webhooks";

describe.each(engines)("webhooks of jobs on $name", (engine) => {
  const { itOnce } = onOneEngine(engine);
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp(engine, { ALLOWED_PRIVATE_HOSTS: "127.0.0.1", WEBHOOK_SECRET: secret });
  });
  afterAll(() => app.stop());

  itOnce("tell of a job that cannot go on; it ends as failed, with the reason", async () => {
    const receiver = await startReceiver();
    let askedFor = () => {};
    const isAsked = new Promise<void>((done) => {
      askedFor = done;
    });
    const site = await openSite({ "/hangs": () => askedFor() });
    const env = { ALLOWED_PRIVATE_HOSTS: "127.0.0.1", STOP_TIMEOUT_MS: "0" };
    const fresh = await engine.fresh();
    onTestFinished(() => fresh.cleanup());
    const first = await startApp(engine, env, undefined, fresh);
    const urls = [`${site.url}/hangs`, `${site.url}/hangs?again`];
    const body = { urls, headers: { "x-token": "secret" }, webhook: { url: receiver.url, events: ["failed"] } };
    const id = await startJob(first, "/v2/batch/scrape", body);
    await isAsked;
    await first.stop();
    await fresh.store.jobs.change(id, { set: { secrets: "what nobody can open" } });
    const second = await startApp(engine, env, undefined, fresh);
    const status = await untilEnded(second, `/v2/batch/scrape/${id}`);
    expect(status).toMatchObject({ success: true, status: "failed", completed: 0, data: [] });
    expect(status.error).toContain("settings cannot be decrypted");
    const { errors } = (await second.get(`/v2/batch/scrape/${id}/errors`)).body;
    expect(errors[0]).toMatchObject({ code: "JOB_UNREADABLE" });
    await expect.poll(receiver.types).toEqual(["batch_scrape.failed"]);
    expect(receiver.received[0]?.body).toMatchObject({ success: false, id, data: [], error: status.error });
    const cancelled = await second.call("DELETE", `/v2/batch/scrape/${id}`);
    expect(cancelled.status).toBe(409);
    await second.stop();
  });

  const pages = {
    "/": page("Start", ["/a", "/loop"]),
    "/loop": redirectTo("/loop"),
    ...pagesFor(["/a"]),
  };

  it("tell of the start, of each page, of failed pages, and of the end, signed, in order", async () => {
    const site = await openSite(pages);
    const receiver = await startReceiver();
    const webhook = { url: receiver.url, headers: { "x-env": "test" }, metadata: { run: "7" } };
    const { id, data } = await runJob(app, "/v2/crawl", { url: site.url, sitemap: "skip", webhook });
    await expect.poll(() => receiver.received.length).toBe(5);
    expect(receiver.types()).toEqual(["crawl.started", ...Array(3).fill("crawl.page"), "crawl.completed"]);
    const bodies = receiver.received.map(({ body }) => body);
    expect(new Set(bodies.map(({ webhookId }) => webhookId)).size).toBe(5);
    for (const body of bodies) expect(body).toMatchObject({ id, metadata: { run: "7" } });
    expect([bodies[0].data, bodies[4].data]).toEqual([[], []]);
    const read = bodies.filter(({ type, success }) => type === "crawl.page" && success);
    expect(read.map((body) => body.data[0])).toEqual(data);
    const failed = bodies.filter(({ success }) => !success);
    expect(failed).toMatchObject([
      {
        type: "crawl.page",
        error: expect.stringContaining("redirects more than 20 times"),
        data: [{ metadata: { sourceURL: `${site.url}/loop`, code: "SCRAPE_TOO_MANY_REDIRECTS" } }],
      },
    ]);
    for (const { headers, text } of receiver.received) {
      const signature = `sha256=${createHmac("sha256", secret).update(text).digest("hex")}`;
      expect(headers).toMatchObject({
        "x-firecrawl-signature": signature,
        "x-webhook-signature": signature,
        "x-env": "test",
        "content-type": "application/json",
      });
    }
  });

  itOnce("go only for the events that were asked for, of batches too, and an address alone means all", async () => {
    const site = await openSite(pagesFor(["/a", "/b"]));
    const urls = [`${site.url}/a`, `${site.url}/b`];
    const some = await startReceiver();
    await runJob(app, "/v2/batch/scrape", { urls, webhook: { url: some.url, events: ["batch_scrape.completed"] } });
    const all = await startReceiver();
    await runJob(app, "/v1/batch/scrape", { urls, webhook: all.url });
    await expect.poll(() => all.received.length).toBe(4);
    expect(all.types().toSorted()).toEqual([
      "batch_scrape.completed",
      "batch_scrape.page",
      "batch_scrape.page",
      "batch_scrape.started",
    ]);
    await expect.poll(() => some.received.length).toBe(1);
    expect(some.types()).toEqual(["batch_scrape.completed"]);
  });

  itOnce("name the request that started the job as its caller does, and so does the activity list", async () => {
    const site = await openSite(pagesFor(["/a"]));
    const body = (receiver: { url: string }) => ({ urls: [`${site.url}/a`], webhook: receiver.url });
    const [named, unnamed] = [await startReceiver(), await startReceiver()];
    const headers = { "external-request-id": Buffer.from("größe 7").toString("latin1") };
    const { id } = await runJob(app, "/v2/batch/scrape", body(named), { headers });
    await runJob(app, "/v2/batch/scrape", body(unnamed), { headers: { "external-request-id": "x".repeat(2049) } });
    await app.call("POST", "/v1/scrape", { body: { url: `${site.url}/a` }, headers });
    await expect.poll(() => [named.received.length, unnamed.received.length]).toEqual([3, 3]);
    for (const each of named.received) expect(each.body).toMatchObject({ id, externalRequestId: "größe 7" });
    for (const each of unnamed.received) expect(each.body).not.toHaveProperty("externalRequestId");
    const { data } = (await app.get("/v2/team/activity?limit=3")).body;
    expect(data).toMatchObject([
      { endpoint: "scrape", externalRequestId: "größe 7" },
      { endpoint: "batch_scrape" },
      { id, externalRequestId: "größe 7" },
    ]);
    expect(data[1]).not.toHaveProperty("externalRequestId");
  });

  itOnce("are refused at an address that is not allowed, before the job begins", async () => {
    for (const [path, body] of [
      ["/v2/crawl", { url: "https://example.com" }],
      ["/v2/batch/scrape", { urls: ["https://example.com"] }],
    ] as const) {
      const private_ = await app.call("POST", path, { body: { ...body, webhook: "http://10.0.0.1/in" } });
      expect([private_.status, private_.body.code]).toEqual([403, "URL_NOT_ALLOWED"]);
      expect(private_.body.details).toMatchObject([{ path: ["webhook", "url"] }]);
      const bad = await app.call("POST", path, { body: { ...body, webhook: { url: "notaurl::" } } });
      expect(bad.status).toBe(400);
    }
    expect((await app.get("/v2/crawl/active")).body.crawls).toEqual([]);
  });

  it("come again, each with its id, to a receiver that answered 500, and tell of the end once", async () => {
    const site = await openSite(pages);
    const receiver = await startReceiver((before) => (before === 0 ? 500 : 204));
    const { status } = await runJob(app, "/v2/crawl", { url: site.url, sitemap: "skip", webhook: receiver.url });
    expect(status.status).toBe("completed");
    await expect.poll(() => receiver.received.length).toBe(10);
    const ids = [...new Set(receiver.received.map(({ body }) => body.webhookId))];
    const attempts = ids.map((id) => receiver.received.filter(({ body }) => body.webhookId === id));
    for (const [first, ...again] of attempts) expect(again.map(({ text }) => text)).toEqual([first?.text]);
    // In the order of first attempts.
    expect(attempts.map(([first]) => first?.body.type)).toEqual([
      "crawl.started",
      ...Array(3).fill("crawl.page"),
      "crawl.completed",
    ]);
  });

  itOnce("tell of nothing that comes after a job was cancelled", async () => {
    const waiting: (() => void)[] = [];
    const site = await openSite({
      "/": page("Start", ["/held"]),
      "/held": (_request, response) => waiting.push(() => response.end(page("Held"))),
    });
    const receiver = await startReceiver();
    const id = await startJob(app, "/v2/crawl", { url: site.url, sitemap: "skip", webhook: receiver.url });
    await expect.poll(() => waiting.length).toBe(1);
    expect((await app.call("DELETE", `/v2/crawl/${id}`)).status).toBe(200);
    for (const answer of waiting) answer();
    // Another job of the same worker and the same receiver goes all its way.
    await runJob(app, "/v2/crawl", { url: (await openSite(pagesFor(["/"]))).url, webhook: receiver.url });
    await expect.poll(() => receiver.types().includes("crawl.completed")).toBe(true);
    const own = () => receiver.received.filter(({ body }) => body.id === id).map(({ body }) => body.type);
    await expect.poll(own).toEqual(["crawl.started", "crawl.page"]);
  });

  itOnce("tell of a page that waits for another try when others fill the limit, before the end", async () => {
    const site = await openSite({
      "/": page("Start", ["/busy", "/a"]),
      "/busy": (_request, response) => response.writeHead(429, { "retry-after": "0" }).end("<h1>Busy</h1>"),
      ...pagesFor(["/a"]),
    });
    const receiver = await startReceiver();
    await runJob(app, "/v2/crawl", { url: site.url, sitemap: "skip", limit: 2, webhook: receiver.url });
    await expect.poll(() => receiver.received.length).toBe(5);
    expect(receiver.types().at(-1)).toBe("crawl.completed");
    expect(receiver.received.map(({ body }) => body).filter(({ success }) => !success)).toMatchObject([
      { type: "crawl.page", data: [{ metadata: { sourceURL: `${site.url}/busy`, code: "SCRAPE_NOT_TRIED_AGAIN" } }] },
    ]);
  });

  itOnce("of a receiver that is away hold no job up", async () => {
    const site = await openSite(pagesFor(["/"]));
    const away = await startSite(() => {});
    await away.close();
    const { status } = await runJob(app, "/v2/crawl", { url: site.url, webhook: `${away.url}/in` });
    expect(status).toMatchObject({ status: "completed", completed: 1 });
  });
});
