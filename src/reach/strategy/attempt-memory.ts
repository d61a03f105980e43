// Which attempt reaches a host, as a team has found out. The store keeps it for all processes; a small memory here saves most
// pages the look-up.
import { type Clock, hrefHost, secondMs } from "../../base/index.ts";
import type { Sealer, Store } from "../../store/index.ts";
import { type Attempt, attemptName, readAttempt } from "./attempts.ts";
import type { ClearanceCookie } from "./clearance-cookies.ts";

export interface Recalled {
  attempt: Attempt;
  /** Set when the block was passed. */
  cookies: ClearanceCookie[];
  /** This page tries whether a cheaper attempt works again. */
  triesCheaper: boolean;
}

export interface LearnedAttempt {
  attempt: Attempt;
  /** How long the page took that way. */
  ms: number;
  cookies: readonly ClearanceCookie[];
}

interface Known {
  kept: Omit<Recalled, "triesCheaper"> | null;
  /** Not used from then on, by the clock. */
  until: number;
  /** Read from the store again from then on. */
  freshUntil: number;
}

export interface AttemptMemoryDeps {
  store: Pick<Store, "hosts">;
  sealer: Sealer;
  clock: Clock;
}

export type AttemptMemory = ReturnType<typeof createAttemptMemory>;

/** What other processes learn is noticed after this long. */
const freshMs = 10 * secondMs;
const maxHosts = 10_000;
const pagesPerTrial = 50;

/** `memoryMs` 0: nothing is remembered. */
export function createAttemptMemory({ store, sealer, clock }: AttemptMemoryDeps, { memoryMs }: { memoryMs: number }) {
  const known = new Map<string, Promise<Known>>();
  /** Until when a host is known to have no entry: most hosts block nothing, and their pages wait for no promise. */
  const unblocked = new Map<string, number>();
  const uses = new Map<string, number>();
  const keyOf = (teamId: string, host: string) => `${teamId} ${host}`;
  const purposeOf = (teamId: string, host: string) => `cookies of a host ${teamId} ${host}`;

  function remember(key: string, reading: Promise<Known>): Promise<Known> {
    drop(key);
    known.set(key, reading);
    const [oldest] = known.keys();
    if (known.size > maxHosts && oldest !== undefined) drop(oldest);
    return reading;
  }

  function drop(key: string): void {
    known.delete(key);
    unblocked.delete(key);
  }

  async function read(teamId: string, host: string): Promise<Known> {
    const row = await store.hosts.findAttempt(teamId, host);
    const freshUntil = clock.now() + freshMs;
    const attempt = row && readAttempt(row.attempt);
    if (!row || !attempt) return { kept: null, until: freshUntil, freshUntil };
    return {
      kept: { attempt, cookies: openCookies(row.sealedCookies, teamId, host) },
      until: row.since + memoryMs,
      freshUntil,
    };
  }

  /** Cookies that were sealed with another secret are lost, and set again. */
  function openCookies(sealed: string | null, teamId: string, host: string): ClearanceCookie[] {
    if (sealed === null) return [];
    try {
      return JSON.parse(sealer.open(sealed, purposeOf(teamId, host)));
    } catch {
      return [];
    }
  }

  async function find(teamId: string, host: string): Promise<Known> {
    const key = keyOf(teamId, host);
    const now = clock.now();
    const reading = known.get(key);
    const before = await reading?.catch(() => null);
    if (before && before.freshUntil > now) return before;
    // Pages of one host that start together share one look-up.
    const latest = known.get(key);
    if (latest && latest !== reading) return latest;
    const asked = remember(key, read(teamId, host));
    const { kept, freshUntil } = await asked;
    if (kept === null && known.get(key) === asked) unblocked.set(key, freshUntil);
    return asked;
  }

  function countUse(key: string): number {
    const count = (uses.get(key) ?? 0) + 1;
    uses.delete(key);
    uses.set(key, count);
    const [oldest] = uses.keys();
    if (uses.size > maxHosts && oldest !== undefined) uses.delete(oldest);
    return count;
  }

  return {
    /** Whether it is known just now that `recall` would answer null. */
    recallsNothing(teamId: string, url: string): boolean {
      return memoryMs === 0 || (unblocked.get(keyOf(teamId, hrefHost(url))) ?? 0) > clock.now();
    },

    /** Null for a host that the cheapest attempt reaches. */
    async recall(teamId: string, url: string): Promise<Recalled | null> {
      if (memoryMs === 0) return null;
      const host = hrefHost(url);
      const { kept, until } = await find(teamId, host);
      if (kept === null || until <= clock.now()) return null;
      return { ...kept, triesCheaper: countUse(keyOf(teamId, host)) % pagesPerTrial === 0 };
    },

    /** The page of this URL was reached on this attempt after cheaper ones had failed. */
    async learn(teamId: string, url: string, { attempt, ms, cookies }: LearnedAttempt): Promise<void> {
      if (memoryMs === 0) return;
      const { host } = new URL(url);
      const since = clock.now();
      const sealedCookies = cookies.length === 0 ? null : sealer.seal(JSON.stringify(cookies), purposeOf(teamId, host));
      await store.hosts.putAttempt(teamId, host, { attempt: attemptName(attempt), since, ms, sealedCookies });
      const kept = { attempt, cookies: [...cookies] };
      await remember(
        keyOf(teamId, host),
        Promise.resolve({ kept, until: since + memoryMs, freshUntil: since + freshMs }),
      );
    },

    /** The attempt does not reach the host any more. */
    async forget(teamId: string, url: string): Promise<void> {
      const { host } = new URL(url);
      drop(keyOf(teamId, host));
      await store.hosts.forgetAttempt(teamId, host);
    },
  };
}
