// Looks after sessions: notes that this process lives, ends those whose time is over, and ends in the store what a dead process
// left behind.
import { logFailure, type Repetition, repeat, secondMs } from "../../base/index.ts";
import type { OperationParts } from "../parts/operation-parts.ts";
import type { HeldSessions } from "./held-sessions.ts";
import { endsAt } from "./session-life.ts";
import type { SessionRecords } from "./session-records.ts";

const slowestTickMs = secondMs;
const slowestReapMs = 10 * secondMs;
const batch = 100;

/** `leaseMs`: an owner that shows no sign of life for so long has lost its sessions. */
export function watchSessions(
  { store, clock, log, owner }: OperationParts,
  held: HeldSessions,
  records: SessionRecords,
  leaseMs: number,
): Repetition[] {
  const { live, starting } = held;

  async function tick(): Promise<void> {
    const now = clock.now();
    const over = [...live.values()].filter(({ session }) => endsAt(session) <= now);
    await Promise.all(over.map((one) => held.endByItself(one, "destroyed")));
    if (live.size > 0 || starting.size > 0) await noteLife();
  }

  async function noteLife(): Promise<void> {
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
    for (const one of gone) void held.release(one);
  }

  /** Ends what dead processes left behind, as of their last sign of life. */
  async function reap(): Promise<void> {
    const lease = clock.now() - leaseMs;
    for (const session of await store.sessions.listHeld(batch)) {
      const { id, status, seenAt } = session;
      if (live.has(id) || starting.has(id)) continue;
      const isOwn = session.owner === owner.name;
      if (seenAt > lease && !isOwn && !owner.isGone(session.owner)) continue;
      if (status === "starting") await store.sessions.removeStarting(id);
      else await records.finish(session, seenAt, "error");
      await store.profiles.releaseWriter(session.teamId, id);
      log.warn({ session: id }, "ended a browser session that its server had left behind");
    }
  }

  return [
    repeat(Math.min(slowestTickMs, leaseMs / 10), tick, logFailure(log, "looking after browser sessions")),
    repeat(Math.min(slowestReapMs, leaseMs / 3), reap, logFailure(log, "ending abandoned browser sessions")),
  ];
}
