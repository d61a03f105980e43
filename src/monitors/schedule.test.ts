import { describe, expect, it } from "vitest";
import { hourMs, isoTime, minuteMs } from "../base/index.ts";
import { nextRun, readSchedule, type Schedule } from "./schedule.ts";

const now = Date.parse("2026-11-16T12:00:00Z");
const seed = "0198f1cc-0000-7000-8000-00000000000a";

function read(given: { cron?: string; text?: string; timezone?: string }, id = seed): Schedule {
  const reading = readSchedule({ timezone: "UTC", ...given }, id, now);
  if (!reading.ok) throw new Error(reading.message);
  return reading.schedule;
}

function runs(schedule: Schedule, from: string, count: number): string[] {
  const found: string[] = [];
  for (let at = nextRun(schedule, Date.parse(from)); at !== null && found.length < count; at = nextRun(schedule, at))
    found.push(isoTime(at));
  return found;
}

describe("a schedule in words", () => {
  it.each([
    ["every 15 minutes starting at :05", "5,20,35,50 * * * *"],
    ["every hour starting at :30", "30 * * * *"],
    ["daily at 9am", "0 9 * * *"],
    ["daily at 9:00", "0 9 * * *"],
    ["Daily at 5:30 PM", "30 17 * * *"],
    ["daily at 12am", "0 0 * * *"],
    ["weekdays at 18:00", "0 18 * * 1-5"],
    ["every monday at 9am", "0 9 * * 1"],
    ["weekly on fridays at noon", "0 12 * * 5"],
    ["monthly on the 1st at 6:15", "15 6 1 * *"],
  ])("%s is %s, to the second", (text, cron) => {
    expect(read({ text })).toMatchObject({ cron, jitterMs: 0 });
  });

  it.each([
    ["hourly", /^\d+ \* \* \* \*$/, 720],
    ["every 30 minutes", /^\d+,\d+ \* \* \* \*$/, 1440],
    ["every 2 hours", /^\d+ (?:\d+,){11}\d+ \* \* \*$/, 360],
    ["every 120 minutes", /^\d+ (?:\d+,){11}\d+ \* \* \*$/, 360],
    ["daily", /^\d+ \d+ \* \* \*$/, 30],
    ["weekly", /^\d+ \d+ \* \* \d$/, 4],
    ["monthly", /^\d+ \d+ \d+ \* \*$/, 1],
  ])("%s is spread, and the same whenever it is read", (text, cron, perMonth) => {
    const schedule = read({ text });
    expect(schedule.cron).toMatch(cron);
    expect(Math.abs(schedule.runsPerMonth - perMonth)).toBeLessThanOrEqual(1);
    expect(read({ text })).toEqual(schedule);
  });

  it.each([
    ["now and then", /not known/],
    ["every 2 minutes", /five minutes/],
    ["every 7 minutes", /divide an hour/],
    ["every 5 hours", /divide a day/],
    ["daily at 25:00", /time must be like/],
    ["monthly on 32", /1 to 31/],
    ["every 15 minutes starting at :75", /00 to 59/],
  ])("%s is refused", (text, message) => {
    expect(readSchedule({ text, timezone: "UTC" }, seed, now)).toMatchObject({
      ok: false,
      field: "text",
      message: expect.stringMatching(message),
    });
  });

  it("spreads hundreds of hourly monitors over minutes and seconds", () => {
    const starts = Array.from(
      { length: 200 },
      (_, index) => nextRun(read({ text: "hourly" }, `monitor ${index}`), now) as number,
    );
    const perSecond = new Map<number, number>();
    for (const at of starts) perSecond.set(at, (perSecond.get(at) ?? 0) + 1);
    expect(Math.max(...perSecond.values())).toBeLessThan(5);
    const perTenMinutes = new Set(starts.map((at) => Math.floor((at - now) / (10 * minuteMs))));
    expect(perTenMinutes.size).toBe(6);
    expect(Math.max(...starts)).toBeLessThanOrEqual(now + hourMs + minuteMs);
  });
});

describe("a schedule in cron", () => {
  it.each([
    [
      "0 9 13 * 5",
      "2026-11-16T00:00:00Z",
      ["2026-11-20T09:00:00.000Z", "2026-11-27T09:00:00.000Z", "2026-12-04T09:00:00.000Z"],
    ],
    ["0 9 * * 7", "2026-11-16T00:00:00Z", ["2026-11-22T09:00:00.000Z"]],
    ["0 9 * nov SUN", "2026-11-16T00:00:00Z", ["2026-11-22T09:00:00.000Z", "2026-11-29T09:00:00.000Z"]],
    ["0 0 29 2 *", "2026-11-16T00:00:00Z", ["2028-02-29T00:00:00.000Z"]],
  ])("%s", (cron, from, expected) => {
    expect(runs(read({ cron }), from, expected.length)).toEqual(expected);
  });

  it.each([
    ["*/4 * * * *", /five minutes/],
    ["0,58 * * * *", /five minutes/],
    ["0,58 0,23 * * *", /five minutes/],
    ["0 0 30 2 *", /never comes/],
    ["61 * * * *", /cron/],
    ["0 0 L * *", /cannot be read/],
    ["0 0 15W * *", /cannot be read/],
    ["0 0 * * 5#2", /cannot be read/],
  ])("%s is refused", (cron, message) => {
    expect(readSchedule({ cron, timezone: "UTC" }, seed, now)).toMatchObject({
      ok: false,
      field: "cron",
      message: expect.stringMatching(message),
    });
  });

  it("keeps its time of day over daylight saving, on both sides of the ocean", () => {
    const berlin = read({ text: "daily at 9am", timezone: "Europe/Berlin" });
    expect(runs(berlin, "2026-03-28T00:00:00Z", 3)).toEqual([
      "2026-03-28T08:00:00.000Z",
      "2026-03-29T07:00:00.000Z",
      "2026-03-30T07:00:00.000Z",
    ]);
    expect(runs(berlin, "2026-10-24T00:00:00Z", 3)).toEqual([
      "2026-10-24T07:00:00.000Z",
      "2026-10-25T08:00:00.000Z",
      "2026-10-26T08:00:00.000Z",
    ]);
    const newYork = read({ cron: "0 9 * * *", timezone: "America/New_York" });
    expect(runs(newYork, "2026-10-31T00:00:00Z", 2)).toEqual(["2026-10-31T13:00:00.000Z", "2026-11-01T14:00:00.000Z"]);
  });

  it("runs a time that is skipped once, when the gap ends, and one that comes twice once", () => {
    const schedule = read({ cron: "30 2 * * *", timezone: "Europe/Berlin" });
    expect(runs(schedule, "2026-03-28T12:00:00Z", 2)).toEqual(["2026-03-29T01:00:00.000Z", "2026-03-30T00:30:00.000Z"]);
    expect(runs(schedule, "2026-10-24T12:00:00Z", 2)).toEqual(["2026-10-25T00:30:00.000Z", "2026-10-26T01:30:00.000Z"]);
  });

  it("runs every hour when the clock is set back", () => {
    const schedule = read({ cron: "0 * * * *", timezone: "Europe/Berlin" });
    expect(runs(schedule, "2026-10-24T23:30:00Z", 3)).toEqual([
      "2026-10-25T00:00:00.000Z",
      "2026-10-25T01:00:00.000Z",
      "2026-10-25T02:00:00.000Z",
    ]);
  });
});
