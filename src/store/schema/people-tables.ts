// People of teams, their sessions, links to sign in, and passkeys.
import { type TableDefinitions, wordOf } from "./table-definition.ts";

export type PersonRole = "owner" | "member";

export const peopleTables = {
  people: {
    id: "text primary key",
    /** What a person signs in with; unique without regard to case. Null until a password is set. */
    signInName: "text unique",
    name: "text not null",
    password: "text",
    createdAt: "bigint not null",
  },
  team_people: {
    teamId: "text not null",
    personId: "text not null",
    role: wordOf<PersonRole>(),
    since: "bigint not null",
    primaryKey: ["teamId", "personId"],
  },
  person_sessions: {
    id: "text primary key",
    personId: "text not null",
    teamId: "text not null",
    /** Of the secret in the cookie. */
    hash: "text not null unique",
    /** Of the secret before the last change, for requests that were under way. */
    earlierHash: "text",
    changedAt: "bigint not null",
    createdAt: "bigint not null",
    expiresAt: "bigint not null",
  },
  sign_in_links: {
    /** Of the secret in the link. */
    hash: "text primary key",
    teamId: "text not null",
    role: wordOf<PersonRole>(),
    /** 1: the person who opens it joins the team as a new member; 0: signs in as the owner. */
    isInvitation: "integer not null",
    createdAt: "bigint not null",
    expiresAt: "bigint not null",
  },
  passkeys: {
    /** As the device names it, in base64url. */
    id: "text not null primary key",
    personId: "text not null",
    name: "text not null",
    /** SPKI in base64url. */
    publicKey: "text not null",
    signCount: "bigint not null default 0",
    createdAt: "bigint not null",
    usedAt: "bigint",
  },
  spent_challenges: {
    hash: "text not null primary key",
    expiresAt: "bigint not null",
  },
} as const satisfies TableDefinitions;

export const peopleIndexes = [
  "create index team_people_by_person on team_people (person_id)",
  "create index person_sessions_by_earlier on person_sessions (earlier_hash)",
  "create index passkeys_by_person on passkeys (person_id)",
];
