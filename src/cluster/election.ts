// One of the processes that share a store does what must not be done twice: the checks of monitors, retention and upkeep. It
// holds a lease that it renews; when it crashes, another one takes over within 15 seconds.
import { type Clock, type Logger, logFailure, type Owner, type Repetition, repeat, secondMs } from "../base/index.ts";
import type { Store } from "../store/index.ts";

const office = "upkeep";
const leaseMs = 10 * secondMs;
const voteMs = 3 * secondMs;
/** A holder that cannot renew its lease stops before another may begin. */
const marginMs = secondMs;

/** A store that no other process shares needs no votes. */
const alone = { isElected: () => true, start: async () => undefined, stop: async () => undefined };

export function createElection(deps: { store: Store; clock: Clock; owner: Owner; log: Logger }) {
  const { store, clock, owner, log } = deps;
  if (store.notifier === null) return alone;
  let electedUntil = 0;
  let votes: Repetition | null = null;

  async function vote(): Promise<void> {
    const holder = await store.elections.findHolder(office);
    const now = clock.now();
    const ended = holder !== null && owner.isGone(holder) ? holder : null;
    const won = await store.elections.acquire({ office, owner: owner.name, leaseUntil: now + leaseMs, now, ended });
    electedUntil = won ? now + leaseMs - marginMs : 0;
  }

  const failed = logFailure(log, "voting for the process that keeps the store in order");
  return {
    isElected: () => clock.now() < electedUntil,
    /** Resolves after the first vote. */
    async start() {
      await vote().catch(failed);
      votes = repeat(voteMs, vote, failed);
    },
    async stop() {
      await votes?.stop();
      if (electedUntil === 0) return;
      electedUntil = 0;
      await store.elections.resign(office, owner.name).catch(failed);
    },
  };
}
