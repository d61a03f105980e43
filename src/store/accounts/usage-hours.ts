// Hourly usage of a team: requests by endpoint, key, cause and duration, pages, cache hits and credits.
import type { Executor } from "../engine/executor.ts";
import { upsertRows } from "../engine/inserts.ts";
import type { RowOf } from "../schema/tables.ts";

/** Requests that were alike, of one hour. */
export interface RequestCount extends Omit<RowOf<"usage_hours">, "keyId" | "pages" | "cacheHits" | "credits"> {
  /** Null where no key was needed. */
  keyId: string | null;
}

export interface UsageHour extends Omit<RowOf<"usage_hours">, "keyId"> {
  keyId: string | null;
  /** Null when no key of the store has the id. */
  keyName: string | null;
}

const counts = ["requests", "pages", "cacheHits", "credits"] as const;

const hourKey = ["teamId", "hour", "endpoint", "keyId", "cause", "step"] as const;
export const addToHours = upsertRows<RowOf<"usage_hours">>("usage_hours", hourKey, { add: counts });

/** One row for each key, sorted, so that two processes lock the same rows in the same order. */
export function sumHours(rows: readonly RowOf<"usage_hours">[]): RowOf<"usage_hours">[] {
  const sums = new Map<string, RowOf<"usage_hours">>();
  for (const row of rows) {
    const name = [row.teamId, row.hour, row.endpoint, row.keyId, row.cause, row.step].join(" ");
    const sum = sums.get(name);
    if (sum) for (const count of counts) sum[count] += row[count];
    else sums.set(name, { ...row });
  }
  return [...sums].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, sum]) => sum);
}

export function createUsageHourStatements({ db, insert }: Executor) {
  return {
    async add(requests: readonly RequestCount[]): Promise<void> {
      const rows = requests.map((row) => ({ ...row, keyId: row.keyId ?? "", pages: 0, cacheHits: 0, credits: 0 }));
      await insert(addToHours, sumHours(rows));
    },

    /** Oldest first. */
    async list(teamId: string, since: number): Promise<UsageHour[]> {
      const rows = await db
        .selectFrom("usage_hours")
        .leftJoin("api_keys", "api_keys.id", "usage_hours.keyId")
        .selectAll("usage_hours")
        .select("api_keys.name as keyName")
        .where("usage_hours.teamId", "=", teamId)
        .where("usage_hours.hour", ">=", since)
        .orderBy("usage_hours.hour")
        .execute();
      return rows.map((row) => ({ ...row, keyId: row.keyId === "" ? null : row.keyId }));
    },
  };
}
