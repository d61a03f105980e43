// How a source of the local index is read, and when it is read again.
import { dayMs } from "../../base/index.ts";
import type { OperationInput } from "../../contract/index.ts";
import type { IndexedSource } from "../../store/index.ts";

export type SourceReading =
  | ({ type: "site" } & Pick<OperationInput<"addIndexedSite">, "crawl">)
  | ({ type: "pages" } & Pick<OperationInput<"addIndexedPages">, "batch">);

export type Refresh = keyof typeof refreshDays;

const refreshDays = { daily: 1, weekly: 7, monthly: 30 } as const;

export function packReading(reading: SourceReading): Pick<IndexedSource, "type" | "settings"> {
  const { type, ...settings } = reading;
  return { type, settings: JSON.stringify(settings) };
}

/** Null for documents, which are not read again. */
export function openReading({ type, settings }: Pick<IndexedSource, "type" | "settings">): SourceReading | null {
  return type === "documents" ? null : { type, ...JSON.parse(settings) };
}

type Planned = Pick<IndexedSource, "type" | "isEnabled" | "refresh" | "lastIndexedAt" | "status" | "dueAt">;

/** When a source is read next; null: it is not planned. */
export function readAgainAt(
  { type, isEnabled, refresh, lastIndexedAt, status, dueAt }: Planned,
  now: number,
): number | null {
  if (type === "documents" || isEnabled === 0) return null;
  if (status === "queued") return dueAt ?? now;
  return refresh === null ? null : (lastIndexedAt ?? now) + refreshDays[refresh as Refresh] * dayMs;
}
