// The bill: a ledger that only grows, and its sums by month and by hour. They move in one transaction, and a charge's id makes
// it count once however often it is sent.
import { hourMs, monthOf } from "../../base/index.ts";
import type { Executor, FixedStatement } from "../engine/executor.ts";
import { insertNew, upsertRows } from "../engine/inserts.ts";
import type { RowOf } from "../schema/tables.ts";
import { addToHours, sumHours } from "./usage-hours.ts";

export interface LedgerCharge extends RowOf<"credit_ledger"> {
  /** The page came from the cache. */
  isCacheHit?: boolean;
}

export interface MonthSum {
  month: number;
  credits: number;
}

export interface KeyMonthSum extends MonthSum {
  keyId: string | null;
  /** Null when the charge came from no key. */
  keyName: string | null;
}

type WrittenCharge = Pick<RowOf<"credit_ledger">, (typeof chargeColumns)[number]>;

const sumMonth: FixedStatement<[teamId: string, month: number], { credits: number | null }> = (db, [teamId, month]) =>
  db
    .selectFrom("usage_months")
    .select((build) => build.fn.sum<number | null>("credits").as("credits"))
    .where((build) => build.and({ teamId, month }));

const chargeColumns = ["id", "teamId", "keyId", "endpoint", "credits", "at"] as const;
const insertCharges = insertNew<RowOf<"credit_ledger">, (typeof chargeColumns)[number]>(
  "credit_ledger",
  ["id"],
  chargeColumns,
);

const addToMonths = upsertRows<RowOf<"usage_months">>("usage_months", ["teamId", "keyId", "month"], {
  add: ["credits"],
});

export function createChargeStatements(executor: Executor) {
  const { db, run } = executor;
  return {
    /** Inside a caller's transaction it becomes part of that one, otherwise it opens one. */
    async charge(charges: readonly LedgerCharge[]): Promise<void> {
      if (charges.length === 0) return;
      if (db.isTransaction) await writeCharges(executor, charges);
      else await db.transaction().execute((transaction) => writeCharges(executor.over(transaction), charges));
    },

    async sumMonth(teamId: string, month: number): Promise<number> {
      return (await run(sumMonth, [teamId, month]))[0]?.credits ?? 0;
    },

    async sumMonthOfKey(teamId: string, keyId: string, month: number): Promise<number> {
      const row = await db
        .selectFrom("usage_months")
        .select("credits")
        .where((build) => build.and({ teamId, keyId, month }))
        .executeTakeFirst();
      return row?.credits ?? 0;
    },

    /** Oldest first. */
    listMonths(teamId: string): Promise<MonthSum[]> {
      return db
        .selectFrom("usage_months")
        .select((build) => ["month", build.fn.sum<number>("credits").as("credits")] as const)
        .where("teamId", "=", teamId)
        .groupBy("month")
        .orderBy("month")
        .execute();
    },

    /** Oldest first, then by key; a revoked key keeps its name. */
    async listMonthsByKey(teamId: string): Promise<KeyMonthSum[]> {
      const rows = await db
        .selectFrom("usage_months")
        .leftJoin("api_keys", "api_keys.id", "usage_months.keyId")
        .select(["usage_months.month", "usage_months.keyId", "api_keys.name as keyName", "usage_months.credits"])
        .where("usage_months.teamId", "=", teamId)
        .orderBy("usage_months.month")
        .orderBy("usage_months.keyId")
        .execute();
      return rows.map((row) => ({ ...row, keyId: row.keyId === "" ? null : row.keyId }));
    },
  };
}

async function writeCharges({ insert }: Executor, charges: readonly LedgerCharge[]): Promise<void> {
  // In the order of ids: two processes that send the same charges then wait for each other instead of deadlocking.
  const sorted = charges.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const written = await insert(
    insertCharges,
    sorted.map(({ isCacheHit: _, ...charge }) => charge),
  );
  const sums = new Map<string, RowOf<"usage_months">>();
  for (const row of written) addToSum(sums, row);
  // Sorted for the same reason: these rows stay locked until the caller's transaction ends.
  const rows = [...sums].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, sum]) => sum);
  await insert(addToMonths, rows);
  const hits = new Set(charges.filter(({ isCacheHit }) => isCacheHit).map(({ id }) => id));
  const hours = written.map((row) => hourOf(row, hits.has(row.id)));
  await insert(addToHours, sumHours(hours));
}

function hourOf(row: WrittenCharge, isHit: boolean): RowOf<"usage_hours"> {
  const { teamId, keyId, endpoint, credits, at } = row;
  const hour = at - (at % hourMs);
  const counts = { requests: 0, pages: 1, cacheHits: isHit ? 1 : 0, credits };
  return { teamId, hour, endpoint, keyId: keyId ?? "", cause: "", step: -1, ...counts };
}

function addToSum(sums: Map<string, RowOf<"usage_months">>, row: WrittenCharge): void {
  const keyId = row.keyId ?? "";
  const month = monthOf(row.at);
  const name = `${row.teamId} ${keyId} ${month}`;
  const sum = sums.get(name);
  if (sum) sum.credits += row.credits;
  else sums.set(name, { teamId: row.teamId, keyId, month, credits: row.credits });
}
