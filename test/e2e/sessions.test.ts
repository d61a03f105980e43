// Browser sessions over the API: opened, listed, ended, billed; and, in Chromium itself, driven, killed, kept in a profile.
import { setTimeout } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { newId } from "../../src/base/index.ts";
import { type CallOptions, createTestClock, otherKey, startApp, type TestApp } from "../support/app.ts";
import { lacksChromium, quickBrowser } from "../support/browser.ts";
import { anyEngine, type TestEngine } from "../support/engines.ts";
import { type FixtureSite, startSite } from "../support/fixture-site.ts";
import {
  browsersBelow,
  connectRaw,
  countBrowsers,
  drive,
  endSessions,
  handshake,
  openSession,
} from "../support/sessions.ts";

const noon = "2026-11-15T12:00:00.000Z";
const unknownId = "0198f1cb-0000-7000-8000-000000000009";

/** An app on which no test leaves a browser to the next. */
function useSessions(engine: TestEngine, settings: Record<string, string>) {
  const clock = createTestClock(noon);
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp(engine, { ALLOWED_PRIVATE_HOSTS: "127.0.0.1", TEAM_SESSIONS: "3", ...settings }, clock);
  });
  beforeEach(() => clock.set(noon));
  afterEach(async () => {
    await endSessions(app, app.key, otherKey);
    expect(await countBrowsers(0)).toBe(0);
  });
  afterAll(() => app.stop());
  return {
    clock,
    app: () => app,
    read: async (id: string) => (await app.get(`/v2/browser/${id}`)).body,
    async spent() {
      const [month] = (await app.get("/v2/team/credit-usage/historical")).body.periods;
      return month?.totalCredits ?? 0;
    },
  };
}

