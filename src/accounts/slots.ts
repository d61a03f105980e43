// Limits the pages that a team has in progress. Beyond the limit, work waits in order of arrival; a signal ends the wait.
import { setTimeout } from "node:timers/promises";
import { createSemaphore, type Release, repeat, type Semaphore, secondMs } from "../base/index.ts";
import type { SlotShare } from "./slot-share.ts";

interface TeamSlots {
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
/** A team without work keeps its slots this long: the next request then does not have to ask. */
const idleMs = 5 * secondMs;
/** One of this many parts of the limit is requested in reserve. */
const sparePart = 10;

/** `share`: where several processes have one limit; without it, this process has all of it. */
export function createSlots({ limit, share = null }: { limit: number; share?: SlotShare | null }) {
  const teams = new Map<string, TeamSlots>();
  const spare = Math.ceil(limit / sparePart);

  function grant(slots: TeamSlots, granted: number): void {
    slots.granted = granted;
    slots.places.resize(granted);
  }

  function leave(teamId: string, slots: TeamSlots): void {
    slots.usedAt = performance.now();
    const { active } = slots.places.count();
    if (!share && active === 0) teams.delete(teamId);
    const isTooMany = slots.granted - active > 2 * spare;
    if (isTooMany && slots.usedAt - slots.askedAt > askAgainMs) askOnce(teamId, slots);
  }

  async function ask(part: SlotShare, teamId: string, slots: TeamSlots): Promise<void> {
    do {
      const { active, waiting } = slots.places.count();
      slots.askedAt = performance.now();
      const isIdle = active + waiting === 0 && performance.now() - slots.usedAt > idleMs;
      const wanted = isIdle ? 0 : Math.min(limit, active + waiting + spare);
      // Until the answer arrives, nothing starts beyond what was asked for.
      grant(slots, Math.min(slots.granted, active));
      try {
        grant(slots, await part.resize(teamId, { wanted, active }));
      } catch {
        // The store is unavailable: waiting work keeps waiting.
      }
      if (isIdle && isUnused(slots)) teams.delete(teamId);
      if (isAwaited(slots)) await setTimeout(askAgainMs, undefined, { ref: false });
    } while (isAwaited(slots));
  }

  function askOnce(teamId: string, slots: TeamSlots): void {
    if (!share) return;
    slots.asking ??= ask(share, teamId, slots).finally(() => {
      slots.asking = null;
    });
  }

  const renewing =
    share &&
    repeat(
      renewMs,
      async () => {
        for (const [teamId, slots] of teams) askOnce(teamId, slots);
      },
      () => undefined,
    );

  return {
    limit,

    count(teamId: string): { active: number; waiting: number } {
      return teams.get(teamId)?.places.count() ?? { active: 0, waiting: 0 };
    },

    /** Resolves to the function that gives the slot back, or rejects with the signal's reason. */
    async enter(teamId: string, signal: AbortSignal): Promise<Release> {
      signal.throwIfAborted();
      const slots = teams.get(teamId) ?? createTeamSlots(share ? 0 : limit);
      teams.set(teamId, slots);
      slots.usedAt = performance.now();
      const entering = slots.places.acquire(signal);
      if (isAwaited(slots)) askOnce(teamId, slots);
      const release = await entering;
      let isHeld = true;
      return () => {
        if (!isHeld) return;
        isHeld = false;
        release();
        leave(teamId, slots);
      };
    },

    /** Nothing is in progress any more: other processes may have this one's share at once. */
    async close(): Promise<void> {
      await renewing?.stop();
      const given = [...teams].map(async ([teamId, slots]) => {
        await slots.asking;
        await share?.resize(teamId, { wanted: 0, active: 0 });
      });
      await Promise.allSettled(given);
    },
  };
}

function createTeamSlots(granted: number): TeamSlots {
  return { places: createSemaphore({ places: granted }), granted, asking: null, usedAt: 0, askedAt: 0 };
}

function isAwaited({ places }: TeamSlots): boolean {
  return places.count().waiting > 0;
}

function isUnused({ places }: TeamSlots): boolean {
  const { active, waiting } = places.count();
  return active + waiting === 0;
}
