// The browsers that this process holds for sessions: ended when their time is over, let go once.
import { setTimeout as wait } from "node:timers/promises";
import { type Logger, secondMs } from "../../base/index.ts";
import type { BrowserSession } from "../../engines/index.ts";
import type { OpenProfile } from "../../reach/index.ts";
import type { SessionEnd, SessionRow } from "../../store/index.ts";
import type { OperationParts } from "../parts/operation-parts.ts";
import { createHars, type Hars } from "./hars.ts";
import type { SessionEvents } from "./session-events.ts";
import type { SessionRecording } from "./session-recording.ts";
import type { SessionRecords } from "./session-records.ts";

/** A session whose browser this process holds. */
export interface LiveSession {
  session: SessionRow;
  browser: BrowserSession;
}

export interface HeldSession extends LiveSession {
  profile: OpenProfile | null;
  recording: SessionRecording | null;
  /** When it was last used, as the store knows it. */
  notedUse: number;
}

const storageMs = 5 * secondMs;

export type HeldSessions = ReturnType<typeof createHeldSessions>;

export function createHeldSessions(parts: OperationParts, records: SessionRecords, events: SessionEvents) {
  const { clock, log } = parts;
  const hars = createHars(parts);
  const live = new Map<string, HeldSession>();
  /** Ids of sessions whose browsers are being started. */
  const starting = new Set<string>();
  const releasing = new Set<Promise<void>>();

  function release(held: HeldSession): Promise<void> {
    if (!live.delete(held.session.id)) return Promise.resolve();
    const kept = events.keep(held.session, held.browser).catch((error: unknown) => {
      log.error({ err: error, session: held.session.id }, "keeping the events of a session failed");
    });
    const released = kept.then(() => letGo(held, hars, log)).finally(() => releasing.delete(released));
    releasing.add(released);
    return released;
  }

  async function endByItself(held: HeldSession, status: SessionEnd["status"]): Promise<void> {
    if (live.get(held.session.id) !== held) return;
    try {
      await records.finish(held.session, clock.now(), status);
    } catch (error) {
      // Its row stays behind; the next look at abandoned sessions finds it without a browser.
      log.error({ err: error, session: held.session.id }, "ending a session failed");
    }
    // Not awaited: it must not delay the heartbeats of the others.
    void release(held);
  }

  return {
    live,
    starting,
    release,
    endByItself,

    add(held: HeldSession): void {
      live.set(held.session.id, held);
      void held.browser.exited.then((code) => endByItself(held, code === 0 ? "destroyed" : "error"));
    },

    touch(id: string): void {
      const held = live.get(id);
      if (held) held.session.usedAt = clock.now();
    },

    /** Its last client has gone. */
    leave(id: string): void {
      const held = live.get(id);
      if (held) void endByItself(held, "destroyed");
    },

    async endAll(): Promise<void> {
      await Promise.all([...live.values()].map((held) => endByItself(held, "destroyed")));
      await Promise.all(releasing);
    },
  };
}

/** What its profile is to keep is read before the browser is closed. */
async function letGo({ session, browser, profile, recording }: HeldSession, hars: Hars, log: Logger): Promise<void> {
  const failed = (what: string) => (error: unknown) => {
    log.error({ err: error, session: session.id }, `${what} of a session failed`);
    return undefined;
  };
  await hars.keep(session, browser).catch(failed("keeping the HAR"));
  await recording?.stop().catch(failed("ending the recording"));
  if (profile) {
    const reading = profile.saves ? browser.readStorage().catch(failed("reading the storage")) : undefined;
    const state = reading && (await Promise.race([reading, wait(storageMs, undefined, { ref: false })]));
    const problem = await profile.close(state).catch(failed("closing the profile"));
    if (problem) log.warn({ session: session.id }, problem);
  }
  await browser.close().catch(failed("closing the browser"));
}
