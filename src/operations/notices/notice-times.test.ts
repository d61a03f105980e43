import { describe, expect, it } from "vitest";
import { dueAt, wants } from "./notice-times.ts";

const at = (iso: string) => Date.parse(iso);
const berlin = { from: "22:00", to: "07:30", timeZone: "Europe/Berlin" };

describe("a notice is due", () => {
  it.each([
    [{}, "2026-11-16T12:10:00Z", "2026-11-16T12:10:00Z"],
    [{ digest: "hourly" as const }, "2026-11-16T12:10:00Z", "2026-11-16T13:00:00Z"],
    [{ digest: "daily" as const }, "2026-11-16T12:10:00Z", "2026-11-17T08:00:00Z"],
    [{ quietHours: berlin }, "2026-11-16T20:59:59Z", "2026-11-16T20:59:59Z"],
    [{ quietHours: berlin }, "2026-11-16T21:00:00Z", "2026-11-17T06:30:00Z"],
    [{ quietHours: berlin }, "2026-11-17T06:29:59Z", "2026-11-17T06:30:00Z"],
    [{ quietHours: berlin }, "2026-11-17T06:30:00Z", "2026-11-17T06:30:00Z"],
    // The clocks go back in this night.
    [{ quietHours: berlin }, "2026-10-24T21:00:00Z", "2026-10-25T06:30:00Z"],
    [{ quietHours: { from: "12:00", to: "13:00", timeZone: "UTC" } }, "2026-11-16T12:10:00Z", "2026-11-16T13:00:00Z"],
    [{ digest: "hourly" as const, quietHours: berlin }, "2026-11-16T20:30:00Z", "2026-11-17T06:30:00Z"],
    [{ digest: "daily" as const, quietHours: berlin }, "2026-11-16T12:00:00Z", "2026-11-17T07:00:00Z"],
  ])("with %j at %s: %s", (entry, now, due) => {
    expect(new Date(dueAt(entry, at(now))).toISOString()).toBe(new Date(due).toISOString());
  });
});

describe("an entry wants", () => {
  it.each([
    [{ failures: 3 }, "monitor.failed" as const, 2, false],
    [{ failures: 3 }, "monitor.failed" as const, 3, true],
    [{ failures: 3 }, "monitor.failed" as const, 4, false],
    [{ failures: 3 }, "monitor.recovered" as const, 2, false],
    [{ failures: 3 }, "monitor.recovered" as const, 9, true],
    [{ failures: 3, events: ["change" as const] }, "monitor.failed" as const, 3, false],
    [{ failures: 3, events: ["health" as const] }, "server.trouble" as const, 0, true],
    [{ failures: 3, events: ["health" as const] }, "job.failed" as const, 0, false],
    [{ failures: 3, events: ["health" as const] }, "test" as const, 0, true],
  ])("with %j %s after %i failures: %s", (entry, kind, failures, expected) => {
    expect(wants(entry, kind, failures)).toBe(expected);
  });
});
