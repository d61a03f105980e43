import { execFile } from "node:child_process";
import { mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import { describe, expect, it, onTestFinished } from "vitest";
import { newId } from "../../src/base/index.ts";
import { LibsqlDatabase } from "../../src/store/engine/libsql-database.ts";
import { openStore, type StoreOptions } from "../../src/store/index.ts";
import { engines } from "../support/engines.ts";
import { addJob } from "../support/job-store.ts";
import { querySql, runSql } from "../support/postgres.ts";
import { createEmptyDatabase } from "../support/run-database.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/** What pre-release versions noted: before and after the first baseline. */
const preRelease = { first: ["0001-accounts", "0002-activity"], later: ["0001-baseline", "0002-search-sources"] };

/** A database in which a version of Trawl has noted these migrations. */
async function databaseWith(engine: string, migrations: readonly string[]): Promise<StoreOptions> {
  const statements = [
    "create table kysely_migration (name varchar(255) primary key, timestamp varchar(255) not null)",
    "create table kysely_migration_lock (id varchar(255) primary key, is_locked integer default 0 not null)",
    ...migrations.map((name) => `insert into kysely_migration values ('${name}', '2026-01-01T00:00:00.000Z')`),
  ];
  if (engine === "postgres") {
    const { url, drop } = await createEmptyDatabase();
    onTestFinished(drop);
    await runSql(url, ...statements);
    return { databaseUrl: url, poolSize: 2 };
  }
  const dataDir = join(temporaryFolder(), "data");
  mkdirSync(dataDir);
  const database = new LibsqlDatabase(join(dataDir, "trawl.db"));
  for (const statement of statements) database.execute(statement);
  database.close();
  return { dataDir };
}

describe.each(engines)("the tables on $name", ({ name, fresh }) => {
  it.each(Object.entries(preRelease))(
    "refuse a store that a pre-release version made, and say what to do: %s",
    async (_, migrations) => {
      const options = await databaseWith(name, migrations);
      await expect(openStore(options)).rejects.toMatchObject({
        code: "STORE_UNAVAILABLE",
        message: expect.stringMatching(/^This store was made by a pre-release version .* new data folder \(DATA_DIR\)/),
      });
    },
  );

  it("refuse a store that a newer version changed", async () => {
    const options = await databaseWith(name, ["0001-release-0.1.0", "0002-something-new"]);
    await expect(openStore(options)).rejects.toMatchObject({
      code: "STORE_UNAVAILABLE",
      message: expect.stringContaining("newer version of Trawl"),
    });
  });

  it("find a page of a job by its id through an index, whatever the size of the job", async () => {
    const { store, options, cleanup } = await fresh();
    onTestFinished(cleanup);
    const jobId = await addJob(store, { pages: [] });
    const job = await store.jobs.read(jobId);
    const results = Array.from({ length: 2000 }, (_, seq) => ({ jobId, seq, pageId: newId(), blobId: newId() }));
    await store.jobResults.insert(results.map((result) => ({ ...result, sizeBytes: 1, details: "{}" })));
    const wanted = results[1234];
    const pageId = wanted?.pageId ?? "";
    expect(await store.jobResults.findPage(job?.teamId ?? "", pageId)).toMatchObject({ jobId, seq: 1234 });
    expect(await store.jobResults.findPage("another team", pageId)).toBeNull();
    expect(await explain(options, `select seq from job_results where page_id = '${pageId}'`)).toContain(
      "job_results_of_page",
    );
  });
});

describe("migrations on PostgreSQL", () => {
  it("are not bound by the time limit of statements, and other servers say that they wait for them", async () => {
    const { url, drop } = await createEmptyDatabase();
    onTestFinished(drop);
    await runSql(
      url,
      `create function be_slow() returns event_trigger language plpgsql as
        $$ begin if current_query() ilike 'alter table jobs%' then perform pg_sleep(0.4); end if; end $$`,
      "create event trigger slow on ddl_command_start when tag in ('ALTER TABLE') execute function be_slow()",
    );
    const told: string[] = [];
    // The network is given up 5 s after a statement's own limit.
    const options = {
      databaseUrl: url,
      poolSize: 2,
      statementTimeoutMs: 100,
      tell: (message: string) => told.push(message),
    };
    const stores = await Promise.all([openStore(options), openStore(options)]);
    onTestFinished(async () => {
      for (const store of stores) await store.close();
    });
    expect(told).toEqual([expect.stringMatching(/^another server is upgrading the tables .* waits/)]);
    // The limit holds for everything else.
    const holder = new pg.Client({ connectionString: url });
    await holder.connect();
    onTestFinished(() => holder.end());
    await holder.query("begin; lock table teams");
    const [store] = stores;
    await expect(store?.transaction(({ teams }) => teams.list())).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
  });
});

describe("a new store of SQLite", () => {
  function readSchema(dataDir: string): unknown[] {
    const database = new LibsqlDatabase(join(dataDir, "trawl.db"));
    const { rows } = database.execute("select type, name, tbl_name, sql from sqlite_schema order by type, name");
    database.close();
    return rows;
  }

  function readMigrated(dataDir: string): string {
    const database = new LibsqlDatabase(join(dataDir, "trawl.db"));
    const { rows } = database.execute("select min(timestamp) as first from kysely_migration");
    database.close();
    return String(rows[0]?.first);
  }

  it("copied from the one that the build made is like one whose tables were created one by one", async () => {
    const start = new Date().toISOString();
    const [copied, created] = [join(temporaryFolder(), "data"), temporaryFolder()];
    // Where there is a database, if only an empty one, nothing is copied.
    writeFileSync(join(created, "trawl.db"), "");
    for (const dataDir of [copied, created]) await (await openStore({ dataDir })).close();
    expect(readMigrated(copied) < start && start <= readMigrated(created)).toBe(true);
    expect(readSchema(copied)).toEqual(readSchema(created));
    expect(readSchema(copied).length).toBeGreaterThan(100);
    expect(readdirSync(copied).filter((name) => name.includes("new"))).toEqual([]);
    expect(statSync(join(copied, "trawl.db")).mode & 0o777).toBe(0o600);
  });

  it("is copied once where several processes begin with the same folder", async () => {
    const start = new Date().toISOString();
    const dataDir = join(temporaryFolder(), "data");
    const built = new URL("../../dist/store/index.js", import.meta.url).href;
    const program = `import { openStore } from "${built}"; await (await openStore({ dataDir: process.argv[1] })).close();`;
    const open = () => promisify(execFile)(process.execPath, ["--input-type=module", "-e", program, dataDir]);
    await Promise.all(Array.from({ length: 4 }, open));
    expect(readMigrated(dataDir) < start).toBe(true);
    expect(readdirSync(dataDir).filter((name) => name.includes("new"))).toEqual([]);
  });
});

async function explain(options: StoreOptions, statement: string): Promise<string> {
  if ("databaseUrl" in options) {
    await runSql(options.databaseUrl, "analyze job_results");
    return JSON.stringify(await querySql(options.databaseUrl, `explain ${statement}`));
  }
  const database = new LibsqlDatabase(join(options.dataDir, "trawl.db"));
  const { rows } = database.execute(`explain query plan ${statement}`);
  database.close();
  return JSON.stringify(rows);
}
