// Sessions of the solver: a browser that it keeps for one team and host, so that the next page of the host has no check to pass.
// Each costs the solver's machine a browser, so there are few and none is kept for long.
import { newId, secondMs } from "../../base/index.ts";
import type { SolverCalls, SolverFailure } from "./solver-calls.ts";

interface SolverSession {
  id: string;
  /** Ends it; null while it has a page to read. */
  ending: NodeJS.Timeout | null;
}

export interface TakenSession {
  ok: true;
  /** Null for a solver that keeps none. */
  id: string | null;
}

export type SolverSessions = ReturnType<typeof createSolverSessions>;

const idleMs = 60 * secondMs;
const destroyMs = 5 * secondMs;

/** `maxSessions`: at least as many as pages that are solved at the same time. Those of one key come one after the other. */
export function createSolverSessions(calls: SolverCalls, { maxSessions }: { maxSessions: number }) {
  /** By key, the one that was used last at the end. */
  const sessions = new Map<string, SolverSession>();

  async function destroy(id: string): Promise<void> {
    await calls.post({ cmd: "sessions.destroy", session: id }, AbortSignal.timeout(destroyMs));
  }

  function end(key: string): Promise<void> {
    const session = sessions.get(key);
    if (session === undefined) return Promise.resolve();
    sessions.delete(key);
    clearTimeout(session.ending ?? undefined);
    return destroy(session.id);
  }

  function makeRoom(): void {
    if (sessions.size < maxSessions) return;
    for (const [key, { ending }] of sessions) {
      if (ending === null) continue;
      void end(key);
      return;
    }
  }

  return {
    async take(key: string, signal: AbortSignal): Promise<TakenSession | SolverFailure> {
      const known = sessions.get(key);
      if (known !== undefined) {
        clearTimeout(known.ending ?? undefined);
        known.ending = null;
        sessions.delete(key);
        sessions.set(key, known);
        return { ok: true, id: known.id };
      }
      const found = await calls.findSessions(signal);
      if (!found.ok) return found;
      if (!found.keepsSessions) return { ok: true, id: null };
      makeRoom();
      const id = `trawl-${newId()}`;
      const reply = await calls.post({ cmd: "sessions.create", session: id }, signal);
      if (reply.ok && reply.json.session === id) {
        sessions.set(key, { id, ending: null });
        return { ok: true, id };
      }
      // It may have been made all the same.
      if (!reply.ok) void destroy(id);
      return !reply.ok && reply.isItsOwn ? reply : { ok: true, id: null };
    },

    /** One that failed is not used again. */
    giveBack(key: string, hasWorked: boolean): void {
      const session = sessions.get(key);
      if (session === undefined) return;
      if (!hasWorked) void end(key);
      else session.ending = setTimeout(() => void end(key), idleMs).unref();
    },

    async close(): Promise<void> {
      await Promise.all([...sessions.keys()].map(end));
    },
  };
}
