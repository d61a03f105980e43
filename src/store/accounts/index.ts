// What other rooms use of this folder.
export type { ActivityEntry, ActivityPage, ActivityPlace, ListedActivity } from "./activity.ts";
export type { AuditQuery, AuditRow } from "./audit-rows.ts";
export type { LedgerCharge } from "./charges.ts";
export type { KeyChange, KeyWithTeam, ListedKey, NewKey } from "./keys.ts";
export type { Passkey } from "./passkeys.ts";
export type { TeamPerson } from "./people.ts";
export type { FoundSession } from "./person-sessions.ts";
export type { PolicyChange, TeamPolicy } from "./policies.ts";
export type { Granted, RateReservation } from "./rates.ts";
export type { ShareStatements } from "./shares.ts";
export type { NewSecret, StoredSecret } from "./team-secrets.ts";
export type { Team } from "./teams.ts";
export type { RequestCount, UsageHour } from "./usage-hours.ts";
