// Rate limits per team, minute and group. The count is in the store, so that all processes share it; a process
// reserves a small share at a time, so that not every request costs a write. What is reserved is counted as used:
// the limit is never exceeded, and with one process it is met exactly.
import { type Clock, minuteMs, ServiceError } from "../base/index.ts";
import type { Granted, RateReservation, Store } from "../store/index.ts";
import type { KeyHolder } from "./caller.ts";
import type { Credits } from "./credits.ts";

export interface RateState {
  isAllowed: boolean;
  limit: number;
  remaining: number;
  resetSeconds: number;
}

/** A team's own limit is multiplied by this for status calls. */
const statusFactor = 50;

/** A process reserves this fraction of a limit at a time; lower limits are counted one by one. */
const shares = 50;

interface Window {
  /** Reserved by this process and not yet used. */
  held: number;
  /** All that this process has reserved. */
  reserved: number;
  /** Left in the store when last checked; nothing comes back within a minute, so 0 is final. */
  left: number;
}

export type Limits = ReturnType<typeof createLimits>;

interface LimitDeps {
  store: Store;
  clock: Clock;
  /** The server's limits by group; 0 is unlimited. */
  perMinute: Readonly<Record<string, number>>;
  credits: Pick<Credits, "requireOfKey">;
}

export function createLimits({ store, clock, perMinute, credits }: LimitDeps) {
  const windows = new Map<string, Window>();
  let currentStart = 0;

  function limitFor(holder: KeyHolder, group: string): number {
    if (holder.requestsPerMinute === null) return perMinute[group] ?? 0;
    return holder.requestsPerMinute * (group === "status" ? statusFactor : 1);
  }

  /** Windows of past minutes are dropped together, so the map holds only teams active in this minute. */
  function windowOf(key: string, start: number): Window {
    if (start !== currentStart) {
      windows.clear();
      currentStart = start;
    }
    let window = windows.get(key);
    if (!window) {
      window = { held: 0, reserved: 0, left: Number.POSITIVE_INFINITY };
      windows.set(key, window);
    }
    return window;
  }

  /** A store that cannot write must not stop the reads: this process then counts alone. */
  async function reserve(reservation: RateReservation, window: Window): Promise<Granted> {
    try {
      return await store.rates.reserve(reservation);
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== "STORE_UNAVAILABLE") throw error;
      const granted = Math.min(reservation.count, reservation.limit - window.reserved);
      return { granted, used: window.reserved + granted };
    }
  }

  async function takeFrom(owner: string, limit: number, group: string): Promise<RateState | null> {
    if (limit === 0) return null;
    const now = clock.now();
    const start = now - (now % minuteMs);
    const resetSeconds = Math.ceil((start + minuteMs - now) / 1000);
    const window = windowOf(`${group} ${owner}`, start);
    if (window.held === 0 && window.left > 0) {
      const count = Math.max(1, Math.floor(limit / shares));
      const reservation = { teamId: owner, group, windowStart: start, count, limit };
      const { granted, used } = await reserve(reservation, window);
      window.held += granted;
      window.reserved += granted;
      window.left = Math.max(0, limit - used);
    }
    const isAllowed = window.held > 0;
    if (isAllowed) window.held -= 1;
    return { isAllowed, limit, remaining: window.left + window.held, resetSeconds };
  }

  return {
    /** Counts one request; null where neither the team nor the key has a limit. Throws where the key's credits are used up. */
    async take(holder: KeyHolder, group: string): Promise<RateState | null> {
      if (group !== "status") await credits.requireOfKey(holder);
      const ofKey = holder.keyRequestsPerMinute ?? null;
      if (ofKey !== null && holder.keyId !== null) {
        const state = await takeFrom(holder.keyId, ofKey * (group === "status" ? statusFactor : 1), group);
        if (state && !state.isAllowed) return state;
      }
      return takeFrom(holder.teamId, limitFor(holder, group), group);
    },
  };
}

/** Throws for a request beyond the limit. */
export function requireRate({ isAllowed, resetSeconds }: RateState): void {
  if (isAllowed) return;
  throw new ServiceError("RATE_LIMITED", `Rate limit exceeded. Retry after ${resetSeconds}s.`, {
    retryAfterSeconds: resetSeconds,
  });
}
