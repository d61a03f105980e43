// Limits what each key (a team, a host) has in progress. Beyond the limit, work waits in order of arrival; a signal ends the wait.
// Where several processes have one limit, each holds a part of it under a lease.
import { setTimeout } from "node:timers/promises";
import { secondMs } from "./clock.ts";
import { repeat } from "./repeat.ts";
import { createSemaphore, type Release, type Semaphore } from "./semaphore.ts";

/** Where processes agree about their parts of a limit. */
export interface SlotShare {
  /** What was granted holds for so long, unless it is asked for again. */
  leaseMs: number;
  /** With `wanted` 0 and nothing in use, the process gives up its part. */
  resize(key: string, need: { wanted: number; active: number }): Promise<number>;
}

interface KeySlots {
  places: Semaphore;
  /** How many places there are. */
  granted: number;
  /** The pending request for more or fewer slots. */
  asking: Promise<void> | null;
  /** By performance.now(). */
  usedAt: number;
  askedAt: number;
}

export type Slots = ReturnType<typeof createSlots>;

/** How often a process asks for more slots while work waits, or returns slots that it does not need. */
const askAgainMs = 250;
/** Well before the lease expires. */
const renewMs = 2 * secondMs;
/** A key without work keeps its slots for this part of their lease: the next request then does not have to ask. */
const idlePart = 3;
/** One of this many parts of the limit is requested in reserve. */
const reservePart = 10;

/** `share`: where several processes have one limit; without it, this process has all of it. */
export function createSlots({ limit, share = null }: { limit: number; share?: SlotShare | null }) {
  const keys = new Map<string, KeySlots>();
  const reserve = Math.ceil(limit / reservePart);
  const leaseMs = share?.leaseMs ?? Infinity;
  const idleMs = leaseMs / idlePart;

  function grant(slots: KeySlots, granted: number): void {
    slots.granted = granted;
    slots.places.resize(granted);
  }

  function leave(key: string, slots: KeySlots): void {
    slots.usedAt = performance.now();
    const { active } = slots.places.count();
    if (!share && active === 0) keys.delete(key);
    const isTooMany = slots.granted - active > 2 * reserve;
    if (isTooMany && slots.usedAt - slots.askedAt > askAgainMs) askOnce(key, slots);
  }

  async function ask(part: SlotShare, key: string, slots: KeySlots): Promise<void> {
    do {
      const { active, waiting } = slots.places.count();
      slots.askedAt = performance.now();
      const isIdle = active + waiting === 0 && performance.now() - slots.usedAt > idleMs;
      const wanted = isIdle ? 0 : Math.min(limit, active + waiting + reserve);
      // Until the answer arrives, nothing starts beyond what was asked for.
      grant(slots, Math.min(slots.granted, active));
      try {
        grant(slots, await part.resize(key, { wanted, active }));
      } catch {
        // The store is unavailable: waiting work keeps waiting.
      }
      if (isIdle && isUnused(slots)) keys.delete(key);
      if (isAwaited(slots)) await setTimeout(askAgainMs, undefined, { ref: false });
    } while (isAwaited(slots));
  }

  function askOnce(key: string, slots: KeySlots): void {
    if (!share) return;
    slots.asking ??= ask(share, key, slots).finally(() => {
      slots.asking = null;
    });
  }

  const renewing =
    share &&
    repeat(
      renewMs,
      async () => {
        for (const [key, slots] of keys) {
          if (!isUnused(slots) || performance.now() - slots.usedAt > idleMs) askOnce(key, slots);
        }
      },
      () => undefined,
    );

  return {
    limit,

    count(key: string): { active: number; waiting: number } {
      return keys.get(key)?.places.count() ?? { active: 0, waiting: 0 };
    },

    /** Of all keys. */
    countAll(): { active: number; waiting: number } {
      const all = { active: 0, waiting: 0 };
      for (const { places } of keys.values()) {
        const { active, waiting } = places.count();
        all.active += active;
        all.waiting += waiting;
      }
      return all;
    },

    /** Resolves to the function that gives the slot back, or rejects with the signal's reason. */
    async enter(key: string, signal: AbortSignal): Promise<Release> {
      signal.throwIfAborted();
      const slots = keys.get(key) ?? createKeySlots(share ? 0 : limit);
      keys.set(key, slots);
      slots.usedAt = performance.now();
      // A process that was stopped for longer than its lease holds nothing any more.
      if (slots.usedAt - slots.askedAt > leaseMs) grant(slots, 0);
      const entering = slots.places.acquire(signal);
      if (isAwaited(slots)) askOnce(key, slots);
      const release = await entering;
      let isHeld = true;
      return () => {
        if (!isHeld) return;
        isHeld = false;
        release();
        leave(key, slots);
      };
    },

    /** Nothing is in progress any more: other processes may have this one's share at once. */
    async close(): Promise<void> {
      await renewing?.stop();
      const given = [...keys].map(async ([key, slots]) => {
        await slots.asking;
        await share?.resize(key, { wanted: 0, active: 0 });
      });
      await Promise.allSettled(given);
    },
  };
}

function createKeySlots(granted: number): KeySlots {
  return { places: createSemaphore({ places: granted }), granted, asking: null, usedAt: 0, askedAt: 0 };
}

function isAwaited({ places }: KeySlots): boolean {
  return places.count().waiting > 0;
}

function isUnused({ places }: KeySlots): boolean {
  const { active, waiting } = places.count();
  return active + waiting === 0;
}
