// The rows of a session: its slot in its team, its start, and its one bill. The caller that ends the row
// bills it, so it is billed once.
import { activityRow, type Caller } from "../../accounts/index.ts";
import { ServiceError } from "../../base/index.ts";
import type { SessionEnd, SessionRow, Store } from "../../store/index.ts";
import type { OperationParts } from "../parts/operation-parts.ts";
import { endOf } from "./session-life.ts";

export type SessionRecords = ReturnType<typeof createSessionRecords>;
type NewSession = Parameters<Store["sessions"]["insert"]>[0];

export function createSessionRecords({ store, clock }: OperationParts, perTeam: number) {
  return {
    /** Takes the session's place among those of its team. */
    reserve(session: NewSession): Promise<void> {
      return store.transaction(async ({ teams, sessions }) => {
        await teams.lock(session.teamId);
        if ((await sessions.countHeld(session.teamId)) >= perTeam) {
          throw new ServiceError(
            "SESSION_LIMIT",
            `The team already has ${perTeam} browser sessions, the most allowed. End one first.`,
          );
        }
        await sessions.insert(session);
      });
    },

    /** Its life, and with it its bill, begins when the browser is there. */
    activate(id: string, caller: Caller, target: string): Promise<SessionRow> {
      return store.transaction(async ({ sessions, activity }) => {
        const now = clock.now();
        const isStill = await sessions.activate(id, now);
        const session = await sessions.read(caller.teamId, id);
        if (!isStill || !session)
          throw new ServiceError("BROWSER_NOT_AVAILABLE", "The browser took too long to start.");
        const { endpoint, activityRowId: rowId, scrapeId } = session;
        const note = { rowId, id: scrapeId ?? id, endpoint, target, createdAt: now };
        await activity.insert([activityRow(caller, note, null)]);
        return session;
      });
    },

    /** Ends the row and bills it, unless somebody has done so. */
    async finish(session: SessionRow, at: number, status: SessionEnd["status"]): Promise<void> {
      const { id, teamId, keyId, endpoint } = session;
      const end = endOf(session, at, status);
      await store.transaction(async ({ sessions, charges, activity }) => {
        if (!(await sessions.end(id, end))) return;
        const { credits, endedAt } = end;
        await charges.charge([{ id, teamId, keyId, jobId: id, endpoint, credits, reason: endpoint, at: endedAt }]);
        const row = { teamId, createdAt: session.createdAt, rowId: session.activityRowId };
        await activity.setOutcome(row, { outcome: status === "error" ? "failed" : "succeeded", endedAt, credits });
      });
    },
  };
}
