// Browser sessions as callers see them: open one, look at them, end one.
import { type Caller, minimumCredits } from "../../accounts/index.ts";
import { isoTime, ServiceError } from "../../base/index.ts";
import type { OperationInput, SessionTerms } from "../../contract/index.ts";
import type { SessionRow } from "../../store/index.ts";
import type { OperationParts, ServedOperations } from "../parts/operation-parts.ts";
import { createHars } from "./hars.ts";
import type { Replays } from "./replays.ts";
import type { SessionKeeper } from "./session-keeper.ts";
import type { SessionTokens } from "./session-links.ts";

const listedSessions = 100;

export function createSessionOperations(
  parts: OperationParts,
  keeper: SessionKeeper,
  tokens: SessionTokens,
  replays: Pick<Replays, "linksOf">,
) {
  const { store, credits } = parts;
  const hars = createHars(parts);

  async function readRecord(teamId: string, id: string): Promise<SessionRow> {
    const session = await store.sessions.read(teamId, id);
    if (!session) throw new ServiceError("SESSION_NOT_FOUND");
    return keeper.current(session);
  }

  function describe(session: SessionRow) {
    const { id, status, hasView, createdAt, usedAt } = session;
    return {
      id,
      status: status === "starting" ? ("active" as const) : status,
      // Clients take them for strings, of sessions that have ended, too.
      cdpUrl: "",
      liveViewUrl: "",
      ...tokens.linksOf(session),
      streamWebView: hasView,
      createdAt: isoTime(createdAt),
      lastActivity: isoTime(usedAt),
    };
  }

  return {
    async createSession(
      {
        ttl,
        activityTtl,
        streamWebView,
        recordSession,
        profile,
        ...more
      }: OperationInput<"createSession"> & SessionTerms,
      caller: Caller,
      signal: AbortSignal,
    ) {
      await credits.require(caller.teamId, minimumCredits.browser);
      const wanted = {
        endpoint: "browser" as const,
        scrapeId: null,
        ttlSeconds: ttl,
        activityTtlSeconds: activityTtl,
        hasView: streamWebView,
        isRecorded: recordSession,
        profile,
        recordsNetwork: more.recordNetwork,
        endsWithClients: more.endsWithClients === true,
      };
      const session = await keeper.open(wanted, caller, signal);
      const expiresAt = isoTime(session.createdAt + session.ttlMs);
      return { success: true, id: session.id, ...tokens.linksOf(session), expiresAt };
    },

    async listSessions({ status }, { teamId, baseUrl }) {
      const list = await store.sessions.list({ teamId, status, limit: listedSessions });
      const links = await replays.linksOf(
        list.map(({ id }) => id),
        baseUrl,
      );
      const sessions = list.map((session) => ({ ...describe(keeper.current(session)), ...links.get(session.id) }));
      return { success: true, sessions };
    },

    async readSession({ id }, { teamId, baseUrl }) {
      const session = await readRecord(teamId, id);
      const links = await replays.linksOf([id], baseUrl);
      return { success: true, ...describe(session), ...links.get(id), ...figuresOf(session) };
    },

    async readSessionHar({ id }, { teamId }) {
      const session = await readRecord(teamId, id);
      const held = session.status === "active" ? await keeper.find(teamId, id) : null;
      const har = held ? hars.read(held.browser) : await hars.find(teamId, id);
      if (har === null)
        throw new ServiceError(
          "REPLAY_NOT_RECORDED",
          "The network of this session was not recorded (recordNetwork), or its HAR has expired.",
        );
      return har;
    },

    async deleteSession({ id }, { teamId }) {
      const session = await keeper.end(await readRecord(teamId, id));
      return { success: true, ...figuresOf(session) };
    },
  } satisfies ServedOperations;
}

export function figuresOf({ durationMs, credits }: SessionRow) {
  if (durationMs === null || credits === null) return {};
  return { sessionDurationMs: durationMs, creditsBilled: credits };
}
