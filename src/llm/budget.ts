// Limits on questions: how many run at the same time, and how many tokens a request, and a team in a month, may use.
import { type Clock, createSemaphore, monthOf } from "../base/index.ts";
import type { Allowance, ModelFailure, ModelImage, Tokens } from "./model.ts";

export const noTokens: Tokens = { input: 0, output: 0 };

export function addTokens(one: Tokens, other: Tokens): Tokens {
  return { input: one.input + other.input, output: one.output + other.output };
}

/** `limit` 0: unlimited. `most`: tokens that the request may use beside that, which may be none. */
export function createAllowance(limit: number, most = Number.POSITIVE_INFINITY): Allowance {
  const allowed = Math.min(limit === 0 ? Number.POSITIVE_INFINITY : limit, most);
  let used = noTokens;
  return {
    get used() {
      return used;
    },
    left: () => Math.max(0, allowed - used.input - used.output),
    add(tokens) {
      used = addTokens(used, tokens);
    },
  };
}

/** What services count for a page in the size in which it is sent. */
const tokensPerImage = 1600;

export function imageTokens(image: ModelImage | null): number {
  return image === null ? 0 : tokensPerImage;
}

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

export type Budget = ReturnType<typeof createBudget>;

export interface TokenReservation {
  ok: true;
  /** At least the `least` that were asked for. */
  tokens: number;
  /** What was used of them. To be called once, at the end. */
  settle(used: Tokens): Promise<void>;
}

export function createBudget(deps: { ledger: TokenLedger; clock: Clock }, options: BudgetOptions) {
  const { ledger, clock } = deps;
  const places = createSemaphore({ places: options.concurrency });

  return {
    /** Waits for a place; the teams that wait take turns. Rejects with the signal's reason. */
    enter: ({ teamId }: TokenPayer, signal: AbortSignal) => places.acquire(signal, teamId),

    /** Takes the tokens of one question from what the request and the team may use. */
    async reserve(
      payer: TokenPayer,
      allowance: Allowance,
      { least, most, lastsMs }: Omit<WantedTokens, "limit">,
    ): Promise<TokenReservation | ModelFailure> {
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
