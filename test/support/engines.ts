// Both databases behind one interface, so that every store test runs on each.
import { cpSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "vitest";
import { openSqlite } from "../../src/store/engine/sqlite.ts";
import { openStore, type Store, type StoreOptions } from "../../src/store/index.ts";
import { createStore } from "../../src/store/opening/open-store.ts";
import { removeFolder } from "./cleanup.ts";
import { makeStoreFolder } from "./fast-folder.ts";
import { querySql, runSql } from "./postgres.ts";
import { createStoreDatabase, postgresUrl } from "./run-database.ts";

export interface FreshStore {
  store: Store;
  /** For a further store, or another process, on the same database. */
  options: StoreOptions;
  /** A further store on the same database, as another process would have it; cleanup closes it too. */
  openAnother(): Promise<Store>;
  /** Makes writing through `store` fail as it would on a read-only or a full disk. Each returns the repair. */
  makeReadOnly(): Promise<() => Promise<void>>;
  makeFull(): Promise<() => Promise<void>>;
  /** A statement past the store's own, as an operator with a database client would say it. */
  run(statement: string): Promise<void>;
  /** Every row of every table, each as text that begins with the table's name. */
  listRows(): Promise<string[]>;
  cleanup(): Promise<void>;
}

export interface TestEngine {
  name: "sqlite" | "postgres";
  /** A new, empty store. */
  fresh(): Promise<FreshStore>;
}

/** The folder of a store that has every table already: copying it is cheaper than making them anew each time. */
let emptyStore: Promise<string> | null = null;

async function createEmptyStore(): Promise<string> {
  const dataDir = join(makeStoreFolder(), "data");
  await (await openStore({ dataDir })).close();
  return dataDir;
}

const sqlite: TestEngine = {
  name: "sqlite",
  async fresh() {
    const parent = makeStoreFolder();
    const options = { dataDir: join(parent, "data") };
    emptyStore ??= createEmptyStore();
    cpSync(await emptyStore, options.dataDir, { recursive: true });
    const engine = await openSqlite(options.dataDir);
    const { database } = engine; // the connection that writes: reads go on
    const store = await createStore(engine);
    return {
      options,
      ...withFurtherStores(store, options, () => removeFolder(parent)),
      listRows: () => listRows(sqliteTables, async (statement) => database.execute(statement).rows),
      async run(statement) {
        database.execute(statement);
      },
      async makeReadOnly() {
        database.execute("pragma query_only = on");
        return async () => void database.execute("pragma query_only = off");
      },
      async makeFull() {
        // Pages that migrations left free would still take something.
        database.execute("vacuum");
        // The limit is never set below the size the database has.
        database.execute("pragma max_page_count = 1");
        return async () => void database.execute("pragma max_page_count = 1000000");
      },
    };
  },
};

const postgres: TestEngine = {
  name: "postgres",
  async fresh() {
    const database = await createStoreDatabase();
    return openDatabase(database, database.drop);
  },
};

interface StoreDatabase {
  url: string;
  drop(): Promise<void>;
}

/** `leave`: what becomes of a database whose rows are all that tests changed. */
async function openDatabase({ url, drop }: StoreDatabase, leave: () => Promise<void>): Promise<FreshStore> {
  const name = new URL(url).pathname.slice(1);
  // What a test changed of the database itself stays behind.
  let isChanged = false;
  const options = { databaseUrl: url, poolSize: 8 };
  const store = await openStore(options);
  // Settings of a database hold for new connections only.
  const disconnect = `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`;
  const set = async (value: string) => {
    isChanged = true;
    await runSql(
      await postgresUrl(),
      `alter database ${name} set default_transaction_read_only = ${value}`,
      disconnect,
    );
  };
  return {
    options,
    run: (statement) => runSql(url, statement),
    ...withFurtherStores(store, options, () => (isChanged ? drop() : leave())),
    listRows: () => listRows(postgresTables, (statement) => querySql(url, statement)),
    async makeReadOnly() {
      await set("on");
      return () => set("off");
    },
    async makeFull() {
      isChanged = true;
      await runSql(url, fullFunction, ...fullTables.map((table) => fullTrigger(table)));
      return () => runSql(url, "drop function no_room cascade");
    },
  };
}

export const engines: readonly TestEngine[] = [sqlite, postgres];

/**
 * The same engine for a file whose tests leave nothing running: each has an empty store all the same, but on PostgreSQL it is one
 * database, emptied after each. A copy for each takes a fifth of a second of CPU. `end` comes after the last test.
 */
export function onOneDatabase(engine: TestEngine): TestEngine & { end(): Promise<void> } {
  if (engine === sqlite) return { ...engine, end: async () => undefined };
  const empty: { database: StoreDatabase; emptying: string }[] = [];
  return {
    name: engine.name,
    async fresh() {
      const kept = empty.pop() ?? (await takeEmptied());
      return openDatabase(kept.database, async () => {
        await runSql(kept.database.url, kept.emptying);
        empty.push(kept);
      });
    },
    async end() {
      for (const { database } of empty) await database.drop();
    },
  };
}

/** With the statements that make it what it is now. Tables that have rows in an empty store are those of the schema itself. */
async function takeEmptied() {
  const database = await createStoreDatabase();
  const tables = (await querySql(database.url, postgresTables)).map(({ name }) => String(name));
  const looks = tables.map((name) => `select '${name}' as name where not exists (select from "${name}")`);
  const emptied = await querySql(database.url, looks.join(" union all "));
  const removals = emptied.map(({ name }) => `delete from "${name}"`);
  // Without the order of references between tables.
  return { database, emptying: ["set session_replication_role = replica", ...removals].join(";") };
}

/**
 * For files whose subject is not the store: one engine in a test run, every engine with `npm run prove -- stores`. What they
 * share with others (starting jobs, settling, activity, credits) has tests on both in every run.
 */
export const bystanders: readonly TestEngine[] = process.env["TRAWL_PROVE"] === "stores" ? engines : [sqlite];

/** For what is the same whatever stores it, such as the behaviour of a browser. */
export const anyEngine = sqlite;

/**
 * `describe` and `it` for such tests among others that run on every engine: these register theirs on one engine only. Every
 * statement of the store has tests of its own on both, and so has every endpoint.
 */
export function onOneEngine(engine: TestEngine) {
  const isChosen = engine === anyEngine;
  return {
    describeOnce(name: string, tests: () => void) {
      if (isChosen) describe(name, tests);
    },
    itOnce(name: string, test: () => Promise<void>) {
      if (isChosen) it(name, test);
    },
  };
}

const fullTables = ["blobs", "page_copies", "scrapes", "activity", "credit_ledger", "health_probes"];
const fullFunction = `create function no_room() returns trigger language plpgsql as
  $$ begin raise exception 'could not extend file' using errcode = '53100'; end $$`;
const fullTrigger = (table: string) =>
  `create trigger no_room before insert or update on ${table} execute function no_room()`;

const sqliteTables = "select name from sqlite_master where type = 'table' and sql not like 'create virtual%'";
const postgresTables = "select tablename as name from pg_tables where schemaname = 'public'";

async function listRows(tables: string, query: (statement: string) => Promise<Record<string, unknown>[]>) {
  const rows: string[] = [];
  for (const { name } of await query(tables)) {
    for (const row of await query(`select * from "${name}"`)) rows.push(`${name} ${JSON.stringify(row)}`);
  }
  return rows;
}

function withFurtherStores(store: Store, options: StoreOptions, remove: () => Promise<void>) {
  const stores = [store];
  return {
    store,
    async openAnother() {
      const another = await openStore(options);
      stores.push(another);
      return another;
    },
    async cleanup() {
      try {
        for (const one of stores) await one.close();
      } finally {
        await remove();
      }
    },
  };
}
