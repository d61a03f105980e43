// The clock is passed in, so that tests control it; calendar arithmetic is always UTC.

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

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
