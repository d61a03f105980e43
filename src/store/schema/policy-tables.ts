// What the ninth migration added: what keys are limited to, policies of teams, the audit log, and people of an identity provider.
import { type TableDefinitions, wordOf } from "./table-definition.ts";

export type AuditActorType = "person" | "key" | "cli" | "app" | "system";

export const policyTables = {
  team_policies: {
    teamId: "text not null primary key",
    /** JSON text; null where the team has never set it. */
    ipRanges: "text",
    targets: "text",
    safeMode: "text",
    targetsSetAt: "bigint",
  },
  audit_rows: {
    teamId: "text not null",
    at: "bigint not null",
    id: "text not null",
    action: "text not null",
    actorType: wordOf<AuditActorType>(),
    actorId: "text",
    actorName: "text not null",
    ip: "text",
    targetType: "text not null",
    targetId: "text",
    targetName: "text not null",
    /** JSON text. */
    details: "text not null",
    requestId: "text",
    clusteredKey: ["teamId", "at", "id"],
  },
  // Rows exist only inside the transaction that deletes what has expired: older rows than this may go.
  audit_expiry: {
    before: "bigint not null primary key",
  },
} as const satisfies TableDefinitions;

export interface KeyLimitColumns {
  /** JSON text of a list; null: not limited. */
  allowedGroups: string | null;
  allowedFormats: string | null;
  allowedIps: string | null;
  expiresAt: number | null;
}

export interface ProviderColumns {
  /** Who vouches for the person, and the person's id there; null for people who sign in here. */
  issuer: string | null;
  subject: string | null;
}

export const policyChanges = [
  ...["allowed_groups text", "allowed_formats text", "allowed_ips text", "expires_at bigint"].map(
    (column) => `alter table api_keys add column ${column}`,
  ),
  ...["issuer text", "subject text"].map((column) => `alter table people add column ${column}`),
  "create unique index people_of_provider on people (issuer, subject)",
  "create index audit_rows_by_age on audit_rows (at)",
];
