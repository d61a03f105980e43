// Blobs in an S3-compatible store: a real server of one, behind a front that checks signatures and can fail like a network.
import { randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { request as ask, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { joinBlobs } from "../../src/app/join-blobs.ts";
import { loadConfig } from "../../src/config.ts";
import { openStore } from "../../src/store/index.ts";
import { startApp } from "../support/app.ts";
import { isSigned } from "../support/aws-signature.ts";
import { removeFolder } from "../support/cleanup.ts";
import { engines, type TestEngine } from "../support/engines.ts";
import { startSite } from "../support/fixture-site.ts";

const bucket = "pages";
const secrets = { accessKeyId: "S3RVER", secretAccessKey: "S3RVER" };

/** "pass": on to the real server. */
let mode: "pass" | "refuse" | "hang" = "pass";
let folder: string;
let endpoint: string;
const closers: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "t-s3-"));
  closers.push(() => removeFolder(folder));
  const { default: S3rver } = await import("s3rver" as string);
  const server = new S3rver({
    address: "127.0.0.1",
    port: 0,
    silent: true,
    vhostBuckets: false,
    directory: folder,
    configureBuckets: [{ name: bucket, configs: [] }],
  });
  const { port } = (await server.run()) as AddressInfo;
  closers.push(() => server.close());
  const front = createServer(async (request, response) => {
    if (mode === "hang") return;
    if (mode === "refuse") return void response.writeHead(503).end("<Error><Code>SlowDown</Code></Error>");
    const { method = "", url = "", headers } = request;
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    if (!isSigned({ method, target: url, headers, body }, secrets.secretAccessKey, "us-east-1"))
      return void response.writeHead(403).end("<Error><Code>SignatureDoesNotMatch</Code></Error>");
    const onward = ask({ host: "127.0.0.1", port, method, path: url, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    onward.on("error", () => response.destroy());
    onward.end(body);
  });
  await new Promise<void>((resolve) => front.listen(0, "127.0.0.1", resolve));
  closers.push(async () => {
    front.closeAllConnections();
    front.close();
  });
  endpoint = `http://127.0.0.1:${(front.address() as AddressInfo).port}`;
});
afterAll(async () => {
  for (const close of closers.reverse()) await close();
});
beforeEach(() => {
  mode = "pass";
});

/** The server keeps the bytes of each object in a file. */
const objects = () =>
  readdirSync(join(folder, bucket), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith("._S3rver_object"))
    .map((entry) => join(entry.parentPath, entry.name));

const clearBucket = () => {
  for (const file of objects()) rmSync(file);
};

async function startWithS3(engine: TestEngine, more: Record<string, string> = {}) {
  const fresh = await engine.fresh();
  const env = {
    S3_ENDPOINT: endpoint,
    S3_BUCKET: bucket,
    S3_ACCESS_KEY_ID: secrets.accessKeyId,
    S3_SECRET_ACCESS_KEY: secrets.secretAccessKey,
    S3_TIMEOUT_MS: "1500",
    ...more,
  };
  const places = { ...(await joinBlobs(loadConfig(env), null)), restMs: 300 };
  const openAnother = () => openStore(fresh.options, places);
  const app = await startApp(engine, { ALLOWED_PRIVATE_HOSTS: "127.0.0.1", ...env }, undefined, {
    ...fresh,
    openAnother,
  });
  onTestFinished(() => fresh.cleanup());
  return app;
}

async function startPages() {
  let visits = 0;
  const words = randomBytes(24_000).toString("hex").replace(/.{8}/g, "$& ");
  const site = await startSite({
    "/": (_request, response) => {
      visits += 1;
      response
        .writeHead(200, { "content-type": "text/html" })
        .end(`<title>Large</title><main><h1>Large</h1><p>${words}</p></main>`);
    },
  });
  onTestFinished(() => site.close());
  return { url: site.url, visits: () => visits };
}

