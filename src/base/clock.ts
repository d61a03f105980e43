// The clock is passed in, so that tests control it; calendar arithmetic is always UTC.

import { setTimeout } from "node:timers/promises";

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** How a pause passes; in real time unless given. Rejects when the signal fires. */
  wait?(ms: number, signal: AbortSignal): Promise<void>;
}

export const systemClock: Clock = { now: () => Date.now() };

/** A pause between two attempts, or before a host is asked again. */
export async function passTime(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  if (clock.wait) await clock.wait(ms, signal);
  else await setTimeout(ms, undefined, { signal });
}

export const secondMs = 1000;
export const minuteMs = 60 * secondMs;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

/** A calendar month counted from year 0, so that the next month is always `month + 1`. */
export function monthOf(timeMs: number): number {
  const date = new Date(timeMs);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

/** The first instant of a month; the first instant of the next one is its end. */
export function monthStart(month: number): number {
  return Date.UTC(Math.floor(month / 12), month % 12, 1);
}

/** ISO 8601 in UTC with milliseconds, the only time format on the wire. */
export function isoTime(timeMs: number): string {
  return new Date(timeMs).toISOString();
}
