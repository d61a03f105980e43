// Continuing with a scraped page: its session is opened with the first request and used by the later ones.
import type { Caller } from "../../accounts/index.ts";
import { ServiceError } from "../../base/index.ts";
import type { OperationInput } from "../../contract/index.ts";
import { noModel, type OperationParts, type ServedOperations } from "../parts/operation-parts.ts";
import type { SessionPrograms } from "./execute.ts";
import type { LiveSession } from "./held-sessions.ts";
import type { PromptAnswerer } from "./prompt-answers.ts";
import { createPageReopener } from "./reopen-page.ts";
import type { SessionKeeper } from "./session-keeper.ts";
import type { SessionTokens } from "./session-links.ts";
import { figuresOf } from "./sessions.ts";

type InteractInput = OperationInput<"interact">;

interface InteractParts {
  keeper: SessionKeeper;
  tokens: SessionTokens;
  programs: SessionPrograms;
  /** Null when no language model is configured. */
  answerPrompt: PromptAnswerer | null;
}

export function createInteractOperations(
  parts: OperationParts,
  { keeper, tokens, programs, answerPrompt }: InteractParts,
) {
  const { store } = parts;
  const pages = createPageReopener(parts, keeper, programs);

  /** 501 before anything is opened. */
  function check({ code, prompt, language, timeout }: InteractInput): void {
    if (code !== undefined) programs.check({ code, language, timeout });
    else if (prompt !== undefined && answerPrompt === null) {
      throw noModel("A prompt", "Send code instead.");
    }
  }

  async function work(live: LiveSession, input: InteractInput, caller: Caller, signal: AbortSignal) {
    const { code, language, timeout, prompt } = input;
    if (code !== undefined) return programs.run(live, { code, language, timeout }, caller, signal);
    if (!answerPrompt) throw noModel("A prompt");
    await keeper.notePrompt(live);
    const asked = { live, prompt: prompt ?? "", timeoutSeconds: timeout, caller, signal };
    const { output, problem, warning } = await answerPrompt(asked);
    return {
      output,
      exitCode: problem === null ? 0 : 1,
      killed: false,
      ...(warning === null ? {} : { warning }),
      ...(problem === null ? {} : { error: problem }),
    };
  }

  return {
    async interact(input, caller, signal) {
      const page = await pages.find(input.id, caller);
      check(input);
      const live = await pages.enter(input, page, caller, signal);
      const answer = await work(live, input, caller, signal);
      const { session } = live;
      return {
        success: answer.exitCode === 0 && !answer.killed,
        sessionId: session.id,
        ...tokens.linksOf(session),
        ...answer,
      };
    },

    async stopInteraction({ id }, { teamId }) {
      const session = await store.sessions.findOfScrape(teamId, id);
      if (!session) throw new ServiceError("SESSION_NOT_FOUND");
      return { success: true, ...figuresOf(await keeper.end(session)) };
    },
  } satisfies ServedOperations;
}
