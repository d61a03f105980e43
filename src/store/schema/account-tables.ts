// Teams, their keys, what they used and what they did.
import { type TableDefinitions, wordOf } from "./table-definition.ts";

export type ActivityOutcome = "succeeded" | "failed" | "running";

export const accountTables = {
  teams: {
    id: "text primary key",
    name: "text not null unique",
    /** Null means the server's own default; 0 means no limit. */
    requestsPerMinute: "bigint",
    createdAt: "bigint not null",
  },
  api_keys: {
    id: "text primary key",
    teamId: "text not null references teams (id)",
    name: "text not null",
    hash: "text not null unique",
    lastFour: "text not null",
    createdAt: "bigint not null",
    lastUsedAt: "bigint",
    revokedAt: "bigint",
    /** Null: the team's limit alone. */
    requestsPerMinute: "bigint",
    creditsPerMonth: "bigint",
  },
  // Written only where several processes may share the store.
  team_slots: {
    teamId: "text not null",
    owner: "text not null",
    wanted: "bigint not null",
    held: "bigint not null",
    leaseUntil: "bigint not null",
    primaryKey: ["teamId", "owner"],
  },
  rate_windows: {
    teamId: "text not null",
    rateGroup: "text not null",
    windowStart: "bigint not null",
    used: "bigint not null",
    /** What the latest reservation got: no engine-neutral RETURNING can see the row as it was before. */
    lastGranted: "bigint not null",
    primaryKey: ["teamId", "rateGroup", "windowStart"],
  },
  // No reference to teams: on PostgreSQL each charge would lock its team's row until the crawl's transaction ends.
  credit_ledger: {
    id: "text not null",
    teamId: "text not null",
    keyId: "text",
    jobId: "text not null",
    endpoint: "text not null",
    credits: "bigint not null",
    reason: "text not null",
    at: "bigint not null",
    clusteredKey: ["id"],
  },
  usage_months: {
    teamId: "text not null",
    /** Empty when the charge came from no key: a primary key cannot hold null. */
    keyId: "text not null",
    month: "bigint not null",
    credits: "bigint not null",
    primaryKey: ["teamId", "month", "keyId"],
  },
  usage_hours: {
    teamId: "text not null",
    /** When the hour began. */
    hour: "bigint not null",
    endpoint: "text not null",
    /** "" for no key: a primary key cannot hold null. */
    keyId: "text not null",
    /** "" for success, else the code of the failure. */
    cause: "text not null",
    /** How long the requests took, as a step of a scale; -1 for charges, which took no time. */
    step: "integer not null",
    requests: "bigint not null default 0",
    pages: "bigint not null default 0",
    cacheHits: "bigint not null default 0",
    credits: "bigint not null default 0",
    clusteredKey: ["teamId", "hour", "endpoint", "keyId", "cause", "step"],
  },
  activity: {
    teamId: "text not null",
    createdAt: "bigint not null",
    rowId: "text not null",
    id: "text not null",
    keyId: "text",
    endpoint: "text not null",
    apiVersion: "text not null",
    target: "text not null",
    outcome: wordOf<ActivityOutcome>(),
    clusteredKey: ["teamId", "createdAt", "rowId"],
  },
  feedback: {
    teamId: "text not null",
    jobId: "text not null",
    id: "text not null",
    keyId: "text",
    endpoint: "text not null",
    rating: "text not null",
    createdAt: "bigint not null",
    details: "text not null",
    clusteredKey: ["teamId", "jobId"],
  },
  model_token_months: {
    teamId: "text not null",
    month: "integer not null",
    /** "" for none. */
    keyId: "text not null",
    input: "bigint not null default 0",
    output: "bigint not null default 0",
    clusteredKey: ["teamId", "month", "keyId"],
  },
  // Tokens of model calls in progress; a row lives as long as its call.
  model_reservations: {
    teamId: "text not null",
    id: "text not null",
    tokens: "bigint not null",
    until: "bigint not null",
    primaryKey: ["teamId", "id"],
  },
} as const satisfies TableDefinitions;

/** Of a later migration. */
export const externalRequestIdColumn = "external_request_id text";

/** Of the migration after that. */
export const activityResultColumns = [
  "ended_at bigint",
  "credits bigint not null default 0",
  "cache_state text",
  "error text",
  "request text",
];

export interface ActivityResult {
  /** Null while it runs. */
  endedAt: number | null;
  /** Those of a job are in its own row. */
  credits: number;
  /** Null where no page was looked for in the cache. */
  cacheState: "hit" | "miss" | null;
  /** JSON text of its code, message and details; null unless it failed. */
  error: string | null;
  /** JSON text of its method, path and body, without secrets; null where nothing may be kept or it is too large. */
  request: string | null;
}

export const accountIndexes = [
  "create index api_keys_by_team on api_keys (team_id, created_at)",
  "create index rate_windows_by_age on rate_windows (window_start)",
  "create index usage_hours_by_age on usage_hours (hour)",
  "create index activity_of_endpoint on activity (team_id, endpoint, created_at, row_id)",
  "create index feedback_by_age on feedback (created_at)",
];
