// The people who use the dashboard: their teams and the links that let them in.

import type { Kysely } from "kysely";
import { changesRow } from "../engine/changes.ts";
import { countAll } from "../engine/totals.ts";
import type { PersonRole } from "../schema/people-tables.ts";
import type { RowOf, Tables } from "../schema/tables.ts";
import { createPersonSessionStatements } from "./person-sessions.ts";

export type Person = RowOf<"people">;

export type NewPerson = Pick<Person, "id" | "name" | "createdAt"> &
  Partial<Pick<Person, "issuer" | "subject" | "signInName">>;

export interface TeamPerson extends Pick<Person, "id" | "name" | "signInName"> {
  role: PersonRole;
  since: number;
}

export interface TeamOfPerson {
  teamId: string;
  teamName: string;
  role: PersonRole;
}

export interface SignInLink extends Omit<RowOf<"sign_in_links">, "isInvitation"> {
  isInvitation: boolean;
}

export function createPeopleStatements(db: Kysely<Tables>) {
  return {
    ...createPersonSessionStatements(db),

    count: (): Promise<number> => countAll(db.selectFrom("people")),

    async insert({ id, name, createdAt, signInName = null, issuer = null, subject = null }: NewPerson): Promise<void> {
      const row = { id, name, signInName, password: null, createdAt, issuer, subject };
      await db.insertInto("people").values(row).execute();
    },

    /** By who vouches for the person, and the person's id there. */
    async findProvided(issuer: string, subject: string): Promise<Person | null> {
      const found = db.selectFrom("people").selectAll().where("issuer", "=", issuer).where("subject", "=", subject);
      return (await found.executeTakeFirst()) ?? null;
    },

    async findBySignInName(signInName: string): Promise<Person | null> {
      const row = await db.selectFrom("people").selectAll().where("signInName", "=", signInName).executeTakeFirst();
      return row ?? null;
    },

    /** False when another person has the name. */
    async setPassword(id: string, signInName: string, password: string): Promise<boolean> {
      const other = await this.findBySignInName(signInName);
      if (other && other.id !== id) return false;
      await db.updateTable("people").set({ signInName, password }).where("id", "=", id).execute();
      return true;
    },

    /** Changes the role of a person who is in the team already. */
    async join(teamId: string, personId: string, role: PersonRole, since: number): Promise<void> {
      await db
        .insertInto("team_people")
        .values({ teamId, personId, role, since })
        .onConflict((conflict) => conflict.columns(["teamId", "personId"]).doUpdateSet({ role }))
        .execute();
    },

    /** False when the person is not in the team. Sessions in this team end, and what apps were allowed in it. */
    async leave(teamId: string, personId: string, now: number): Promise<boolean> {
      const grants = db.updateTable("oauth_grants").set({ revokedAt: now }).where("revokedAt", "is", null);
      await grants.where((build) => build.and({ teamId, personId })).execute();
      await db.deleteFrom("person_sessions").where("teamId", "=", teamId).where("personId", "=", personId).execute();
      return changesRow(db.deleteFrom("team_people").where("teamId", "=", teamId).where("personId", "=", personId));
    },

    /** Who came first, first. */
    listOfTeam(teamId: string): Promise<TeamPerson[]> {
      return db
        .selectFrom("team_people")
        .innerJoin("people", "people.id", "team_people.personId")
        .select(["people.id", "people.name", "people.signInName"])
        .select(["team_people.role", "team_people.since"])
        .where("team_people.teamId", "=", teamId)
        .orderBy("team_people.since")
        .orderBy("people.id")
        .execute();
    },

    listTeams(personId: string): Promise<TeamOfPerson[]> {
      return db
        .selectFrom("team_people")
        .innerJoin("teams", "teams.id", "team_people.teamId")
        .select(["teams.id as teamId", "teams.name as teamName", "team_people.role"])
        .where("team_people.personId", "=", personId)
        .orderBy("teams.name")
        .execute();
    },

    async addLink(link: SignInLink): Promise<void> {
      await db
        .insertInto("sign_in_links")
        .values({ ...link, isInvitation: Number(link.isInvitation) })
        .execute();
    },

    /** Null when it does not exist or has expired. */
    async findLink(hash: string, now: number): Promise<SignInLink | null> {
      const row = await db
        .selectFrom("sign_in_links")
        .selectAll()
        .where("hash", "=", hash)
        .where("expiresAt", ">", now)
        .executeTakeFirst();
      return row ? { ...row, isInvitation: row.isInvitation === 1 } : null;
    },

    /** True for one caller only, however many use the link at once. */
    async spendLink(hash: string): Promise<boolean> {
      return changesRow(db.deleteFrom("sign_in_links").where("hash", "=", hash));
    },
  };
}
