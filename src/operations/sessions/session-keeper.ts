// Keeps the browsers of sessions: opens them within the limits, finds them, ends them.
import { type Caller, prices } from "../../accounts/index.ts";
import { type Repetition, ServiceError } from "../../base/index.ts";
import type { SessionRow } from "../../store/index.ts";
import type { OperationParts } from "../parts/operation-parts.ts";
import { createHeldSessions, type LiveSession } from "./held-sessions.ts";
import { createSessionOpener, type WantedSession } from "./open-session.ts";
import type { SessionEvents } from "./session-events.ts";
import type { SessionAccess, SessionTokens } from "./session-links.ts";
import { createRecorder, type RecordingOptions } from "./session-recording.ts";
import { createSessionRecords } from "./session-records.ts";
import { watchSessions } from "./session-upkeep.ts";

export interface SessionKeeperOptions {
  /** Sessions of one team at the same time, over all processes. */
  perTeam: number;
  /** Sessions of this process, of all teams. */
  perProcess: number;
  /** An owner that shows no sign of life for so long has lost its sessions. */
  leaseMs: number;
  /** Where this very process is reached; null: where the request came to. */
  baseUrl: string | null;
  recording: RecordingOptions;
}

export type SessionKeeper = ReturnType<typeof createSessionKeeper>;

export function createSessionKeeper(
  parts: OperationParts,
  tokens: SessionTokens,
  events: SessionEvents,
  options: SessionKeeperOptions,
) {
  const { store, clock } = parts;
  const records = createSessionRecords(parts, options.perTeam);
  const held = createHeldSessions(parts, records, events);
  const { live, starting } = held;
  const open = createSessionOpener(parts, {
    tokens,
    records,
    held,
    recorder: createRecorder(parts, options.recording),
    baseUrl: options.baseUrl,
  });
  let duties: Repetition[] = [];
  let isStopping = false;

  /** The session that this token opens, wherever its browser is. */
  async function admit(id: string, access: SessionAccess, token: string): Promise<SessionRow> {
    const session = live.get(id)?.session ?? (await store.sessions.readAny(id));
    if (!session || !tokens.isToken(session, access, token)) throw new ServiceError("TOKEN_INVALID");
    if (session.status !== "active") throw new ServiceError("SESSION_ENDED");
    return session;
  }

  return {
    /** A browser for a caller. Throws why it cannot have one. */
    async open(wanted: WantedSession, caller: Caller, signal: AbortSignal): Promise<SessionRow> {
      if (isStopping || live.size + starting.size >= options.perProcess) {
        throw new ServiceError(
          "OVERLOADED",
          "This server already has as many browser sessions as MAX_SESSIONS allows.",
        );
      }
      return open(wanted, caller, signal);
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
    async enter(id: string, access: SessionAccess, token: string): Promise<LiveSession> {
      const session = await admit(id, access, token);
      const one = live.get(id);
      if (!one) throw whyNotHere(session);
      return one;
    },

    /** Whether this process holds its browser. */
    holds: (id: string): boolean => live.has(id),

    /** Sessions that this process holds or opens. */
    count: (): number => live.size + starting.size,

    /** Notes that it is used now. */
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

    /** Ends a session that was never used, and bills nothing for it. */
    async discard({ id }: SessionRow): Promise<void> {
      const one = live.get(id);
      if (!one) return;
      await records.finish({ ...one.session, minutePrice: 0 }, clock.now(), "error");
      await held.release(one);
    },

    /** Begins to look after sessions, own and left behind. */
    watch(): void {
      duties = watchSessions(parts, held, records, options.leaseMs);
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
