// The calls that one question to a model takes: they share its time, its tokens and its place in the line.
import { type Clock, createDeadline, passTime, secondMs } from "../base/index.ts";
import { estimateTokens } from "../text/index.ts";
import { addTokens, type Budget, imageTokens, noTokens } from "./budget.ts";
import type { JsonObject, ModelFailure, ModelRequest, OutputMode, Tokens } from "./model.ts";
import type { CallAnswer, CallOutcome, Provider } from "./provider.ts";

export interface Turn {
  mode: OutputMode;
  /** Our words and the model's in turn, ours first. */
  turns: readonly string[];
  schema: JsonObject | null;
}

export interface SessionFailure extends ModelFailure {
  /** Another way of asking may work. */
  mayTryOther: boolean;
}

export interface ModelSession {
  ask(turn: Turn): Promise<CallAnswer | SessionFailure>;
  /** Asks for the rest of an answer that was cut off. */
  askToContinue(question: string, text: string): Promise<CallAnswer | SessionFailure>;
  /** Of all calls so far. */
  tokens(): Tokens;
  /** To be called at the end. */
  close(): void;
}

/** How often the rest of an answer that was cut off is asked for. */
export const maxContinuations = 2;

const continueWords =
  "Your answer was cut off. Go on exactly where it ended, in the middle of a word if need be. Do not repeat anything and add " +
  "no other text.";

/** An answer with less room than this is cut off before it says anything. */
const leastOutputTokens = 64;
const maxTries = 5;
const firstWaitMs = 500;
const longestOwnWaitMs = 8 * secondMs;

export function openModelSession(
  deps: { provider: Provider; budget: Budget; clock: Clock },
  request: ModelRequest,
): ModelSession {
  const { provider, budget, clock } = deps;
  const { teamId, keyId = null, allowance, timeoutMs, image = null } = request;
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
      leave = await budget.enter({ teamId, keyId }, signal);
    } catch {
      const failure = { ...endedBy(signal), next: "end" as const, retryAfterSeconds: null, words: "" };
      return { ok: false, failure, tokens: noTokens };
    }
    try {
      return await provider({ ...turn, system: request.system, image, maxOutputTokens, signal });
    } finally {
      leave();
    }
  }

  const session: ModelSession = {
    async ask(turn) {
      const schemaText = turn.schema === null ? "" : JSON.stringify(turn.schema);
      const input = estimateTokens(request.system + turn.turns.join("") + schemaText) + imageTokens(image);
      const wanted = { least: input + leastOutputTokens, most: input + request.maxOutputTokens, lastsMs: timeoutMs };
      const reservation = await budget.reserve({ teamId, keyId }, allowance, wanted);
      if (!reservation.ok) return fail(reservation);
      let spent = noTokens;
      const callAndCount = async () => {
        const outcome = await callInTurn(turn, reservation.tokens - input);
        spent = addTokens(spent, outcome.tokens);
        return outcome;
      };
      try {
        const outcome = await withRetries(callAndCount, clock, () => endsAt - performance.now(), signal);
        used = addTokens(used, spent);
        return outcome.ok ? outcome : fail(outcome.failure, outcome.failure.next === "other");
      } finally {
        await reservation.settle(spent);
      }
    },
    askToContinue: (question, text) =>
      session.ask({ mode: "text", turns: [question, text, continueWords], schema: null }),
    tokens: () => used,
    close: deadline.clear,
  };
  return session;
}

function endedBy({ reason }: AbortSignal): Pick<ModelFailure, "code" | "message"> {
  const isLate = reason instanceof Error && reason.name === "TimeoutError";
  if (!isLate) return { code: "ABORTED", message: "The request to the language model was cancelled." };
  return { code: "MODEL_TIMEOUT", message: "The request timed out while it waited for the language model." };
}

/** Asks again what failed for a while only (429, 5xx, no connection). `remainingMs`: time until the signal ends. A wait that would outlast it is not started: it fails immediately. */
async function withRetries(
  ask: () => Promise<CallOutcome>,
  clock: Clock,
  remainingMs: () => number,
  signal: AbortSignal,
): Promise<CallOutcome> {
  let before: CallOutcome | null = null;
  for (let tries = 1; ; tries += 1) {
    const outcome = await ask();
    // That the time ran out while it was asked again says less than why it was.
    if (before !== null && !outcome.ok && outcome.failure.code === "MODEL_TIMEOUT") return before;
    before = outcome;
    if (outcome.ok || outcome.failure.next !== "retry" || tries === maxTries) return outcome;
    const ownMs = Math.min(longestOwnWaitMs, firstWaitMs * 2 ** (tries - 1));
    const { retryAfterSeconds } = outcome.failure;
    const waitMs = retryAfterSeconds === null ? ownMs : retryAfterSeconds * secondMs;
    if (waitMs >= remainingMs()) return outcome;
    try {
      await passTime(clock, waitMs, signal);
    } catch {
      return outcome;
    }
  }
}
