// Keeps the browsers of sessions: opens them within the limits, finds them, ends them.
import { type Caller, prices } from "../../accounts/index.ts";
import { type Clock, type Logger, newId, type Repetition, ServiceError, secondMs } from "../../base/index.ts";
import type { BrowserEngine, BrowserSession } from "../../engines/index.ts";
import type { Owner } from "../../jobs/index.ts";
import type { BrowserProfiles, OpenProfile } from "../../reach/index.ts";
import type { SessionRow, Store } from "../../store/index.ts";
import { createHeldSessions, type LiveSession } from "./held-sessions.ts";
import type { SessionDoor, SessionTokens } from "./session-links.ts";
import { createSessionRecords } from "./session-records.ts";
import { watchSessions } from "./session-upkeep.ts";

export interface SessionKeeperDeps {
  store: Store;
  clock: Clock;
  log: Logger;
  browser: Pick<BrowserEngine, "openSession">;
  profiles: BrowserProfiles;
  tokens: SessionTokens;
  owner: Owner;
}

export interface SessionKeeperOptions {
  /** Sessions of one team at the same time, over all processes. */
  perTeam: number;
  /** Sessions of this process, of all teams. */
  perProcess: number;
  /** An owner that shows no sign of life for so long has lost its sessions. */
  leaseMs: number;
  /** Where this very process is reached; null: where the request came to. */
  baseUrl: string | null;
}

export interface NewSessionOptions {
  /** What it is billed and listed as. */
  endpoint: "browser" | "interact";
  /** The scrape whose page it goes on with. */
  scrapeId: string | null;
  /** What the request that opens it is listed with; the session's id unless given. */
  target?: string;
  ttlSeconds: number;
  activityTtlSeconds: number;
  hasView: boolean;
  profile: { name: string; saveChanges: boolean } | undefined;
}

export type SessionKeeper = ReturnType<typeof createSessionKeeper>;

