// Notices through every channel: of monitors, of crawls that fail, for a test; loopback services speak each protocol.
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { hourMs, minuteMs, newId, secondMs } from "../../src/base/index.ts";
import { movedTables } from "../../src/store/moving/table-keys.ts";
import { createMovableClock, startApp, type TestApp } from "../support/app.ts";
import { channelSecrets, startChannelServer } from "../support/channel-server.ts";
import { engines, onOneEngine } from "../support/engines.ts";
import { answerText, openSite, page, runJob, startJob } from "../support/jobs.ts";
import { type Email, openMailServer } from "../support/mail-server.ts";
import { changingPage, createMonitor, runCheck } from "../support/monitors.ts";
import { openGate } from "../support/page-gate.ts";

describe.each(engines)("notices on $name", (engine) => {
  const { itOnce } = onOneEngine(engine);
  const emails: Email[] = [];
  const refusals = { left: 0 };
  const clock = createMovableClock("2026-11-16T12:10:00Z");
  let mail: Awaited<ReturnType<typeof openMailServer>>;
  let services: Awaited<ReturnType<typeof startChannelServer>>;
  let app: TestApp;

  beforeAll(async () => {
    mail = await openMailServer(emails, refusals);
    services = await startChannelServer();
    const env = {
      ALLOWED_PRIVATE_HOSTS: "127.0.0.1",
      CHROMIUM_PATH: "/nowhere/chromium",
      // Faults of the server are told elsewhere.
      NOTICES_TEAM: "no team",
      WEBHOOK_SECRET: "a secret of webhooks",
      SMTP_URL: `smtp://trawl:p%40ss@127.0.0.1:${mail.port}`,
      MAIL_FROM: "Trawl <trawl@example.com>",
    };
    app = await startApp(engine, env, clock);
    const id = newId();
    await app.store.people.insert({ id, name: "Member", createdAt: clock.now() });
    await app.store.people.setPassword(id, "member@example.com", "unused");
    const team = await app.accounts.teams.findOrCreate(app.team);
    await app.store.people.join(team.id, id, "member", clock.now());
  });
  afterAll(async () => {
    await app.stop();
    await mail.close();
    await services.close();
  });

  const put = (notify: unknown, key = app.key) => app.call("PUT", "/v2/team/notify", { body: { notify }, key });
  async function set(...notify: object[]): Promise<{ id: string; channel: string }[]> {
    const { status, body } = await put(notify);
    expect([status, body.details, body.error]).toEqual([200, undefined, undefined]);
    services.sent.length = 0;
    return body.notify;
  }
  const tryOut = async (id: string) => (await app.call("POST", `/v2/team/notify/${id}/test`)).body;
  const sentTo = (part: string) => services.sent.filter(({ path }) => path.includes(part));
  const deliveries = async () => (await app.get("/v2/team/webhooks?limit=100")).body.deliveries;

  async function watch(more: object = {}) {
    const page = changingPage("Costs 9");
    const site = await openSite({ "/a": page.handler });
    const id = await createMonitor(app, { targets: [{ type: "scrape", urls: [`${site.url}/a`] }], ...more });
    return { page, site, id };
  }

  itOnce("reach each channel in its own protocol, and the test says what the channel answered", async () => {
    const entries = await set(...Object.values(services.entries), { channel: "email" });
    const answers = [];
    for (const { id, channel } of entries) answers.push([channel, await tryOut(id)]);
    const taken = (status: number | null) => ({ success: true, delivered: true, status, error: null });
    expect(answers).toEqual([
      ...[["slack", taken(200)] as const, ["discord", taken(204)] as const, ["teams", taken(202)] as const],
      ...["telegram", "ntfy", "gotify", "matrix", "webhook"].map((channel) => [channel, taken(200)]),
      ["email", taken(null)],
    ]);
    expect(emails.at(-1)).toMatchObject({ to: ["member@example.com"] });
    expect(emails.at(-1)?.text).toContain("Subject: [Trawl] Test notice");
    const [put1] = services.sent.filter(({ method }) => method === "PUT");
    expect(put1?.path).toMatch(
      /^\/_matrix\/client\/v3\/rooms\/!known%3Aexample\.org\/send\/m\.room\.message\/[0-9a-f-]{36}$/,
    );
    const [hook] = sentTo("/hook");
    expect(hook?.headers).toMatchObject({ "x-webhook-signature": expect.stringMatching(/^sha256=[0-9a-f]{64}$/) });
    expect(hook?.body).toMatchObject({ type: "notice", title: "Test notice" });
  });

  itOnce("name why a channel refused, without any of its secrets", async () => {
    const { slack, discord, teams, telegram, ntfy, gotify, matrix, webhook } = services.entries;
    const entries = await set(
      ...[slack, discord, teams].map((entry) => ({ ...entry, url: `${entry.url}-wrong` })),
      ...[
        { ...telegram, chatId: "@other" },
        { ...ntfy, token: "tk_other" },
        { ...gotify, token: "other" },
      ],
      ...[
        { ...matrix, room: "!other:example.org" },
        { ...webhook, headers: {} },
      ],
    );
    const errors = [];
    for (const { id } of entries) errors.push((await tryOut(id)).error);
    expect(errors).toEqual(
      [
        "The channel answered 403: invalid_token",
        "The channel answered 401: 50027: Invalid Webhook Token",
        "The channel answered 202",
        "The channel answered 400: 400: Bad Request: chat not found",
        "The channel answered 403: 40301: forbidden",
        "The channel answered 401: Unauthorized: you need to provide a valid token",
        "The channel answered 403: M_FORBIDDEN: User is not in the room",
        "The channel answered 401",
      ].map((error, place) => (place === 2 ? null : error)),
    );
  });

  itOnce("name faults of each channel: no connection, lies, failures of the server", async () => {
    const entries = await set(...Object.values(services.entries));
    for (const { id, channel } of entries) {
      services.faults.push("refuse");
      expect(await tryOut(id)).toMatchObject({
        delivered: false,
        status: null,
        error: expect.stringContaining("closed"),
      });
      services.faults.push({ status: 502, body: "<h1>Maintenance</h1>" });
      expect(await tryOut(id)).toMatchObject({ delivered: false, status: 502, error: expect.stringContaining("502") });
      services.faults.push({ status: 200, body: "<h1>Sign in</h1>" });
      // Where any 2xx is an answer of the service, there is no telling.
      const isTaken = ["discord", "teams", "webhook"].includes(channel);
      expect([channel, (await tryOut(id)).delivered]).toEqual([channel, isTaken]);
    }
    services.faults.push({ status: 500, body: { message: `no ${channelSecrets.discord} here` } });
    const discord = entries.find(({ channel }) => channel === "discord");
    expect((await tryOut(discord?.id ?? "")).error).not.toContain(channelSecrets.discord);
  });

  it("of a monitor carry the change inline, to its own channels or else to those of its team", async () => {
    await set(services.entries.slack);
    const { page, site, id } = await watch({ name: "Lamps" });
    await runCheck(app, id);
    await expect.poll(() => sentTo("/services/").length).toBe(1);
    expect(sentTo("/services/")[0]?.body.text).toContain(`*Lamps: 1 new*\nnew: ${site.url}/a`);
    page.set("Costs 12 &amp; more");
    await runCheck(app, id);
    await expect.poll(() => sentTo("/services/").length).toBe(2);
    const { text } = sentTo("/services/")[1]?.body ?? {};
    expect(text).toContain("-Costs 9\n+Costs 12 &amp; more\n```");
    await runCheck(app, id);

    const changed = await app.call("PATCH", `/v2/monitor/${id}`, {
      body: { notify: [{ ...services.entries.matrix, template: "{{ name }} → {{status}}: {{change}} {{url}}" }] },
    });
    expect(changed.body.data.notify).toMatchObject([{ channel: "matrix", token: "***" }]);
    page.set("Costs 15");
    await runCheck(app, id);
    await expect.poll(() => sentTo("/_matrix/").length).toBe(1);
    const { body } = sentTo("/_matrix/")[0] ?? {};
    expect(body.body).toContain("Lamps → completed: ");
    expect(body.body).toContain("+Costs 15");
    expect(body.body).toContain(`${site.url}/a`);

    // None, not even those of the team.
    await app.call("PATCH", `/v2/monitor/${id}`, { body: { notify: [] } });
    page.set("Costs 16");
    await runCheck(app, id);
    await app.call("PATCH", `/v2/monitor/${id}`, { body: { notify: null } });
    page.set("Costs 17");
    await runCheck(app, id);
    await expect.poll(() => sentTo("/services/").length).toBe(3);
    expect(services.sent.filter(({ text: sent }) => sent.includes("+Costs 16"))).toEqual([]);
  });

  it("of a monitor that fails come once, after as many checks as the entry says, and once when it is over", async () => {
    await set({ ...services.entries.discord, failures: 2 }, { ...services.entries.slack, events: ["change"] });
    let isBroken = true;
    const site = await openSite({
      "/a": (_request, response) => void response.writeHead(isBroken ? 500 : 200).end("<p>Fine</p>"),
    });
    const id = await createMonitor(app, { name: "Shop", targets: [{ type: "scrape", urls: [`${site.url}/a`] }] });
    for (let check = 0; check < 4; check += 1) await runCheck(app, id);
    isBroken = false;
    await runCheck(app, id);
    await runCheck(app, id);
    const titles = () => sentTo("/api/webhooks/").map(({ body }) => body.embeds[0].title);
    await expect.poll(() => titles().length).toBe(3);
    expect(titles()[0]).toBe("Shop failed 2 times in a row");
    expect(titles().toSorted()).toEqual(["Shop failed 2 times in a row", "Shop works again", "Shop: 1 new"]);
    await expect
      .poll(() => sentTo("/services/").map(({ body }) => body.text.split("\n")[0]))
      .toEqual(["*Shop: 1 new*"]);
  });

  itOnce(
    "of a batch or crawl that failed go to the team with the reason, and none of jobs that went well",
    async () => {
      await set(services.entries.telegram);
      let status = 200;
      const fine = await openSite({ "/": (_request, response) => void response.writeHead(status).end("<p>Fine</p>") });
      const closed = await openSite({});
      await closed.close();
      const shut = await openSite({ "/robots.txt": answerText("User-agent: *\nDisallow: /") });
      const ids: string[] = [];
      const run = async (path: string, body: object) => ids.push((await runJob(app, path, body)).id);
      const changes = { url: `${fine.url}/`, limit: 1, changedSince: "last" };
      await run("/v2/crawl", changes);
      // That its only page is gone is what this one found out.
      status = 410;
      const { removed } = (await runJob(app, "/v2/crawl", changes)).status;
      expect(removed).toEqual([`${fine.url}/`]);
      await run("/v2/batch/scrape", { urls: [`${closed.url}/`] });
      await run("/v2/crawl", { url: `${closed.url}/` });
      await run("/v2/crawl", { url: `${shut.url}/` });
      const texts = () => services.sent.map(({ body }): string => body.text);
      await expect.poll(() => texts().length).toBe(3);
      const [, ...failed] = ids;
      for (const [place, [title, reason]] of [
        [`<b>Batch failed: ${closed.url}/</b>`, "refused the connection"],
        [`<b>Crawl failed: ${closed.url}/</b>`, "refused the connection"],
        [`<b>Crawl failed: ${shut.url}/</b>`, "robots.txt"],
      ].entries()) {
        const text = texts().find((each) => each.includes(failed[place] ?? "none"));
        expect(text).toContain(title);
        expect(text).toContain(reason);
      }
    },
  );

  itOnce("of a crawl that something stopped say what, and none comes for one that reached its own limit", async () => {
    const poor = await startApp(engine, { ALLOWED_PRIVATE_HOSTS: "127.0.0.1", CREDITS_PER_MONTH: "4" });
    onTestFinished(() => poor.stop());
    const gate = openGate();
    const site = await openSite({
      "/": page("Start", ["/a", "/b"]),
      "/a": gate.page("A"),
      "/b": page("B"),
      "/other": page("Other"),
    });
    const notify = [services.entries.telegram];
    expect((await poor.call("PUT", "/v2/team/notify", { body: { notify } })).status).toBe(200);
    services.sent.length = 0;
    await runJob(poor, "/v2/crawl", { url: site.url, maxCredits: 1 });
    // It may read three pages, of which another request then takes one.
    const id = await startJob(poor, "/v2/crawl", { url: site.url, maxConcurrency: 1, sitemap: "skip", maxAge: 0 });
    await gate.asked(1);
    expect((await poor.call("POST", "/v2/scrape", { body: { url: `${site.url}/other` } })).status).toBe(200);
    gate.open();
    await expect.poll(() => services.sent.length).toBe(1);
    expect(services.sent[0]?.body.text).toMatch(
      new RegExp(
        `^<b>Crawl stopped: ${site.url}/</b>\\n.*The team has no credits left.*\\n2 pages were read, 0 failed\\.\\nJob ${id}`,
      ),
    );
  });

  itOnce("are collected for a digest of the hour or the day, and held in quiet hours", async () => {
    const { slack, gotify, ntfy } = services.entries;
    const quietHours = { from: "12:00", to: "14:30", timeZone: "UTC" };
    await set({ ...slack, digest: "hourly" }, { ...gotify, digest: "daily" }, { ...ntfy, quietHours });
    const { page, id } = await watch({ name: "Digest" });
    await runCheck(app, id);
    page.set("Costs 10");
    await runCheck(app, id);
    await expect.poll(async () => (await app.store.notices.listDue(clock.now() + 48 * hourMs, 100)).length).toBe(6);
    expect(services.sent).toEqual([]);
    clock.advance(50 * minuteMs);
    await expect.poll(() => services.sent.length).toBe(1);
    expect(services.sent[0]?.body.text).toMatch(
      /^\*Digest: 1 new and 1 more\*[\s\S]*Digest: 1 changed \(2026-11-16T12:1[\s\S]*\+Costs 10/,
    );
    clock.advance(90 * minuteMs);
    await expect.poll(() => services.sent.length).toBe(2);
    expect(services.sent[1]?.body).toMatchObject({ topic: "news", title: "Digest: 1 new and 1 more" });
    clock.advance(18 * hourMs);
    await expect.poll(() => services.sent.length).toBe(3);
    expect(services.sent[2]?.path).toBe("/message");
  });

  it("are tried again as webhooks are, no sooner than the channel asks, and are in the log of deliveries", async () => {
    const [entry] = await set(services.entries.discord);
    services.faults.push({ status: 429, body: { message: "You are being rate limited.", retry_after: 90 } });
    const { id } = await watch({ name: "Patient" });
    await runCheck(app, id);
    const logged = async () =>
      (await deliveries()).find(
        ({ event, channel }: Record<string, string>) => event === "notice.monitor.changed" && channel === "discord",
      );
    await expect.poll(async () => (await logged())?.attempts).toBe(1);
    expect(await logged()).toMatchObject({
      ...{ status: "pending", url: `${services.url}/***` },
      lastError: "The channel answered 429: You are being rate limited.",
    });
    clock.advance(60_000);
    const { id: deliveryId } = await logged();
    expect((await app.call("POST", `/v2/team/webhooks/${deliveryId}/redeliver`, { key: app.otherKey })).status).toBe(
      404,
    );
    clock.advance(31_000);
    await expect.poll(async () => (await logged()).status).toBe("delivered");
    expect((await logged()).attempts).toBe(2);
    const [first, second] = sentTo("/api/webhooks/");
    expect(second?.text).toBe(first?.text);
    expect((await app.call("POST", `/v2/team/webhooks/${deliveryId}/redeliver`)).status).toBe(200);
    await expect.poll(() => sentTo("/api/webhooks/").length).toBe(3);
    expect(entry?.channel).toBe("discord");
  });

  itOnce("reach the other channels while one hangs, and that one when it answers again", async () => {
    const hanging = await startChannelServer();
    onTestFinished(() => hanging.close());
    await set(hanging.entries.slack, services.entries.gotify);
    hanging.faults.push("hang");
    const { id } = await watch({ name: "Unhurried" });
    await runCheck(app, id);
    await expect.poll(() => [hanging.sent.length, services.sent.length]).toEqual([1, 1]);
    const logged = async () => (await deliveries()).find(({ channel }: { channel: string }) => channel === "slack");
    expect(await logged()).toMatchObject({ event: "notice.monitor.changed", status: "pending" });
    hanging.closeConnections();
    await expect.poll(async () => (await logged()).attempts).toBe(1);
    clock.advance(secondMs);
    await expect.poll(async () => (await logged()).status).toBe("delivered");
    expect(hanging.sent.map(({ body }) => body.text.split("\n")[0])).toEqual(Array(2).fill("*Unhurried: 1 new*"));
  });

  itOnce(
    "by email go to members, to others after they have agreed, and are not accepted for outsiders of a team",
    async () => {
      const refused = await put([{ channel: "email", to: ["outsider@example.org"] }]);
      expect([refused.status, refused.body.details[0].path]).toEqual([400, ["notify", 0, "to", 0]]);
      await set();
      const before = emails.length;
      const { id } = await watch({
        name: "Post",
        notify: [{ channel: "email", to: ["member@example.com", "outsider@example.org"] }],
      });
      await runCheck(app, id);
      await expect.poll(() => emails.length).toBe(before + 2);
      const [asked, told] = ["outsider@example.org", "member@example.com"].map((email) =>
        emails.slice(before).find(({ to }) => to[0] === email),
      );
      expect(asked?.text).toContain("Subject: [Trawl] Confirm email from the monitor Post");
      expect(told?.text).toContain("Subject: [Trawl] Post: 1 new");
      expect(told?.text).toMatch(/List-Unsubscribe:\s+<http/);
    },
  );

  itOnce(
    "keep secrets sealed: none is in an answer, a log or the store, and a masked one sent back keeps its value",
    async () => {
      const entries = await set(...Object.values(services.entries));
      const again = await put(entries);
      expect(again.body.notify).toEqual(entries);
      for (const { id, channel } of entries)
        expect([channel, await tryOut(id)]).toMatchObject([channel, { delivered: true }]);
      const bare = await put([{ channel: "telegram", token: "***", chatId: "@known" }]);
      expect([bare.status, bare.body.details[0].path]).toEqual([400, ["notify", 0, "token"]]);
      const { id } = await watch({ notify: Object.values(services.entries) });
      await runCheck(app, id);
      await expect.poll(() => services.sent.length).toBe(16);

      const shown = [
        entries,
        (await app.get(`/v2/monitor/${id}`)).body,
        (await app.get("/v2/monitor")).body,
        await deliveries(),
      ];
      const kept: unknown[] = [];
      for (const table of movedTables) kept.push(await app.store.moving.read(table, null));
      const texts = [JSON.stringify(shown), JSON.stringify(kept), app.logLines.join("\n")];
      expect(texts[1]).toContain(entries[0]?.id);
      for (const secret of Object.values(channelSecrets))
        expect([secret, texts.map((text) => text.includes(secret))]).toEqual([secret, [false, false, false]]);
    },
  );

  itOnce("of another team are not found, and a bad entry is refused with the name of its field", async () => {
    const [entry] = await set(services.entries.slack);
    const other = await app.call("POST", `/v2/team/notify/${entry?.id}/test`, { key: app.otherKey });
    expect([other.status, other.body.code]).toEqual([404, "NOTIFY_NOT_FOUND"]);
    expect((await app.get("/v2/team/notify", { key: app.otherKey })).body).toEqual({ success: true, notify: [] });
    const stolen = await put([{ ...services.entries.slack, id: entry?.id }], app.otherKey);
    expect([stolen.status, stolen.body.details[0].path]).toEqual([400, ["notify", 0, "id"]]);

    const { slack, telegram } = services.entries;
    const bad: [object, (string | number)[], number?][] = [
      [{ channel: "pigeon" }, ["channel"]],
      [{ ...slack, url: "nowhere" }, ["url"]],
      [{ ...slack, url: "http://169.254.169.254/x" }, ["url"], 403],
      [{ channel: "telegram", token: "a b", chatId: "1" }, ["token"]],
      [{ channel: "telegram", token: telegram.token }, ["chatId"]],
      [{ channel: "email", to: ["nobody"] }, ["to", 0]],
      [{ ...slack, template: "{{secret}}" }, ["template"]],
      [{ ...slack, digest: "weekly" }, ["digest"]],
      [{ ...slack, quietHours: { from: "25:00", to: "07:00" } }, ["quietHours", "from"]],
      [{ ...slack, quietHours: { from: "22:00", to: "22:00" } }, ["quietHours", "to"]],
      [{ ...slack, quietHours: { from: "22:00", to: "07:00", timeZone: "Mars" } }, ["quietHours", "timeZone"]],
      [{ ...slack, failures: 0 }, ["failures"]],
      [{ ...slack, events: ["birthday"] }, ["events", 0]],
    ];
    for (const [given, path, expected = 400] of bad) {
      const { status, body } = await put([given]);
      expect([given, status, body.details?.[0].path]).toEqual([given, expected, ["notify", 0, ...path]]);
    }
    const monitor = {
      name: "n",
      schedule: { text: "daily" },
      targets: [{ type: "scrape", urls: ["https://example.com"] }],
    };
    const created = await app.call("POST", "/v2/monitor", { body: { ...monitor, notify: [{ channel: "slack" }] } });
    expect([created.status, created.body.details[0].path]).toEqual([400, ["notify", 0, "url"]]);
  });
});
