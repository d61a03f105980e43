// The tables of release 0.1.0, the same on every engine, and the rows that code reads from them. Times are milliseconds since 1970,
// ids are UUID text, there are no booleans. A later migration adds its columns to `Tables` and leaves the definitions alone.
import { type ActivityResult, accountIndexes, accountTables } from "./account-tables.ts";
import { archiveTables } from "./archive-tables.ts";
import { browserIndexes, browserTables } from "./browser-tables.ts";
import { doorTables } from "./door-tables.ts";
import { flowTables } from "./flow-tables.ts";
import { indexedSourceTables } from "./indexed-source-tables.ts";
import { jobIndexes, jobTables } from "./job-tables.ts";
import { listFeedTables } from "./list-feed-tables.ts";
import { monitorIndexes, monitorTables } from "./monitor-tables.ts";
import { type NoticeColumns, noticeTables } from "./notice-tables.ts";
import { pageIndexes, pageTables } from "./page-tables.ts";
import { peopleIndexes, peopleTables } from "./people-tables.ts";
import { type KeyLimitColumns, type ProviderColumns, policyTables } from "./policy-tables.ts";
import { searchIndexes, searchTables } from "./search-tables.ts";
import { type RecordedColumn, secretTables } from "./secret-tables.ts";
import { serverIndexes, serverTables } from "./server-tables.ts";
import type { Rows } from "./table-definition.ts";
import { type ThreadColumns, threadTables } from "./thread-tables.ts";
import { webhookIndexes, webhookTables } from "./webhook-tables.ts";

export const baselineTables = {
  ...accountTables,
  ...peopleTables,
  ...pageTables,
  ...jobTables,
  ...webhookTables,
  ...monitorTables,
  ...searchTables,
  ...browserTables,
  ...serverTables,
};

export const baselineIndexes = [
  ...accountIndexes,
  ...peopleIndexes,
  ...pageIndexes,
  ...jobIndexes,
  ...webhookIndexes,
  ...monitorIndexes,
  ...searchIndexes,
  ...browserIndexes,
  ...serverIndexes,
];

/** Those of the baseline and of later migrations. */
export const allTables = {
  ...baselineTables,
  ...indexedSourceTables,
  ...threadTables,
  ...noticeTables,
  ...listFeedTables,
  ...policyTables,
  ...flowTables,
  ...doorTables,
  ...secretTables,
  ...archiveTables,
};

type AllRows = Rows<typeof allTables>;

export interface Tables extends AllRows {
  jobs: AllRows["jobs"] & ThreadColumns;
  /** The caller's own id of the request; null where it sent none. */
  activity: AllRows["activity"] & ActivityResult & { externalRequestId: string | null };
  api_keys: AllRows["api_keys"] & KeyLimitColumns;
  people: AllRows["people"] & ProviderColumns;
  webhook_events: AllRows["webhook_events"] & NoticeColumns;
  browser_sessions: AllRows["browser_sessions"] & RecordedColumn;
  search_pages: AllRows["search_pages"] & { isOwn: number };
  /** Its other columns differ from engine to engine; it has no `id` because SQLite gives none to a full-text table. */
  search_words: { rowid: number };
  /** SQLite only. */
  search_vocabulary: { term: string; doc: number };
}

export type RowOf<Table extends keyof Tables> = Tables[Table];
