// The session of a scraped page: opened and restored by the first request for it, and used by the later ones.
import { activityRow, type Caller, minimumCredits } from "../../accounts/index.ts";
import { ServiceError, secondMs } from "../../base/index.ts";
import type { OperationInput } from "../../contract/index.ts";
import { requireAllowedUrl } from "../../reach/index.ts";
import type { OperationParts } from "../parts/operation-parts.ts";
import { openReplay, type Replay } from "../parts/replay.ts";
import { findStoredPage } from "../parts/stored-page.ts";
import type { SessionPrograms } from "./execute.ts";
import type { LiveSession } from "./held-sessions.ts";
import type { SessionKeeper } from "./session-keeper.ts";

type InteractInput = OperationInput<"interact">;

const reopenMs = 60 * secondMs;

export function createPageReopener(parts: OperationParts, keeper: SessionKeeper, programs: SessionPrograms) {
  const { store, clock, credits, sealer, checkUrl } = parts;
  /** Two first requests for one scrape wait for the same session. */
  const opening = new Map<string, Promise<LiveSession>>();

  async function findPage(id: string, { teamId }: Caller): Promise<Replay> {
    const stored = await findStoredPage(parts, teamId, id);
    if (!stored) throw new ServiceError("JOB_NOT_FOUND");
    const { details, options } = stored;
    if (details.replay !== undefined) return openReplay(sealer, id, details.replay);
    const url = details.facts?.sourceURL;
    // A file that was parsed has a name instead of a URL.
    if (details.failure || url === undefined || !/^https?:/i.test(url)) throw new ServiceError("SCRAPE_NOT_REPLAYABLE");
    const { waitFor = 0, actions = [], profile } = options ?? {};
    return { url, waitFor, actions, profile };
  }

  async function findSession(input: InteractInput, caller: Caller): Promise<LiveSession | null> {
    const { teamId } = caller;
    if (input.existingSessionId !== undefined) return keeper.find(teamId, input.existingSessionId);
    const session = await store.sessions.findOfScrape(teamId, input.id);
    return session?.status === "active" ? keeper.find(teamId, session.id) : null;
  }

  async function openSession(input: InteractInput, page: Replay, caller: Caller, signal: AbortSignal) {
    requireAllowedUrl(checkUrl, page.url);
    await credits.require(caller.teamId, minimumCredits.browser);
    const session = await keeper.open(
      {
        endpoint: "interact",
        scrapeId: input.id,
        target: targetOf(input, page),
        ttlSeconds: input.ttl,
        activityTtlSeconds: input.activityTtl,
        hasView: true,
        isRecorded: false,
        profile: page.profile,
      },
      caller,
      signal,
    );
    try {
      const live = await keeper.find(caller.teamId, session.id);
      const problem = await programs.reopen(live, page, reopenMs, caller, signal);
      if (problem === null) return live;
      throw new ServiceError("SCRAPE_NOT_REPLAYABLE", `The page could not be restored: ${problem}`);
    } catch (error) {
      await keeper.discard(session);
      throw error;
    }
  }

  async function enter(input: InteractInput, page: Replay, caller: Caller, signal: AbortSignal): Promise<LiveSession> {
    const under = input.existingSessionId === undefined ? opening.get(input.id) : undefined;
    if (under) return under;
    const existing = await findSession(input, caller);
    if (existing) {
      await note(input, page, caller);
      return existing;
    }
    const started = opening.get(input.id) ?? openSession(input, page, caller, signal);
    opening.set(input.id, started);
    const forget = () => void opening.delete(input.id);
    started.then(forget, forget);
    return started;
  }

  /** The request that opens the session is listed with it. */
  async function note(input: InteractInput, page: Replay, caller: Caller): Promise<void> {
    const createdAt = clock.now();
    const about = { id: input.id, endpoint: "interact", target: targetOf(input, page), createdAt };
    const row = activityRow(caller, about, { credits: 0, endedAt: createdAt });
    await store.transaction(({ activity }) => activity.insert([row]));
  }

  return { find: findPage, enter };
}

function targetOf({ code, prompt }: InteractInput, { url }: Replay): string {
  return code === undefined && prompt !== undefined ? prompt : url;
}
