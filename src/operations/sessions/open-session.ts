// Opens a session: its place among those of its team, its profile, its browser, its rows.
import { type Caller, prices } from "../../accounts/index.ts";
import { newId, ServiceError, secondMs } from "../../base/index.ts";
import type { BrowserSession } from "../../engines/index.ts";
import type { OpenProfile } from "../../reach/index.ts";
import type { SessionRow } from "../../store/index.ts";
import type { OperationParts } from "../parts/operation-parts.ts";
import type { HeldSessions } from "./held-sessions.ts";
import type { SessionTokens } from "./session-links.ts";
import type { Recorder, SessionRecording } from "./session-recording.ts";
import type { SessionRecords } from "./session-records.ts";

export interface WantedSession {
  /** What it is billed and listed as. */
  endpoint: "browser" | "interact";
  /** The scrape whose page it continues with. */
  scrapeId: string | null;
  /** What the request that opens it is listed with; the session's id unless given. */
  target?: string;
  ttlSeconds: number;
  activityTtlSeconds: number;
  hasView: boolean;
  isRecorded: boolean;
  profile: { name: string; saveChanges: boolean } | undefined;
  recordsNetwork?: boolean;
  /** It ends when no client drives it any more. */
  endsWithClients?: boolean;
}

interface OpeningParts {
  tokens: SessionTokens;
  records: SessionRecords;
  held: HeldSessions;
  recorder: Recorder;
  /** Where this very process is reached; null: where the request came to. */
  baseUrl: string | null;
}

export function createSessionOpener(parts: OperationParts, { tokens, records, held, recorder, baseUrl }: OpeningParts) {
  const { store, clock, log, owner, profiles, targets, browser: engine } = parts;

  /** The session is the profile's writer, so that ending the session of a dead process can free it. */
  async function openProfile(id: string, teamId: string, wanted: WantedSession): Promise<OpenProfile | null> {
    const { profile, ttlSeconds } = wanted;
    const timeout = ttlSeconds * secondMs;
    const opened = await profiles.open(teamId, { profile, timeout, zeroDataRetention: false }, id);
    if (opened && "code" in opened) throw new ServiceError(opened.code, opened.message);
    return opened;
  }

  /** A session goes on even if it cannot be recorded. */
  async function record(session: SessionRow, browser: BrowserSession): Promise<SessionRecording | null> {
    try {
      return await recorder.start(session, browser);
    } catch (error) {
      log.error({ err: error, session: session.id }, "a session cannot be recorded");
      return null;
    }
  }

  async function start(id: string, wanted: WantedSession, caller: Caller, signal: AbortSignal): Promise<SessionRow> {
    const profile = await openProfile(id, caller.teamId, wanted);
    let browser: BrowserSession | null = null;
    try {
      const opened = await engine.openSession({
        id,
        storageState: profile?.state,
        wantsStorageState: profile?.saves ?? false,
        recordsNetwork: wanted.recordsNetwork,
        isRecorded: wanted.isRecorded,
        onTraffic: () => held.touch(id),
        permits: (url) => targets.permits(caller.teamId, url),
        ...(wanted.endsWithClients ? { onClientsGone: () => held.leave(id) } : {}),
        signal,
      });
      if (signal.aborted) throw new ServiceError("ABORTED");
      if (!opened.ok) throw new ServiceError(opened.code, opened.message);
      browser = opened.session;
      const session = await records.activate(id, caller, wanted.target ?? id);
      const recording = await record(session, browser);
      held.add({ session, browser, profile, recording, notedUse: session.usedAt });
      return session;
    } catch (error) {
      await browser?.close();
      await profile?.close(undefined);
      throw error;
    }
  }

  function rowOf(id: string, wanted: WantedSession, caller: Caller, now: number) {
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
      isRecorded: wanted.isRecorded,
      minutePrice: prices.browserMinute,
      baseUrl: baseUrl ?? caller.baseUrl,
      sealedSecret: tokens.newSecret(id),
      activityRowId: newId(now),
      owner: owner.name,
    };
  }

  return async (wanted: WantedSession, caller: Caller, signal: AbortSignal): Promise<SessionRow> => {
    const now = clock.now();
    const id = newId(now);
    held.starting.add(id);
    try {
      await records.reserve(rowOf(id, wanted, caller, now));
      return await start(id, wanted, caller, signal);
    } catch (error) {
      await store.sessions.removeStarting(id);
      throw error;
    } finally {
      held.starting.delete(id);
    }
  };
}
