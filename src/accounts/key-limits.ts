// What a key is limited to, as callers write it and as the store has it.
import { isoTime } from "../base/index.ts";
import type { KeyChange } from "../store/index.ts";

/** Null: not limited. Absent: as it is. */
export interface KeyLimits {
  requestsPerMinute?: number | null | undefined;
  creditsPerMonth?: number | null | undefined;
  allowedEndpoints?: readonly string[] | null | undefined;
  allowedFormats?: readonly string[] | null | undefined;
  allowedIps?: readonly string[] | null | undefined;
  expiresAt?: number | null | undefined;
}

export function packLimits(limits: KeyLimits): KeyChange {
  const { requestsPerMinute, creditsPerMonth, allowedEndpoints, allowedFormats, allowedIps, expiresAt } = limits;
  const packed = {
    requestsPerMinute,
    creditsPerMonth,
    allowedGroups: listText(allowedEndpoints),
    allowedFormats: listText(allowedFormats),
    allowedIps: listText(allowedIps),
    expiresAt,
  };
  return Object.fromEntries(Object.entries(packed).filter(([, value]) => value !== undefined)) as KeyChange;
}

function listText(list: readonly string[] | null | undefined): string | null | undefined {
  return list ? JSON.stringify([...new Set(list)]) : list;
}

function readList(text: string | null | undefined): string[] | null {
  return typeof text === "string" ? (JSON.parse(text) as string[]) : null;
}

/** What a request is judged by. */
export function readLimits({ groups, formats, ips }: Record<"groups" | "formats" | "ips", string | null>) {
  return { allowedGroups: readList(groups), allowedFormats: readList(formats), allowedIps: readList(ips) };
}

/** What people see of it. */
export function shownLimits(key: KeyChange) {
  const { requestsPerMinute = null, creditsPerMonth = null, expiresAt = null } = key;
  return {
    requestsPerMinute,
    creditsPerMonth,
    allowedEndpoints: readList(key.allowedGroups),
    allowedFormats: readList(key.allowedFormats),
    allowedIps: readList(key.allowedIps),
    expiresAt: expiresAt === null ? null : isoTime(expiresAt),
  };
}
