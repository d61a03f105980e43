// The ledger: one row per charge, and sums per month. A team may have a monthly allowance.
import { type Clock, isoTime, monthOf, monthStart, newId, ServiceError } from "../base/index.ts";
import type { Statements, Store } from "../store/index.ts";
import { type KeyHolder, keylessName } from "./caller.ts";

/** On the wire, "unlimited" is a large number, because clients expect a number. */
export const unlimitedCredits = 1_000_000_000;

export interface NewCharge {
  jobId: string;
  endpoint: string;
  credits: number;
  reason: string;
}

export interface MonthlyUsage {
  credits: number;
  /** Name of the key; only in a breakdown by key. */
  apiKey?: string;
}

export type Credits = ReturnType<typeof createCredits>;

/** `creditsPerMonth` 0: no allowance. */
export function createCredits({ store, clock }: { store: Store; clock: Clock }, creditsPerMonth: number) {
  let running = periodOf(monthOf(clock.now()));

  async function readBalance(teamId: string) {
    const month = monthOf(clock.now());
    if (month !== running.month) running = periodOf(month);
    const used = await store.charges.sumMonth(teamId, month);
    const isLimited = creditsPerMonth > 0;
    return {
      planCredits: isLimited ? creditsPerMonth : unlimitedCredits,
      remainingCredits: isLimited ? Math.max(0, creditsPerMonth - used) : unlimitedCredits,
      periodStart: running.startDate,
      periodEnd: running.endDate,
    };
  }

  return {
    /** Whether a team has an allowance at all. */
    isLimited: creditsPerMonth > 0,
    readBalance,

    charge(holder: KeyHolder, charges: readonly NewCharge[]): Promise<void> {
      const now = clock.now();
      return store.charges.charge(
        charges.map((charge) => ({ id: newId(now), teamId: holder.teamId, keyId: holder.keyId, at: now, ...charge })),
      );
    },

    /** Throws 402 when less than `minimum` is left of this month's allowance. */
    async require(teamId: string, minimum: number): Promise<void> {
      if (creditsPerMonth === 0) return;
      const { remainingCredits, planCredits, periodEnd } = await readBalance(teamId);
      if (remainingCredits >= minimum) return;
      throw new ServiceError(
        "INSUFFICIENT_CREDITS",
        `Insufficient credits to perform this request. It needs ${minimum}; ${remainingCredits} of ${planCredits} are left until ${periodEnd}.`,
      );
    },

    /** Throws 402 when the key has used up what it may use in a month. */
    async requireOfKey({ teamId, keyId, keyCreditsPerMonth = null }: KeyHolder): Promise<void> {
      if (keyId === null || keyCreditsPerMonth === null) return;
      const used = await store.charges.sumMonthOfKey(teamId, keyId, monthOf(clock.now()));
      if (used < keyCreditsPerMonth) return;
      throw new ServiceError(
        "INSUFFICIENT_CREDITS",
        `Insufficient credits to perform this request. This key may use ${keyCreditsPerMonth} a month and has used ${used}.`,
      );
    },

    /** Number of pages at this price that the allowance still covers; in the caller's transaction. */
    async countPages({ charges }: Pick<Statements, "charges">, teamId: string, price: number): Promise<number> {
      if (creditsPerMonth === 0 || price === 0) return Number.POSITIVE_INFINITY;
      const used = await charges.sumMonth(teamId, monthOf(clock.now()));
      return Math.floor((creditsPerMonth - used) / price);
    },

    /** Every month from the first with usage to the current one, oldest first; months without usage are 0. */
    async history({ teamId, keyName }: KeyHolder, byApiKey: boolean) {
      const current = monthOf(clock.now());
      if (!byApiKey) return everyMonth<MonthlyUsage>(await store.charges.listMonths(teamId), current, { credits: 0 });
      const rows = (await store.charges.listMonthsByKey(teamId)).map((row) => ({
        month: row.month,
        credits: row.credits,
        apiKey: row.keyName ?? keylessName,
      }));
      // A month without usage still has an entry; in a breakdown it has the name of the caller's key.
      return everyMonth<MonthlyUsage>(rows, current, { credits: 0, apiKey: keyName });
    },
  };
}

/** The wanted number, cut to what is left. */
export async function affordablePages(
  credits: Credits,
  teamId: string,
  price: number,
  wanted: number,
): Promise<number> {
  const { remainingCredits } = await credits.readBalance(teamId);
  if (remainingCredits === unlimitedCredits || price === 0) return wanted;
  return Math.min(wanted, Math.floor(remainingCredits / price));
}

export function cutWarning(pages: number): string {
  return `The limit was reduced to ${pages} pages, the number that the remaining credits pay for.`;
}

/** Usage is reported by calendar month. */
export function periodOf(month: number) {
  return { month, startDate: isoTime(monthStart(month)), endDate: isoTime(monthStart(month + 1)) };
}

/** Every month from the first with usage to the current one, oldest first; `empty` for a month without usage. */
export function everyMonth<Usage extends object>(
  rows: readonly (Usage & { month: number })[],
  current: number,
  empty: Usage,
): (Usage & { startDate: string; endDate: string })[] {
  const first = Math.min(current, rows[0]?.month ?? current);
  return Array.from({ length: current - first + 1 }, (_, index) => first + index).flatMap((month) => {
    const { startDate, endDate } = periodOf(month);
    const used = rows.filter((row) => row.month === month).map(({ month: _, ...usage }) => usage as unknown as Usage);
    return (used.length > 0 ? used : [empty]).map((usage) => ({ startDate, endDate, ...usage }));
  });
}
