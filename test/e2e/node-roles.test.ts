// Servers with roles on one PostgreSQL: those without Chromium leave rendering and sessions to those that have it, whichever of
// them is asked, and no other client is let in between them.
import { once } from "node:events";
import { request } from "node:http";
import type { Duplex } from "node:stream";
import { chromium } from "playwright-core";
import { describe, expect, it, onTestFinished } from "vitest";
import { WebSocket } from "ws";
import { createNodeKey } from "../../src/cluster/node-key.ts";
import { lacksChromium } from "../support/browser.ts";
import { environment, headers, kill } from "../support/crawl-servers.ts";
import { type FixtureSite, startSite } from "../support/fixture-site.ts";
import { openServer } from "../support/near-server.ts";
import { type ServerProcess, startServer } from "../support/server-process.ts";
import { countBrowsers, descendantsOf } from "../support/sessions.ts";

const otherKey = "another-key-of-the-tests";
const secret = "x".repeat(32);
const page = `<title>Scripts</title><main><h1>Not yet</h1></main><script>document.querySelector("h1").textContent = "Written by a script"</script>`;

type Reached = Pick<ServerProcess, "url">;

async function call(server: Reached, method: string, path: string, body?: object, key?: string) {
  const answer = await fetch(server.url + path, {
    method,
    headers: { ...headers, ...(key ? { authorization: `Bearer ${key}` } : {}) },
    body: body ? JSON.stringify(body) : method === "POST" ? "{}" : null,
  });
  return { status: answer.status, body: await answer.json() };
}

async function prepare() {
  const env = await environment("postgres");
  const both = { ...env, TRAWL_SECRET: secret, TRAWL_API_KEYS: `${env["TRAWL_API_KEYS"]},other:${otherKey}:0` };
  return { withBrowser: both, without: { ...both, CHROMIUM_PATH: "/no/chromium" } };
}

async function serveSite(): Promise<FixtureSite> {
  const site = await startSite({ "/": page, "/never": () => undefined });
  onTestFinished(() => site.close());
  return site;
}

/** The server knows of another one that renders, and of one that opens sessions. */
const untilServed = (server: Reached) =>
  expect
    .poll(async () => (await (await fetch(`${server.url}/health/readiness`)).json()).browser)
    .toMatchObject({ available: true, sessions: true });

const hasChromium = ({ pid }: ServerProcess) => descendantsOf(pid).some(({ command }) => command.includes("--type="));

/** How a call to a server is answered: the status, or what was sent after it was let in until it hung up. */
function knock(server: Reached, path: string, signed: string | null, upgrade = "trawl-node") {
  return new Promise<{ status: number; socket: Duplex | null }>((done, fail) => {
    const given = { connection: "upgrade", upgrade, ...(signed === null ? {} : { "x-trawl-node": signed }) };
    const asked = request(server.url + path, { headers: given });
    asked.once("upgrade", (answer, socket) => done({ status: answer.statusCode ?? 0, socket }));
    asked.once("response", (answer) => {
      answer.resume();
      done({ status: answer.statusCode ?? 0, socket: null });
    });
    asked.once("error", fail);
    asked.end();
  });
}

