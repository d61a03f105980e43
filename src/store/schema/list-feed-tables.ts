// Feeds of list pages, with their items.
import type { TableDefinitions } from "./table-definition.ts";

export const listFeedTables = {
  list_feeds: {
    id: "text not null primary key",
    teamId: "text not null",
    keyId: "text",
    name: "text not null",
    url: "text not null",
    /** What an item is: a selector or a schema, as JSON text; null: found by itself. */
    item: "text",
    cron: "text not null",
    timezone: "text not null",
    jitterMs: "bigint not null default 0",
    nextRunAt: "bigint",
    lastRunAt: "bigint",
    lastSuccessAt: "bigint",
    /** The batch that reads the page just now. */
    jobId: "text",
    /** Why the last refresh failed. */
    error: "text",
    tokenHash: "text not null",
    /** The token, sealed: its team may see the feed's URL again. */
    sealed: "text not null",
    baseUrl: "text not null",
    /** JSON text: everything that readers get. */
    items: "text not null",
    itemCount: "bigint not null",
    /** When readers last got something new. */
    changedAt: "bigint not null",
    createdAt: "bigint not null",
  },
} as const satisfies TableDefinitions;

export const listFeedIndexes = [
  "create index list_feeds_of_team on list_feeds (team_id, created_at, id)",
  "create unique index list_feeds_by_token on list_feeds (token_hash)",
  "create index list_feeds_due on list_feeds (next_run_at)",
  "create index list_feeds_read on list_feeds (id) where job_id is not null",
];
