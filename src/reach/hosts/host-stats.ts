// What a team's pages told about their hosts: robots.txt, refusals for too many requests, verdicts. Notes are gathered here
// and written together, so that a page does not wait for them.
import { type Clock, dayMs, hrefHost } from "../../base/index.ts";
import type { RobotsState } from "../../discovery/index.ts";
import type { PageState } from "../../safety/index.ts";
import type { HostNotes, HostRow, Store } from "../../store/index.ts";
import { type Attempt, readAttempt } from "../strategy/attempts.ts";

/** What is not written yet. */
interface Pending {
  teamId: string;
  host: string;
  seenAt: number;
  rules: Pick<RobotsState, "state" | "crawlDelayMs"> | null;
  last429At: number | null;
  /** The latest first. */
  verdicts: PageState[];
  inFlight: number;
  isChanged: boolean;
}

export interface ListedHost extends Omit<HostRow, "attempt" | "attemptSince" | "verdicts"> {
  /** What got past its block; null when it does not block. */
  attempt: { engine: Attempt["engine"]; proxy: Attempt["tier"] } | null;
  /** The latest first. */
  verdicts: PageState[];
  /** Pages that this process fetches for requests, those of jobs aside. */
  inFlight: number;
}

export interface HostAnswer {
  status: number;
  verdict: PageState;
}

export type HostStats = ReturnType<typeof createHostStats>;

const keptVerdicts = 5;
const maxHosts = 10_000;
const listedAgeMs = dayMs;
const maxListed = 1000;
const tooManyRequests = 429;

/** `memoryMs`: how long an attempt is remembered. */
export function createHostStats({ store, clock }: { store: Store; clock: Clock }, { memoryMs }: { memoryMs: number }) {
  const hosts = new Map<string, Pending>();
  let writing: Promise<void> = Promise.resolve();

  function pendingOf(teamId: string, url: string): Pending {
    const host = hrefHost(url);
    const key = `${teamId} ${host}`;
    const known = hosts.get(key);
    if (known) return known;
    const fresh = { rules: null, last429At: null, verdicts: [], inFlight: 0, isChanged: false };
    const pending: Pending = { teamId, host, seenAt: clock.now(), ...fresh };
    hosts.set(key, pending);
    if (hosts.size > maxHosts) dropOne();
    return pending;
  }

  /** The oldest: more hosts between two writes than anybody reads in a list. */
  function dropOne(): void {
    for (const [key, { inFlight }] of hosts) {
      if (inFlight > 0) continue;
      hosts.delete(key);
      return;
    }
  }

  function change(pending: Pending): void {
    pending.seenAt = clock.now();
    pending.isChanged = true;
  }

  async function write(): Promise<void> {
    const changed = [...hosts.values()].filter(({ isChanged }) => isChanged);
    if (changed.length === 0) return;
    const notes = changed.map((pending) => ({ ...pending, verdicts: [...pending.verdicts] }));
    for (const pending of changed) Object.assign(pending, { isChanged: false, verdicts: [] });
    await store.transaction(async (statements) => {
      const merged: HostNotes[] = [];
      for (const note of notes) merged.push(merge(note, await statements.hosts.findNotes(note.teamId, note.host)));
      await statements.hosts.note(merged);
    });
    for (const [key, { inFlight, isChanged }] of hosts) if (inFlight === 0 && !isChanged) hosts.delete(key);
  }

  /** One write after the other. */
  function flush(): Promise<void> {
    writing = writing.catch(() => undefined).then(write);
    return writing;
  }

  return {
    /** A page of the host is fetched; call the answer when that has ended. */
    enter(teamId: string, url: string): () => void {
      const pending = pendingOf(teamId, url);
      pending.inFlight += 1;
      return () => {
        pending.inFlight -= 1;
      };
    },

    noteAnswer(teamId: string, url: string, { status, verdict }: HostAnswer): void {
      const pending = pendingOf(teamId, url);
      change(pending);
      pending.verdicts = [verdict, ...pending.verdicts].slice(0, keptVerdicts);
      if (status === tooManyRequests) pending.last429At = pending.seenAt;
    },

    noteRules(teamId: string, url: string, rules: RobotsState): void {
      const pending = pendingOf(teamId, url);
      change(pending);
      pending.rules = rules;
    },

    flush,

    /** The hosts that a team has asked within a day, the latest first. */
    async list(teamId: string): Promise<ListedHost[]> {
      await flush();
      const now = clock.now();
      const rows = await store.hosts.list(teamId, now - listedAgeMs, maxListed);
      return rows.map(({ attempt: text, attemptSince, verdicts, ...row }) => {
        const isKept = text !== null && attemptSince !== null && attemptSince + memoryMs > now;
        const attempt = isKept ? readAttempt(text) : null;
        const inFlight = hosts.get(`${teamId} ${row.host}`)?.inFlight ?? 0;
        return {
          ...row,
          verdicts: verdicts as PageState[],
          inFlight,
          attempt: attempt && { engine: attempt.engine, proxy: attempt.tier },
        };
      });
    },
  };
}

function merge(
  { teamId, host, seenAt, rules, last429At, verdicts }: Pending,
  before: Omit<HostNotes, "teamId" | "host" | "seenAt"> | null,
): HostNotes {
  return {
    teamId,
    host,
    seenAt,
    delayMs: rules ? (rules.crawlDelayMs ?? 0) : (before?.delayMs ?? 0),
    last429At: last429At ?? before?.last429At ?? null,
    robots: rules?.state ?? before?.robots ?? null,
    verdicts: [...verdicts, ...(before?.verdicts ?? [])].slice(0, keptVerdicts),
  };
}
