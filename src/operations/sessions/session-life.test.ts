import { describe, expect, it } from "vitest";
import { minuteMs, secondMs } from "../../base/index.ts";
import { endOf, endsAt, sessionPrice } from "./session-life.ts";

describe("the price of a session", () => {
  it.each([
    [0, 2],
    [1, 2],
    [59_999, 2],
    [60_000, 2],
    [60_001, 3],
    [90_000, 3],
    [92_000, 4],
    [10 * minuteMs, 20],
    [60 * minuteMs, 120],
  ])("of %d ms is %d credits: two a minute by the second, at least one minute", (durationMs, credits) => {
    expect(sessionPrice(durationMs, 2)).toBe(credits);
  });

  it("is seven a minute once a prompt was used", () => {
    expect([sessionPrice(1000, 7), sessionPrice(61_000, 7), sessionPrice(120_000, 7)]).toEqual([7, 8, 14]);
  });
});

describe("the end of a session", () => {
  const session = { createdAt: 1000, ttlMs: 600 * secondMs, usedAt: 1000, idleMs: 300 * secondMs, minutePrice: 2 };

  it("comes with its time or with inactivity, whichever is first", () => {
    expect(endsAt(session)).toBe(301_000);
    expect(endsAt({ ...session, usedAt: 201_000 })).toBe(501_000);
    expect(endsAt({ ...session, usedAt: 401_000 })).toBe(601_000);
  });

  it("is the moment it was due, however late somebody noticed", () => {
    const end = { status: "destroyed", endedAt: 301_000, durationMs: 300_000, credits: 10 };
    expect(endOf(session, 301_000, "destroyed")).toEqual(end);
    expect(endOf(session, 9_000_000, "destroyed")).toEqual(end);
  });

  it("is never before its beginning, whatever clocks say", () => {
    expect(endOf(session, 500, "error")).toEqual({ status: "error", endedAt: 1000, durationMs: 0, credits: 2 });
  });
});
