// The browser of a session at its limits, which are small here: pages that take too much memory or too much of the disk.
import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createLog } from "../../src/base/index.ts";
import { type BrowserSession, startSession } from "../../src/engines/browser/session-process.ts";
import type { DevtoolsClient, Net } from "../../src/net/index.ts";
import { chromiumPath, lacksChromium } from "../support/browser.ts";
import { type FixtureSite, startSite } from "../support/fixture-site.ts";
import { openNet } from "../support/site-server.ts";

const megabyte = 1024 * 1024;
const most = 1024 * 1024 * megabyte;

describe.skipIf(lacksChromium)("the browser of a session", () => {
  let site: FixtureSite;
  let net: Net;
  let session: BrowserSession;
  beforeAll(async () => {
    site = await startSite({ "/": "<title>Home</title>" });
    net = openNet({ allow: "127.0.0.1" });
  });
  afterEach(() => session.close());
  afterAll(async () => {
    await net.close();
    await site.close();
  });

  async function start(limits: { maxRendererBytes?: number; maxTotalBytes?: number; maxFileBytes?: number }) {
    session = await startSession(
      { net, log: createLog("silent") },
      {
        path: chromiumPath ?? "",
        searchPath: process.env.PATH ?? "",
        hasSandbox: true,
        hidden: [],
        maxRendererBytes: most,
        maxTotalBytes: most,
        maxFileBytes: most,
        ...limits,
      },
      { id: "test", signal: new AbortController().signal },
    );
    const client = await net.connectDevtools(session.devtoolsSocket);
    const { targetId } = await client.call("Target.createTarget", { url: `${site.url}/` });
    const { sessionId } = await client.call("Target.attachToTarget", { targetId, flatten: true });
    const evaluate = (expression: string) =>
      client.call("Runtime.evaluate", { expression, awaitPromise: true }, sessionId as string);
    await expect.poll(() => evaluate("document.title")).toMatchObject({ result: { value: "Home" } });
    return { client, evaluate };
  }
  const crashed = (client: DevtoolsClient) =>
    new Promise<void>((done) => client.on("Inspector.targetCrashed", () => done()));
  const takeMemory = "globalThis.kept = Array.from({ length: 60 }, () => new Uint8Array(10 * 1024 * 1024).fill(1)); 0";

  it("loses a page that takes too much memory, and lives on", async () => {
    const { client, evaluate } = await start({ maxRendererBytes: 350 * megabyte });
    const crash = crashed(client);
    evaluate(takeMemory).catch(() => undefined);
    await crash;
    expect(await client.call("Browser.getVersion")).toHaveProperty("product");
    const { targetId } = await client.call("Target.createTarget", { url: `${site.url}/` });
    expect(targetId).toEqual(expect.any(String));
  });

  it("ends when all its pages together take too much", async () => {
    const { evaluate } = await start({ maxTotalBytes: 900 * megabyte });
    evaluate(takeMemory).catch(() => undefined);
    expect(await session.exited).not.toBe(0);
    expect(existsSync(dirname(session.devtoolsSocket))).toBe(false);
  });

  it("ends when it takes too much of the disk", async () => {
    const { client, evaluate } = await start({ maxFileBytes: 150 * megabyte });
    await evaluate(`(async () => {
      const store = await caches.open("much");
      for (let part = 0; part < 20; part += 1) {
        const bytes = new Uint8Array(10 * 1024 * 1024).map((_, at) => (at * 31 + part) % 251);
        await store.put("/part/" + part, new Response(bytes));
      }
    })()`).catch(() => undefined);
    await client.closed;
    expect(await session.exited).not.toBe(0);
    expect(existsSync(dirname(session.devtoolsSocket))).toBe(false);
  });
});
