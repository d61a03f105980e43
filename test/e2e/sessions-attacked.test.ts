// What a user of a session may try over its debugging address, each tried for real. Nothing reaches a private address: asserted
// at the canary's socket, never at what the browser said, and the same steps do reach it when it is allowed.
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { createServer, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { networkInterfaces } from "node:os";
import { dirname, join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { BrowserSession } from "../../src/engines/index.ts";
import type { DevtoolsClient } from "../../src/net/index.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { lacksChromium, withoutNamespaces } from "../support/browser.ts";
import { anyEngine } from "../support/engines.ts";
import { type FixtureSite, startSite } from "../support/fixture-site.ts";
import { browsersBelow, connectRaw, drive, openSession, type RawClient } from "../support/sessions.ts";

interface Canary {
  port: number;
  /** Connections, whatever came over them. */
  touched: number;
  server: Server;
}

async function startCanary(): Promise<Canary> {
  const server = createServer((_request, response) => {
    response
      .writeHead(200, { "content-type": "text/html", "access-control-allow-origin": "*" })
      .end("<title>Secret</title>");
  });
  const canary = { port: 0, touched: 0, server };
  server.on("connection", () => {
    canary.touched += 1;
  });
  server.listen(0, "0.0.0.0");
  await once(server, "listening");
  canary.port = (server.address() as AddressInfo).port;
  return canary;
}

/** An address of this machine that is not loopback. */
const ownAddress = Object.values(networkInterfaces())
  .flat()
  .find((each) => each && each.family === "IPv4" && !each.internal)?.address;

describe.skipIf(lacksChromium)("over its debugging address", () => {
  let site: FixtureSite;
  let canary: Canary;
  let app: TestApp;
  let browser: Browser;
  let root: RawClient;
  let folder: string;
  let sessionUrl: string;
  /** The debugging protocol past the rules, which no user has. */
  let connectInside: BrowserSession["connect"];

  beforeAll(async () => {
    site = await startSite({
      "/": "<title>Home</title>",
      "/done": "",
      "/other": "<title>Of the other</title>",
      "/file": (_request, response) =>
        void response
          .writeHead(200, {
            "content-type": "text/plain",
            "content-disposition": "attachment; filename=booty.txt",
            "cache-control": "no-store",
          })
          .end("the booty of the download"),
    });
    canary = await startCanary();
    const env = { ALLOWED_PRIVATE_HOSTS: `127.0.0.1:${site.port}`, PATH: process.env.PATH ?? "" };
    app = await startApp(anyEngine, env);
    const session = await openSession(app);
    sessionUrl = session.cdpUrl;
    const token = new URL(session.cdpUrl).searchParams.get("token") ?? "";
    const held = (await app.sessions.keeper.enter(session.id, "cdp", token)).browser;
    folder = dirname(held.devtoolsSocket);
    connectInside = held.connect;
    browser = await drive(session);
    root = await connectRaw(session.cdpUrl);
  });
  afterAll(async () => {
    await app.stop();
    await site.close();
    canary.server.close();
  });

  const newPage = async (): Promise<Page> => {
    const page = await browser.contexts()[0]?.newPage();
    if (!page) throw new Error("there is no context");
    return page;
  };
  const privateUrls = () => [
    `http://127.0.0.1:${canary.port}/`,
    `http://localhost:${canary.port}/`,
    `http://[::1]:${canary.port}/`,
    `http://2130706433:${canary.port}/`,
    ...(ownAddress === undefined ? [] : [`http://${ownAddress}:${canary.port}/`]),
  ];
  /** Tries everything a page can, then tells the site that it came to its end. */
  const script = (url: string) => `(async () => {
    await fetch('${url}', { mode: 'no-cors' }).catch(() => 0);
    await new Promise((done) => { const s = new WebSocket('${url}'.replace('http', 'ws')); s.onerror = s.onopen = done });
    await new Promise((done) => { const i = new Image(); i.onload = i.onerror = done; i.src = '${url}' });
    return 'ran';
  })()`;

  it("private addresses stay out of reach: of the page, of its scripts, of the address line", async () => {
    canary.touched = 0;
    for (const url of privateUrls()) {
      const page = await newPage();
      await page.goto(site.url);
      expect(await page.evaluate(script(url))).toBe("ran");
      await expect(page.goto(url)).rejects.toThrow("net::ERR_");
      await page.close();
    }
    expect(canary.touched).toBe(0);
  });

  it("a context without a proxy reaches nothing at all", async () => {
    canary.touched = 0;
    site.asked.length = 0;
    for (const proxyServer of ["direct://", `http://127.0.0.1:${canary.port}`]) {
      const { browserContextId } = await root.send("Target.createBrowserContext", {
        proxyServer,
        proxyBypassList: "*",
      });
      for (const url of [...privateUrls(), site.url]) {
        const { targetId } = await root.send("Target.createTarget", { url: "about:blank", browserContextId });
        const { sessionId } = await root.send("Target.attachToTarget", { targetId, flatten: true });
        const answer = await root.send("Runtime.evaluate", { expression: script(url), awaitPromise: true }, sessionId);
        expect(answer).toMatchObject({ result: { value: "ran" } });
        const { errorText } = await root.send("Page.navigate", { url }, sessionId);
        expect(errorText).toMatch(/^net::ERR_/);
        await root.send("Target.closeTarget", { targetId });
      }
      await root.send("Target.disposeBrowserContext", { browserContextId });
    }
    expect([canary.touched, site.asked]).toEqual([0, []]);
  });

  it("the same steps reach the canary where it is allowed, so these tests can fail", async () => {
    const open = await startApp(anyEngine, {
      ALLOWED_PRIVATE_HOSTS: "127.0.0.1",
      PATH: process.env.PATH ?? "",
    });
    try {
      const page = await (await drive(await openSession(open))).newPage();
      await page.goto(site.url);
      canary.touched = 0;
      expect(await page.evaluate(script(`http://127.0.0.1:${canary.port}/`))).toBe("ran");
      expect(canary.touched).toBeGreaterThan(0);
      await page.goto(`http://127.0.0.1:${canary.port}/`);
      expect(await page.title()).toBe("Secret");
    } finally {
      await open.stop();
    }
  });

  it.each([
    "file:///etc/passwd",
    "file:///usr/share",
    "FILE:///proc/self/environ",
    " file:///etc/passwd",
    "chrome://version",
    "chrome://settings/",
    "chrome-untrusted://print/",
    "devtools://devtools/bundled/inspector.html",
    "view-source:file:///etc/passwd",
  ])("%s opens neither as an address nor as a target", async (url) => {
    const page = await newPage();
    await expect(page.goto(url)).rejects.toThrow("Only http and https URLs");
    await expect(root.send("Target.createTarget", { url })).rejects.toThrow("Only http and https URLs");
    const client = await page.context().newCDPSession(page);
    await expect(client.send("Page.navigate", { url })).rejects.toThrow("Only http and https URLs");
    const { frameTree } = await client.send("Page.getFrameTree");
    const resource = { frameId: frameTree.frame.id, url, options: { disableCache: true, includeCredentials: false } };
    await expect(client.send("Network.loadNetworkResource", resource)).rejects.toThrow("Only http and https URLs");
    await page.close();
  });

  it("commands that reach around the rules, for files, ports and code, are refused", async () => {
    const page = await newPage();
    await page.setContent("<input type=file>");
    const client = await page.context().newCDPSession(page);
    const raw = client as unknown as { send(method: string, params: object): Promise<unknown> };
    for (const [method, params] of [
      ["DOM.setFileInputFiles", { files: ["/etc/passwd"], nodeId: 1 }],
      [
        "Input.dispatchDragEvent",
        { type: "drop", x: 1, y: 1, data: { items: [], files: ["/etc/passwd"], dragOperationsMask: 1 } },
      ],
    ] as const) {
      await expect(raw.send(method, params)).rejects.toThrow(/not allowed|cannot be dragged/);
    }
    for (const [method, params] of [
      ["Target.exposeDevToolsProtocol", { targetId: "x" }],
      ["Target.sendMessageToTarget", { message: '{"id":1,"method":"Page.navigate","params":{"url":"file:///"}}' }],
      ["Target.setRemoteLocations", { locations: [{ host: "127.0.0.1", port: canary.port }] }],
      ["Tethering.bind", { port: 9999 }],
      ["Extensions.loadUnpacked", { path: "/tmp" }],
    ] as const) {
      await expect(root.send(method, params)).rejects.toThrow("not allowed");
    }
    await page.close();
  });

  it("Chromium itself refuses files and its own pages, should a command ever come past the rules", async () => {
    const inside = join(folder, "devtools.sock");
    for (const url of [
      "file:///etc/passwd",
      "file:///usr/share/doc",
      "chrome://version",
      "http://127.0.0.1:9222/json",
    ]) {
      const target = JSON.parse(await ask(inside, "PUT", `/json/new?${url}`)) as { id: string };
      const { sessionId } = await root.send("Target.attachToTarget", { targetId: target.id, flatten: true });
      const text = async () =>
        JSON.stringify(await root.send("Runtime.evaluate", { expression: "document.body.innerText" }, sessionId));
      await expect.poll(text).toContain("blocked");
      expect(await text()).not.toMatch(/root:|copyright|webSocketDebuggerUrl/i);
      await root.send("Target.closeTarget", { targetId: target.id });
    }
  });

  it("downloads leave nothing on the disk, whatever the client allows", async () => {
    site.asked.length = 0;
    const page = await newPage();
    await root.send("Browser.setDownloadBehavior", { behavior: "allow", downloadPath: join(folder, "profile") });
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.goto(`${site.url}/file`).catch(() => undefined),
    ]);
    expect(await download.failure()).toBe("canceled");
    await page.close();
    // And where nothing was said about downloads.
    const { browserContextId } = await root.send("Target.createBrowserContext");
    await root.send("Target.createTarget", { url: `${site.url}/file`, browserContextId });
    await expect.poll(() => site.asked.filter((path) => path === "/file")).toHaveLength(2);
    await root.send("Target.disposeBrowserContext", { browserContextId });
    const seen = join("/proc", readFileSync(join(folder, "pid"), "utf8").trim(), "root", folder);
    const files = () => readdirSync(seen, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    expect(files().length).toBeGreaterThan(20);
    // Chromium holds the first bytes in a file without its own name until it has asked where they may go.
    const holding = () =>
      files().filter((entry) => {
        try {
          return readFileSync(join(entry.parentPath, entry.name)).includes("the booty of the download");
        } catch {
          return false;
        }
      });
    await expect.poll(() => holding().map(({ name }) => name)).toEqual([]);
  });

  /**
   * The last word about a download of a new page: its state and what came of it; null when none came. Chromium closes a page that
   * downloads before it has shown anything, and now and then the page's process crashes as it becomes a download: whoever asks
   * asks again then.
   */
  async function downloadIn(inside: DevtoolsClient, context: object, behavior: object | null): Promise<unknown> {
    let last: [state: unknown, receivedBytes: unknown] | null = null;
    inside.on("Browser.downloadProgress", ({ state, receivedBytes }) => {
      last = [state, receivedBytes];
    });
    const { targetId } = await inside.call("Target.createTarget", { url: "about:blank", ...context });
    const { sessionId } = await inside.call("Target.attachToTarget", { targetId, flatten: true });
    await inside.call("Page.navigate", { url: site.url }, String(sessionId));
    if (behavior) await inside.call("Browser.setDownloadBehavior", { ...behavior, eventsEnabled: true, ...context });
    await inside.call("Page.navigate", { url: `${site.url}/file` }, String(sessionId));
    // Bytes that came before the policy was asked are held for a moment, and thrown away.
    const isOver = () => last !== null && last[0] !== "inProgress" && !(last[0] === "canceled" && last[1] !== 0);
    await expect
      .poll(isOver, { timeout: 15_000 })
      .toBe(true)
      .catch(() => null);
    await inside.call("Target.closeTarget", { targetId }).catch(() => null);
    return last;
  }

  it("downloads are denied again in every context, should a command ever have allowed them past the rules", async () => {
    const inside = await connectInside();
    const allowed = { behavior: "allow", downloadPath: join(folder, "profile"), eventsEnabled: true };
    for (const context of [{}, await inside.call("Target.createBrowserContext")]) {
      await inside.call("Browser.setDownloadBehavior", { ...allowed, ...context });
      // That a page is there is reported a moment later.
      await expect.poll(() => downloadIn(inside, context, null)).toEqual(["canceled", 0]);
    }
    inside.close();
  });

  it("downloads are denied by Chromium's own policy where nothing has been said about them yet", async () => {
    const inside = await connectInside();
    const context = await inside.call("Target.createBrowserContext");
    // As it is in the moment in which a context is made, once our own word about it has been taken back.
    await expect.poll(() => downloadIn(inside, context, { behavior: "default" })).toEqual(["canceled", 0]);
    inside.close();
  });

  it("targets of other sessions are neither seen nor reached", async () => {
    const other = await drive(await openSession(app));
    const page = await other.newPage();
    await page.goto(`${site.url}/other`);
    const rootOfOther = await other.newBrowserCDPSession();
    const theirs = (await rootOfOther.send("Target.getTargets")).targetInfos;
    expect(theirs.map(({ url }) => url)).toContain(`${site.url}/other`);
    const own: typeof theirs = (await root.send("Target.getTargets")).targetInfos;
    expect(own.map(({ url }) => url)).not.toContain(`${site.url}/other`);
    for (const { targetId } of theirs) {
      expect(own.map((target) => target.targetId)).not.toContain(targetId);
      await expect(root.send("Target.attachToTarget", { targetId, flatten: true })).rejects.toThrow();
      await expect(root.send("Target.closeTarget", { targetId })).rejects.toThrow();
    }
    expect(await page.title()).toBe("Of the other");
  });

  it("the server shows neither the debugging port nor anything of it but the WebSocket", async () => {
    const base = sessionUrl.replace(/^ws/, "http");
    expect((await fetch(base)).status).toBe(404);
    expect((await fetch(base.replace("?", "/json/version?"))).status).toBe(404);
    expect((await fetch(base.replace("?", "/json/new?"), { method: "PUT" })).status).toBe(404);
    expect(readFileSync("/proc/net/tcp", "utf8")).not.toContain(":2406 00000000:0000 0A");
  });
});

describe.skipIf(lacksChromium)("where namespaces are forbidden", () => {
  const forbidden = [undefined, "user", "net", "mnt", "pid", "mounting"] as const;

  it.each(forbidden)(
    "(%s) no session is opened: 501 that says why, no address, no browser, nothing billed",
    async (kind) => {
      const { searchPath, remove } = withoutNamespaces(kind);
      const app = await startApp(anyEngine, { PATH: searchPath });
      try {
        const { status, body } = await app.call("POST", "/v2/browser", { body: {} });
        expect([status, body.code]).toEqual([501, "SESSIONS_NOT_AVAILABLE"]);
        expect(body).toEqual({ success: false, code: body.code, error: expect.stringContaining("namespaces") });
        expect((await app.get("/v2/browser")).body.sessions).toEqual([]);
        expect((await app.get("/v2/team/activity")).body.data).toEqual([]);
        expect(browsersBelow()).toEqual([]);
      } finally {
        await app.stop();
        remove();
      }
    },
  );

  it("health and the log say so from the start, before anybody asks for a browser", async () => {
    const { searchPath, remove } = withoutNamespaces("net");
    const app = await startApp(anyEngine, { PATH: searchPath });
    try {
      const health = async () => (await app.get("/health/readiness", { key: null })).body.browser;
      await expect.poll(health).toMatchObject({ available: true, isolated: false, sessions: false });
      expect(app.logLines.join("")).toContain("browser sessions are off");
    } finally {
      await app.stop();
      remove();
    }
  });

  it("only what is needed counts: without a kind that no session has, they are offered", async () => {
    const { searchPath, remove } = withoutNamespaces("cgroup");
    const app = await startApp(anyEngine, { PATH: searchPath });
    try {
      const health = async () => (await app.get("/health/readiness", { key: null })).body.browser;
      await expect.poll(health).toMatchObject({ isolated: true, sessions: true });
      expect(app.logLines.join("")).toContain("browser sessions are available");
      expect(browsersBelow()).toEqual([]);
    } finally {
      await app.stop();
      await remove();
    }
  });

  it("a browser on another machine opens none either", async () => {
    const app = await startApp(anyEngine, {
      BROWSER_WS_ENDPOINT: "ws://127.0.0.1:1/",
      EGRESS_PROXY_URL: "http://127.0.0.1:2",
    });
    const { status, body } = await app.call("POST", "/v2/browser", { body: {} });
    await app.stop();
    expect([status, body.code]).toEqual([501, "SESSIONS_NOT_AVAILABLE"]);
  });
});

function ask(socketPath: string, method: string, path: string): Promise<string> {
  return new Promise((done, fail) => {
    const asked = request({ socketPath, method, path, headers: { host: "localhost" } }, (answer) => {
      let text = "";
      answer.setEncoding("utf8").on("data", (piece: string) => {
        text += piece;
      });
      answer.on("end", () => done(text));
    });
    asked.once("error", fail);
    asked.end();
  });
}
