// Language model tokens: how many a team has used, and how many it may use in a month.
import { type Clock, minuteMs, monthOf, newId } from "../base/index.ts";
import type { Store } from "../store/index.ts";
import { type KeyHolder, keylessName } from "./caller.ts";
import { everyMonth, periodOf, unlimitedCredits } from "./credits.ts";

type Payer = Pick<KeyHolder, "teamId" | "keyId">;

interface Wanted {
  least: number;
  most: number;
  /** Of the team in the month. */
  limit: number;
  /** How long the model may take. */
  lastsMs: number;
}

/** Allows for differences between clocks. */
const reserveMs = minuteMs;

/** Counts language model tokens. A reservation holds across all processes until it is settled. */
export function createTokenLedger({ store, clock }: { store: Store; clock: Clock }) {
  return {
    reserve: ({ teamId }: Payer, month: number, { least, most, limit, lastsMs }: Wanted) =>
      store.transaction(async ({ teams, modelTokens }) => {
        const now = clock.now();
        await teams.lock(teamId);
        const used = (await modelTokens.sum(teamId, month)) + (await modelTokens.sumReserved(teamId, now));
        const granted = limit - used < least ? 0 : Math.min(most, limit - used);
        const id = newId(now);
        if (granted > 0)
          await modelTokens.reserve({ id, teamId, tokens: granted, until: Math.ceil(now + lastsMs + reserveMs) });
        return { id, granted, used };
      }),

    async settle(payer: Payer, month: number, tokens: { input: number; output: number }, reservation: string | null) {
      if (reservation === null) return store.modelTokens.add(payer, month, tokens);
      return store.transaction(async ({ modelTokens }) => {
        await modelTokens.add(payer, month, tokens);
        await modelTokens.release(payer.teamId, reservation);
      });
    },
  };
}

export type TokenUsage = ReturnType<typeof createTokenUsage>;

/** `tokensPerMonth` 0: unlimited. */
export function createTokenUsage({ store, clock }: { store: Store; clock: Clock }, tokensPerMonth: number) {
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

    /** Like the history of credits. */
    async history({ teamId, keyName }: KeyHolder, byApiKey: boolean) {
      const rows = await store.modelTokens.listMonthsByKey(teamId);
      const named = rows.map((row) => ({ month: row.month, tokens: row.tokens, apiKey: row.keyName ?? keylessName }));
      const current = monthOf(clock.now());
      if (byApiKey)
        return everyMonth<{ tokens: number; apiKey?: string }>(named, current, { tokens: 0, apiKey: keyName });
      const sums = new Map<number, number>();
      for (const { month, tokens } of rows) sums.set(month, (sums.get(month) ?? 0) + tokens);
      const months = [...sums].map(([month, tokens]) => ({ month, tokens }));
      return everyMonth(months, current, { tokens: 0 });
    },
  };
}
