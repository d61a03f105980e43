// What is remembered of hosts, for all processes, on both engines.
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { dayMs, hourMs, newId } from "../../src/base/index.ts";
import { createHostStats } from "../../src/reach/hosts/host-stats.ts";
import { createAttemptMemory } from "../../src/reach/strategy/attempt-memory.ts";
import { createSealer, type Store } from "../../src/store/index.ts";
import { createTestClock } from "../support/app.ts";
import { engines, onOneDatabase } from "../support/engines.ts";

const url = "https://shop.example/a";
const memoryMs = 6 * hourMs;
const browser = { engine: "browser", tier: "basic" } as const;
const http = { engine: "http", tier: "basic" } as const;
const cookie = {
  name: "pass",
  value: "a word that no one may read",
  domain: "shop.example",
  path: "/",
  expires: -1,
  httpOnly: true,
  secure: true,
  sameSite: "Lax",
} as const;

describe.each(engines)("the memory of hosts on $name", (engine) => {
  const stores = onOneDatabase(engine);
  afterAll(() => stores.end());
  const open = async () => {
    const fresh = await stores.fresh();
    onTestFinished(fresh.cleanup);
    const clock = createTestClock("2026-11-15T12:00:00Z");
    const [acme, other] = [newId(), newId()];
    const memoryOn = (store: Store, secret = "a secret of the tests") =>
      createAttemptMemory({ store, sealer: createSealer(secret), clock }, { memoryMs });
    const statsOn = (store: Store) => createHostStats({ store, clock }, { memoryMs });
    return { fresh, clock, acme, other, memoryOn, statsOn };
  };

  it("has an attempt for one team and one host, in every process, until it expires", async () => {
    const { fresh, clock, acme, other, memoryOn } = await open();
    const [here, there] = [memoryOn(fresh.store), memoryOn(await fresh.openAnother())];
    expect(await here.recall(acme, url)).toBeNull();
    await here.learn(acme, url, { attempt: browser, ms: 900, cookies: [cookie] });
    const known = { attempt: browser, cookies: [cookie], triesCheaper: false };
    expect(await here.recall(acme, "https://shop.example/b?c")).toEqual(known);
    expect(await there.recall(acme, url)).toEqual(known);
    expect(await here.recall(other, url)).toBeNull();
    expect(await here.recall(acme, "https://www.shop.example/")).toBeNull();
    expect(await here.recall(acme, "https://shop.example:8443/")).toBeNull();
    clock.advance(memoryMs - 1);
    expect(await here.recall(acme, url)).toEqual(known);
    clock.advance(1);
    expect(await here.recall(acme, url)).toBeNull();
    expect(await there.recall(acme, url)).toBeNull();
  });

  it("notices within seconds what another process has learned or forgotten", async () => {
    const { fresh, clock, acme, memoryOn } = await open();
    const [here, there] = [memoryOn(fresh.store), memoryOn(await fresh.openAnother())];
    expect(await there.recall(acme, url)).toBeNull();
    await here.learn(acme, url, { attempt: browser, ms: 900, cookies: [] });
    clock.advance(10_000);
    expect(await there.recall(acme, url)).toMatchObject({ attempt: browser });
    await there.forget(acme, url);
    clock.advance(10_000);
    expect(await here.recall(acme, url)).toBeNull();
  });

  it("asks the store once for all pages of a host", async () => {
    const { fresh, acme } = await open();
    let reads = 0;
    const hosts = {
      ...fresh.store.hosts,
      findAttempt: (...about: [string, string]) => {
        reads += 1;
        return fresh.store.hosts.findAttempt(...about);
      },
    };
    const clock = createTestClock("2026-11-15T12:00:00Z");
    const memory = createAttemptMemory({ store: { hosts }, sealer: createSealer("a secret"), clock }, { memoryMs });
    await Promise.all(Array.from({ length: 20 }, () => memory.recall(acme, url)));
    await memory.recall(acme, url);
    expect(reads).toBe(1);
  });

  it("lets one page in fifty try the cheaper attempt", async () => {
    const { fresh, acme, memoryOn } = await open();
    const memory = memoryOn(fresh.store);
    await memory.learn(acme, url, { attempt: http, ms: 9, cookies: [] });
    const trials: number[] = [];
    for (let page = 1; page <= 150; page += 1) if ((await memory.recall(acme, url))?.triesCheaper) trials.push(page);
    expect(trials).toEqual([50, 100, 150]);
  });

  it("keeps cookies sealed, and does without those of another secret", async () => {
    const { fresh, acme, memoryOn } = await open();
    await memoryOn(fresh.store).learn(acme, url, { attempt: browser, ms: 900, cookies: [cookie] });
    const rows = await fresh.listRows();
    expect(rows.filter((row) => row.includes("shop.example"))).toHaveLength(1);
    expect(rows.join("\n")).not.toContain(cookie.value);
    expect(await memoryOn(fresh.store, "another secret").recall(acme, url)).toMatchObject({
      attempt: browser,
      cookies: [],
    });
  });

  it("remembers nothing when that is turned off", async () => {
    const { fresh, acme, clock } = await open();
    const memory = createAttemptMemory({ store: fresh.store, sealer: createSealer("x"), clock }, { memoryMs: 0 });
    await memory.learn(acme, url, { attempt: browser, ms: 1, cookies: [] });
    expect(await memory.recall(acme, url)).toBeNull();
    expect(await fresh.store.hosts.findAttempt(acme, "shop.example")).toBeNull();
  });

  it("lists what pages told, the last five verdicts of all processes, beside the attempt", async () => {
    const { fresh, clock, acme, other, memoryOn, statsOn } = await open();
    const [here, there] = [statsOn(fresh.store), statsOn(await fresh.openAnother())];
    here.noteAnswer(acme, url, { status: 403, verdict: "challenge" });
    await memoryOn(fresh.store).learn(acme, url, { attempt: browser, ms: 900, cookies: [cookie] });
    for (const status of [200, 200, 429]) {
      clock.advance(1000);
      here.noteAnswer(acme, url, { status, verdict: status === 429 ? "rate_limited" : "content" });
    }
    await here.flush();
    clock.advance(1000);
    for (const verdict of ["parked", "content"] as const) there.noteAnswer(acme, url, { status: 200, verdict });
    const leave = there.enter(acme, url);
    const [host, ...more] = await there.list(acme);
    expect(more).toEqual([]);
    expect(host).toEqual({
      host: "shop.example",
      seenAt: Date.parse("2026-11-15T12:00:04Z"),
      delayMs: 0,
      inFlight: 1,
      last429At: Date.parse("2026-11-15T12:00:03Z"),
      robots: null,
      attempt: { engine: "browser", proxy: "basic" },
      verdicts: ["content", "parked", "rate_limited", "content", "content"],
    });
    leave();
    expect((await here.list(acme))[0]).toMatchObject({ inFlight: 0 });
    expect(await here.list(other)).toEqual([]);
    clock.advance(memoryMs);
    expect((await here.list(acme))[0]).toMatchObject({ attempt: null });
    clock.advance(dayMs);
    expect(await here.list(acme)).toEqual([]);
    expect((await fresh.store.retention.purge({ now: clock.now() + 7 * dayMs, limit: 10 })).hosts).toBe(1);
  });
});
