// Limits the pages that a team has in progress. Beyond the limit, work waits in order of arrival; a signal ends the wait.
import { setTimeout } from "node:timers/promises";
import { repeat, secondMs } from "../base/index.ts";
import type { SlotShare } from "./slot-share.ts";

interface TeamSlots {
  active: number;
  waiting: (() => void)[];
  /** How many may be active in this process. */
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

  function admit(slots: TeamSlots): void {
    while (slots.active < slots.granted) {
      const next = slots.waiting.shift();
      if (!next) return;
      slots.active += 1;
      next();
    }
  }

  function leave(teamId: string, slots: TeamSlots): void {
    slots.active -= 1;
    slots.usedAt = performance.now();
    admit(slots);
    if (!share && slots.active === 0) teams.delete(teamId);
    const isTooMany = slots.granted - slots.active > 2 * spare;
    if (isTooMany && slots.usedAt - slots.askedAt > askAgainMs) askOnce(teamId, slots);
  }

  async function ask(part: SlotShare, teamId: string, slots: TeamSlots): Promise<void> {
    do {
      const { active, waiting } = slots;
      slots.askedAt = performance.now();
      const isIdle = active + waiting.length === 0 && performance.now() - slots.usedAt > idleMs;
      const wanted = isIdle ? 0 : Math.min(limit, active + waiting.length + spare);
      // Until the answer arrives, nothing starts beyond what was asked for.
      slots.granted = Math.min(slots.granted, active);
      try {
        slots.granted = await part.resize(teamId, { wanted, active });
      } catch {
        // The store is unavailable: waiting work keeps waiting.
      }
      admit(slots);
      if (isIdle && slots.active + slots.waiting.length === 0) teams.delete(teamId);
      if (slots.waiting.length > 0) await setTimeout(askAgainMs, undefined, { ref: false });
    } while (slots.waiting.length > 0);
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
      const slots = teams.get(teamId);
      return { active: slots?.active ?? 0, waiting: slots?.waiting.length ?? 0 };
    },

    /** Resolves to the function that releases the slot, or rejects with the signal's reason. */
    async enter(teamId: string, signal: AbortSignal): Promise<() => void> {
      signal.throwIfAborted();
      const slots = teams.get(teamId) ?? createTeamSlots(share ? 0 : limit);
      teams.set(teamId, slots);
      slots.usedAt = performance.now();
      if (slots.active < slots.granted) {
        slots.active += 1;
      } else {
        await new Promise<void>((admitted, refuse) => {
          const enter = () => {
            signal.removeEventListener("abort", aborted);
            admitted();
          };
          const aborted = () => {
            slots.waiting.splice(slots.waiting.indexOf(enter), 1);
            refuse(signal.reason);
          };
          slots.waiting.push(enter);
          signal.addEventListener("abort", aborted, { once: true });
          askOnce(teamId, slots);
        });
      }
      let isHeld = true;
      return () => {
        if (!isHeld) return;
        isHeld = false;
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
  return { active: 0, waiting: [], granted, asking: null, usedAt: 0, askedAt: 0 };
}
