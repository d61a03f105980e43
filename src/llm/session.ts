// The calls that one question to a model takes: they share its time, its tokens and its place in the line.
import { createDeadline } from "../base/index.ts";
import { addTokens, estimateTokens, noTokens } from "./allowance.ts";
import type { Budget } from "./budget.ts";
import type { JsonObject, ModelFailure, ModelRequest, Rung, Tokens } from "./model.ts";
import type { CallAnswer, CallOutcome, Provider } from "./provider.ts";
import { withRetries } from "./retry.ts";

export interface Turn {
  rung: Rung;
  /** Ours and the model's words by turns, beginning with ours. */
  turns: readonly string[];
  schema: JsonObject | null;
}

export interface SessionFailure extends ModelFailure {
  /** Another way of asking may work. */
  mayTryOther: boolean;
}

export interface Session {
  ask(turn: Turn): Promise<CallAnswer | SessionFailure>;
  /** Of all calls so far. */
  tokens(): Tokens;
  /** To be called at the end. */
  close(): void;
}

/** An answer with less room than this is cut off before it says anything. */
const leastOutputTokens = 64;

export function openSession(deps: { provider: Provider; budget: Budget }, request: ModelRequest): Session {
  const { provider, budget } = deps;
  const { teamId, keyId = null, allowance, timeoutMs } = request;
  const deadline = createDeadline(request.signal, timeoutMs);
  const { signal } = deadline;
  const endsAt = performance.now() + timeoutMs;
  let used = noTokens;

  function fail(failure: Pick<ModelFailure, "code" | "message">, mayTryOther = false): SessionFailure {
    return { ok: false, code: failure.code, message: failure.message, tokens: used, mayTryOther };
  }

  async function callInTurn(turn: Turn, maxOutputTokens: number): Promise<CallOutcome> {
    let leave: () => void;
    try {
      leave = await budget.enter(signal);
    } catch {
      return { ok: false, failure: { ...endedBy(signal), next: "end", retryAfterSeconds: null, words: "" } };
    }
    try {
      return await provider({ ...turn, system: request.system, maxOutputTokens, signal });
    } finally {
      leave();
    }
  }

  return {
    async ask(turn) {
      const schemaText = turn.schema === null ? "" : JSON.stringify(turn.schema);
      const input = estimateTokens(request.system + turn.turns.join("") + schemaText);
      const refusal = await budget.refuse(teamId, allowance, input + leastOutputTokens);
      if (refusal !== null) return fail(refusal);
      const maxOutputTokens = Math.min(request.maxOutputTokens, allowance.left() - input);
      const outcome = await withRetries(
        () => callInTurn(turn, maxOutputTokens),
        () => endsAt - performance.now(),
        signal,
      );
      if (!outcome.ok) return fail(outcome.failure, outcome.failure.next === "other");
      used = addTokens(used, outcome.tokens);
      await budget.spend({ teamId, keyId }, allowance, outcome.tokens);
      return outcome;
    },
    tokens: () => used,
    close: deadline.clear,
  };
}

function endedBy({ reason }: AbortSignal): Pick<ModelFailure, "code" | "message"> {
  const isLate = reason instanceof Error && reason.name === "TimeoutError";
  if (!isLate) return { code: "ABORTED", message: "The language model was not waited for." };
  return { code: "MODEL_TIMEOUT", message: "The time ran out while waiting for the language model." };
}
