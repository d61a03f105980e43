// A team's requests of the last 24 hours, newest first: one row per request that did work.
import { type Clock, cutPage, dayMs, isoTime, newId, readCursor } from "../base/index.ts";
import type { Store } from "../store/index.ts";
import { type Caller, requestedBy } from "./caller.ts";

export interface ActivityNote {
  /** Id of the job or session, as its endpoint knows it. */
  id: string;
  endpoint: string;
  /** URL, query, prompt, file name or session id; '' where nothing may be stored. */
  target: string;
  outcome: "succeeded" | "failed" | "running";
}

export type ActivityLog = ReturnType<typeof createActivity>;

export function createActivity({ store, clock }: { store: Store; clock: Clock }) {
  return {
    async note(caller: Caller, note: ActivityNote): Promise<void> {
      const now = clock.now();
      await store.activity.insert([{ ...requestedBy(caller), rowId: newId(now), createdAt: now, ...note }]);
    },

    async page(teamId: string, query: { endpoint?: string | undefined; limit: number; cursor?: string | undefined }) {
      const before = query.cursor === undefined ? undefined : readCursor(query.cursor);
      // One extra row tells whether there is another page.
      const rows = await store.activity.page({
        teamId,
        since: clock.now() - dayMs,
        limit: query.limit + 1,
        ...(query.endpoint === undefined ? {} : { endpoint: query.endpoint }),
        ...(before === undefined ? {} : { before }),
      });
      const { page, cursor, hasMore } = cutPage(rows, query.limit, (row) => row);
      return {
        rows: page.map((row) => ({
          id: row.id,
          endpoint: row.endpoint,
          apiVersion: row.apiVersion,
          createdAt: isoTime(row.createdAt),
          target: row.target,
          externalRequestId: row.externalRequestId,
        })),
        cursor,
        hasMore,
      };
    },

    async lastSuccess(teamId: string): Promise<string | null> {
      const time = await store.activity.lastSuccess(teamId);
      return time === null ? null : isoTime(time);
    },
  };
}
