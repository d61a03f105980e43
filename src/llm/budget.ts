// Who may ask now: so many questions at once, and so many tokens of a team in a month.
import { type Clock, monthOf } from "../base/index.ts";
import { noTokens } from "./allowance.ts";
import type { Allowance, ModelFailure, Tokens } from "./model.ts";

/** Whose tokens are used. */
export interface Payer {
  teamId: string;
  /** Null where no key was needed. */
  keyId: string | null;
}

/** Where the tokens of teams are counted, over restarts and processes. */
export interface TokenLedger {
  sum(teamId: string, month: number): Promise<number>;
  add(payer: Payer, month: number, tokens: Tokens): Promise<void>;
}

export interface BudgetOptions {
  concurrency: number;
  /** Of a team; 0: unlimited. */
  tokensPerMonth: number;
}

export interface Budget {
  /** Resolves to the function that gives the place back, or rejects with the signal's reason. */
  enter(signal: AbortSignal): Promise<() => void>;
  /** Why a question of about so many tokens may not be asked; null when it may. */
  refuse(teamId: string, allowance: Allowance, tokens: number): Promise<ModelFailure | null>;
  spend(payer: Payer, allowance: Allowance, tokens: Tokens): Promise<void>;
}

export function createBudget(deps: { ledger: TokenLedger; clock: Clock }, options: BudgetOptions): Budget {
  const { ledger, clock } = deps;
  const waiting: (() => void)[] = [];
  let active = 0;

  function leave(): void {
    const next = waiting.shift();
    if (next === undefined) active -= 1;
    else next();
  }

  return {
    async enter(signal) {
      signal.throwIfAborted();
      if (active < options.concurrency) active += 1;
      else await waitForPlace(waiting, signal);
      let isHeld = true;
      return () => {
        if (isHeld) leave();
        isHeld = false;
      };
    },

    async refuse(teamId, allowance, tokens) {
      if (tokens > allowance.left()) {
        const { input, output } = allowance.used;
        return exceeded(
          `This request may not use more tokens of the language model: ${input + output} are used, the next question ` +
            `needs about ${tokens}, ${allowance.left()} are left (LLM_TOKENS_PER_REQUEST, or the credits of the team).`,
        );
      }
      const { tokensPerMonth } = options;
      if (tokensPerMonth === 0) return null;
      const used = await ledger.sum(teamId, monthOf(clock.now()));
      if (used + tokens <= tokensPerMonth) return null;
      return exceeded(`The team has used ${used} of its ${tokensPerMonth} tokens of the language model this month.`);
    },

    async spend(payer, allowance, tokens) {
      allowance.add(tokens);
      await ledger.add(payer, monthOf(clock.now()), tokens);
    },
  };
}

function exceeded(message: string): ModelFailure {
  return { ok: false, code: "MODEL_BUDGET_EXCEEDED", message, tokens: noTokens };
}

/** Whoever leaves hands its place on. */
function waitForPlace(waiting: (() => void)[], signal: AbortSignal): Promise<void> {
  return new Promise((admitted, refuse) => {
    const enter = () => {
      signal.removeEventListener("abort", aborted);
      admitted();
    };
    const aborted = () => {
      waiting.splice(waiting.indexOf(enter), 1);
      refuse(signal.reason);
    };
    waiting.push(enter);
    signal.addEventListener("abort", aborted, { once: true });
  });
}
