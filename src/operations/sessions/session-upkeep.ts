// Looks after sessions: says that this process lives, ends those whose time is over, and ends in the store what a process that
// died has left there.
import { type Clock, type Logger, type Repetition, repeat, secondMs } from "../../base/index.ts";
import type { Owner } from "../../jobs/index.ts";
import type { Store } from "../../store/index.ts";
import type { HeldSessions } from "./held-sessions.ts";
import { endsAt } from "./session-life.ts";
import type { SessionRecords } from "./session-records.ts";

export interface SessionUpkeepDeps {
  store: Store;
  clock: Clock;
  log: Logger;
  owner: Owner;
  records: SessionRecords;
  held: HeldSessions;
  /** Ids of sessions whose browsers are being started. */
  starting: ReadonlySet<string>;
}

const slowestTickMs = secondMs;
const slowestReapMs = 10 * secondMs;
const batch = 100;

/** `leaseMs`: an owner that shows no sign of life for so long has lost its sessions. */
export function watchSessions(deps: SessionUpkeepDeps, leaseMs: number): Repetition[] {
  const { log } = deps;
  const report = (what: string) => (error: unknown) => log.error({ err: error }, `${what} failed`);
  return [
    repeat(Math.min(slowestTickMs, leaseMs / 10), () => tick(deps), report("looking after browser sessions")),
    repeat(
      Math.min(slowestReapMs, leaseMs / 3),
      () => reap(deps, leaseMs),
      report("ending abandoned browser sessions"),
    ),
  ];
}

async function tick(deps: SessionUpkeepDeps): Promise<void> {
  const { held, clock, starting } = deps;
  const now = clock.now();
  const over = [...held.live.values()].filter(({ session }) => endsAt(session) <= now);
  await Promise.all(over.map((one) => held.endByItself(one, "destroyed")));
  if (held.live.size > 0 || starting.size > 0) await noteLife(deps);
}

async function noteLife({ store, held, owner, clock }: SessionUpkeepDeps): Promise<void> {
  const { live, release } = held;
  for (const one of live.values()) {
    const { id, usedAt } = one.session;
    if (usedAt === one.notedUse) continue;
    await store.sessions.noteUse(id, usedAt);
    one.notedUse = usedAt;
  }
  const before = new Set(live.keys());
  const known = new Set(await store.sessions.noteLife(owner.name, clock.now()));
  // Others have ended these: their browsers go too.
  const gone = [...live.values()].filter(({ session: { id } }) => before.has(id) && !known.has(id));
  for (const one of gone) void release(one);
}

/** Ends what processes that are gone have left behind, as of their last sign of life. */
async function reap(deps: SessionUpkeepDeps, leaseMs: number): Promise<void> {
  const { store, clock, log, owner, records, held, starting } = deps;
  const lease = clock.now() - leaseMs;
  for (const session of await store.sessions.listHeld(batch)) {
    const { id, status, seenAt } = session;
    if (held.live.has(id) || starting.has(id)) continue;
    const isOwn = session.owner === owner.name;
    if (seenAt > lease && !isOwn && !owner.isGone(session.owner)) continue;
    if (status === "starting") await store.sessions.removeStarting(id);
    else await records.finish(session, seenAt, "error");
    await store.profiles.releaseWriter(session.teamId, id);
    log.warn({ session: id }, "ended a browser session that its server had left behind");
  }
}
