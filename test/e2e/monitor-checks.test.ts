// When the checks of monitors run, and what they find on sites that change, shrink, move and break.
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { dayMs, hourMs, minuteMs } from "../../src/base/index.ts";
import { createMovableClock, startApp, type TestApp } from "../support/app.ts";
import { bystanders } from "../support/engines.ts";
import { answerText, openSite, page } from "../support/jobs.ts";
import { startModelApp } from "../support/models.ts";
import { changingPage, createMonitor, runCheck } from "../support/monitors.ts";
import { startSite } from "../support/site-server.ts";

describe.each(bystanders)("checks of monitors on $name", (engine) => {
  const clock = createMovableClock("2026-11-16T12:00:30Z");
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp(engine, { ALLOWED_PRIVATE_HOSTS: "127.0.0.1" }, clock);
  });
  afterAll(() => app.stop());

  const checksOf = async (id: string) => (await app.get(`/v2/monitor/${id}/checks`)).body.data;
  const statusesOf = async (id: string) => (await checksOf(id)).map(({ status }: { status: string }) => status);

  it("start when their time comes, once for all that was missed, and not while one runs", async () => {
    let release = () => {};
    let isHeld = false;
    const site = await openSite({
      "/a": async (_request, response) => {
        if (isHeld) await new Promise<void>((done) => (release = done));
        response.writeHead(200, { "content-type": "text/html" }).end(page("A"));
      },
    });
    const id = await createMonitor(app, {
      schedule: { text: "every 30 minutes starting at :00" },
      targets: [{ type: "scrape", urls: [`${site.url}/a`] }],
    });
    expect(await checksOf(id)).toEqual([]);
    // Six runs are missed.
    clock.advance(3 * hourMs);
    await expect.poll(() => statusesOf(id)).toEqual(["completed"]);
    const [first] = await checksOf(id);
    expect(first).toMatchObject({ trigger: "scheduled", scheduledFor: "2026-11-16T12:30:00.000Z" });
    expect((await app.get(`/v2/monitor/${id}`)).body.data.nextRunAt).toBe("2026-11-16T15:30:00.000Z");

    isHeld = true;
    clock.advance(30 * minuteMs);
    await expect.poll(async () => (await statusesOf(id))[0]).toBe("running");
    const busy = await app.call("POST", `/v2/monitor/${id}/run`);
    expect([busy.status, busy.body.code]).toEqual([409, "MONITOR_BUSY"]);
    clock.advance(30 * minuteMs);
    await expect.poll(() => statusesOf(id)).toEqual(["skipped_overlap", "running", "completed"]);
    isHeld = false;
    release();
    await expect.poll(() => statusesOf(id)).toEqual(["skipped_overlap", "completed", "completed"]);
    expect(await statusesOf(id)).toEqual(
      await app
        .get(`/v2/monitor/${id}/checks?limit=3`)
        .then(({ body }) => body.data.map(({ status }: { status: string }) => status)),
    );
    expect((await app.get(`/v2/monitor/${id}/checks?status=skipped_overlap`)).body.data).toHaveLength(1);

    // The clock is set back by a day: the next run is worked out again.
    clock.advance(-dayMs);
    const nextRun = async () => (await app.get(`/v2/monitor/${id}`)).body.data.nextRunAt;
    await expect.poll(nextRun).toBe("2026-11-15T16:30:00.000Z");
    clock.advance(dayMs);
    await app.call("DELETE", `/v2/monitor/${id}`);
  });

  it("can be cancelled, with the job that reads their pages", async () => {
    const site = await openSite({ "/slow": () => undefined });
    const id = await createMonitor(app, { targets: [{ type: "scrape", urls: [`${site.url}/slow`] }] });
    const { id: checkId } = (await app.call("POST", `/v2/monitor/${id}/run`)).body;
    await expect.poll(() => site.asked.length).toBe(1);
    const path = `/v2/monitor/${id}/checks/${checkId}`;
    const jobId = async () => (await app.get(path)).body.data.targetResults[0].jobId;
    await expect.poll(jobId).toEqual(expect.any(String));
    const cancelled = await app.call("DELETE", path);
    expect(cancelled.body.data).toMatchObject({ status: "failed", error: "The check was cancelled." });
    expect((await app.get(`/v2/batch/scrape/${await jobId()}`)).body.status).toBe("cancelled");
    expect((await app.call("DELETE", path)).status).toBe(409);
    expect((await app.get(`/v2/monitor/${id}`)).body.data.currentCheckId).toBeNull();
    await app.call("DELETE", `/v2/monitor/${id}`);
  });

  it("are gone after the days of their monitor, and the last version is not", async () => {
    const watched = changingPage("one");
    const site = await openSite({ "/a": watched.handler });
    const id = await createMonitor(app, { retentionDays: 2, targets: [{ type: "scrape", urls: [`${site.url}/a`] }] });
    const first = await runCheck(app, id);
    clock.advance(3 * dayMs);
    expect((await app.get(`/v2/monitor/${id}/checks/${first.id}`)).status).toBe(404);
    while ((await app.store.retention.purge({ now: clock.now(), limit: 100 })).more);
    const rows = (await app.fresh.listRows()).filter(
      (row) => row.startsWith("monitor_check") && row.includes(first.id),
    );
    expect(rows).toEqual([]);
    watched.set("two");
    expect(await runCheck(app, id)).toMatchObject({ summary: { changed: 1 } });
    await app.call("DELETE", `/v2/monitor/${id}`);
    while ((await app.store.retention.purge({ now: clock.now(), limit: 100 })).more);
    expect((await app.fresh.listRows()).filter((row) => row.startsWith("monitor") && row.includes(id))).toEqual([]);
  });

  it("follow a site that grows, shrinks, moves and breaks", async () => {
    const links = ["/a", "/b", "/c"];
    let broken: string | null = null;
    const isGone = new Set<string>();
    const text: Record<string, string> = {};
    const site = await openSite((path) => (_request, response) => {
      if (path === "/robots.txt" || path.includes("sitemap") || isGone.has(path)) return response.writeHead(404).end();
      if (path === broken) return response.writeHead(500).end("broken");
      const list = path === "/" ? links : path === "/b" ? ["/b/deep"] : [];
      const html = page(text[path] ?? `Page ${path}`, list);
      return response.writeHead(200, { "content-type": "text/html" }).end(html);
    });
    const id = await createMonitor(app, { targets: [{ type: "crawl", url: site.url, crawlOptions: { limit: 50 } }] });
    const check = async () => {
      const { pages, summary, status } = await runCheck(app, id);
      const states = pages
        .filter((each: { status: string }) => each.status !== "same")
        .map((each: { url: string; status: string }) => `${each.status} ${new URL(each.url).pathname}`);
      return { status, states: states.toSorted(), total: summary.totalPages };
    };
    expect(await check()).toEqual({
      status: "completed",
      total: 5,
      states: ["new /", "new /a", "new /b", "new /b/deep", "new /c"],
    });
    text["/a"] = "Another title";
    expect((await check()).states).toEqual(["changed /a"]);
    // A broken hub hides what lies behind it: nothing is removed, and its last good version stays.
    broken = "/b";
    expect(await check()).toMatchObject({ status: "partial", states: ["error /b"] });
    broken = null;
    expect((await check()).states).toEqual([]);
    // A link is gone, and a page answers 404: each is told once.
    links.splice(links.indexOf("/c"), 1);
    isGone.add("/b/deep");
    expect((await check()).states).toEqual(["changed /", "removed /b/deep", "removed /c"]);
    expect((await check()).states).toEqual([]);
    // It moves: the old page is gone, the new one is new.
    links.splice(links.indexOf("/a"), 1, "/moved");
    expect((await check()).states).toEqual(["changed /", "new /moved", "removed /a"]);
    broken = "/";
    expect(await check()).toMatchObject({ status: "failed", states: ["error /"] });
    await app.call("DELETE", `/v2/monitor/${id}`);
  });

  it("see nothing in what rotates, and only what the rules let through", async () => {
    let visits = 0;
    let price = 9;
    const site = await openSite((path) => (_request, response) => {
      if (path !== "/a") return response.writeHead(404).end();
      visits += 1;
      const now = new Date(clock.now()).toUTCString();
      const html = `<title>Shop</title><main><h1>Desk lamp</h1><p>The desk lamp is made of brass and stands on any desk you like.</p>
        <p>Price: ${price} dollars</p><p>Last updated: ${now}</p><p>${1000 + visits * 7} views</p>
        <div class="ad"><p>Advertisement: offer number ${visits}</p></div><p>Session ${visits.toString(16).padStart(4, "0")}9f86d081884c7d65</p></main>`;
      return response.writeHead(200, { "content-type": "text/html" }).end(html);
    });
    const urls = [`${site.url}/a`];
    const plain = await createMonitor(app, { targets: [{ type: "scrape", urls }] });
    const strict = await createMonitor(app, { rules: { tolerance: { "*": 5 } }, targets: [{ type: "scrape", urls }] });
    const parts = await createMonitor(app, { rules: { selectors: ["h1"] }, targets: [{ type: "scrape", urls }] });
    for (const id of [plain, strict, parts]) await runCheck(app, id);
    for (let round = 0; round < 3; round += 1) {
      clock.advance(hourMs);
      expect(await runCheck(app, plain)).toMatchObject({ summary: { same: 1, changed: 0 } });
    }
    price = 12;
    const changed = await runCheck(app, plain);
    expect(changed.summary).toMatchObject({ changed: 1 });
    expect(changed.pages[0].diff.text).toContain("-Price: 9 dollars\n+Price: 12 dollars");
    expect(changed.pages[0].diff.text).not.toMatch(/^[+-].*(?:views|Last updated|Advertisement|Session)/m);
    expect(await runCheck(app, strict)).toMatchObject({ summary: { same: 1 } });
    expect(await runCheck(app, parts)).toMatchObject({ summary: { same: 1 } });
    price = 16;
    expect(await runCheck(app, strict)).toMatchObject({ summary: { changed: 1 } });
    for (const id of [plain, strict, parts]) await app.call("DELETE", `/v2/monitor/${id}`);
  });

  it("compare the fields of a schema", async () => {
    let price = 9;
    let note = "first";
    const site = await openSite({
      "/a": (_request, response) => {
        const data = JSON.stringify({
          "@context": "https://schema.org",
          "@type": "Product",
          name: "Lamp",
          offers: { "@type": "Offer", price, priceCurrency: "USD" },
        });
        const html = `<title>Lamp</title><script type="application/ld+json">${data}</script><main><h1>Lamp</h1><p>Price: $${price}</p><p>${note}</p></main>`;
        response.writeHead(200, { "content-type": "text/html" }).end(html);
      },
    });
    const schema = { type: "object", properties: { name: { type: "string" }, price: { type: "number" } } };
    const formats = ["markdown", { type: "changeTracking", modes: ["json"], schema }];
    const target = { type: "scrape", urls: [`${site.url}/a`], scrapeOptions: { formats } };
    const id = await createMonitor(app, { targets: [target] });
    expect(await runCheck(app, id)).toMatchObject({
      actualCredits: 5,
      pages: [{ status: "new", snapshot: { json: { price: 9 } } }],
    });
    note = "second";
    expect(await runCheck(app, id)).toMatchObject({ pages: [{ status: "same" }] });
    price = 12;
    expect((await runCheck(app, id)).pages[0]).toMatchObject({
      status: "changed",
      diff: { json: { price: { previous: 9, current: 12 } } },
      snapshot: { json: { name: "Lamp", price: 12 } },
    });
    await app.call("DELETE", `/v2/monitor/${id}`);
  });

  it("are refused before they begin: schedules, targets and rules that cannot work", async () => {
    const good = {
      name: "n",
      schedule: { text: "daily" },
      targets: [{ type: "scrape", urls: ["https://example.com"] }],
    };
    const search = { type: "search", queries: ["x"] };
    const cases: [object, string][] = [
      [{ schedule: { cron: "*/2 * * * *" } }, "schedule.cron"],
      [{ schedule: { text: "sometimes" } }, "schedule.text"],
      [{ schedule: { cron: "0 0 31 2 *" } }, "schedule.cron"],
      [{ schedule: { text: "daily", timezone: "Mars/Olympus" } }, "schedule.timezone"],
      [{ rules: { ignore: ["(?=a)b"] } }, "rules.ignore.0"],
      [{ rules: { minChangedShare: 2 } }, "rules.minChangedShare"],
      [{ targets: [{ ...good.targets[0], scrapeOptions: { lockdown: true } }] }, "targets.0.scrapeOptions.lockdown"],
      [
        { targets: [{ ...good.targets[0], scrapeOptions: { zeroDataRetention: true } }] },
        "targets.0.scrapeOptions.zeroDataRetention",
      ],
      [{ targets: [search] }, "goal"],
      [
        { judgeEnabled: false, targets: [{ ...search, includeDomains: ["a.example"], excludeDomains: ["b.example"] }] },
        "targets.0.excludeDomains",
      ],
    ];
    for (const [more, path] of cases) {
      const { status, body } = await app.call("POST", "/v2/monitor", { body: { ...good, ...more } });
      expect([status, body.details?.[0]?.path.join(".")]).toEqual([400, path]);
    }
    const dry = await app.call("POST", "/v2/monitor", {
      body: { ...good, schedule: { text: "hourly" }, goal: "prices", dryRun: true },
    });
    expect(dry.body).toMatchObject({
      success: true,
      estimate: { creditsPerCheck: 1, checksPerMonth: 720, creditsPerMonth: 720 },
    });
    expect(dry.body.warning).toContain("MODEL_NAME");
    expect(dry.body.estimate.nextRuns).toHaveLength(5);
    expect((await app.get("/v2/monitor")).body.data).toEqual([]);
  });

  it("of searches find what was not there before, never from the cache", async () => {
    const served = { results: [{ url: "https://one.example/a", title: "One", content: "otters" }] };
    const service = await startSite((_request, response) =>
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(served)),
    );
    onTestFinished(() => service.close());
    const searching = await startApp(engine, {
      ALLOWED_PRIVATE_HOSTS: "127.0.0.1",
      SEARXNG_ENDPOINT: service.url,
      OWN_INDEX: "0",
    });
    onTestFinished(() => searching.stop());
    const id = await createMonitor(searching, {
      judgeEnabled: false,
      targets: [{ type: "search", queries: ["otters", "sea otters"], maxResults: 2 }],
    });
    const first = await runCheck(searching, id);
    expect(first).toMatchObject({
      status: "completed",
      actualCredits: 2,
      pages: [{ status: "new", url: "https://one.example/a" }],
    });
    served.results.unshift({ url: "https://two.example/b", title: "Two", content: "otters" });
    served.results.push({ url: "https://three.example/c", title: "Three", content: "otters" });
    const second = await runCheck(searching, id);
    expect(
      second.pages.map(({ url, status }: { url: string; status: string }) => `${status} ${url}`).toSorted(),
    ).toEqual(["new https://two.example/b", "same https://one.example/a"]);
  });

  it("are judged by a model where there is a goal, for one credit a change", async () => {
    const watched = changingPage("The lamp costs 9 dollars.");
    const site = await openSite({ "/a": watched.handler });
    const model = await startModelApp(engine);
    onTestFinished(() => model.stop());
    model.script(({ turns }) => ({
      json: {
        meaningful: turns.join(" ").includes("12 dollars"),
        confidence: "high",
        reason: "It is about the price.",
        meaningfulChanges: [
          { before: "- The lamp costs 9 dollars.", after: "The lamp costs 12 dollars.", reason: "The price rose." },
          { before: null, after: "The lamp is sold out.", reason: "Made up." },
        ],
      },
    }));
    const id = await createMonitor(model.app, {
      goal: "alert when a price changes",
      targets: [{ type: "scrape", urls: [`${site.url}/a`] }],
    });
    expect((await model.app.get(`/v2/monitor/${id}`)).body).not.toHaveProperty("warning");
    expect(await runCheck(model.app, id)).toMatchObject({ actualCredits: 1 });
    watched.set("The lamp costs 12 dollars.");
    const second = await runCheck(model.app, id);
    expect(second).toMatchObject({
      actualCredits: 2,
      pages: [{ status: "changed" }],
    });
    // What the diff does not say is dropped.
    expect(second.pages[0].judgment).toEqual({
      meaningful: true,
      confidence: "high",
      reason: "It is about the price.",
      meaningfulChanges: [
        {
          type: "changed",
          before: "The lamp costs 9 dollars.",
          after: "The lamp costs 12 dollars.",
          reason: "The price rose.",
        },
      ],
    });
    watched.set("The lamp costs 12 euros.");
    model.script(() => ({ status: 500, error: "out of order" }));
    const third = await runCheck(model.app, id);
    expect(third).toMatchObject({ actualCredits: 1, pages: [{ status: "changed" }] });
    expect(third.warning).toContain("The rules decided.");
  });

  it("without credits are skipped, and said to be", async () => {
    const poorClock = createMovableClock("2026-11-16T12:00:00Z");
    const poor = await startApp(engine, { ALLOWED_PRIVATE_HOSTS: "127.0.0.1", CREDITS_PER_MONTH: "1" }, poorClock);
    onTestFinished(() => poor.stop());
    const site = await openSite({ "/a": answerText("<p>A</p>", "text/html") });
    const id = await createMonitor(poor, {
      schedule: { cron: "0 * * * *" },
      targets: [{ type: "scrape", urls: [`${site.url}/a`] }],
    });
    await runCheck(poor, id);
    poorClock.advance(hourMs);
    const statuses = async () =>
      (await poor.get(`/v2/monitor/${id}/checks`)).body.data.map(({ status }: { status: string }) => status);
    await expect.poll(statuses).toEqual(["skipped_no_credits", "completed"]);
    expect((await poor.call("POST", `/v2/monitor/${id}/run`)).status).toBe(402);
  });
});
