// A store that cannot be written: writes answer 503, reads go on, health is red, nothing crashes, all recovers.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { start } from "../../src/app.ts";
import { createLog, newId } from "../../src/base/index.ts";
import { loadConfig } from "../../src/config.ts";
import { startApp, type TestApp, testKey } from "../support/app.ts";
import { engines } from "../support/engines.ts";
import { startPostgres } from "../support/postgres.ts";

describe.each(engines)("a store that cannot be written, on $name", (engine) => {
  let app: TestApp;
  beforeEach(async () => {
    app = await startApp(engine, { TRAWL_API_KEYS: `acme:${testKey}` });
  });
  afterEach(() => app.stop());

  const charge = async (reason = "page") => {
    const holder = await app.accounts.keys.identify(testKey);
    if (!holder) throw new Error("the key is gone");
    await app.accounts.credits.charge(holder, [{ jobId: newId(), endpoint: "scrape", credits: 1, reason }]);
  };
  const used = async () => (await app.get("/v2/team/credit-usage/historical")).body.periods[0].totalCredits;

  it("goes on reading when it is read-only, shows it in its health, and recovers", async () => {
    await charge();
    const repair = await app.fresh.makeReadOnly();
    await expect(charge()).rejects.toMatchObject({ code: "STORE_UNAVAILABLE", status: 503 });
    for (let call = 0; call < 3; call += 1) {
      expect(await used()).toBe(1);
      expect((await app.get("/v2/team/activity")).status).toBe(200);
    }
    const readiness = await app.get("/health/readiness", { key: null });
    expect(readiness.status).toBe(503);
    const store = { canRead: true, canWrite: false };
    expect(readiness.body).toMatchObject({ success: false, status: "storage unavailable", store });
    expect((await app.get("/health/liveness", { key: null })).status).toBe(200);

    await repair();
    await expect.poll(async () => (await app.get("/health/readiness", { key: null })).status).toBe(200);
    await charge();
    expect(await used()).toBe(2);
  });

  it("goes on reading when it is full, and recovers", async () => {
    await charge();
    const repair = await app.fresh.makeFull();
    // More than the free room of pages that are there already.
    const large = "x".repeat(1_000_000);
    await expect(charge(large)).rejects.toMatchObject({ code: "STORE_UNAVAILABLE", status: 503 });
    expect(await used()).toBe(1);
    expect((await app.get("/v2/team/activity")).status).toBe(200);
    await repair();
    await charge(large);
    expect(await used()).toBe(2);
  });
});

describe("a PostgreSQL that goes away", () => {
  it("answers 503 with Retry-After and no detail meanwhile, and is served again once it is back", async () => {
    const postgres = await startPostgres();
    const log = createLog("silent");
    const config = loadConfig({
      PORT: "0",
      DATABASE_URL: postgres.url,
      TRAWL_SECRET: "x".repeat(32),
      TRAWL_API_KEYS: `acme:${testKey}`,
      HOST: "127.0.0.1",
    });
    const app = await start(config, { log });
    const ask = () => fetch(`${app.url}/v2/team/credit-usage`, { headers: { authorization: `Bearer ${testKey}` } });
    try {
      expect((await ask()).status).toBe(200);
      await postgres.stop();
      const away = await ask();
      const body = (await away.json()) as { code: string; error: string };
      expect([away.status, body.code]).toEqual([503, "STORE_UNAVAILABLE"]);
      expect(away.headers.get("retry-after")).toBe("5");
      expect(body.error).not.toMatch(/postgres|sql|connect|127\.0/i);
      expect((await fetch(`${app.url}/health/readiness`)).status).toBe(503);
      expect((await fetch(`${app.url}/health/liveness`)).status).toBe(200);
      await postgres.start();
      await expect.poll(async () => (await ask()).status).toBe(200);
    } finally {
      await app.stop();
      await postgres.remove();
    }
  });
});
