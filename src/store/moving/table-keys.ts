// The tables that hold what a store knows, and the key of each, by which its rows are read in batches.
import { allTables, type Tables } from "../schema/tables.ts";

/** Made again by the processes that run; the words are made again from texts. */
const leftTables = [
  ...["health_probes", "elections", "nodes", "host_turns", "host_paces", "host_slots"],
  ...["team_slots", "rate_windows", "store_moves", "audit_expiry"],
];
/** Their rows hold whole pages: fewer are read at once. */
export const heavyTables: ReadonlySet<keyof Tables> = new Set([
  ...(["blobs", "search_texts", "change_snapshots", "browser_profiles"] as const),
  ...(["monitor_versions", "monitor_check_pages", "list_feeds", "readings", "recording_parts"] as const),
]);

export type MovedTable = keyof typeof allTables;

/** In the order in which they are copied: keys of the API name their team. */
export const movedTables = (Object.keys(allTables) as MovedTable[]).filter((name) => !leftTables.includes(name));

export function keyColumns(table: MovedTable): readonly string[] {
  const columns: Record<string, string | readonly string[]> = allTables[table];
  const key = columns.primaryKey ?? columns.clusteredKey;
  if (typeof key === "object") return key;
  return Object.keys(columns).filter((name) => String(columns[name]).includes("primary key"));
}