describe.skipIf(lacksChromium).each([anyEngine])("browser sessions on $name", (engine) => {
  const { clock, app: appOf, read, spent } = useSessions(engine, quickBrowser);
  let app: TestApp;
  beforeAll(() => {
    app = appOf();
  });

  it("are opened, looked at and ended: the answer says how long it lived and what it cost, again and again", async () => {
    const before = await spent();
    const session = await openSession(app, { ttl: 600, activityTtl: 120 });
    expect(session).toEqual({
      success: true,
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      cdpUrl: expect.stringMatching(new RegExp(`^ws://127.0.0.1:\\d+/cdp/${session.id}\\?token=[\\w-]{43}$`)),
      liveViewUrl: expect.stringContaining(`/view/${session.id}?token=`),
      interactiveLiveViewUrl: expect.stringContaining(`/view/${session.id}?token=`),
      expiresAt: "2026-11-15T12:10:00.000Z",
    });
    const { id, cdpUrl, liveViewUrl, interactiveLiveViewUrl } = session;
    const listed = {
      id,
      status: "active",
      cdpUrl,
      liveViewUrl,
      interactiveLiveViewUrl,
      replayUrl: expect.stringContaining(`/replay/${id}?token=`),
      streamWebView: true,
      createdAt: noon,
      lastActivity: noon,
    };
    expect((await app.get("/v2/browser?status=active")).body).toEqual({ success: true, sessions: [listed] });
    expect((await app.get("/v2/browser")).body.sessions[0]).toEqual(listed);
    expect(await read(id)).toEqual({ success: true, ...listed });

    clock.advance(92_000);
    const figures = { success: true, sessionDurationMs: 92_000, creditsBilled: 4 };
    expect((await app.call("DELETE", `/v2/browser/${id}`)).body).toEqual(figures);
    clock.advance(60_000);
    expect((await app.call("DELETE", `/v2/browser/${id}`)).body).toEqual(figures);
    expect((await app.call("DELETE", "/v2/browser", { body: { id } })).body).toEqual(figures);
    expect(await spent()).toBe(before + 4);
    expect((await app.get("/v2/browser?status=active")).body.sessions).toEqual([]);
    const without = { cdpUrl: "", liveViewUrl: "" };
    const { replayUrl } = listed;
    const seen = { streamWebView: true, createdAt: noon, lastActivity: noon };
    const ended = { id, status: "destroyed", ...without, replayUrl, ...seen };
    expect((await app.get("/v2/browser?status=destroyed")).body.sessions).toContainEqual(ended);
    expect(await read(id)).toEqual({ ...ended, ...figures });
  });

  it("have a second name, /v2/interact, and a form of DELETE with the id in the body", async () => {
    const { body } = await app.call("POST", "/v2/interact", { body: { streamWebView: false, recordSession: true } });
    expect(Object.keys(body).sort()).toEqual(["cdpUrl", "expiresAt", "id", "success"]);
    expect((await app.get(`/v2/interact/${body.id}`)).body.status).toBe("active");
    const ended = await app.call("DELETE", "/v2/interact", { body: { id: body.id } });
    expect(ended.body).toEqual({ success: true, sessionDurationMs: 0, creditsBilled: 2 });
  });

  it("are the team's own: to another team they are unknown", async () => {
    const { id } = await openSession(app);
    const foreign: CallOptions = { key: otherKey };
    for (const call of [
      app.get(`/v2/browser/${id}`, foreign),
      app.call("DELETE", `/v2/browser/${id}`, foreign),
      app.call("DELETE", "/v2/browser", { ...foreign, body: { id } }),
      app.get(`/v2/browser/${unknownId}`),
      app.call("DELETE", `/v2/browser/${unknownId}`),
      app.call("DELETE", "/v2/browser", { body: { id: unknownId } }),
      app.get("/v2/browser/none"),
    ]) {
      const { status, body } = await call;
      expect([status, body.code]).toEqual([404, "SESSION_NOT_FOUND"]);
    }
    expect((await app.get("/v2/browser", foreign)).body.sessions).toEqual([]);
    expect((await read(id)).status).toBe("active");
  });

  it("have bounds, and a limit for each team: one more is 429", async () => {
    for (const body of [{ ttl: 29 }, { ttl: 3601 }, { activityTtl: 9 }, { activityTtl: 3601 }, { profile: {} }]) {
      expect((await app.call("POST", "/v2/browser", { body })).status).toBe(400);
    }
    const opening = await Promise.all([1, 2, 3, 4].map(() => app.call("POST", "/v2/browser", { body: {} })));
    expect(opening.map(({ status }) => status).sort()).toEqual([200, 200, 200, 429]);
    expect(opening.find(({ status }) => status === 429)?.body).toMatchObject({ success: false, code: "SESSION_LIMIT" });
    await openSession(app, {}, { key: otherKey });
    const [first] = (await app.get("/v2/browser?status=active")).body.sessions;
    await app.call("DELETE", `/v2/browser/${first.id}`);
    await openSession(app);
  });

  it("end when their time is over, and by inactivity; each is billed up to the moment it was due", async () => {
    const before = await spent();
    const short = await openSession(app, { ttl: 30, activityTtl: 3600 });
    const idle = await openSession(app, { ttl: 3600, activityTtl: 10 });
    clock.advance(9_999);
    await setTimeout(1500);
    expect([(await read(short.id)).status, (await read(idle.id)).status]).toEqual(["active", "active"]);
    clock.advance(1);
    await expect.poll(async () => (await read(idle.id)).status).toBe("destroyed");
    expect(await read(idle.id)).toMatchObject({ sessionDurationMs: 10_000, creditsBilled: 2 });
    clock.advance(70_000);
    await expect.poll(async () => (await read(short.id)).status).toBe("destroyed");
    expect(await read(short.id)).toMatchObject({ sessionDurationMs: 30_000, creditsBilled: 2 });
    expect(await spent()).toBe(before + 4);
  });

  it("open to their own token only, and to none when they have ended", async () => {
    const one = await openSession(app);
    const two = await openSession(app);
    const address = new URL(one.cdpUrl);
    const tokenOf = (text = "") => new URL(text).searchParams.get("token") ?? "";
    const answerTo = (id: string, token: string) => handshake(`${address.origin}/cdp/${id}?token=${token}`);
    expect(await answerTo(one.id, tokenOf(one.cdpUrl))).toBe(101);
    expect(await answerTo(one.id, "")).toBe(401);
    expect(await answerTo(one.id, "x".repeat(43))).toBe(401);
    expect(await answerTo(one.id, tokenOf(two.cdpUrl))).toBe(401);
    expect(await answerTo(one.id, tokenOf(one.liveViewUrl))).toBe(401);
    expect(await answerTo(one.id, tokenOf(one.interactiveLiveViewUrl))).toBe(401);
    expect(await answerTo(unknownId, tokenOf(one.cdpUrl))).toBe(401);
    expect(await handshake(`${address.origin}/cdp/${one.id}`)).toBe(401);
    await app.call("DELETE", `/v2/browser/${one.id}`);
    expect(await answerTo(one.id, tokenOf(one.cdpUrl))).toBe(410);
    expect(await answerTo(one.id, tokenOf(two.cdpUrl))).toBe(401);
    expect(app.logLines.join("")).not.toContain(tokenOf(one.cdpUrl));
  });

  it("end when their client closes the browser itself", async () => {
    const session = await openSession(app);
    const client = await connectRaw(session.cdpUrl);
    await client.send("Browser.close");
    await expect.poll(async () => (await read(session.id)).status).toBe("destroyed");
  });

  it("are rows of the activity list", async () => {
    const { id } = await openSession(app);
    const { body } = await app.get("/v2/team/activity?endpoint=browser");
    const row = { id, endpoint: "browser", api_version: "v2", created_at: noon, target: id, status: "running" };
    expect(body.data).toContainEqual(expect.objectContaining({ ...row, durationMs: null, creditsUsed: 0 }));
  });

  it("are no more than the server has room for", async () => {
    const small = await startApp(engine, { MAX_SESSIONS: "0" });
    try {
      const { status, body } = await small.call("POST", "/v2/browser", { body: {} });
      expect([status, body.code]).toEqual([503, "OVERLOADED"]);
    } finally {
      await small.stop();
    }
  });

  it("need credits for a minute", async () => {
    const poor = await startApp(engine, { CREDITS_PER_MONTH: "1", ...quickBrowser });
    try {
      const { status, body } = await poor.call("POST", "/v2/browser", { body: {} });
      expect([status, body.code]).toEqual([402, "INSUFFICIENT_CREDITS"]);
    } finally {
      await poor.stop();
    }
  });
});

