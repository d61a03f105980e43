// The requested time in the terms of services: presets and days.
import { dayMs, hourMs } from "../../base/index.ts";
import type { ProviderTime, TimeUnit } from "./search-provider.ts";

const unitMs: readonly [TimeUnit, number][] = [
  ["h", hourMs],
  ["d", dayMs],
  ["w", 7 * dayMs],
  ["m", 30 * dayMs],
  ["y", 365 * dayMs],
];

export function isBounded(time: ProviderTime | null): time is ProviderTime {
  return time !== null && (time.fromMs !== null || time.toMs !== null);
}

/** The preset for exactly this time, if there is one. */
export function exactPreset(time: ProviderTime): TimeUnit | null {
  return time.recent?.count === 1 ? time.recent.unit : null;
}

/** The shortest of these presets that covers the whole time; null when none reaches back far enough. */
export function coveringPreset(time: ProviderTime, units: readonly TimeUnit[], now: number): TimeUnit | null {
  const exact = exactPreset(time);
  if (exact !== null && units.includes(exact)) return exact;
  const { fromMs } = time;
  if (fromMs === null) return null;
  return unitMs.find(([unit, ms]) => units.includes(unit) && now - fromMs <= ms)?.[0] ?? null;
}

/** Whether whole days can express it; hours cannot. */
export function isWholeDays({ recent, fromMs }: ProviderTime, now: number): boolean {
  if (recent) return recent.unit !== "h";
  return fromMs === null || fromMs % dayMs === 0 || now - fromMs >= dayMs;
}

/** First and last day as YYYY-MM-DD (UTC); an open start is the beginning of the web, and no end is after today. */
export function daysOf(time: ProviderTime, now: number): { first: string; last: string } {
  const day = (ms: number) => new Date(ms).toISOString().slice(0, 10);
  return { first: day(time.fromMs ?? Date.UTC(1990, 0, 1)), last: day(Math.min(time.toMs ?? now, now)) };
}

/** YYYY-MM-DD as Google writes it: M/D/YYYY. */
export function slashDay(day: string): string {
  const [year, month, date] = day.split("-").map(Number);
  return `${month}/${date}/${year}`;
}
