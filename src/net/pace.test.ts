import { describe, expect, it } from "vitest";
import type { Release } from "../base/index.ts";
import { createPace, type HostPause, type HostShare } from "./pace.ts";

const open = new AbortController().signal;

describe("places at a host", () => {
  it("are so many and no more; who waits comes in order", async () => {
    const pace = createPace(2, { now: () => 0 });
    const entered: number[] = [];
    const releases: Release[] = [];
    const enter = async (number: number) => {
      const release = await pace.enter("a.test", open);
      entered.push(number);
      releases.push(release);
    };
    const all = [1, 2, 3, 4].map(enter);
    await Promise.all(all.slice(0, 2));
    expect(entered).toEqual([1, 2]);
    releases[0]?.();
    releases[0]?.();
    await all[2];
    expect(entered).toEqual([1, 2, 3]);
    releases[1]?.();
    await all[3];
    expect(entered).toEqual([1, 2, 3, 4]);
    expect(pace.enter("b.test", open)).toBeTypeOf("function");
  });

  it("are given up by who no longer waits", async () => {
    const pace = createPace(1, { now: () => 0 });
    const first = await pace.enter("a.test", open);
    const [gone, late] = [new AbortController(), new AbortController()];
    const [cancelled, tooLate] = [pace.enter("a.test", gone.signal), pace.enter("a.test", late.signal)];
    const next = pace.enter("a.test", open);
    gone.abort();
    late.abort(new DOMException("late", "TimeoutError"));
    await expect(cancelled).rejects.toMatchObject({ code: "ABORTED" });
    await expect(tooLate).rejects.toMatchObject({ code: "SCRAPE_TIMEOUT" });
    first();
    expect(await next).toBeTypeOf("function");
  });
});

describe("the memory of busy hosts", () => {
  it("keeps what Retry-After asks for, doubles without it, and forgets after a good answer", () => {
    let now = 1_000_000;
    const pace = createPace(1, { now: () => now });
    const wait = () => pace.readyAt("a.test") - now;
    const answer = (status: number, retryAfterSeconds: number | null) => ({ status, retryAfterSeconds, askedAt: now });
    expect(pace.readyAt("a.test")).toBe(0);
    pace.note("a.test", answer(429, 30));
    expect(wait()).toBe(30_000);
    now += 30_000;
    expect(pace.readyAt("a.test")).toBe(0);
    pace.note("a.test", answer(503, null));
    expect(wait()).toBe(2000);
    pace.note("a.test", answer(503, null));
    expect(wait()).toBe(4000);
    pace.note("a.test", answer(503, 999_999));
    expect(wait()).toBe(600_000);
    pace.note("a.test", answer(500, null));
    expect(pace.readyAt("a.test")).toBe(0);
  });

  it("holds against good answers to requests that were sent before the refusal, and a longer pause against a shorter one", () => {
    let now = 1_000_000;
    const pace = createPace(1, { now: () => now });
    const askedAt = now;
    now += 10;
    pace.note("a.test", { status: 429, retryAfterSeconds: 30, askedAt });
    pace.note("a.test", { status: 200, retryAfterSeconds: null, askedAt });
    pace.note("a.test", { status: 429, retryAfterSeconds: 1, askedAt });
    expect(pace.readyAt("a.test")).toBe(1_030_010);
    pace.note("a.test", { status: 200, retryAfterSeconds: null, askedAt: now });
    expect(pace.readyAt("a.test")).toBe(0);
  });

  it("is that of all processes that share it", async () => {
    const now = 1_000_000;
    const hearers: ((host: string, pause: HostPause) => void)[] = [];
    const share: HostShare = {
      places: { leaseMs: 1000, resize: async (_host, { wanted }) => wanted },
      tell: (host, pause) => {
        for (const hear of hearers) hear(host, pause);
      },
      listen: (hear) => {
        hearers.push(hear);
      },
      close: async () => undefined,
    };
    const [one, two] = [createPace(1, { now: () => now }, share), createPace(1, { now: () => now + 5 }, share)];
    one.note("a.test", { status: 503, retryAfterSeconds: 20, askedAt: now });
    expect([one.readyAt("a.test"), two.readyAt("a.test")]).toEqual([1_020_000, 1_020_000]);
    two.note("a.test", { status: 200, retryAfterSeconds: null, askedAt: now + 5 });
    expect([one.readyAt("a.test"), two.readyAt("a.test")]).toEqual([0, 0]);
    const release = await two.enter("a.test", open);
    expect(two.load()).toEqual({ active: 1, waiting: 0, paused: 0 });
    release();
    await Promise.all([one.close(), two.close()]);
  });

  it("stays small", () => {
    const pace = createPace(1, { now: () => 0 });
    const answer = (status: number, retryAfterSeconds: number) => ({ status, retryAfterSeconds, askedAt: 0 });
    for (let index = 0; index < 10_001; index += 1) pace.note(`${index}.test`, answer(429, 1));
    expect([pace.readyAt("0.test"), pace.readyAt("1.test"), pace.readyAt("10000.test")]).toEqual([0, 1000, 1000]);
  });
});
