// What MCP keeps between the requests of a client, and what apps were allowed by OAuth. Codes, tokens and secrets are hashes only.
import { type TableDefinitions, wordOf } from "./table-definition.ts";

export type OauthAuthMethod = "none" | "client_secret_basic" | "client_secret_post";
export type OauthTokenKind = "access" | "refresh";

export const doorTables = {
  /** Answers that were cut, for those who read on. */
  readings: {
    id: "text not null primary key",
    teamId: "text not null",
    /** The tool that reads on. */
    tool: "text not null",
    encoding: "text not null",
    sizeBytes: "bigint not null",
    data: "bytes not null",
    createdAt: "bigint not null",
    expiresAt: "bigint not null",
  },
  /** Programs that may ask people for access: registered ones, and kept metadata documents, whose id is their URL. */
  oauth_clients: {
    id: "text not null primary key",
    name: "text not null",
    /** JSON text. */
    redirectUris: "text not null",
    authMethod: wordOf<OauthAuthMethod>(),
    secretHash: "text",
    createdAt: "bigint not null",
    /** When a person first allowed it; null: it is deleted after a while. */
    allowedAt: "bigint",
    /** Until when a document is kept; null for registered ones. */
    expiresAt: "bigint",
  },
  /** What waits for a person's decision. */
  oauth_requests: {
    id: "text not null primary key",
    clientId: "text not null",
    redirectUri: "text not null",
    scope: "text not null",
    resource: "text not null",
    challenge: "text not null",
    /** The client's own; null where it sent none. */
    state: "text",
    createdAt: "bigint not null",
    expiresAt: "bigint not null",
  },
  oauth_codes: {
    hash: "text not null primary key",
    /** The grant that it is exchanged for. */
    grantId: "text not null",
    clientId: "text not null",
    clientName: "text not null",
    clientHost: "text not null",
    redirectUri: "text not null",
    scope: "text not null",
    resource: "text not null",
    challenge: "text not null",
    personId: "text not null",
    teamId: "text not null",
    createdAt: "bigint not null",
    expiresAt: "bigint not null",
    usedAt: "bigint",
  },
  /** What a client may do for a person in a team. Each has a row of `api_keys` with its id, under which it is counted. */
  oauth_grants: {
    id: "text not null primary key",
    teamId: "text not null",
    personId: "text not null",
    clientId: "text not null",
    clientName: "text not null",
    clientHost: "text not null",
    scope: "text not null",
    resource: "text not null",
    createdAt: "bigint not null",
    expiresAt: "bigint not null",
    revokedAt: "bigint",
  },
  oauth_tokens: {
    hash: "text not null primary key",
    grantId: "text not null",
    kind: wordOf<OauthTokenKind>(),
    scope: "text not null",
    createdAt: "bigint not null",
    expiresAt: "bigint not null",
    /** When a refresh token was given back. */
    usedAt: "bigint",
  },
} as const satisfies TableDefinitions;

export const doorIndexes = [
  "create index readings_of_team on readings (team_id, created_at)",
  "create index readings_by_end on readings (expires_at)",
  "create index oauth_clients_by_age on oauth_clients (created_at) where allowed_at is null",
  "create index oauth_requests_by_end on oauth_requests (expires_at)",
  "create index oauth_codes_by_end on oauth_codes (expires_at)",
  "create index oauth_grants_of_team on oauth_grants (team_id, created_at)",
  "create index oauth_tokens_by_end on oauth_tokens (expires_at)",
  "create index oauth_tokens_of_grant on oauth_tokens (grant_id)",
];
