// Browser sessions: who has one, which process holds its browser, when that was last seen alive, and what it cost.

import type { Kysely } from "kysely";
import { changesRow } from "../engine/changes.ts";
import { countAll } from "../engine/totals.ts";
import type { SessionStatus } from "../schema/browser-tables.ts";
import type { RowOf, Tables } from "../schema/tables.ts";

const notStarted = { status: "starting", endedAt: null, durationMs: null, credits: null } as const;

export type SessionRow = Omit<RowOf<"browser_sessions">, "hasView" | "isRecorded"> & {
  hasView: boolean;
  isRecorded: boolean;
};
export type NewSession = Omit<SessionRow, keyof typeof notStarted | "usedAt" | "seenAt">;

export interface SessionEnd {
  status: "destroyed" | "error";
  endedAt: number;
  durationMs: number;
  credits: number;
}

export interface SessionQuery {
  teamId: string;
  status?: SessionStatus | undefined;
  limit: number;
}

/** In use, or about to be. */
const held: SessionStatus[] = ["starting", "active"];

export function createSessionStatements(db: Kysely<Tables>) {
  /** A session that is still starting is not shown. */
  const begun = () => db.selectFrom("browser_sessions").selectAll().where("status", "!=", "starting");
  const changeActive = (id: string, change: Partial<RowOf<"browser_sessions">>) =>
    db.updateTable("browser_sessions").set(change).where("id", "=", id).where("status", "=", "active");

  return {
    /** It is not listed before it is activated. */
    async insert(session: NewSession): Promise<void> {
      await db.insertInto("browser_sessions").values(toRow(session)).execute();
    },

    countHeld: (teamId: string): Promise<number> =>
      countAll(db.selectFrom("browser_sessions").where("teamId", "=", teamId).where("status", "in", held)),

    /** Its lifetime begins now. False when its owner was declared dead meanwhile. */
    async activate(id: string, now: number): Promise<boolean> {
      return changesRow(
        db
          .updateTable("browser_sessions")
          .set({ status: "active", createdAt: now, usedAt: now, seenAt: now })
          .where((build) => build.and({ id, status: "starting" })),
      );
    },

    /** For one that failed to start. */
    async removeStarting(id: string): Promise<void> {
      await db.deleteFrom("browser_sessions").where("id", "=", id).where("status", "=", "starting").execute();
    },

    /** Null for a session of another team. */
    async read(teamId: string, id: string): Promise<SessionRow | null> {
      const row = await begun().where("id", "=", id).where("teamId", "=", teamId).executeTakeFirst();
      return row ? toSession(row) : null;
    },

    /** Of any team: for clients with a token instead of a key. */
    async readAny(id: string): Promise<SessionRow | null> {
      const row = await begun().where("id", "=", id).executeTakeFirst();
      return row ? toSession(row) : null;
    },

    /** The latest session that goes on with the page of a scrape. */
    async findOfScrape(teamId: string, scrapeId: string): Promise<SessionRow | null> {
      const row = await begun()
        .where((build) => build.and({ teamId, scrapeId }))
        .orderBy("id", "desc")
        .limit(1)
        .executeTakeFirst();
      return row ? toSession(row) : null;
    },

    /** Newest first. */
    async list({ teamId, status, limit }: SessionQuery): Promise<SessionRow[]> {
      const rows = await db
        .selectFrom("browser_sessions")
        .selectAll()
        .where("teamId", "=", teamId)
        .where((build) => (status === undefined ? build("status", "!=", "starting") : build("status", "=", status)))
        .orderBy("id", "desc")
        .limit(limit)
        .execute();
      return rows.map(toSession);
    },

    /** Notes that the owner is alive; returns those of its sessions that no other process has ended. */
    async noteLife(owner: string, now: number): Promise<string[]> {
      const rows = await db
        .updateTable("browser_sessions")
        .set({ seenAt: now })
        .where("owner", "=", owner)
        .where("status", "in", held)
        .returning("id")
        .execute();
      return rows.map(({ id }) => id);
    },

    async noteUse(id: string, usedAt: number): Promise<void> {
      await changeActive(id, { usedAt }).execute();
    },

    async setMinutePrice(id: string, minutePrice: number): Promise<void> {
      await changeActive(id, { minutePrice }).execute();
    },

    /** False when it had already ended: only the caller that gets true bills it. */
    async end(id: string, { status, endedAt, durationMs, credits }: SessionEnd): Promise<boolean> {
      const change = { status, endedAt, durationMs, credits };
      const result = await changeActive(id, change).executeTakeFirst();
      return result.numUpdatedRows === 1n;
    },

    /** Longest unseen first. */
    async listHeld(limit: number): Promise<SessionRow[]> {
      const rows = await db
        .selectFrom("browser_sessions")
        .selectAll()
        .where("status", "in", held)
        .orderBy("seenAt")
        .limit(limit)
        .execute();
      return rows.map(toSession);
    },
  };
}

function toRow(session: NewSession): RowOf<"browser_sessions"> {
  const { createdAt, hasView, isRecorded } = session;
  const flags = { hasView: Number(hasView), isRecorded: Number(isRecorded) };
  return { ...notStarted, ...session, ...flags, usedAt: createdAt, seenAt: createdAt };
}

function toSession(row: RowOf<"browser_sessions">): SessionRow {
  return { ...row, hasView: row.hasView === 1, isRecorded: row.isRecorded === 1 };
}
