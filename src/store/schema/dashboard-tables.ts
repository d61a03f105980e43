// The people who use the dashboard, how they sign in, and the hourly usage of a team.

export type PersonRole = "owner" | "member";

export interface PeopleTable {
  id: string;
  /** What a person signs in with; unique without regard to case. Null until a password is set. */
  signInName: string | null;
  name: string;
  password: string | null;
  createdAt: number;
}

export interface TeamPeopleTable {
  teamId: string;
  personId: string;
  role: PersonRole;
  since: number;
}

export interface SignInLinksTable {
  /** Of the secret in the link. */
  hash: string;
  teamId: string;
  role: PersonRole;
  /** 1: the person who opens it joins the team as a new member; 0: signs in as the owner. */
  isInvitation: number;
  createdAt: number;
  expiresAt: number;
}

export interface PersonSessionsTable {
  id: string;
  personId: string;
  teamId: string;
  /** Of the secret in the cookie. */
  hash: string;
  /** Of the secret before the last change, for requests that were under way. */
  earlierHash: string | null;
  changedAt: number;
  createdAt: number;
  expiresAt: number;
}

export interface PasskeysTable {
  /** As the device names it, in base64url. */
  id: string;
  personId: string;
  name: string;
  /** SPKI in base64url. */
  publicKey: string;
  signCount: number;
  createdAt: number;
  usedAt: number | null;
}

export interface SpentChallengesTable {
  hash: string;
  expiresAt: number;
}

export interface UsageHoursTable {
  teamId: string;
  /** When the hour began. */
  hour: number;
  endpoint: string;
  /** "" for no key: a primary key cannot hold null. */
  keyId: string;
  /** "" for success, else the code of the failure. */
  cause: string;
  /** How long the requests took, as a step of a scale; -1 for charges, which took no time. */
  step: number;
  requests: number;
  pages: number;
  cacheHits: number;
  credits: number;
}

export interface DashboardTables {
  people: PeopleTable;
  team_people: TeamPeopleTable;
  sign_in_links: SignInLinksTable;
  person_sessions: PersonSessionsTable;
  passkeys: PasskeysTable;
  spent_challenges: SpentChallengesTable;
  usage_hours: UsageHoursTable;
}
