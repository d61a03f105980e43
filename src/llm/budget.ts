// Who may ask now: so many questions at once, and so many tokens of a team in a month.
import { type Clock, createSemaphore, monthOf, type Release } from "../base/index.ts";
import { noTokens } from "./allowance.ts";
import type { Allowance, ModelFailure, Tokens } from "./model.ts";

/** Whose tokens are used. */
export interface TokenPayer {
  teamId: string;
  /** Null where no key was needed. */
  keyId: string | null;
}

/** Where the tokens of teams are counted, over restarts and processes. */
export interface TokenLedger {
  /**
   * Takes as many of the wanted tokens as the team's month has left before they are used, so that questions that are asked at
   * the same time cannot use the same ones. `granted` 0: less than `least` are left. `used`: with what others have reserved.
   */
  reserve(
    payer: TokenPayer,
    month: number,
    wanted: WantedTokens,
  ): Promise<{ id: string; granted: number; used: number }>;
  /** Counts what was used, and gives the reservation back if there was one. */
  settle(payer: TokenPayer, month: number, tokens: Tokens, reservation: string | null): Promise<void>;
}

export interface WantedTokens {
  least: number;
  most: number;
  /** Of the team in a month. */
  limit: number;
  /** How long the question may take. */
  lastsMs: number;
}

export interface BudgetOptions {
  concurrency: number;
  /** Of a team; 0: unlimited. */
  tokensPerMonth: number;
}

export interface Budget {
  /** Waits for a place; the teams that wait take turns. Rejects with the signal's reason. */
  enter(payer: TokenPayer, signal: AbortSignal): Promise<Release>;
  /** Takes the tokens of one question from what the request and the team may use. */
  reserve(
    payer: TokenPayer,
    allowance: Allowance,
    wanted: Omit<WantedTokens, "limit">,
  ): Promise<TokenReservation | ModelFailure>;
}

export interface TokenReservation {
  ok: true;
  /** At least the `least` that were asked for. */
  tokens: number;
  /** What was used of them. To be called once, at the end. */
  settle(used: Tokens): Promise<void>;
}

export function createBudget(deps: { ledger: TokenLedger; clock: Clock }, options: BudgetOptions): Budget {
  const { ledger, clock } = deps;
  const places = createSemaphore({ places: options.concurrency });

  return {
    enter: ({ teamId }, signal) => places.acquire(signal, teamId),

    async reserve(payer, allowance, { least, most, lastsMs }) {
      const left = allowance.left();
      if (least > left) {
        const { input, output } = allowance.used;
        return exceeded(
          `This request has reached its limit of language model tokens: ${input + output} are used, the next question ` +
            `needs about ${least}, and ${left} are left (LLM_TOKENS_PER_REQUEST, or the credits of the team).`,
        );
      }
      const month = monthOf(clock.now());
      const { tokensPerMonth: limit } = options;
      const wanted = Math.min(most, left);
      const taken = limit === 0 ? null : await ledger.reserve(payer, month, { least, most: wanted, limit, lastsMs });
      if (taken?.granted === 0) {
        return exceeded(
          `The team has used or reserved ${taken.used} of its ${limit} language model tokens for this month.`,
        );
      }
      return {
        ok: true,
        tokens: taken?.granted ?? wanted,
        async settle(used) {
          allowance.add(used);
          const isNothing = taken === null && used.input + used.output === 0;
          if (!isNothing) await ledger.settle(payer, month, used, taken?.id ?? null);
        },
      };
    },
  };
}

function exceeded(message: string): ModelFailure {
  return { ok: false, code: "MODEL_BUDGET_EXCEEDED", message, tokens: noTokens };
}