describe.skipIf(lacksChromium)("servers with roles", () => {
  it("render and hold sessions for those without a browser, whichever of them is asked", async () => {
    const site = await serveSite();
    const { withBrowser, without } = await prepare();
    const [first, second, worker, browser] = await Promise.all([
      openServer(without, "api"),
      openServer(without, "api"),
      openServer(without, "worker"),
      startServer(withBrowser, "browser"),
    ]);
    await Promise.all([untilServed(first), untilServed(second)]);

    for (const server of [first, second, worker, browser]) {
      expect((await fetch(`${server.url}/health/readiness`)).status).toBe(200);
      expect((await fetch(`${server.url}/health/liveness`)).status).toBe(200);
    }

    const formats = ["markdown", "screenshot"];
    const scraped = await call(first, "POST", "/v2/scrape", { url: site.url, formats, waitFor: 50 });
    expect(scraped.body).toMatchObject({ success: true, data: { markdown: "# Written by a script" } });
    expect(scraped.body.data.screenshot).toMatch(first.url);
    const { body: batch } = await call(second, "POST", "/v2/batch/scrape", { urls: [site.url], formats, maxAge: 0 });
    const batchStatus = async () => (await call(first, "GET", `/v2/batch/scrape/${batch.id}`)).body;
    await expect.poll(async () => (await batchStatus()).status).toBe("completed");
    expect((await batchStatus()).data[0].screenshot).toMatch(/^http/);

    const { status, body: session } = await call(first, "POST", "/v2/browser", {});
    expect([status, session.error]).toEqual([200, undefined]);
    expect(await countBrowsers(1, browser.pid)).toBe(1);
    const at = (url: string) => url.replace(new URL(first.url).host, new URL(second.url).host);
    const ran = await call(second, "POST", `/v2/browser/${session.id}/execute`, { code: "1 + 1" });
    expect(ran.body).toMatchObject({ success: true, result: "2" });
    const driven = await chromium.connectOverCDP(at(session.cdpUrl), { timeout: 60_000 });
    const opened = await driven.contexts()[0]?.newPage();
    await opened?.goto(site.url);
    expect(await opened?.title()).toBe("Scripts");
    await driven.close();
    expect((await fetch(at(session.liveViewUrl))).status).toBe(200);
    const watcher = new WebSocket(at(session.liveViewUrl).replace(/^http/, "ws").replace("?", "/stream?"));
    await once(watcher, "message");
    watcher.terminate();
    const wrong = at(session.liveViewUrl).replace(/token=..../, "token=AAAA");
    expect((await fetch(wrong)).status).toBe(401);
    expect((await knock(second, new URL(at(session.cdpUrl)).pathname, null, "websocket")).status).toBe(401);

    const foreign = [
      await call(second, "POST", `/v2/browser/${session.id}/execute`, { code: "1" }, otherKey),
      await call(second, "DELETE", `/v2/browser/${session.id}`, undefined, otherKey),
    ];
    expect(foreign.map((answer) => answer.status)).toEqual([404, 404]);
    expect((await call(second, "GET", "/v2/browser")).body.sessions).toMatchObject([
      { id: session.id, status: "active" },
    ]);

    const again = await call(second, "POST", `/v2/scrape/${scraped.body.data.metadata.scrapeId}/interact`, {
      code: "await page.title()",
    });
    expect([again.status, again.body.result]).toEqual([200, "Scripts"]);
    await call(first, "DELETE", `/v2/scrape/${scraped.body.data.metadata.scrapeId}/interact`);
    const ended = await call(second, "DELETE", `/v2/browser/${session.id}`);
    expect(ended.body).toMatchObject({ success: true, creditsBilled: 2 });
    expect(await countBrowsers(0, browser.pid)).toBe(0);

    const key = createNodeKey(secret);
    const path = "/internal/render";
    const nonce = "n".repeat(22);
    const sign = (from: typeof key, ageMs = 0, about = path) =>
      from.write({ path: about, at: Date.now() - ageMs, nonce });
    const forged = sign(createNodeKey("y".repeat(32)));
    for (const signed of [null, "", forged, sign(key, 60_000), sign(key, -60_000), sign(key, 0, "/internal/call")]) {
      expect((await knock(browser, path, signed)).status).toBe(401);
    }
    expect((await knock(browser, "/internal/other", sign(key, 0, "/internal/other"))).status).toBe(404);
    expect((await fetch(browser.url + path)).status).toBe(404);
    expect((await fetch(`${browser.url}/v2/team/credit-usage`, { headers })).status).toBe(404);
    // Recorded and sent again: it is let in, but can sign no message.
    const replayed = await knock(browser, path, sign(key));
    expect(replayed.status).toBe(101);
    replayed.socket?.on("data", () => undefined).write(Buffer.concat([Buffer.from([0, 0, 0, 1]), Buffer.alloc(33)]));
    await once(replayed.socket as Duplex, "close");
  });

  it("render the page of one that is killed on another one, and say what is missing when no server is left", async () => {
    const site = await serveSite();
    const { withBrowser, without } = await prepare();
    const [api, ...browsers] = await Promise.all([
      openServer(without, "api"),
      startServer(withBrowser, "browser"),
      startServer(withBrowser, "browser"),
    ]);
    await untilServed(api);
    const body = { url: site.url, formats: ["markdown"], waitFor: 4000 };
    const reading = call(api, "POST", "/v2/scrape", body);
    await expect.poll(() => site.asked.length, { interval: 20 }).toBe(1);
    const busy = browsers.filter((each) => hasChromium(each));
    expect(busy).toHaveLength(1);
    await kill(busy[0] as ServerProcess);
    expect(await reading).toMatchObject({ status: 200, body: { data: { markdown: "# Written by a script" } } });
    expect(site.asked).toHaveLength(2);

    // What no caller waits for any more ends where it is rendered.
    const survivor = browsers.find((each) => !busy.includes(each)) as ServerProcess;
    const pagesThere = async () => {
      const metrics = await (await fetch(`${survivor.url}/metrics`, { headers })).text();
      return Number(/^trawl_pool_active\{pool="browser"\} (\d+)/m.exec(metrics)?.[1]);
    };
    const caller = new AbortController();
    const given = { url: `${site.url}/never`, formats: ["markdown"], waitFor: 1 };
    const abandoned = fetch(`${api.url}/v2/scrape`, {
      method: "POST",
      headers,
      body: JSON.stringify(given),
      signal: caller.signal,
    }).catch(() => "gone");
    await expect.poll(() => site.asked.includes("/never")).toBe(true);
    expect(await pagesThere()).toBe(1);
    caller.abort();
    expect(await abandoned).toBe("gone");
    await expect.poll(pagesThere).toBe(0);

    await kill(survivor);
    const failed = await call(api, "POST", "/v2/scrape", { ...body, maxAge: 0 });
    expect([failed.status, failed.body.code]).toEqual([501, "BROWSER_NOT_AVAILABLE"]);
    expect(failed.body.error).toContain("--role browser");
  });

  it("render with their own Chromium when the browser server that had their page is killed", async () => {
    const site = await serveSite();
    const { withBrowser } = await prepare();
    const [api, browser] = await Promise.all([startServer(withBrowser, "api"), startServer(withBrowser, "browser")]);
    const rendersThere = async () => {
      const before = site.asked.length;
      const body = { url: site.url, formats: ["markdown"], waitFor: 4000, maxAge: 0 };
      const reading = call(api, "POST", "/v2/scrape", body);
      await expect.poll(() => site.asked.length, { interval: 20 }).toBe(before + 1);
      return { reading, isThere: hasChromium(browser) };
    };
    // Until it knows of the other one, it renders itself.
    let { reading, isThere } = await rendersThere();
    for (; !isThere; { reading, isThere } = await rendersThere()) await reading;
    await kill(browser);
    expect(await reading).toMatchObject({ status: 200, body: { data: { markdown: "# Written by a script" } } });
    expect(hasChromium(api)).toBe(true);
  });
});
