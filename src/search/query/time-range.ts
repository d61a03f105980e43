// The time that `tbs` asks for, and whether a page falls into it. Custom ranges are whole UTC days, both ends included.
import { dayMs, hourMs } from "../../base/index.ts";

export type TimeUnit = "h" | "d" | "w" | "m" | "y";

export interface TimeRange {
  /** Milliseconds since 1970, both ends included; null where there is no end. */
  readonly fromMs: number | null;
  readonly toMs: number | null;
  /** `sbd:1`: newest first instead of best first. */
  readonly isNewestFirst: boolean;
  /** Of `qdr:w2` alone: the unit w and the count 2; services have words for it. */
  readonly recent?: { readonly unit: TimeUnit; readonly count: number } | null;
}

/** Dates of a page in milliseconds since 1970; midnight UTC means a day without a known time. */
export interface PageDates {
  readonly published?: number | null | undefined;
  readonly modified?: number | null | undefined;
  readonly firstSeen?: number | null | undefined;
}

/** Reads `tbs`, whose form the contract has checked; unknown parts have no effect. */
export function readTimeRange(tbs: string, nowMs: number): TimeRange {
  const from: number[] = [];
  const to: number[] = [];
  const recent: { unit: TimeUnit; count: number }[] = [];
  let isNewestFirst = false;
  for (const part of tbs.split(",").map((one) => one.trim())) {
    const [, unit, count] = /^qdr:([hdwmy])(\d*)$/.exec(part) ?? [];
    if (unit !== undefined) {
      recent.push({ unit: unit as TimeUnit, count: Math.max(1, Number(count || 1)) });
      from.push(before(nowMs, unit, Math.max(1, Number(count || 1))));
      // East of UTC it is tomorrow already.
      to.push(nowMs + dayMs);
    }
    const [, end, month, day, year] = /^cd_(min|max):(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(part) ?? [];
    if (end !== undefined) {
      const startMs = Date.UTC(Number(year), Number(month) - 1, Number(day));
      if (end === "min") from.push(startMs);
      else to.push(startMs + dayMs - 1);
    }
    if (part === "sbd:1") isNewestFirst = true;
  }
  return {
    fromMs: from.length > 0 ? Math.max(...from) : null,
    toMs: to.length > 0 ? Math.min(...to) : null,
    isNewestFirst,
    // With a further bound it would say too little.
    recent: from.length === 1 && to.length === 1 ? (recent[0] ?? null) : null,
  };
}

/** `count` hours, days, weeks, months or years ago; months and years by the calendar. Never before 1970. */
function before(nowMs: number, unit: string, count: number): number {
  const fixedMs = { h: hourMs, d: dayMs, w: 7 * dayMs }[unit];
  if (fixedMs !== undefined) return Math.max(0, nowMs - count * fixedMs);
  const now = new Date(nowMs);
  const months = now.getUTCFullYear() * 12 + now.getUTCMonth() - (unit === "y" ? 12 * count : count);
  const year = Math.floor(months / 12);
  if (year < 1970) return 0;
  const month = months - year * 12;
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return Date.UTC(year, month, Math.min(now.getUTCDate(), lastDay)) + (nowMs % dayMs);
}

/** The date that counts for a page; null when none is known. */
export function dateOf({ published, modified, firstSeen }: PageDates): number | null {
  return published ?? modified ?? firstSeen ?? null;
}

/** "unknown" when the page has no date and the range is bounded. */
export function checkDate(dates: PageDates, { fromMs, toMs }: TimeRange): "yes" | "no" | "unknown" {
  if (fromMs === null && toMs === null) return "yes";
  const date = dateOf(dates);
  if (date === null) return "unknown";
  const lastMs = date % dayMs === 0 ? date + dayMs - 1 : date;
  return (fromMs === null || lastMs >= fromMs) && (toMs === null || date <= toMs) ? "yes" : "no";
}
