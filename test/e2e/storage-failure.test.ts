// A store that cannot be written: writes answer 503, reads go on, health is red, nothing crashes, all recovers.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { newId } from "../../src/base/index.ts";
import { startApp, type TestApp, testKey } from "../support/app.ts";
import { engines } from "../support/engines.ts";

describe.each(engines)("a store that cannot be written, on $name", (engine) => {
  let app: TestApp;
  beforeEach(async () => {
    app = await startApp(engine, { TRAWL_API_KEYS: `acme:${testKey}` });
  });
  afterEach(() => app.stop());

  const charge = async () => {
    const holder = await app.accounts.keys.identify(testKey);
    if (!holder) throw new Error("the key is gone");
    await app.accounts.credits.charge(holder, [{ jobId: newId(), endpoint: "scrape", credits: 1, reason: "page" }]);
  };

  it.each(["makeReadOnly", "makeFull"] as const)("goes on reading after %s, and recovers", async (failure) => {
    await charge();
    const repair = await app.fresh[failure]();
    await expect(charge()).rejects.toMatchObject({ code: "STORE_UNAVAILABLE", status: 503 });

    for (let call = 0; call < 3; call += 1) {
      expect((await app.get("/v2/team/credit-usage/historical")).body.periods[0].totalCredits).toBe(1);
      expect((await app.get("/v2/team/activity")).status).toBe(200);
    }
    const readiness = await app.get("/health/readiness", { key: null });
    expect(readiness.status).toBe(503);
    expect(readiness.body).toMatchObject({ success: false, status: "storage unavailable", store: { canRead: true, canWrite: false } });
    expect((await app.get("/health/liveness", { key: null })).status).toBe(200);

    await repair();
    await charge();
    expect((await app.get("/health/readiness", { key: null })).status).toBe(200);
    expect((await app.get("/v2/team/credit-usage/historical")).body.periods[0].totalCredits).toBe(2);
  });
});
