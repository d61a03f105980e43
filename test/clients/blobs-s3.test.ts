// Blobs in an S3-compatible store: a real server of one, behind a front that checks signatures and can fail like a network.
import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { joinBlobs } from "../../src/app/join-blobs.ts";
import { loadConfig } from "../../src/config.ts";
import { openStore } from "../../src/store/index.ts";
import { startApp } from "../support/app.ts";
import { engines, onOneEngine, type TestEngine } from "../support/engines.ts";
import { startSite } from "../support/fixture-site.ts";
import { type S3Store, startS3Store } from "../support/s3-store.ts";

let s3: S3Store;

beforeAll(async () => {
  s3 = await startS3Store();
});
afterAll(() => s3.close());
beforeEach(() => {
  s3.mode = "pass";
});

async function startWithS3(engine: TestEngine, more: Record<string, string> = {}) {
  const fresh = await engine.fresh();
  const env = {
    ...s3.env,
    S3_TIMEOUT_MS: "60000",
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
  const { itOnce } = onOneEngine(engine);
  it("serve what was kept; a damaged, missing or expired object is a miss and never an error", async () => {
    s3.clear();
    const app = await startWithS3(engine);
    const site = await startPages();
    const scrape = async () => {
      const { status, body } = await app.call("POST", "/v2/scrape", { body: { url: site.url, maxAge: 3_600_000 } });
      expect(status).toBe(200);
      expect(body.data.markdown).toContain("Large");
      return body.data.metadata.cacheState;
    };
    expect(await scrape()).toBe("miss");
    expect(s3.objects()).toHaveLength(1);
    expect(await scrape()).toBe("hit");
    expect(site.visits()).toBe(1);

    for (const file of s3.objects()) writeFileSync(file, "damaged");
    expect(await scrape()).toBe("miss");
    s3.clear();
    expect(await scrape()).toBe("miss");
    expect(site.visits()).toBe(3);
    const { text } = await app.get("/metrics");
    expect(text).toMatch(/trawl_blob_operations_total\{place="s3",operation="read",outcome="damaged"\} [1-9]/);
    expect(text).toMatch(/trawl_blob_operations_total\{place="s3",operation="write",outcome="ok"\} [1-9]/);

    const later = app.clock.now() + 365 * 24 * 3_600_000;
    expect(s3.objects().length).toBeGreaterThan(0);
    s3.mode = "refuse";
    expect((await app.store.retention.purge({ now: later, limit: 500 })).blobs).toBe(0);
    s3.mode = "pass";
    expect((await app.store.retention.purge({ now: later, limit: 500 })).blobs).toBeGreaterThan(0);
    expect(s3.objects()).toEqual([]);
  });

  itOnce(
    "fail no scrape while the store refuses or hangs, within a bounded time; what lies there is 503 until it is back",
    async () => {
      s3.clear();
      const app = await startWithS3(engine, { S3_TIMEOUT_MS: "4000" });
      const site = await startPages();
      const started = await app.call("POST", "/v2/batch/scrape", { body: { urls: [site.url] } });
      const read = () => app.get(`/v2/batch/scrape/${started.body.id}`);
      await expect.poll(async () => (await read()).body.status).toBe("completed");
      expect((await read()).body.data).toHaveLength(1);
      const kept = s3.objects().length;
      expect(kept).toBeGreaterThan(0);

      for (const trouble of ["refuse", "hang"] as const) {
        s3.mode = trouble;
        const { status, body } = await app.call("POST", "/v2/scrape", { body: { url: `${site.url}/?${trouble}` } });
        expect(status).toBe(200);
        expect(s3.objects()).toHaveLength(kept);
        const refused = await read();
        expect(refused.status).toBe(503);
        expect(refused.body.code).toBe("STORE_UNAVAILABLE");
        // The answer that was kept meanwhile lies in the database.
        const again = await app.get(`/v2/scrape/${body.data.metadata.scrapeId}`);
        expect(again.status).toBe(200);
        s3.mode = "pass";
        await expect.poll(async () => (await read()).status).toBe(200);
        expect((await read()).body.data).toHaveLength(1);
      }
    },
  );

  it("are found when no row names them, and counted when rows miss them", async () => {
    s3.clear();
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
    s3.clear();
    expect(await examine(Date.now())).toMatchObject({ missing: 1 });
  });

  itOnce("go to callers part by part when they are large", async () => {
    s3.clear();
    const app = await startWithS3(engine);
    const data = randomBytes(9_000_000);
    const id = randomBytes(32).toString("base64url");
    const now = app.clock.now();
    const times = { createdAt: now, expiresAt: now + 3_600_000 };
    const { id: teamId } = await app.accounts.teams.findOrCreate("acme");
    await app.store.blobs.put([await app.store.blobs.pack({ id, teamId, ...times, data, isCompact: true })]);
    const asked = s3.requests;
    const answer = await fetch(`${app.url}/media/${id}.png`);
    expect([answer.status, answer.headers.get("content-length")]).toEqual([200, "9000000"]);
    expect(Buffer.from(await answer.arrayBuffer()).equals(data)).toBe(true);
    expect(s3.requests - asked).toBe(3);
    s3.clear();
    expect((await fetch(`${app.url}/media/${id}.png`)).status).toBe(404);
  });

  itOnce("lie in the database when the key is wrong", async () => {
    s3.clear();
    const app = await startWithS3(engine, { S3_SECRET_ACCESS_KEY: "another" });
    const site = await startPages();
    const { status } = await app.call("POST", "/v2/scrape", { body: { url: site.url } });
    expect(status).toBe(200);
    expect(s3.objects()).toEqual([]);
    expect(app.store.outside.counts()).toEqual([{ place: "s3", operation: "write", outcome: "failed", count: 1 }]);
  });
});
