// Politeness per host: at most so many requests at once, and a memory of hosts that asked for a pause.
import type { Clock } from "../base/index.ts";
import { stoppedBy } from "./outcome.ts";

export interface Pace {
  /** Waits for a place at this host; rejects when the signal ends the wait. The answer gives the place back. */
  enter(host: string, signal: AbortSignal): Release | Promise<Release>;
  /** Notes what a host answered, so that readyAt can tell. */
  note(host: string, status: number, retryAfterSeconds: number | null): void;
  /** When the host wants the next request, in milliseconds since 1970; 0 = now. */
  readyAt(host: string): number;
}

export type Release = () => void;

interface Place {
  active: number;
  waiting: Set<() => void>;
}

interface Pause {
  until: number;
  refusals: number;
}

const firstPauseMs = 1000;
const longestPauseMs = 10 * 60_000;
const maxPauses = 10_000;

export function createPace(perHost: number, clock: Clock): Pace {
  const places = new Map<string, Place>();
  const pauses = new Map<string, Pause>();

  function leave(host: string, place: Place): void {
    const [next] = place.waiting;
    if (next !== undefined) {
      place.waiting.delete(next);
      next();
      return;
    }
    place.active -= 1;
    if (place.active === 0) places.delete(host);
  }

  function releaseOf(host: string, place: Place): Release {
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      leave(host, place);
    };
  }

  return {
    enter(host, signal) {
      const place = places.get(host) ?? { active: 0, waiting: new Set() };
      places.set(host, place);
      if (place.active < perHost) {
        place.active += 1;
        return releaseOf(host, place);
      }
      return new Promise((resolve, reject) => {
        const give = () => {
          signal.removeEventListener("abort", stop);
          resolve(releaseOf(host, place));
        };
        const stop = () => {
          place.waiting.delete(give);
          reject(stoppedBy(signal));
        };
        place.waiting.add(give);
        signal.addEventListener("abort", stop, { once: true });
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

    readyAt(host) {
      const until = pauses.get(host)?.until ?? 0;
      return until > clock.now() ? until : 0;
    },
  };
}
