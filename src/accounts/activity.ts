// A team's requests of the last 24 hours, newest first: one row per request that did work.
import { type Clock, cutPage, dayMs, type ErrorCode, isoTime, newId, readCursor, ServiceError } from "../base/index.ts";
import type { ActivityEntry, ListedActivity, Store } from "../store/index.ts";
import { type Caller, dashboardName, keylessName } from "./caller.ts";
import { maskedSecret, packRequest, type SentRequest } from "./sent-request.ts";

export interface ActivityNote {
  /** Id of the job or session, as its endpoint knows it. */
  id: string;
  endpoint: string;
  /** URL, query, prompt, file name or session id; '' where nothing may be stored. */
  target: string;
  /** When it was asked for. */
  createdAt: number;
  rowId?: string;
}

/** How a request ended; null while it runs. */
export type RequestResult =
  | { credits: number; cacheState?: "hit" | "miss" | undefined; endedAt: number }
  | { error: unknown; endedAt: number }
  | null;

/** The row of a request, to be written in one transaction with its results. */
export function activityRow(caller: Caller, note: ActivityNote, result: RequestResult): ActivityEntry {
  const { teamId, keyId, apiVersion, externalRequestId, sent } = caller;
  const { id, endpoint, target, createdAt, rowId = newId(createdAt) } = note;
  const isKept = target !== "";
  const request = isKept && sent ? packRequest(sent) : null;
  const about = { rowId, id, teamId, keyId, endpoint, apiVersion, target, externalRequestId, createdAt, request };
  const none = { credits: 0, cacheState: null, error: null };
  if (result === null) return { ...about, ...none, outcome: "running", endedAt: null };
  const { endedAt } = result;
  if ("error" in result) {
    const error = packError(result.error, isKept);
    return { ...about, ...none, outcome: "failed", endedAt, error };
  }
  const { credits, cacheState = null } = result;
  return { ...about, ...none, outcome: "succeeded", endedAt, credits, cacheState };
}

export interface KeptError {
  /** Absent where a job ended for a reason that has none. */
  code?: ErrorCode;
  message: string;
  details?: unknown;
}

const maxErrorLength = 32_768;

/** Where nothing may be kept, the code alone. */
function packError(thrown: unknown, isKept: boolean): string {
  const error = thrown instanceof ServiceError ? thrown : new ServiceError("INTERNAL_ERROR");
  const { code, message, details } = isKept ? error : new ServiceError(error.code);
  const whole = JSON.stringify({ code, message, details } satisfies KeptError);
  return whole.length <= maxErrorLength ? whole : JSON.stringify({ code, message });
}

/** What the list and the page of a request say of it. */
export function shownActivity(row: ListedActivity) {
  const { id, endpoint, apiVersion, target, externalRequestId, keyName, outcome, cacheState, createdAt, endedAt } = row;
  const error: KeptError | null = row.error === null ? null : JSON.parse(row.error);
  return {
    id,
    endpoint,
    apiVersion,
    createdAt: isoTime(createdAt),
    target,
    externalRequestId,
    keyName,
    status: outcome,
    durationMs: endedAt === null ? null : Math.max(endedAt - createdAt, 0),
    credits: row.jobCredits ?? row.credits,
    cacheState,
    error,
  };
}

/** The request of a row; null where it was not kept. */
export function readSent({ request }: Pick<ActivityEntry, "request">): (SentRequest & { hasSecrets: boolean }) | null {
  if (request === null) return null;
  return { ...(JSON.parse(request) as SentRequest), hasSecrets: request.includes(`"${maskedSecret}"`) };
}

export interface ActivityQuery {
  endpoint?: string | undefined;
  status?: ActivityEntry["outcome"] | undefined;
  apiKey?: string | undefined;
  limit: number;
  cursor?: string | undefined;
}

const keylessNames: readonly string[] = [dashboardName, keylessName];

export type ActivityLog = ReturnType<typeof createActivity>;

export function createActivity({ store, clock }: { store: Store; clock: Clock }) {
  return {
    async note(caller: Caller, note: ActivityNote, result: RequestResult): Promise<void> {
      await store.activity.insert([activityRow(caller, note, result)]);
    },

    async page(teamId: string, { endpoint, status, apiKey, limit, cursor: from }: ActivityQuery) {
      // One extra row tells whether there is another page.
      const rows = await store.activity.page({
        teamId,
        since: clock.now() - dayMs,
        limit: limit + 1,
        endpoint,
        outcome: status,
        keyName: apiKey,
        isKeyless: apiKey !== undefined && keylessNames.includes(apiKey),
        before: from === undefined ? undefined : readCursor(from),
      });
      const { page, cursor, hasMore } = cutPage(rows, limit, (row) => row);
      return { rows: page.map(shownActivity), cursor, hasMore };
    },

    async lastSuccess(teamId: string): Promise<string | null> {
      const time = await store.activity.lastSuccess(teamId);
      return time === null ? null : isoTime(time);
    },
  };
}
