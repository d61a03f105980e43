import { describe, expect, it } from "vitest";
import { checkDate, dateOf, readTimeRange } from "./time-range.ts";

const now = Date.parse("2026-03-31T12:30:00Z");
const iso = (time: number | null) => (time === null ? null : new Date(time).toISOString());

describe("tbs", () => {
  it.each<[string, string | null, string | null]>([
    ["qdr:h", "2026-03-31T11:30:00.000Z", "2026-04-01T12:30:00.000Z"],
    ["qdr:h12", "2026-03-31T00:30:00.000Z", "2026-04-01T12:30:00.000Z"],
    ["qdr:d", "2026-03-30T12:30:00.000Z", "2026-04-01T12:30:00.000Z"],
    ["qdr:d3", "2026-03-28T12:30:00.000Z", "2026-04-01T12:30:00.000Z"],
    ["qdr:w2", "2026-03-17T12:30:00.000Z", "2026-04-01T12:30:00.000Z"],
    ["qdr:m", "2026-02-28T12:30:00.000Z", "2026-04-01T12:30:00.000Z"],
    ["qdr:m4", "2025-11-30T12:30:00.000Z", "2026-04-01T12:30:00.000Z"],
    ["qdr:y", "2025-03-31T12:30:00.000Z", "2026-04-01T12:30:00.000Z"],
    ["qdr:h0", "2026-03-31T11:30:00.000Z", "2026-04-01T12:30:00.000Z"],
    [`qdr:d${"9".repeat(200)}`, "1970-01-01T00:00:00.000Z", "2026-04-01T12:30:00.000Z"],
    [`qdr:y${"9".repeat(200)}`, "1970-01-01T00:00:00.000Z", "2026-04-01T12:30:00.000Z"],
    ["cdr:1,cd_min:1/31/2026,cd_max:2/1/2026", "2026-01-31T00:00:00.000Z", "2026-02-01T23:59:59.999Z"],
    ["cdr:1, cd_min:01/31/2026", "2026-01-31T00:00:00.000Z", null],
    ["cdr:1,cd_max:1/31/2026", null, "2026-01-31T23:59:59.999Z"],
    ["qdr:w,cdr:1,cd_min:3/30/2026", "2026-03-30T00:00:00.000Z", "2026-04-01T12:30:00.000Z"],
    ["sbd:1", null, null],
  ])("%s", (tbs, from, to) => {
    const range = readTimeRange(tbs, now);
    expect([iso(range.fromMs), iso(range.toMs)]).toEqual([from, to]);
  });

  it("asks for the newest first with sbd:1 alone", () => {
    expect(readTimeRange("qdr:d,sbd:1", now).isNewestFirst).toBe(true);
    expect(readTimeRange("qdr:d,sbd:0", now).isNewestFirst).toBe(false);
  });
});

describe("a page's date", () => {
  it.each<[string, string, string]>([
    ["cdr:1,cd_min:1/31/2026,cd_max:1/31/2026", "2026-01-31T00:00:00.000Z", "yes"],
    ["cdr:1,cd_min:1/31/2026,cd_max:1/31/2026", "2026-01-31T23:59:59.999Z", "yes"],
    ["cdr:1,cd_min:1/31/2026,cd_max:1/31/2026", "2026-01-30T23:59:59.999Z", "no"],
    ["cdr:1,cd_min:1/31/2026,cd_max:1/31/2026", "2026-02-01T00:00:00.000Z", "no"],
    ["cdr:1,cd_min:1/31/2026,cd_max:1/31/2026", "2026-02-01T01:00:00+02:00", "yes"],
    ["cdr:1,cd_min:1/31/2026,cd_max:1/31/2026", "2026-01-30T20:00:00-05:00", "yes"],
    ["cdr:1,cd_max:1/31/2026", "1965-05-05", "yes"],
    ["qdr:h", "2026-03-31T11:30:00Z", "yes"],
    ["qdr:h", "2026-03-31T11:29:59Z", "no"],
    ["qdr:d", "2026-03-30", "yes"],
    ["qdr:d", "2026-03-29", "no"],
    ["qdr:d", "2026-04-01T09:00:00+14:00", "yes"],
    ["qdr:d", "2027-01-01", "no"],
  ])("%s: %s is %s", (tbs, published, verdict) => {
    expect(checkDate({ published: Date.parse(published) }, readTimeRange(tbs, now))).toBe(verdict);
  });

  it("is the published, else the modified, else the first seen", () => {
    expect(dateOf({ published: 3, modified: 2, firstSeen: 1 })).toBe(3);
    expect(dateOf({ published: null, modified: 2, firstSeen: 1 })).toBe(2);
    expect(dateOf({ firstSeen: 0 })).toBe(0);
    expect(dateOf({})).toBeNull();
  });

  it("matters only when a time is asked for", () => {
    expect(checkDate({}, readTimeRange("qdr:d", now))).toBe("unknown");
    expect(checkDate({}, readTimeRange("sbd:1", now))).toBe("yes");
  });
});
