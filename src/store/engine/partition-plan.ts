// Which tables of a large PostgreSQL store lie in parts, and how they are cut. The key of each table holds what it is cut by, so it
// stays a constraint of the database.
import { dayMs, earliestId } from "../../base/index.ts";

export type TimedTable = "activity" | "webhook_events";
export type PartedTable = TimedTable | "job_pages" | "job_results" | "credit_ledger";

export interface PartitionPlan {
  table: PartedTable;
  key: readonly string[];
  /** Parts by a hash of this column, or by days of it. */
  column: string;
  /** Absent: by hash. The value of the column with which a day begins, as SQL. */
  dayStart?: (ms: number) => string;
  /** Rows that keep an old part from being dropped; `cut` is the time before which they may go. */
  keeps?: (cut: number) => string;
}

export interface PartitionState {
  table: PartedTable;
  isParted: boolean;
  /** As PostgreSQL estimates. */
  rows: number;
}

export interface Partitions {
  read(): Promise<PartitionState[]>;
  /** Goes on where it was broken off. */
  convert(now: number, onProgress: (table: PartedTable, rows: number) => void, signal: AbortSignal): Promise<void>;
  /** `ages`: how long rows are kept. Says which tables lie in parts by days. */
  upkeep(now: number, ages: Readonly<Record<TimedTable, number>>): Promise<Set<TimedTable>>;
}

export const partitionPlans: readonly PartitionPlan[] = [
  { table: "job_pages", key: ["job_id", "page_key"], column: "job_id" },
  { table: "job_results", key: ["job_id", "seq"], column: "job_id" },
  { table: "credit_ledger", key: ["id"], column: "id" },
  { table: "activity", key: ["team_id", "created_at", "row_id"], column: "created_at", dayStart: (ms) => `${ms}` },
  {
    table: "webhook_events",
    key: ["id"],
    // Ids of events grow with time.
    column: "id",
    dayStart: (ms) => `'${earliestId(ms)}'`,
    keeps: (cut) => `done_at is null or done_at >= ${cut}`,
  },
];

export const hashParts = 16;
/** Days for which there are parts already. */
export const daysAhead = 7;

export const startOfDay = (ms: number): number => ms - (ms % dayMs);

/** A part is named by the day before which its rows were made. */
export function nameOfDay(table: string, end: number): string {
  return `${table}_to_${new Date(end).toISOString().slice(0, 10).replaceAll("-", "")}`;
}

/** Null for a part that is none of a day. */
export function endOfName(table: string, name: string): number | null {
  const [, year, month, day] = new RegExp(`^${table}_to_(\\d{4})(\\d\\d)(\\d\\d)$`).exec(name) ?? [];
  return year === undefined ? null : Date.UTC(Number(year), Number(month) - 1, Number(day));
}

/** For what no day takes: the clock of a server may be wrong, and upkeep may have failed for a week. */
export const nameOfRest = (table: string): string => `${table}_rest`;
