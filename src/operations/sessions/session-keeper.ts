// Keeps the browsers of sessions: opens them within the limits, says that they live, ends them when their time is over, and
// ends in the store what a process that died has left there. Whoever ends a session's row bills it, so it is billed once.
import { type Caller, prices } from "../../accounts/index.ts";
import { type Clock, type Logger, newId, type Repetition, repeat, ServiceError, secondMs } from "../../base/index.ts";
import type { BrowserEngine, BrowserSession } from "../../engines/index.ts";
import type { Owner } from "../../jobs/index.ts";
import type { BrowserProfiles, OpenProfile } from "../../pages/index.ts";
import type { Session, SessionEnd, Store } from "../../store/index.ts";
import { endOf, endsAt } from "./session-life.ts";
import type { SessionDoor, SessionTokens } from "./session-links.ts";

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

export interface SessionWish {
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

/** A session whose browser this process holds. */
export interface LiveSession {
  session: Session;
  browser: BrowserSession;
}

interface Held extends LiveSession {
  profile: OpenProfile | null;
  /** When it was last used, as the store knows it. */
  notedUse: number;
}

export type SessionKeeper = ReturnType<typeof createSessionKeeper>;

const slowestTickMs = secondMs;
const slowestReapMs = 10 * secondMs;
const storageMs = 5 * secondMs;
const portion = 100;

export function createSessionKeeper(deps: SessionKeeperDeps, options: SessionKeeperOptions) {
  const { store, clock, log, tokens, owner } = deps;
  const live = new Map<string, Held>();
  const starting = new Set<string>();
  /** Browsers that are being let go. */
  const releasing = new Set<Promise<void>>();
  let duties: Repetition[] = [];
  let isStopping = false;

  /** Takes the session's place among those of its team. */
  function reserve(session: Parameters<typeof store.sessions.insert>[0]): Promise<void> {
    return store.transaction(async ({ teams, sessions }) => {
      await teams.lock(session.teamId);
      if ((await sessions.countHeld(session.teamId)) >= options.perTeam) {
        throw new ServiceError(
          "SESSION_LIMIT",
          `A team has at most ${options.perTeam} browser sessions: end one first.`,
        );
      }
      await sessions.insert(session);
    });
  }

  /** The session is its writer, so that it can be freed by whoever ends the session of a dead process. */
  async function openProfile(id: string, teamId: string, wish: SessionWish): Promise<OpenProfile | null> {
    const { profile, ttlSeconds } = wish;
    const timeout = ttlSeconds * secondMs;
    const opened = await deps.profiles.open(teamId, { profile, timeout, zeroDataRetention: false }, id);
    if (opened && "code" in opened) throw new ServiceError(opened.code, opened.message);
    return opened;
  }

  async function start(id: string, wish: SessionWish, caller: Caller, signal: AbortSignal): Promise<Session> {
    const profile = await openProfile(id, caller.teamId, wish);
    let browser: BrowserSession | null = null;
    try {
      const opened = await deps.browser.openSession({
        id,
        storageState: profile?.state,
        wantsStorageState: profile?.saves ?? false,
        onTraffic: () => touch(id),
        signal,
      });
      if (signal.aborted) throw new ServiceError("ABORTED");
      if (!opened.ok) throw new ServiceError(opened.code, opened.message);
      browser = opened.session;
      const session = await activate(id, caller, wish.target ?? id);
      const held = { session, browser, profile, notedUse: session.usedAt };
      live.set(id, held);
      void browser.exited.then((code) => endByItself(held, code === 0 ? "destroyed" : "error"));
      return session;
    } catch (error) {
      await browser?.close();
      await profile?.close(undefined);
      throw error;
    }
  }

  /** Its life, and with it its bill, begins when the browser is there. */
  function activate(id: string, { teamId, keyId, apiVersion }: Caller, target: string): Promise<Session> {
    return store.transaction(async ({ sessions, activity }) => {
      const now = clock.now();
      const isStill = await sessions.activate(id, now);
      const session = await sessions.read(teamId, id);
      if (!isStill || !session) throw new ServiceError("BROWSER_NOT_AVAILABLE", "The browser took too long to start.");
      const { endpoint, activityRowId: rowId, scrapeId } = session;
      const about = { id: scrapeId ?? id, teamId, keyId, endpoint, apiVersion, target };
      await activity.insert([{ rowId, ...about, outcome: "running", createdAt: now }]);
      return session;
    });
  }

  /** Ends the row and bills it, unless somebody has done so. */
  async function finish(session: Session, at: number, status: SessionEnd["status"]): Promise<void> {
    const { id, teamId, keyId, endpoint } = session;
    const end = endOf(session, at, status);
    await store.transaction(async ({ sessions, charges, activity }) => {
      if (!(await sessions.end(id, end))) return;
      const { credits, endedAt } = end;
      await charges.charge([{ id, teamId, keyId, jobId: id, endpoint, credits, reason: endpoint, at: endedAt }]);
      const row = { teamId, createdAt: session.createdAt, rowId: session.activityRowId };
      await activity.setOutcome(row, status === "error" ? "failed" : "succeeded");
    });
  }

  function release(held: Held): Promise<void> {
    if (!live.delete(held.session.id)) return Promise.resolve();
    const released = letGo(held).finally(() => releasing.delete(released));
    releasing.add(released);
    return released;
  }

  /** What its profile is to keep is read before the browser is closed. */
  async function letGo({ session, browser, profile }: Held): Promise<void> {
    const failed = (what: string) => (error: unknown) => {
      log.error({ err: error, session: session.id }, `${what} of a session failed`);
      return undefined;
    };
    if (profile) {
      const reading = profile.saves ? within(storageMs, browser.readStorage()) : Promise.resolve(undefined);
      const state = await reading.catch(failed("reading the storage"));
      const problem = await profile.close(state).catch(failed("closing the profile"));
      if (problem) log.warn({ session: session.id }, problem);
    }
    await browser.close().catch(failed("closing the browser"));
  }

  async function endByItself(held: Held, status: SessionEnd["status"]): Promise<void> {
    if (live.get(held.session.id) !== held) return;
    try {
      await finish(held.session, clock.now(), status);
    } catch (error) {
      // Its row stays behind; the next tick finds it without a browser.
      log.error({ err: error, session: held.session.id }, "ending a session failed");
    }
    // Nobody waits for it: signs of life of the others must not be late because of it.
    void release(held);
  }

  function touch(id: string): void {
    const held = live.get(id);
    if (held) held.session.usedAt = clock.now();
  }

  async function tick(): Promise<void> {
    const now = clock.now();
    const over = [...live.values()].filter(({ session }) => endsAt(session) <= now);
    await Promise.all(over.map((held) => endByItself(held, "destroyed")));
    if (live.size > 0 || starting.size > 0) await noteLife();
  }

  async function noteLife(): Promise<void> {
    for (const held of live.values()) {
      const { id, usedAt } = held.session;
      if (usedAt === held.notedUse) continue;
      await store.sessions.noteUse(id, usedAt);
      held.notedUse = usedAt;
    }
    const before = new Set(live.keys());
    const known = new Set(await store.sessions.noteLife(owner.name, clock.now()));
    // Others have ended these: their browsers go too.
    const gone = [...live.values()].filter(({ session: { id } }) => before.has(id) && !known.has(id));
    for (const held of gone) void release(held);
  }

  /** Ends what processes that are gone have left behind, as of their last sign of life. */
  async function reap(): Promise<void> {
    const now = clock.now();
    const lease = now - options.leaseMs;
    for (const session of await store.sessions.listHeld(portion)) {
      const { id, status, seenAt } = session;
      if (live.has(id) || starting.has(id)) continue;
      const isOwn = session.owner === owner.name;
      if (seenAt > lease && !isOwn && !owner.isGone(session.owner)) continue;
      if (status === "starting") await store.sessions.removeStarting(id);
      else await finish(session, seenAt, "error");
      await store.profiles.releaseWriter(session.teamId, id);
      log.warn({ session: id }, "a browser session was left behind; it is ended");
    }
  }

  function whyNotHere({ status, baseUrl }: Session): ServiceError {
    if (status !== "active") return new ServiceError("SESSION_ENDED");
    return new ServiceError("SESSION_ELSEWHERE", `The browser of this session is held by another server: ${baseUrl}`);
  }

  return {
    /** A browser for a caller. Throws why there is none. */
    async open(wish: SessionWish, caller: Caller, signal: AbortSignal): Promise<Session> {
      if (isStopping || live.size + starting.size >= options.perProcess) {
        throw new ServiceError("OVERLOADED", "This server holds as many browser sessions as it can.");
      }
      const now = clock.now();
      const id = newId(now);
      starting.add(id);
      try {
        await reserve({
          id,
          teamId: caller.teamId,
          keyId: caller.keyId,
          endpoint: wish.endpoint,
          scrapeId: wish.scrapeId,
          createdAt: now,
          ttlMs: wish.ttlSeconds * secondMs,
          idleMs: wish.activityTtlSeconds * secondMs,
          hasView: wish.hasView,
          minutePrice: prices.browserMinute,
          baseUrl: options.baseUrl ?? caller.baseUrl,
          sealedSecret: tokens.newSecret(id),
          activityRowId: newId(now),
          owner: owner.name,
        });
        return await start(id, wish, caller, signal);
      } catch (error) {
        await store.sessions.removeStarting(id);
        throw error;
      } finally {
        starting.delete(id);
      }
    },

    /** The team's session, if this process holds its browser. Throws where it is otherwise. */
    async find(teamId: string, id: string): Promise<LiveSession> {
      const held = live.get(id);
      if (held?.session.teamId === teamId) return held;
      const session = await store.sessions.read(teamId, id);
      throw session ? whyNotHere(session) : new ServiceError("SESSION_NOT_FOUND");
    },

    /** The same for whoever brings a token instead of a key. */
    async enter(id: string, door: SessionDoor, token: string): Promise<LiveSession> {
      const held = live.get(id);
      const session = held?.session ?? (await store.sessions.readAny(id));
      if (!session || !tokens.isToken(session, door, token)) throw new ServiceError("TOKEN_INVALID");
      if (!held) throw whyNotHere(session);
      return held;
    },

    /** Somebody uses it. */
    touch,

    /** A language model works in it: its minutes cost more from the first to the last (API.md 6.1). */
    async notePrompt({ session }: LiveSession): Promise<void> {
      if (session.minutePrice >= prices.browserMinuteWithPrompt) return;
      await store.sessions.setMinutePrice(session.id, prices.browserMinuteWithPrompt);
      session.minutePrice = prices.browserMinuteWithPrompt;
    },

    /** As it is known here, where its browser is. */
    current: (session: Session): Session => live.get(session.id)?.session ?? session,

    /** Answers what it came to, whoever ended it. */
    async end(given: Session): Promise<Session> {
      const held = live.get(given.id);
      if (given.status === "active") await finish(held?.session ?? given, clock.now(), "destroyed");
      if (held) await release(held);
      return (await store.sessions.read(given.teamId, given.id)) ?? given;
    },

    /** Ends what never came to use, and bills nothing for it. */
    async discard({ id }: Session): Promise<void> {
      const held = live.get(id);
      if (!held) return;
      await finish({ ...held.session, minutePrice: 0 }, clock.now(), "error");
      await release(held);
    },

    /** Begins to look after sessions, own and left behind. */
    watch(): void {
      const report = (what: string) => (error: unknown) => log.error({ err: error }, `${what} failed`);
      duties = [
        repeat(Math.min(slowestTickMs, options.leaseMs / 10), tick, report("looking after browser sessions")),
        repeat(Math.min(slowestReapMs, options.leaseMs / 3), reap, report("ending abandoned browser sessions")),
      ];
    },

    /** Ends all sessions of this process. */
    async stop(): Promise<void> {
      isStopping = true;
      await Promise.all(duties.map((duty) => duty.stop()));
      await Promise.all([...live.values()].map((held) => endByItself(held, "destroyed")));
      await Promise.all(releasing);
    },
  };
}

async function within<Value>(ms: number, promise: Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_done, fail) => {
    timer = setTimeout(() => fail(new Error("It took too long.")), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
