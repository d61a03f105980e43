// Tokens of the language model that a team has used, and may use in a month.
import { type Clock, monthOf } from "../base/index.ts";
import type { Store } from "../store/index.ts";
import { type KeyHolder, keylessName } from "./caller.ts";
import { unlimitedCredits } from "./credits.ts";
import { everyMonth, periodOf } from "./periods.ts";

export interface TokenMonth {
  tokens: number;
  /** Name of the key; only in a breakdown by key. */
  apiKey?: string;
}

interface Payer {
  teamId: string;
  keyId: string | null;
}

/** Counts tokens for the language model. What is reserved counts as written until it is settled, over all processes. */
export function createTokenLedger(store: Pick<Store, "modelTokens" | "transaction">) {
  return {
    add: (payer: Payer, month: number, tokens: { input: number; output: number }) =>
      store.modelTokens.add(payer, month, tokens),

    reserve: (payer: Payer, month: number, wanted: { least: number; most: number; limit: number }) =>
      store.transaction(async ({ teams, modelTokens }) => {
        await teams.lock(payer.teamId);
        const used = await modelTokens.sum(payer.teamId, month);
        const left = wanted.limit - used;
        if (left < wanted.least) return { granted: 0, used };
        const granted = Math.min(wanted.most, left);
        await modelTokens.add(payer, month, { input: 0, output: granted });
        return { granted, used };
      }),
  };
}

export type TokenUsage = ReturnType<typeof createTokenUsage>;

/** `tokensPerMonth` 0: unlimited. */
export function createTokenUsage({
  store,
  clock,
  tokensPerMonth,
}: {
  store: Pick<Store, "modelTokens">;
  clock: Clock;
  tokensPerMonth: number;
}) {
  return {
    async readBalance(teamId: string) {
      const { month, startDate, endDate } = periodOf(monthOf(clock.now()));
      const isLimited = tokensPerMonth > 0;
      const used = isLimited ? await store.modelTokens.sum(teamId, month) : 0;
      return {
        planTokens: isLimited ? tokensPerMonth : unlimitedCredits,
        remainingTokens: isLimited ? Math.max(0, tokensPerMonth - used) : unlimitedCredits,
        periodStart: startDate,
        periodEnd: endDate,
      };
    },

    /** As that of credits. */
    async history({ teamId, keyName }: KeyHolder, byApiKey: boolean) {
      const rows = await store.modelTokens.listMonthsByKey(teamId);
      const named = rows.map((row) => ({ month: row.month, tokens: row.tokens, apiKey: row.keyName ?? keylessName }));
      const current = monthOf(clock.now());
      if (byApiKey) return everyMonth<TokenMonth>(named, current, { tokens: 0, apiKey: keyName });
      const sums = new Map<number, number>();
      for (const { month, tokens } of rows) sums.set(month, (sums.get(month) ?? 0) + tokens);
      const months = [...sums].map(([month, tokens]) => ({ month, tokens }));
      return everyMonth<TokenMonth>(months, current, { tokens: 0 });
    },
  };
}
