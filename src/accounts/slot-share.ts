// How many of a team's slots this process may use when several share a store: each asks for a number and holds what
// it was granted until it asks again, or its lease expires. All together never hold more than the limit.
import { type Clock, newId, secondMs } from "../base/index.ts";
import type { Store } from "../store/index.ts";

export interface SlotShare {
  /** With `wanted` 0 and nothing in use, the process gives up its share. */
  resize(teamId: string, need: { wanted: number; active: number }): Promise<number>;
}

export const slotLeaseMs = 15 * secondMs;

export function createSlotShare({ store, clock, limit }: { store: Store; clock: Clock; limit: number }): SlotShare {
  const owner = newId(clock.now());
  return {
    resize: (teamId, { wanted, active }) =>
      store.transaction(async ({ teams, teamSlots }) => {
        const now = clock.now();
        await teams.lock(teamId);
        if (wanted + active === 0) {
          await teamSlots.remove(teamId, owner);
          await teamSlots.removeEnded(teamId, now);
          return 0;
        }
        const others = await teamSlots.listOthers(teamId, owner, now);
        const free = others.reduce((left, { held }) => left - held, limit);
        const wants = others.map((other) => other.wanted);
        const granted = Math.max(0, Math.min(fairShare(limit, wanted, wants), free));
        // Slots in use stay in use, even if others want their share: nothing new starts until they have it.
        const held = Math.max(granted, active);
        await teamSlots.put({ teamId, owner, wanted, held, leaseUntil: now + slotLeaseMs });
        return granted;
      }),
  };
}

/** Whoever wants less than an equal share gets it; the others split the rest. */
export function fairShare(limit: number, wanted: number, others: readonly number[]): number {
  let left = limit;
  let sharing = others.length + 1;
  for (const other of others.toSorted((one, two) => one - two)) {
    if (other > wanted) break;
    left -= Math.min(other, Math.floor(left / sharing));
    sharing -= 1;
  }
  return Math.min(wanted, Math.ceil(left / sharing));
}
