// The time asked for, in the words that services have for it: presets and days.
import { dayMs, hourMs } from "../../base/index.ts";
import type { ProviderTime, TimeUnit } from "./provider.ts";

const unitMs: readonly [TimeUnit, number][] = [
  ["h", hourMs],
  ["d", dayMs],
  ["w", 7 * dayMs],
  ["m", 30 * dayMs],
  ["y", 365 * dayMs],
];

export function isBounded(time: ProviderTime | null): time is ProviderTime {
  return time !== null && (time.from !== null || time.to !== null || time.recent !== null);
}

/** The preset that asks for exactly this time, if one does. */
export function exactPreset(time: ProviderTime): TimeUnit | null {
  return time.recent?.count === 1 ? time.recent.unit : null;
}

/** The shortest of these presets that leaves out nothing asked for; null when none reaches back far enough. */
export function coveringPreset(time: ProviderTime, units: readonly TimeUnit[], now: number): TimeUnit | null {
  const exact = exactPreset(time);
  if (exact !== null && units.includes(exact)) return exact;
  const { from } = time;
  if (from === null) return null;
  return unitMs.find(([unit, ms]) => units.includes(unit) && now - from <= ms)?.[0] ?? null;
}

/** Whether whole days can express it: hours cannot be. */
export function isWholeDays(time: ProviderTime): boolean {
  return time.recent?.unit !== "h";
}

/** First and last day as YYYY-MM-DD (UTC); an open end is the beginning of the web or today. */
export function daysOf(time: ProviderTime, now: number): { first: string; last: string } {
  const day = (ms: number) => new Date(ms).toISOString().slice(0, 10);
  return { first: day(time.from ?? Date.UTC(1990, 0, 1)), last: day(time.to ?? now) };
}

/** YYYY-MM-DD as Google writes it: M/D/YYYY. */
export function slashDay(day: string): string {
  const [year, month, date] = day.split("-").map(Number);
  return `${month}/${date}/${year}`;
}