export function createSessionKeeper(deps: SessionKeeperDeps, options: SessionKeeperOptions) {
  const { store, clock, log, tokens, owner } = deps;
  const records = createSessionRecords(deps, options.perTeam);
  const held = createHeldSessions({ records, clock, log });
  const { live } = held;
  const starting = new Set<string>();
  let duties: Repetition[] = [];
  let isStopping = false;

  /** The session is the profile's writer, so that ending the session of a dead process can free it. */
  async function openProfile(id: string, teamId: string, wanted: NewSessionOptions): Promise<OpenProfile | null> {
    const { profile, ttlSeconds } = wanted;
    const timeout = ttlSeconds * secondMs;
    const opened = await deps.profiles.open(teamId, { profile, timeout, zeroDataRetention: false }, id);
    if (opened && "code" in opened) throw new ServiceError(opened.code, opened.message);
    return opened;
  }

  async function start(
    id: string,
    wanted: NewSessionOptions,
    caller: Caller,
    signal: AbortSignal,
  ): Promise<SessionRow> {
    const profile = await openProfile(id, caller.teamId, wanted);
    let browser: BrowserSession | null = null;
    try {
      const opened = await deps.browser.openSession({
        id,
        storageState: profile?.state,
        wantsStorageState: profile?.saves ?? false,
        onTraffic: () => held.touch(id),
        signal,
      });
      if (signal.aborted) throw new ServiceError("ABORTED");
      if (!opened.ok) throw new ServiceError(opened.code, opened.message);
      browser = opened.session;
      const session = await records.activate(id, caller, wanted.target ?? id);
      held.add({ session, browser, profile, notedUse: session.usedAt });
      return session;
    } catch (error) {
      await browser?.close();
      await profile?.close(undefined);
      throw error;
    }
  }

  function rowOf(id: string, wanted: NewSessionOptions, caller: Caller, now: number) {
    return {
      id,
      teamId: caller.teamId,
      keyId: caller.keyId,
      endpoint: wanted.endpoint,
      scrapeId: wanted.scrapeId,
      createdAt: now,
      ttlMs: wanted.ttlSeconds * secondMs,
      idleMs: wanted.activityTtlSeconds * secondMs,
      hasView: wanted.hasView,
      minutePrice: prices.browserMinute,
      baseUrl: options.baseUrl ?? caller.baseUrl,
      sealedSecret: tokens.newSecret(id),
      activityRowId: newId(now),
      owner: owner.name,
    };
  }

  /** The session that this token opens, wherever its browser is. */
  async function admit(id: string, door: SessionDoor, token: string): Promise<SessionRow> {
    const session = live.get(id)?.session ?? (await store.sessions.readAny(id));
    if (!session || !tokens.isToken(session, door, token)) throw new ServiceError("TOKEN_INVALID");
    if (session.status !== "active") throw new ServiceError("SESSION_ENDED");
    return session;
  }

  return {
    /** A browser for a caller. Throws why it cannot have one. */
    async open(wanted: NewSessionOptions, caller: Caller, signal: AbortSignal): Promise<SessionRow> {
      if (isStopping || live.size + starting.size >= options.perProcess) {
        throw new ServiceError("OVERLOADED", "This server already holds as many browser sessions as it can.");
      }
      const now = clock.now();
      const id = newId(now);
      starting.add(id);
      try {
        await records.reserve(rowOf(id, wanted, caller, now));
        return await start(id, wanted, caller, signal);
      } catch (error) {
        await store.sessions.removeStarting(id);
        throw error;
      } finally {
        starting.delete(id);
      }
    },

    /** The team's session, if this process holds its browser. Throws where it is otherwise. */
    async find(teamId: string, id: string): Promise<LiveSession> {
      const one = live.get(id);
      if (one?.session.teamId === teamId) return one;
      const session = await store.sessions.read(teamId, id);
      throw session ? whyNotHere(session) : new ServiceError("SESSION_NOT_FOUND");
    },

    admit,

    /** The same for a client with a token instead of a key. */
    async enter(id: string, door: SessionDoor, token: string): Promise<LiveSession> {
      const session = await admit(id, door, token);
      const one = live.get(id);
      if (!one) throw whyNotHere(session);
      return one;
    },

    /** Whether its browser is here and goes on. */
    holds: (id: string): boolean => live.has(id),

    /** Sessions that this process holds, or opens. */
    count: (): number => live.size + starting.size,

    /** Somebody uses it. */
    touch: held.touch,

    /** A language model works in it: all its minutes cost more, from the first to the last. */
    async notePrompt({ session }: LiveSession): Promise<void> {
      if (session.minutePrice >= prices.browserMinuteWithPrompt) return;
      await store.sessions.setMinutePrice(session.id, prices.browserMinuteWithPrompt);
      session.minutePrice = prices.browserMinuteWithPrompt;
    },

    /** As it is known here, where its browser is. */
    current: (session: SessionRow): SessionRow => live.get(session.id)?.session ?? session,

    /** Returns the session as it ended, even if it had ended before. */
    async end(given: SessionRow): Promise<SessionRow> {
      const one = live.get(given.id);
      if (given.status === "active") await records.finish(one?.session ?? given, clock.now(), "destroyed");
      if (one) await held.release(one);
      return (await store.sessions.read(given.teamId, given.id)) ?? given;
    },

    /** Ends what never came to use, and bills nothing for it. */
    async discard({ id }: SessionRow): Promise<void> {
      const one = live.get(id);
      if (!one) return;
      await records.finish({ ...one.session, minutePrice: 0 }, clock.now(), "error");
      await held.release(one);
    },

    /** Begins to look after sessions, own and left behind. */
    watch(): void {
      duties = watchSessions({ store, clock, log, owner, records, held, starting }, options.leaseMs);
    },

    /** Ends all sessions of this process. */
    async stop(): Promise<void> {
      isStopping = true;
      await Promise.all(duties.map((duty) => duty.stop()));
      await held.endAll();
    },
  };
}

function whyNotHere({ status, baseUrl }: SessionRow): ServiceError {
  if (status !== "active") return new ServiceError("SESSION_ENDED");
  const message = `Another server holds the browser of this session and cannot be reached: ${baseUrl}`;
  return new ServiceError("SESSION_ELSEWHERE", message);
}
