// Programs on the pages of a session. A program that fails is an answer: what it printed, and how it ended.
import type { Caller } from "../../accounts/index.ts";
import { ServiceError, secondMs } from "../../base/index.ts";
import type { OperationInput, OperationOutput } from "../../contract/index.ts";
import {
  type BrowserSession,
  type ProgramOutcome,
  type ProgramRequest,
  type ProgramRunner,
  readVerbLines,
  type SessionMemory,
} from "../../engines/index.ts";
import { createMediaCollector, mediaBlobs, type NewMedia, toMediaLink } from "../../pages/index.ts";
import type { OperationParts, ServedOperations } from "../parts/operation-parts.ts";
import type { LiveSession } from "./held-sessions.ts";
import type { SessionKeeper } from "./session-keeper.ts";

type Program = Pick<OperationInput<"executeInSession">, "code" | "language" | "timeout">;
export type ProgramAnswer = Omit<OperationOutput<"executeInSession">, "success">;

export type SessionPrograms = ReturnType<typeof createSessionPrograms>;

export function createSessionPrograms(
  { store, clock }: OperationParts,
  keeper: SessionKeeper,
  runner: ProgramRunner,
  /** Besides JavaScript and verbs. */
  languages: readonly Program["language"][],
) {
  /** What one program on a session leaves for the next. */
  const memories = new WeakMap<BrowserSession, SessionMemory>();

  /** 501 for what this server does not run. */
  function plan({ code, language }: Program): ProgramRequest["work"] {
    if (language === "node") return { kind: "code", code };
    const commands = language === "bash" ? readVerbLines(code) : null;
    if (commands !== null) return { kind: "verbs", commands };
    if (languages.includes(language)) return { kind: "interpreter", language, code };
    const verbs = language === "bash" ? " Lines of agent-browser commands, joined by && or ;, always run." : "";
    throw new ServiceError(
      "EXECUTE_NOT_AVAILABLE",
      `This server does not run ${language} programs: EXECUTE_LANGUAGES does not include them.${verbs}`,
    );
  }

  async function perform(
    { session, browser }: LiveSession,
    work: ProgramRequest["work"],
    timeoutMs: number,
    caller: Caller,
    signal: AbortSignal,
  ): Promise<ProgramOutcome> {
    const ending = new AbortController();
    const giveUp = () => ending.abort();
    signal.addEventListener("abort", giveUp, { once: true });
    void browser.exited.then(giveUp);
    const pictures = createMediaCollector({ zeroDataRetention: false });
    keeper.touch(session.id);
    try {
      const outcome = await runner.run({
        teamId: caller.teamId,
        work,
        memory: memories.get(browser) ?? {},
        devtoolsSocket: browser.devtoolsSocket,
        timeoutMs,
        signal: ending.signal,
        keepPicture: async (png) => toMediaLink(pictures.put(png), caller.baseUrl),
      });
      // It may have failed only because its browser was taken away.
      if (outcome.exitCode !== 0 && !keeper.holds(session.id)) throw new ServiceError("SESSION_ENDED");
      if (pictures.media.length > 0) await keep(caller.teamId, pictures.media);
      // A program that says nothing of the frame has left it.
      const { frame: _frame, dialog: _dialog, ...kept } = memories.get(browser) ?? {};
      memories.set(browser, { ...kept, ...outcome.memory });
      return outcome;
    } catch (error) {
      if (ending.signal.aborted && !signal.aborted) throw new ServiceError("SESSION_ENDED");
      throw error;
    } finally {
      signal.removeEventListener("abort", giveUp);
      keeper.touch(session.id);
    }
  }

  async function keep(teamId: string, media: readonly NewMedia[]): Promise<void> {
    const blobs = await mediaBlobs(store.blobs.pack, teamId, media, clock.now());
    await store.transaction(async (statements) => {
      await statements.blobs.put(blobs);
    });
  }

  return {
    async run(live: LiveSession, program: Program, caller: Caller, signal: AbortSignal): Promise<ProgramAnswer> {
      const outcome = await perform(live, plan(program), program.timeout * secondMs, caller, signal);
      const { memory: _memory, ...answer } = outcome;
      return answer;
    },

    /** Whether it could be run at all: to be asked before anything is opened for it. */
    check(program: Program): void {
      plan(program);
    },

    /** Brings a scrape's page back; null, or why that could not be done. */
    async reopen(
      live: LiveSession,
      page: Omit<Extract<ProgramRequest["work"], { kind: "reopen" }>, "kind">,
      timeoutMs: number,
      caller: Caller,
      signal: AbortSignal,
    ): Promise<string | null> {
      const outcome = await perform(live, { kind: "reopen", ...page }, timeoutMs, caller, signal);
      return outcome.exitCode === 0 ? null : (outcome.error ?? outcome.stderr.trim());
    },
  };
}

export function createExecuteOperations(keeper: SessionKeeper, programs: SessionPrograms) {
  return {
    async executeInSession({ id, code, language, timeout }, caller, signal) {
      const live = await keeper.find(caller.teamId, id);
      return { success: true, ...(await programs.run(live, { code, language, timeout }, caller, signal)) };
    },
  } satisfies ServedOperations;
}
