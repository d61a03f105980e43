// Continuing with a scraped page: its session is opened with the first request and used by the later ones.
import { type Caller, type Credits, minimumCredits } from "../../accounts/index.ts";
import { type Clock, newId, ServiceError, secondMs } from "../../base/index.ts";
import type { OperationInput, OperationOutput } from "../../contract/index.ts";
import type { FindStoredPage, Replay, Replays } from "../../pages/index.ts";
import { type CheckUrl, requireAllowedUrl } from "../../reach/index.ts";
import type { ActivityEntry, Store } from "../../store/index.ts";
import type { SessionPrograms } from "./execute.ts";
import type { LiveSession } from "./held-sessions.ts";
import type { PromptAnswerer } from "./prompt-answers.ts";
import type { SessionKeeper } from "./session-keeper.ts";
import type { SessionTokens } from "./session-links.ts";
import { figuresOf } from "./sessions.ts";

type InteractInput = OperationInput<"interact">;

export interface InteractDeps {
  store: Store;
  clock: Clock;
  credits: Credits;
  keeper: SessionKeeper;
  tokens: SessionTokens;
  programs: SessionPrograms;
  replays: Replays;
  checkUrl: CheckUrl;
  findStoredPage: FindStoredPage;
  /** Null when no language model is configured. */
  answerPrompt: PromptAnswerer | null;
}

const reopenMs = 60 * secondMs;

export function createInteractOperations(deps: InteractDeps) {
  const { store, clock, keeper, tokens, programs } = deps;
  /** Two first requests for one scrape wait for the same session. */
  const opening = new Map<string, Promise<LiveSession>>();

  async function findPage(id: string, { teamId }: Caller): Promise<Replay> {
    const stored = await deps.findStoredPage(teamId, id);
    if (!stored) throw new ServiceError("JOB_NOT_FOUND");
    const { details, options } = stored;
    if (details.replay !== undefined) return deps.replays.open(id, details.replay);
    const url = details.facts?.sourceURL;
    // A file that was parsed has a name instead of a URL.
    if (details.failure || url === undefined || !/^https?:/i.test(url)) throw new ServiceError("SCRAPE_NOT_REPLAYABLE");
    const { waitFor = 0, actions = [], profile } = options ?? {};
    return { url, waitFor, actions, profile };
  }

  /** 501 before anything is opened. */
  function check({ code, prompt, language, timeout }: InteractInput): void {
    if (code !== undefined) programs.check({ code, language, timeout });
    else if (prompt !== undefined && deps.answerPrompt === null) {
      throw new ServiceError(
        "MODEL_NOT_CONFIGURED",
        "A prompt needs a language model, and none is configured (MODEL_NAME). Send code instead.",
      );
    }
  }

  async function findSession(input: InteractInput, caller: Caller): Promise<LiveSession | null> {
    const { teamId } = caller;
    if (input.existingSessionId !== undefined) return keeper.find(teamId, input.existingSessionId);
    const session = await store.sessions.findOfScrape(teamId, input.id);
    return session?.status === "active" ? keeper.find(teamId, session.id) : null;
  }

  async function openSession(input: InteractInput, page: Replay, caller: Caller, signal: AbortSignal) {
    requireAllowedUrl(deps.checkUrl, page.url);
    await deps.credits.require(caller.teamId, minimumCredits.browser);
    const session = await keeper.open(
      {
        endpoint: "interact",
        scrapeId: input.id,
        target: targetOf(input, page),
        ttlSeconds: input.ttl,
        activityTtlSeconds: input.activityTtl,
        hasView: true,
        profile: page.profile,
      },
      caller,
      signal,
    );
    try {
      const live = await keeper.find(caller.teamId, session.id);
      const problem = await programs.reopen(live, page, reopenMs, caller, signal);
      if (problem === null) return live;
      throw new ServiceError("SCRAPE_NOT_REPLAYABLE", `The page could not be brought back: ${problem}`);
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
  async function note(input: InteractInput, page: Replay, { teamId, keyId, apiVersion }: Caller): Promise<void> {
    const createdAt = clock.now();
    const about = { id: input.id, teamId, keyId, apiVersion, endpoint: "interact", target: targetOf(input, page) };
    const row: ActivityEntry = { rowId: newId(createdAt), ...about, outcome: "succeeded", createdAt };
    await store.transaction(({ activity }) => activity.insert([row]));
  }

  async function work(live: LiveSession, input: InteractInput, caller: Caller, signal: AbortSignal) {
    const { code, language, timeout, prompt } = input;
    if (code !== undefined) return programs.run(live, { code, language, timeout }, caller, signal);
    if (!deps.answerPrompt) throw new ServiceError("MODEL_NOT_CONFIGURED");
    await keeper.notePrompt(live);
    const asked = { live, prompt: prompt ?? "", timeoutSeconds: timeout, caller, signal };
    const { output, problem, warning } = await deps.answerPrompt(asked);
    return {
      output,
      exitCode: problem === null ? 0 : 1,
      killed: false,
      ...(warning === null ? {} : { warning }),
      ...(problem === null ? {} : { error: problem }),
    };
  }

  return {
    async interact(input: InteractInput, caller: Caller, signal: AbortSignal): Promise<OperationOutput<"interact">> {
      const page = await findPage(input.id, caller);
      check(input);
      const live = await enter(input, page, caller, signal);
      const answer = await work(live, input, caller, signal);
      const { session } = live;
      return {
        success: answer.exitCode === 0 && !answer.killed,
        sessionId: session.id,
        ...tokens.linksOf(session),
        ...answer,
      };
    },

    async stopInteraction(
      { id }: OperationInput<"stopInteraction">,
      { teamId }: Caller,
    ): Promise<OperationOutput<"stopInteraction">> {
      const session = await store.sessions.findOfScrape(teamId, id);
      if (!session) throw new ServiceError("SESSION_NOT_FOUND");
      return { success: true, ...figuresOf(await keeper.end(session)) };
    },
  };
}

function targetOf({ code, prompt }: InteractInput, { url }: Replay): string {
  return code === undefined && prompt !== undefined ? prompt : url;
}
