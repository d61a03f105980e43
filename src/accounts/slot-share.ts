// How many slots of a team, or places at a host, this process may use when several share a store: each asks for a number and
// holds what it was granted until it asks again, or its lease expires. All together never hold more than the limit.
import { type Clock, newId, type SlotShare, secondMs } from "../base/index.ts";
import type { ShareStatements, Statements, Store } from "../store/index.ts";

export const slotLeaseMs = 15 * secondMs;
/** Short, so that the places of a killed process at a host are soon free for others. */
const hostLeaseMs = 8 * secondMs;

export interface SlotShareDeps {
  store: Store;
  clock: Clock;
  limit: number;
}

interface SharedThing {
  leaseMs: number;
  /** Until the transaction ends no other process changes the shares of this key. */
  lock(statements: Statements, key: string): Promise<void>;
  parts(statements: Statements): ShareStatements;
  /** The last process with a share of this key may be gone. */
  forget?(statements: Statements, key: string, now: number): Promise<void>;
}

export function createTeamShare(deps: SlotShareDeps): SlotShare {
  return createSlotShare(deps, {
    leaseMs: slotLeaseMs,
    lock: ({ teams }, teamId) => teams.lock(teamId),
    parts: ({ teamSlots }) => teamSlots,
  });
}

export function createHostShare(deps: SlotShareDeps): SlotShare {
  return createSlotShare(deps, {
    leaseMs: hostLeaseMs,
    lock: ({ hostPaces }, host) => hostPaces.lock(host),
    parts: ({ hostSlots }) => hostSlots,
    // Keep no record of the hosts that were asked.
    forget: ({ hostPaces }, host, now) => hostPaces.unlock(host, now),
  });
}

function createSlotShare(
  { store, clock, limit }: SlotShareDeps,
  { leaseMs, lock, parts, forget }: SharedThing,
): SlotShare {
  const owner = newId(clock.now());
  return {
    leaseMs,
    resize: (key, { wanted, active }) =>
      store.transaction(async (statements) => {
        const now = clock.now();
        const shares = parts(statements);
        await lock(statements, key);
        if (wanted + active === 0) {
          await shares.remove(key, owner);
          await shares.removeEnded(key, now);
          await forget?.(statements, key, now);
          return 0;
        }
        const others = await shares.listOthers(key, owner, now);
        const free = others.reduce((left, { held }) => left - held, limit);
        const wants = others.map((other) => other.wanted);
        const granted = Math.max(0, Math.min(fairShare(limit, wanted, wants), free));
        // Slots in use are kept even if others want their share; nothing new starts until the others have it.
        const held = Math.max(granted, active);
        await shares.put({ key, owner, wanted, held, leaseUntil: now + leaseMs });
        return granted;
      }),
  };
}

/** A process that wants less than an equal share gets it; the others split the rest. */
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