describe.each(engines)("blobs in an S3 store, rows on $name", (engine) => {
  it("serve what was kept; a damaged, missing or expired object is a miss and never an error", async () => {
    clearBucket();
    const app = await startWithS3(engine);
    const site = await startPages();
    const scrape = async () => {
      const { status, body } = await app.call("POST", "/v2/scrape", { body: { url: site.url, maxAge: 3_600_000 } });
      expect(status).toBe(200);
      expect(body.data.markdown).toContain("Large");
      return body.data.metadata.cacheState;
    };
    expect(await scrape()).toBe("miss");
    expect(objects()).toHaveLength(1);
    expect(await scrape()).toBe("hit");
    expect(site.visits()).toBe(1);

    for (const file of objects()) writeFileSync(file, "damaged");
    expect(await scrape()).toBe("miss");
    clearBucket();
    expect(await scrape()).toBe("miss");
    expect(site.visits()).toBe(3);
    const { text } = await app.get("/metrics");
    expect(text).toMatch(/trawl_blob_operations_total\{place="s3",operation="read",outcome="damaged"\} [1-9]/);
    expect(text).toMatch(/trawl_blob_operations_total\{place="s3",operation="write",outcome="ok"\} [1-9]/);

    const later = app.clock.now() + 365 * 24 * 3_600_000;
    expect(objects().length).toBeGreaterThan(0);
    mode = "refuse";
    expect((await app.store.retention.purge({ now: later, limit: 500 })).blobs).toBe(0);
    mode = "pass";
    expect((await app.store.retention.purge({ now: later, limit: 500 })).blobs).toBeGreaterThan(0);
    expect(objects()).toEqual([]);
  });

  it("fail no scrape while the store refuses or hangs, within a bounded time; what lies there is 503 until it is back", async () => {
    clearBucket();
    const app = await startWithS3(engine);
    const site = await startPages();
    const started = await app.call("POST", "/v2/batch/scrape", { body: { urls: [site.url] } });
    const read = () => app.get(`/v2/batch/scrape/${started.body.id}`);
    await expect.poll(async () => (await read()).body.status, { timeout: 30_000 }).toBe("completed");
    expect((await read()).body.data).toHaveLength(1);
    const kept = objects().length;
    expect(kept).toBeGreaterThan(0);

    for (const trouble of ["refuse", "hang"] as const) {
      mode = trouble;
      const before = performance.now();
      const { status, body } = await app.call("POST", "/v2/scrape", { body: { url: `${site.url}/?${trouble}` } });
      expect(status).toBe(200);
      expect(performance.now() - before).toBeLessThan(20_000);
      expect(objects()).toHaveLength(kept);
      const refused = await read();
      expect(refused.status).toBe(503);
      expect(refused.body.code).toBe("STORE_UNAVAILABLE");
      // The answer that was kept meanwhile lies in the database.
      const again = await app.get(`/v2/scrape/${body.data.metadata.scrapeId}`);
      expect(again.status).toBe(200);
      mode = "pass";
      await expect.poll(async () => (await read()).status, { timeout: 30_000, interval: 100 }).toBe(200);
      expect((await read()).body.data).toHaveLength(1);
    }
  });

  it("are found when no row names them, and counted when rows miss them", async () => {
    clearBucket();
    const app = await startWithS3(engine);
    const site = await startPages();
    await app.call("POST", "/v2/scrape", { body: { url: site.url } });
    const examine = async (now: number) => (await app.store.outside.examine(now)).find(({ place }) => place === "s3");
    expect(await examine(Date.now())).toEqual({ place: "s3", strays: [], missing: 0 });
    const { id, data } = { id: "nobody", data: randomBytes(8000) };
    await app.store.blobs.pack({ id, teamId: "none", createdAt: 0, expiresAt: 0, data });
    expect(await examine(Date.now())).toMatchObject({ strays: [] });
    const found = await examine(Date.now() + 2 * 3_600_000);
    expect(found).toEqual({ place: "s3", strays: ["nobody"], missing: 0 });
    if (found) await app.store.outside.removeStrays(found);
    expect(await examine(Date.now() + 2 * 3_600_000)).toEqual({ place: "s3", strays: [], missing: 0 });
    clearBucket();
    expect(await examine(Date.now())).toMatchObject({ missing: 1 });
  });

  it("lie in the database when the key is wrong", async () => {
    clearBucket();
    const app = await startWithS3(engine, { S3_SECRET_ACCESS_KEY: "another" });
    const site = await startPages();
    const { status } = await app.call("POST", "/v2/scrape", { body: { url: site.url } });
    expect(status).toBe(200);
    expect(objects()).toEqual([]);
    expect(app.store.outside.counts()).toEqual([{ place: "s3", operation: "write", outcome: "failed", count: 1 }]);
  });
});
