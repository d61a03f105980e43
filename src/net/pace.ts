// Politeness per host: at most so many requests at once, and a memory of hosts that asked for a pause.
import { type Clock, createSemaphore, type Release } from "../base/index.ts";
import { stoppedBy } from "./outcome.ts";

export interface Pace {
  /** Waits for a place at this host; rejects when the signal ends the wait. The answer gives the place back. */
  enter(host: string, signal: AbortSignal): Release | Promise<Release>;
  /** Notes what a host answered, so that readyAt can tell. */
  note(host: string, status: number, retryAfterSeconds: number | null): void;
  /** When the host wants the next request, in milliseconds since 1970; 0 = now. */
  readyAt(host: string): number;
  /** Requests under way and waiting for their turn at a host, and hosts that asked for a pause. */
  load(): { active: number; waiting: number; paused: number };
}

interface Pause {
  until: number;
  refusals: number;
}

const firstPauseMs = 1000;
const longestPauseMs = 10 * 60_000;
const maxPauses = 10_000;

export function createPace(perHost: number, clock: Clock): Pace {
  const places = createSemaphore({ placesPerKey: perHost });
  const pauses = new Map<string, Pause>();

  return {
    enter(host, signal) {
      const place = places.tryAcquire(host);
      if (place !== null) return place;
      return places.acquire(signal, host).catch(() => {
        throw stoppedBy(signal);
      });
    },

    note(host, status, retryAfterSeconds) {
      if (status !== 429 && status !== 503) {
        pauses.delete(host);
        return;
      }
      const refusals = (pauses.get(host)?.refusals ?? 0) + 1;
      const askedMs = retryAfterSeconds === null ? firstPauseMs * 2 ** (refusals - 1) : retryAfterSeconds * 1000;
      pauses.delete(host);
      pauses.set(host, { until: clock.now() + Math.min(askedMs, longestPauseMs), refusals });
      const oldest = pauses.size > maxPauses ? pauses.keys().next().value : undefined;
      if (oldest !== undefined) pauses.delete(oldest);
    },

    load() {
      const now = clock.now();
      return { ...places.count(), paused: [...pauses.values()].filter(({ until }) => until > now).length };
    },

    readyAt(host) {
      if (pauses.size === 0) return 0;
      const until = pauses.get(host)?.until ?? 0;
      return until > clock.now() ? until : 0;
    },
  };
}
