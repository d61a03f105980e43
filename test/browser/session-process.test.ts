// The browser of a session at its limits, which are small here: pages that take too much memory or keep too much.
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createLog } from "../../src/base/index.ts";
import { type BrowserSession, startSession } from "../../src/engines/browser/session-process.ts";
import { openSandboxNode, type SandboxNode } from "../../src/engines/sandbox/sandbox-node.ts";
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
  let node: SandboxNode;
  beforeAll(async () => {
    node = await openSandboxNode();
    site = await startSite({ "/": "<title>Home</title>" });
    net = openNet({ allow: "127.0.0.1" });
  });
  afterEach(() => session.close());
  afterAll(async () => {
    node.remove();
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
        node,
        hidden: [],
        certificates: [],
        maxRendererBytes: most,
        maxTotalBytes: most,
        maxFileBytes: most,
        networkBodyBytes: most,
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

  const fillCaches = (parts: number) => `(async () => {
    const store = await caches.open("much");
    let kept = 0;
    for (; kept < ${parts}; kept += 1) {
      const bytes = new Uint8Array(10 * 1024 * 1024).fill(kept);
      try { await store.put("/part/" + kept, new Response(bytes)) } catch { break }
    }
    return kept;
  })()`;

  it("keeps no more than its share, however fast a page writes, nothing of it on the disk, and lives on", async () => {
    const { client, evaluate } = await start({ maxFileBytes: 100 * megabyte });
    const { result } = (await evaluate(fillCaches(30))) as { result: { value: number } };
    expect(result.value).toBeGreaterThan(0);
    expect(result.value).toBeLessThan(10);
    expect(bytesOf(dirname(session.devtoolsSocket))).toBeLessThan(megabyte);
    expect(await client.call("Browser.getVersion")).toHaveProperty("product");
    expect(await evaluate("document.title")).toMatchObject({ result: { value: "Home" } });
  });

  it("counts what it keeps as memory", async () => {
    const { client, evaluate } = await start({ maxTotalBytes: 1000 * megabyte, maxFileBytes: 1400 * megabyte });
    evaluate(fillCaches(80)).catch(() => undefined);
    await client.closed;
    expect(await session.exited).not.toBe(0);
  });

  it("has no place to write to but its own memory", async () => {
    await start({});
    const folder = dirname(session.devtoolsSocket);
    const seen = join("/proc", readFileSync(join(folder, "pid"), "utf8").trim(), "root");
    const mounts = readFileSync(join(seen, "../mounts"), "utf8");
    const optionsOf = (place: string) => {
      const lines = mounts.split("\n").map((line) => line.split(" "));
      return (
        lines
          .findLast(([, where]) => where === place)
          ?.slice(2, 4)
          .join(" ") ?? ""
      );
    };
    expect(optionsOf(folder)).toMatch(/ ro,/);
    for (const name of ["profile", "tmp"]) expect(optionsOf(join(folder, name))).toMatch(/^tmpfs rw,.*size=/);
    // What replaces folders of the machine takes nothing.
    for (const place of ["/home", "/dev/shm"]) expect(optionsOf(place)).toMatch(/^tmpfs .*size=4k,mode=555/);
  });
});

/** Of all files below, as the server sees them. */
function bytesOf(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}
