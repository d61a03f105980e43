import { describe, expect, it } from "vitest";
import type { Release } from "../base/index.ts";
import { createPace } from "./pace.ts";

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
    expect(pace.readyAt("a.test")).toBe(0);
    pace.note("a.test", 429, 30);
    expect(wait()).toBe(30_000);
    now += 30_000;
    expect(pace.readyAt("a.test")).toBe(0);
    pace.note("a.test", 503, null);
    expect(wait()).toBe(2000);
    pace.note("a.test", 503, null);
    expect(wait()).toBe(4000);
    pace.note("a.test", 503, 999_999);
    expect(wait()).toBe(600_000);
    pace.note("a.test", 500, null);
    expect(pace.readyAt("a.test")).toBe(0);
  });

  it("stays small", () => {
    const pace = createPace(1, { now: () => 0 });
    for (let index = 0; index < 10_001; index += 1) pace.note(`${index}.test`, 429, 1);
    expect([pace.readyAt("0.test"), pace.readyAt("1.test"), pace.readyAt("10000.test")]).toEqual([0, 1000, 1000]);
  });
});
