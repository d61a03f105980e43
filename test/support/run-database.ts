// The PostgreSQL of a run. It starts when the first test needs a database: runs of a few files mostly need none.
import { inject } from "vitest";
import { enterPooler } from "./pooler.ts";
import { createDatabase } from "./postgres.ts";

/** What the set-up of a run tells test processes, once its PostgreSQL has started. */
export interface RunPostgres {
  url: string;
  /** Its database with the tables of an empty store. */
  template: string;
  /** null unless tests reach their databases through a pooler. */
  poolerPort: number | null;
}

const holder = globalThis as { trawlRunPostgres?: Promise<RunPostgres> };

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

/** A new database with the tables of an empty store: an app that still runs must not meet the next test's rows. */
export async function createStoreDatabase(): Promise<TestDatabase> {
  const { url, template } = await runPostgres();
  return createDatabase(url, template);
}

/** The URL of a database that is always there; statements about other databases are sent to it. */
export async function postgresUrl(): Promise<string> {
  return (await runPostgres()).url;
}