describe.skipIf(lacksChromium)("browser sessions in Chromium", () => {
  const { clock, app: appOf, read, spent } = useSessions(anyEngine, { PATH: process.env.PATH ?? "" });
  let app: TestApp;
  let site: FixtureSite;
  beforeAll(async () => {
    app = appOf();
    site = await startSite({
      "/": "<title>Home</title><h1>Welcome</h1>",
      "/keep":
        "<script>localStorage.setItem('kept', 'something'); document.cookie = 'visited=yes; max-age=9999'</script>",
      "/show":
        "<p id=kept></p><script>kept.textContent = localStorage.getItem('kept') + ' ' + document.cookie</script>",
    });
  });
  afterAll(() => site.close());

  it("are driven by an unmodified Playwright over cdpUrl, by several clients, and what they do counts as activity", async () => {
    const session = await openSession(app, { activityTtl: 60 });
    const first = await drive(session);
    // In the browser's own context, where it stays when its client goes.
    const page = await first.contexts()[0]?.newPage();
    await page?.goto(site.url);
    clock.advance(45_000);
    expect([await page?.title(), await page?.textContent("h1")]).toEqual(["Home", "Welcome"]);
    const second = await drive(session);
    const pages = second.contexts()[0]?.pages() ?? [];
    await first.close();
    clock.advance(45_000);
    expect(await pages.find((each) => each.url() === `${site.url}/`)?.evaluate("document.title")).toBe("Home");
    // Without a client nothing is said any more.
    await second.close();
    expect(await read(session.id)).toMatchObject({ status: "active", lastActivity: "2026-11-15T12:01:30.000Z" });
    clock.advance(59_999);
    await setTimeout(1500);
    expect((await read(session.id)).status).toBe("active");
    clock.advance(1);
    await expect.poll(async () => (await read(session.id)).status).toBe("destroyed");
    expect(await read(session.id)).toMatchObject({ sessionDurationMs: 150_000, creditsBilled: 5 });
  });

  it("survive nothing that kills their Chromium: the session is an error, billed once, and nothing is left", async () => {
    const before = await spent();
    const profile = { name: `killed ${newId()}` };
    const session = await openSession(app, { profile });
    const browser = await drive(session);
    const gone = new Promise((done) => browser.once("disconnected", done));
    const [pid = 0, ...others] = browsersBelow();
    expect([pid > 1, others]).toEqual([true, []]);
    clock.advance(61_000);
    process.kill(pid, "SIGKILL");
    await gone;
    await expect.poll(async () => (await read(session.id)).status).toBe("error");
    const figures = { success: true, sessionDurationMs: 61_000, creditsBilled: 3 };
    expect((await app.call("DELETE", `/v2/browser/${session.id}`)).body).toEqual(figures);
    expect(await spent()).toBe(before + 3);
    // Its profile is free again, as it was before.
    await expect.poll(() => app.call("POST", "/v2/browser", { body: { profile } })).toMatchObject({ status: 200 });
  });

  it("keep cookies and local storage in a profile, with one writer at a time", async () => {
    const profile = { name: `shop ${newId()}` };
    const one = await openSession(app, { profile });
    const browser = await drive(one);
    await (await browser.contexts()[0]?.newPage())?.goto(`${site.url}/keep`);
    const busy = await app.call("POST", "/v2/browser", { body: { profile } });
    expect([busy.status, busy.body.code]).toEqual([409, "PROFILE_BUSY"]);
    await app.call("DELETE", `/v2/browser/${one.id}`);

    const two = await openSession(app, { profile: { ...profile, saveChanges: false } });
    const page = await (await drive(two)).contexts()[0]?.newPage();
    await page?.goto(`${site.url}/show`);
    expect(await page?.textContent("#kept")).toBe("something visited=yes");
    expect((await app.call("DELETE", `/v2/browser/profiles/${encodeURIComponent(profile.name)}`)).status).toBe(200);
    expect((await app.call("DELETE", `/v2/browser/profiles/${encodeURIComponent(profile.name)}`)).status).toBe(404);
    const three = await openSession(app, { profile });
    const fresh = await (await drive(three)).contexts()[0]?.newPage();
    await fresh?.goto(`${site.url}/show`);
    expect(await fresh?.textContent("#kept")).toBe("null ");
  });
});
