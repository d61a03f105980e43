// The people who use the dashboard, how they sign in, and what the hours of a team came to.

export type PersonRole = "owner" | "member";

export interface PeopleTable {
  id: string;
  /** What a person signs in with; unique without regard to case. Null until a password is set. */
  sign_in_name: string | null;
  name: string;
  password: string | null;
  created_at: number;
}

export interface TeamPeopleTable {
  team_id: string;
  person_id: string;
  role: PersonRole;
  since: number;
}

export interface SignInLinksTable {
  /** Of the secret in the link. */
  hash: string;
  team_id: string;
  role: PersonRole;
  /** 1: whoever opens it joins the team as a new person; 0: as the team's owner. */
  is_invitation: number;
  created_at: number;
  expires_at: number;
}

export interface PersonSessionsTable {
  id: string;
  person_id: string;
  team_id: string;
  /** Of the secret in the cookie. */
  hash: string;
  /** Of the secret before the last change, for requests that were under way. */
  earlier_hash: string | null;
  changed_at: number;
  created_at: number;
  expires_at: number;
}

export interface PasskeysTable {
  /** As the device names it, in base64url. */
  id: string;
  person_id: string;
  name: string;
  /** SPKI in base64url. */
  public_key: string;
  sign_count: number;
  created_at: number;
  used_at: number | null;
}

export interface SpentChallengesTable {
  hash: string;
  expires_at: number;
}

export interface UsageHoursTable {
  team_id: string;
  /** When the hour began. */
  hour: number;
  endpoint: string;
  /** "" for no key: a primary key cannot hold null. */
  key_id: string;
  /** "" for success, else the code of the failure. */
  cause: string;
  /** How long the requests took, as a step of a scale; -1 for charges, which took no time. */
  step: number;
  requests: number;
  pages: number;
  cache_hits: number;
  credits: number;
}
