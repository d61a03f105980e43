// Requests per team, minute and group: counted in the store, shared by all processes on it.
import { describe, expect, it } from "vitest";
import { createTestClock, startApp, testKey } from "../support/app.ts";
import { engines } from "../support/engines.ts";

const usage = "/v2/team/credit-usage";
/** Refused at once, but only after it was counted. */
const map = ["POST", "/v2/map", { body: { url: "http://10.0.0.1/" } }] as const;

describe.each(engines)("rate limits on $name", (engine) => {
  it("allows exactly the team's requests of a minute, then answers 429 until the next", async () => {
    const clock = createTestClock("2026-11-15T12:00:15Z");
    const app = await startApp(engine, { TRAWL_API_KEYS: `acme:${testKey}:3` }, clock);
    for (const remaining of ["2", "1", "0"]) {
      const { status, headers } = await app.call(...map);
      expect(status).toBe(403);
      expect(headers.get("ratelimit-limit")).toBe("3");
      expect(headers.get("ratelimit-remaining")).toBe(remaining);
      expect(headers.get("ratelimit-reset")).toBe("45");
    }
    const { status, headers, body } = await app.call(...map);
    expect(status).toBe(429);
    expect(headers.get("retry-after")).toBe("45");
    expect(headers.get("ratelimit-remaining")).toBe("0");
    expect(body).toEqual({ success: false, code: "RATE_LIMITED", error: "Rate limit exceeded. Retry after 45s." });
    clock.set("2026-11-15T12:01:00Z");
    expect((await app.call(...map)).status).toBe(403);
    await app.stop();
  });

  it("counts groups apart and status calls fifty times as generously", async () => {
    const app = await startApp(
      engine,
      { TRAWL_API_KEYS: `acme:${testKey}:1` },
      createTestClock("2026-11-15T12:00:00Z"),
    );
    expect((await app.call(...map)).status).toBe(403);
    expect((await app.call(...map)).status).toBe(429);
    expect((await app.call("POST", "/v2/crawl", { body: { url: "http://10.0.0.1/" } })).status).toBe(403);
    const statuses = await Promise.all(Array.from({ length: 52 }, () => app.get(usage)));
    expect(statuses.filter(({ status }) => status === 200)).toHaveLength(50);
    expect(statuses.filter(({ status }) => status === 429)).toHaveLength(2);
    await app.stop();
  });

  it("takes the server's limits for teams without their own, 0 as none, and the last entry of a team", async () => {
    const keys = `a:key-a,b:key-b:0,c:key-c:9,c:key-d:2`;
    const app = await startApp(engine, { TRAWL_API_KEYS: keys, RATE_LIMIT_SCRAPE: "4" });
    const limitOf = async (key: string) =>
      (await app.call(map[0], map[1], { ...map[2], key })).headers.get("ratelimit-limit");
    expect(await limitOf("key-a")).toBe("4");
    expect(await limitOf("key-b")).toBeNull();
    expect(await limitOf("key-c")).toBe("2");
    expect(await limitOf("key-d")).toBe("2");
    const names = (await app.accounts.keys.list()).map((key) => `${key.teamName} ${key.name}`);
    expect(names.toSorted()).toEqual(["a env-1", "b env-2", "c env-3", "c env-4"]);
    await app.stop();
  });

  it("is shared by two servers on one store and never exceeded", async () => {
    const clock = createTestClock("2026-11-15T12:00:00Z");
    const fresh = await engine.fresh();
    const env = { TRAWL_API_KEYS: `acme:${testKey}:200` };
    const [one, two] = [await startApp(engine, env, clock, fresh), await startApp(engine, env, clock, fresh)];
    const calls = Array.from({ length: 300 }, (_, index) => (index % 2 ? one : two).call(...map));
    const statuses = (await Promise.all(calls)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 403)).toHaveLength(200);
    expect(statuses.filter((status) => status === 429)).toHaveLength(100);
    await one.stop();
    await two.stop();
    await fresh.cleanup();
  });
});
