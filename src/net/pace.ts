// Politeness per host: a limit on simultaneous requests, and a memory of hosts that asked for a pause. Where several processes
// work together, both hold for all of them.
import { type Clock, createSemaphore, createSlots, type Release, type SlotShare } from "../base/index.ts";
import { stoppedBy } from "./outcome.ts";

export type Pace = ReturnType<typeof createPace>;

interface PacedAnswer {
  status: number;
  retryAfterSeconds: number | null;
  askedAt: number;
}

export interface HostPause {
  /** 0: the host has answered well since. */
  until: number;
  /** In a row. */
  refusals: number;
  notedAt: number;
}

/** What processes that work together tell each other about hosts. */
export interface HostShare {
  places: SlotShare;
  tell(host: string, pause: HostPause): void;
  /** Until it is closed, calls `onPause` for the pauses that any process noted, this one included. */
  listen(onPause: (host: string, pause: HostPause) => void): void;
  close(): Promise<void>;
}

const firstPauseMs = 1000;
const longestPauseMs = 10 * 60_000;
const maxPauses = 10_000;

/** `share`: absent where no other process works with this one. */
export function createPace(perHost: number, clock: Clock, share: HostShare | null = null) {
  const places = share ? sharedPlaces(perHost, share) : ownPlaces(perHost);
  const pauses = new Map<string, HostPause>();

  function keep(host: string, pause: HostPause): void {
    pauses.delete(host);
    if (pause.until > 0) pauses.set(host, pause);
    const oldest = pauses.size > maxPauses ? pauses.keys().next().value : undefined;
    if (oldest !== undefined) pauses.delete(oldest);
  }

  share?.listen((host, pause) => {
    const known = pauses.get(host);
    if (known ? known.notedAt < pause.notedAt : pause.until > clock.now()) keep(host, pause);
  });

  return {
    /** Waits for a place at this host; rejects when the signal ends the wait. The answer gives the place back. */
    enter(host: string, signal: AbortSignal): Release | Promise<Release> {
      const entering = places.enter(host, signal);
      if (!(entering instanceof Promise)) return entering;
      return entering.catch(() => {
        throw stoppedBy(signal);
      });
    },

    /** Notes what a host answered to a request that was sent at `askedAt`, so that readyAt can tell. */
    note(host: string, { status, retryAfterSeconds, askedAt }: PacedAnswer): void {
      const known = pauses.get(host);
      const notedAt = clock.now();
      if (status !== 429 && status !== 503) {
        // What was sent before the host refused says nothing about what it wants now.
        if (known === undefined || askedAt < known.notedAt) return;
        pauses.delete(host);
        share?.tell(host, { until: 0, refusals: 0, notedAt });
        return;
      }
      const refusals = (known?.refusals ?? 0) + 1;
      const askedMs = retryAfterSeconds === null ? firstPauseMs * 2 ** (refusals - 1) : retryAfterSeconds * 1000;
      const until = Math.max(known?.until ?? 0, notedAt + Math.min(askedMs, longestPauseMs));
      keep(host, { until, refusals, notedAt });
      share?.tell(host, { until, refusals, notedAt });
    },

    /** Requests under way and waiting for their turn at a host, and hosts that asked for a pause. */
    load() {
      const now = clock.now();
      return { ...places.count(), paused: [...pauses.values()].filter(({ until }) => until > now).length };
    },

    /** When the host wants the next request, in milliseconds since 1970; 0 = now. */
    readyAt(host: string): number {
      if (pauses.size === 0) return 0;
      const until = pauses.get(host)?.until ?? 0;
      return until > clock.now() ? until : 0;
    },

    async close(): Promise<void> {
      await places.close();
      await share?.close();
    },
  };
}

interface Places {
  enter(host: string, signal: AbortSignal): Release | Promise<Release>;
  count(): { active: number; waiting: number };
  close(): Promise<void>;
}

function ownPlaces(perHost: number): Places {
  const places = createSemaphore({ placesPerKey: perHost });
  return {
    enter: (host, signal) => places.tryAcquire(host) ?? places.acquire(signal, host),
    count: () => places.count(),
    close: async () => undefined,
  };
}

function sharedPlaces(perHost: number, { places: share }: HostShare): Places {
  const slots = createSlots({ limit: perHost, share });
  return { enter: slots.enter, count: slots.countAll, close: slots.close };
}
