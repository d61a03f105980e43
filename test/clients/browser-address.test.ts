// Tools that come with one URL: Puppeteer and Playwright, unmodified, and what is refused to them.
import { request as plainRequest } from "node:http";
import { chromium } from "playwright-core";
import puppeteer from "puppeteer-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { otherKey, startApp, type TestApp } from "../support/app.ts";
import { lacksChromium, quickBrowser } from "../support/browser.ts";
import { anyEngine } from "../support/engines.ts";
import { type FixtureSite, startSite } from "../support/fixture-site.ts";
import { browsersBelow, countBrowsers, endSessions, handshake, openSession } from "../support/sessions.ts";

const hush = "never-to-be-shown-4b7a";
const page = `<!doctype html><title>Tools</title><h1>Tools</h1><script>
  fetch("/api/data?token=${hush}").then((answer) => answer.json()).then(({ name }) => { document.title = name; });</script>`;

describe.skipIf(lacksChromium)("the browser address", () => {
  let app: TestApp;
  let site: FixtureSite;
  let ws: string;
  beforeAll(async () => {
    site = await startSite({
      "/": page,
      "/api/data?token=never-to-be-shown-4b7a": (_request, response) =>
        void response
          .writeHead(200, { "content-type": "application/json", "set-cookie": `id=${hush}` })
          .end(JSON.stringify({ name: "Answered", password: hush })),
    });
    app = await startApp(anyEngine, {
      ALLOWED_PRIVATE_HOSTS: `127.0.0.1:${site.port}`,
      TEAM_SESSIONS: "1",
      ...quickBrowser,
    });
    ws = app.url.replace("http", "ws");
  });
  afterEach(async () => {
    await endSessions(app, app.key, otherKey);
    expect(await countBrowsers(0)).toBe(0);
  });
  afterAll(async () => {
    await app.stop();
    await site.close();
  });
  const sessions = async (status: string, key = app.key) =>
    (await app.call("GET", `/v2/browser?status=${status}`, { key })).body.sessions as { id: string }[];
  const titleFor = "document.title === 'Answered'";

  it("serves Puppeteer's connect: a session that is listed, guarded, and ends with its client", async () => {
    const before = (await sessions("destroyed")).length;
    const browser = await puppeteer.connect({
      browserWSEndpoint: `${ws}/browser?token=${app.key}&stealth=true&timeout=60000`,
    });
    expect(await sessions("active")).toHaveLength(1);
    const tab = await browser.newPage();
    await tab.goto(`${site.url}/`);
    await tab.waitForFunction(titleFor);
    // An address of this machine that no page may reach.
    const refused = await tab.goto(`${app.url}/health`).then(
      (answer) => answer?.status() ?? 0,
      () => 0,
    );
    expect(refused).not.toBe(200);
    expect(await handshake(`${ws}/browser?token=${app.key}`)).toBe(429);
    await browser.disconnect();
    await expect.poll(() => sessions("active"), { timeout: 10_000 }).toEqual([]);
    expect(await sessions("destroyed")).toHaveLength(before + 1);
  });

  it("serves Playwright's connectOverCDP by its WebSocket and by its HTTP address; Browser.close ends the session", async () => {
    const direct = await chromium.connectOverCDP(`${ws}/chromium?token=${app.key}&ttl=120`);
    const tab = await (direct.contexts()[0] ?? (await direct.newContext())).newPage();
    await tab.goto(`${site.url}/`);
    await tab.waitForFunction(titleFor);
    const session = await direct.newBrowserCDPSession();
    await session.send("Browser.close").catch(() => undefined);
    await expect.poll(() => sessions("active"), { timeout: 10_000 }).toEqual([]);
    const found = await chromium.connectOverCDP(`${app.url}/?token=${app.key}`);
    expect(await sessions("active")).toHaveLength(1);
    await found.close();
    await expect.poll(() => sessions("active"), { timeout: 10_000 }).toEqual([]);
  });

  it("names its version without the key; the URL in it opens one session, once", async () => {
    const { status, body } = await app.call("GET", `/json/version/?token=${app.key}&ttl=90`, { key: null });
    expect([status, body]).toEqual([
      200,
      {
        Browser: expect.stringContaining("Chrome/"),
        "Protocol-Version": "1.3",
        "User-Agent": expect.any(String),
        webSocketDebuggerUrl: expect.stringMatching(/^ws:.*\/browser\?token=once-/),
      },
    ]);
    expect(JSON.stringify(body)).not.toContain(app.key);
    expect(await sessions("active")).toEqual([]);
    const browser = await puppeteer.connect({ browserWSEndpoint: body.webSocketDebuggerUrl });
    expect(await handshake(body.webSocketDebuggerUrl)).toBe(401);
    await browser.disconnect();
    expect((await app.call("GET", "/json/version", { key: null })).status).toBe(401);
    expect((await app.call("GET", "/browser/json/version")).status).toBe(200);
  });

  it.each([
    ["/browser", 401],
    ["/browser?token=wrong", 401],
    ["/?token=wrong", 401],
    ["/browser?token=KEY&ttl=1", 400],
    ["/chrome?token=KEY&ttl=soon", 400],
    ["/chromium/playwright?token=KEY", 501],
    ["/playwright?token=KEY", 501],
    ["/elsewhere?token=KEY", 404],
  ])("refuses the handshake of %s with %d", async (path, status) => {
    expect(await handshake(ws + path.replace("KEY", app.key))).toBe(status);
  });

  it("takes a key in a URL on its own paths only, and writes it to no log", async () => {
    expect((await app.call("GET", `/v2/browser?token=${app.key}`, { key: null })).status).toBe(401);
    expect((await app.call("POST", `/v2/scrape?token=${app.key}`, { key: null, body: { url: site.url } })).status).toBe(
      401,
    );
    const lines = app.logLines.join("\n");
    expect(lines).toContain("/browser");
    expect(lines).not.toContain(app.key);
    expect(JSON.stringify((await app.get("/v2/team/activity")).body)).not.toContain(app.key);
  });

  it("ends a session whose client left while it was opened", async () => {
    const asked = plainRequest(`${app.url}/browser?token=${app.key}`, {
      headers: {
        connection: "Upgrade",
        upgrade: "websocket",
        "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
        "sec-websocket-version": "13",
      },
    });
    asked.on("error", () => undefined);
    asked.end();
    await expect.poll(() => browsersBelow().length, { timeout: 10_000 }).toBe(1);
    asked.destroy();
    await expect.poll(() => sessions("active"), { timeout: 10_000 }).toEqual([]);
    // One that was starting is not listed, and holds the team's only place until its browser is gone.
    const open = async () => (await app.call("POST", "/v2/browser", { body: {} })).status;
    await expect.poll(open, { timeout: 10_000 }).toBe(200);
  });

  it("records the network of a session as HAR, masked, for its team alone", async () => {
    const browser = await puppeteer.connect({ browserWSEndpoint: `${ws}/browser?token=${app.key}&recordNetwork=true` });
    const [{ id } = { id: "" }] = await sessions("active");
    const tab = await browser.newPage();
    await tab.goto(`${site.url}/`);
    await tab.waitForFunction(titleFor);
    // biome-ignore lint/suspicious/noExplicitAny: entries as HAR has them
    const entriesOf = async () => (await app.get(`/v2/browser/${id}/har`)).body.log.entries as any[];
    await expect
      .poll(async () => (await entriesOf()).find(({ request }) => /api/.test(request.url))?.response.content.text)
      .toBe('{"name":"Answered","password":"[masked]"}');
    await browser.disconnect();
    await expect.poll(() => sessions("active"), { timeout: 10_000 }).toEqual([]);
    await expect.poll(async () => (await app.get(`/v2/browser/${id}/har`)).status, { timeout: 10_000 }).toBe(200);
    const { body } = await app.get(`/v2/browser/${id}/har`);
    expect(body.log).toMatchObject({ version: "1.2", creator: { name: "Trawl" } });
    const data = (await entriesOf()).find(({ request }) => /api/.test(request.url));
    expect(data).toMatchObject({
      pageref: expect.any(String),
      startedDateTime: expect.any(String),
      request: { method: "GET", url: `${site.url}/api/data?token=[masked]` },
      response: { status: 200, content: { mimeType: "application/json" } },
    });
    expect(JSON.stringify(data)).not.toContain(hush);
    expect((await app.call("GET", `/v2/browser/${id}/har`, { key: otherKey })).status).toBe(404);
    const { id: plain } = await openSession(app);
    expect((await app.get(`/v2/browser/${plain}/har`)).status).toBe(404);
  });
});

it("the browser address is off with BROWSER_ADDRESS=0", async () => {
  const app = await startApp(anyEngine, { BROWSER_ADDRESS: "0" });
  expect(await handshake(`${app.url}/browser?token=${app.key}`)).toBe(404);
  expect((await app.call("GET", "/json/version")).status).toBe(404);
  await app.stop();
});
