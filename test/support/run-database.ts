// The PostgreSQL of a run. It starts when the first test needs a database: runs of a few files mostly need none.
import { inject } from "vitest";
import { enterPooler } from "./pooler.ts";
import { createDatabase, runSql } from "./postgres.ts";

/** What the set-up of a run tells test processes, once its PostgreSQL has started. */
export interface RunPostgres {
  url: string;
  /** Its database with the tables of an empty store. */
  template: string;
  /** null unless tests reach their databases through a pooler. */
  poolerPort: number | null;
}

const holder = globalThis as { trawlRunPostgres?: Promise<RunPostgres>; trawlFreeDatabases?: TestDatabase[] };

function runPostgres(): Promise<RunPostgres> {
  holder.trawlRunPostgres ??= askForPostgres();
  return holder.trawlRunPostgres;
}

async function askForPostgres(): Promise<RunPostgres> {
  const response = await fetch(inject("postgresStarter"), { method: "POST" });
  if (!response.ok) throw new Error(`PostgreSQL did not start: ${await response.text()}`);
  const started = (await response.json()) as RunPostgres;
  enterPooler(started.poolerPort);
  return started;
}

type TestDatabase = Awaited<ReturnType<typeof createDatabase>>;

/** A new database without a table, for one test file or one test. */
export async function createEmptyDatabase(): Promise<TestDatabase> {
  return createDatabase((await runPostgres()).url);
}

/** A new database with the tables of an empty store. */
export async function createStoreDatabase(): Promise<TestDatabase> {
  const { url, template } = await runPostgres();
  return createDatabase(url, template);
}

/** The URL of a database that is always there; statements about other databases are sent to it. */
export async function postgresUrl(): Promise<string> {
  return (await runPostgres()).url;
}

/**
 * A database with the tables of an empty store, for who closes what it opened there: `recycle` empties it for the next test, which
 * is ten times cheaper than dropping it and making another one.
 */
export async function takeStoreDatabase(): Promise<TestDatabase & { recycle(): Promise<void> }> {
  holder.trawlFreeDatabases ??= [];
  const free = holder.trawlFreeDatabases;
  const database = free.pop() ?? (await createStoreDatabase());
  return {
    ...database,
    async recycle() {
      await runSql(database.directUrl, emptyTables);
      free.push(database);
    },
  };
}

/** Of the store's tables, which migrations leave empty. Tables that nothing was written to are not touched: that would take longest. */
const emptyTables = `do $$
  declare name text; filled text[] := '{}'; has_rows boolean;
  begin
    for name in select quote_ident(tablename) from pg_tables where schemaname = 'public' and tablename not like 'kysely%' loop
      execute format('select exists (select from %s)', name) into has_rows;
      if has_rows then filled := filled || name; end if;
    end loop;
    if filled <> '{}' then execute 'truncate ' || array_to_string(filled, ', ') || ' cascade'; end if;
    for name in select quote_ident(sequencename) from pg_sequences where schemaname = 'public' and last_value is not null loop
      execute format('alter sequence %s restart', name);
    end loop;
  end $$`;
