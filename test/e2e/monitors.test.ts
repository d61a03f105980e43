// Monitors through the API: created, run, and what their checks find on a site that changes.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TestApp } from "../support/app.ts";
import { bystanders } from "../support/engines.ts";
import { openSite, page } from "../support/jobs.ts";
import { createMonitor, runCheck } from "../support/monitors.ts";
import { useApp } from "../support/shared-app.ts";

describe.each(bystanders)("monitors on $name", (engine) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await useApp(engine);
  });
  afterAll(() => app.stop());

  it("are created without a check, shown as they were sent, changed and deleted", async () => {
    const site = await openSite({ "/": page("Start") });
    const created = await app.call("POST", "/v2/monitor", {
      body: {
        name: "Pricing watch",
        schedule: { text: "hourly" },
        targets: [{ type: "scrape", urls: [site.url], scrapeOptions: { headers: { "x-token": "secret" } } }],
        webhook: { url: `${site.url}/hook`, headers: { "x-env": "secret" }, events: ["monitor.page"] },
        origin: "test",
      },
    });
    expect([created.status, created.body.warning]).toEqual([200, undefined]);
    const { data } = created.body;
    expect(data).toMatchObject({
      name: "Pricing watch",
      status: "active",
      schedule: { cron: expect.stringMatching(/^\d+ \* \* \* \*$/), timezone: "UTC" },
      lastRunAt: null,
      currentCheckId: null,
      targets: [{ type: "scrape", urls: [`${site.url}/`], scrapeOptions: { headers: { "x-token": "***" } } }],
      webhook: { url: `${site.url}/hook`, headers: { "x-env": "***" }, events: ["monitor.page"] },
      retentionDays: 30,
      estimatedCreditsPerMonth: 720,
      goal: null,
      judgeEnabled: false,
    });
    expect(Date.parse(data.nextRunAt)).toBeGreaterThan(Date.now());
    expect(site.asked).toEqual([]);
    const path = `/v2/monitor/${data.id}`;
    expect((await app.get(path)).body.data).toEqual(data);
    expect((await app.get("/v2/monitor")).body.data.map(({ id }: { id: string }) => id)).toContain(data.id);
    expect((await app.get(`${path}/checks`)).body).toEqual({ success: true, data: [] });

    const paused = await app.call("PATCH", path, { body: { status: "paused", webhook: null, name: "Other" } });
    expect(paused.body.data).toMatchObject({ name: "Other", status: "paused", nextRunAt: null });
    expect(paused.body.data).not.toHaveProperty("webhook");
    const active = await app.call("PATCH", path, { body: { status: "active", schedule: { cron: "0 9 * * 1-5" } } });
    expect(active.body.data.schedule).toEqual({ cron: "0 9 * * 1-5", timezone: "UTC" });
    expect(active.body.data.nextRunAt).toMatch(/T09:00:00\.000Z$/);

    expect((await app.call("DELETE", path)).body).toEqual({ success: true });
    expect((await app.get(path)).status).toBe(404);
    const rows = await app.fresh.listRows();
    expect(rows.filter((row) => row.includes('"x-token":"secret"'))).toEqual([]);
  });

  it("find what changed, and nothing when nothing did", async () => {
    let price = 9;
    const html = () => `<title>Plans</title><main><h1>Plans</h1><p>The basic plan costs ${price} dollars.</p></main>`;
    const site = await openSite({
      "/plans": (_request, response) => response.writeHead(200, { "content-type": "text/html" }).end(html()),
    });
    const id = await createMonitor(app, { targets: [{ type: "scrape", urls: [`${site.url}/plans`] }] });
    const first = await runCheck(app, id);
    expect(first).toMatchObject({
      error: null,
      status: "completed",
      trigger: "manual",
      actualCredits: 1,
      billingStatus: "confirmed",
      summary: { totalPages: 1, same: 0, changed: 0, new: 1, removed: 0, error: 0 },
      pages: [{ url: `${site.url}/plans`, status: "new", statusCode: 200 }],
    });
    expect(await runCheck(app, id)).toMatchObject({ summary: { same: 1 }, pages: [{ status: "same" }] });
    price = 12;
    const third = await runCheck(app, id);
    expect(third).toMatchObject({ status: "completed", summary: { changed: 1 } });
    expect(third.pages[0]).toMatchObject({ status: "changed", previousScrapeId: expect.any(String) });
    expect(third.pages[0].diff.text).toContain("-The basic plan costs 9 dollars.\n+The basic plan costs 12 dollars.");
    // The same, parsed.
    const [file] = third.pages[0].diff.json.files;
    expect([file.additions, file.deletions]).toEqual([1, 1]);
    expect(file.chunks.flatMap(({ changes }: { changes: { type: string; content: string }[] }) => changes)).toEqual(
      expect.arrayContaining([
        { type: "del", del: true, ln: 3, content: "-The basic plan costs 9 dollars." },
        { type: "add", add: true, ln: 3, content: "+The basic plan costs 12 dollars." },
      ]),
    );
    expect((await app.get(`/v2/monitor/${id}`)).body.data).toMatchObject({
      lastCheckSummary: { changed: 1 },
      currentCheckId: null,
      lastRunAt: expect.any(String),
    });
    // Never read from the cache.
    expect(site.asked.filter((path) => path === "/plans")).toHaveLength(3);
    const scrape = await app.get(`/v2/scrape/${third.pages[0].currentScrapeId}`);
    expect(scrape.body.data.markdown).toContain("12 dollars");
  });

  it("belong to their team", async () => {
    const site = await openSite({ "/": page("Start") });
    const id = await createMonitor(app, { targets: [{ type: "scrape", urls: [site.url] }] });
    const check = await runCheck(app, id);
    const stranger = { key: app.otherKey };
    const path = `/v2/monitor/${id}`;
    const calls = [
      app.get(path, stranger),
      app.call("PATCH", path, { ...stranger, body: { name: "mine" } }),
      app.call("DELETE", path, stranger),
      app.call("POST", `${path}/run`, stranger),
      app.get(`${path}/checks`, stranger),
      app.get(`${path}/checks/${check.id}`, stranger),
      app.call("DELETE", `${path}/checks/${check.id}`, stranger),
    ];
    for (const { status, body } of await Promise.all(calls))
      expect([status, body.code]).toEqual([404, "MONITOR_NOT_FOUND"]);
    expect((await app.get("/v2/monitor", stranger)).body.data).toEqual([]);
  });
});
