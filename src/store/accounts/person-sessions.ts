// Sessions of people who are signed in to the dashboard.
import type { Kysely } from "kysely";
import { changesRow } from "../engine/changes.ts";
import type { PersonRole } from "../schema/people-tables.ts";
import type { RowOf, Tables } from "../schema/tables.ts";

export type PersonSession = RowOf<"person_sessions">;

/** A session with what a request needs to know about it. */
export interface FoundSession extends PersonSession {
  personName: string;
  signInName: string | null;
  hasPassword: boolean;
  teamName: string;
  requestsPerMinute: number | null;
  role: PersonRole;
}

export function createPersonSessionStatements(db: Kysely<Tables>) {
  return {
    async addSession(session: PersonSession): Promise<void> {
      await db.insertInto("person_sessions").values(session).execute();
    },

    /** By its secret, or by the one before the last change. Null when the person has left the team. */
    async findSession(hash: string): Promise<FoundSession | null> {
      const row = await db
        .selectFrom("person_sessions as session")
        .innerJoin("people", "people.id", "session.personId")
        .innerJoin("teams", "teams.id", "session.teamId")
        .innerJoin("team_people", (join) =>
          join
            .onRef("team_people.teamId", "=", "session.teamId")
            .onRef("team_people.personId", "=", "session.personId"),
        )
        .selectAll("session")
        .select(["people.name as personName", "people.signInName", "people.password"])
        .select(["teams.name as teamName", "teams.requestsPerMinute", "team_people.role"])
        .where((build) => build.or([build("session.hash", "=", hash), build("session.earlierHash", "=", hash)]))
        .executeTakeFirst();
      if (!row) return null;
      const { password, ...session } = row;
      return { ...session, hasPassword: password !== null };
    },

    /** False when another request was first. */
    async changeSecret(id: string, hash: string, next: string, now: number): Promise<boolean> {
      return changesRow(
        db
          .updateTable("person_sessions")
          .set({ hash: next, earlierHash: hash, changedAt: now })
          .where((build) => build.and({ id, hash })),
      );
    },

    async setTeam(sessionId: string, teamId: string): Promise<void> {
      await db.updateTable("person_sessions").set({ teamId }).where("id", "=", sessionId).execute();
    },

    async endSession(id: string): Promise<void> {
      await db.deleteFrom("person_sessions").where("id", "=", id).execute();
    },

    /** All of a person but one: a new password ends the sessions on other devices. */
    async endOtherSessions(personId: string, id: string): Promise<void> {
      await db.deleteFrom("person_sessions").where("personId", "=", personId).where("id", "!=", id).execute();
    },
  };
}
