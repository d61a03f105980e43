import { chmodSync, closeSync, mkdirSync, openSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { type QueryResult, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from "kysely";
import type { Engine, EngineConnection } from "./engine.ts";
import { LibsqlDatabase } from "./libsql-database.ts";
import { storeUnavailable } from "./unavailable.ts";

/**
 * How long a statement waits for another process's write lock. SQLite itself would block the whole event loop meanwhile
 * (and a transaction of a second store in this process could never end), so it blocks for a moment only and the rest
 * of the wait is asynchronous.
 */
const defaultBusyWaitMs = 5000;
const blockingWaitMs = 5;
const longestPauseMs = 20;

/** Primary result codes (sqlite.org/rescode.html) that speak of the storage, not of the statement. */
const unavailableCodes = new Set([
  3, // PERM
  5, // BUSY
  6, // LOCKED
  7, // NOMEM
  8, // READONLY
  10, // IOERR
  11, // CORRUPT
  13, // FULL
  14, // CANTOPEN
  15, // PROTOCOL
  26, // NOTADB
]);

export interface SqliteEngine extends Engine {
  /** For tests, which make faults with pragmas. */
  readonly database: LibsqlDatabase;
}

export async function openSqlite(dataDir: string, busyWaitMs: number = defaultBusyWaitMs): Promise<SqliteEngine> {
  const database = openDatabase(dataDir);
  try {
    await prepareDatabase(database, busyWaitMs);
  } catch (error) {
    database.close();
    if (!isUnavailable(error)) throw error;
    throw storeUnavailable(error, `The database in ${dataDir} cannot be used.`);
  }

  let lastTurn: Promise<void> = Promise.resolve();
  return {
    name: "sqlite",
    columns: { bytes: "blob" },
    database,
    /** One connection, taken in turns; first come, first served. */
    async connect() {
      const { promise, resolve } = createTurn();
      const previous = lastTurn;
      lastTurn = promise;
      await previous;
      return new SqliteConnection(database, busyWaitMs, resolve);
    },
    classify: (error) => (isUnavailable(error) ? "refused" : null),
    createCompiler: () => new SqliteQueryCompiler(),
    createAdapter: () => new TransactionalSqliteAdapter(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    async close() {
      await lastTurn;
      try {
        // libsql frees its files only when it is collected; what was written must not wait for that.
        database.execute("pragma wal_checkpoint(truncate)");
      } catch (error) {
        if (!isUnavailable(error)) throw error;
      } finally {
        database.close();
      }
    },
  };
}

class SqliteConnection implements EngineConnection {
  readonly #database: LibsqlDatabase;
  readonly #busyWaitMs: number;
  readonly #endTurn: () => void;
  #isInTransaction = false;

  constructor(database: LibsqlDatabase, busyWaitMs: number, endTurn: () => void) {
    this.#database = database;
    this.#busyWaitMs = busyWaitMs;
    this.#endTurn = endTurn;
  }

  async execute(sql: string, parameters: readonly unknown[]): Promise<QueryResult<unknown>> {
    // A full disk makes SQLite roll back by itself; what follows would then be saved outside of any transaction.
    if (this.#isInTransaction && !this.#database.inTransaction) {
      throw storeUnavailable(new Error("SQLite has rolled the transaction back"));
    }
    const { rows, changes } = await whenNotBusy(this.#busyWaitMs, () => this.#database.execute(sql, parameters));
    return changes === null ? { rows } : { rows, numAffectedRows: BigInt(changes) };
  }

  async begin(): Promise<void> {
    // Immediate: a transaction that reads first and writes later would meet BUSY_SNAPSHOT, for which no waiting helps.
    await whenNotBusy(this.#busyWaitMs, () => this.#database.execute("begin immediate"));
    this.#isInTransaction = true;
  }

  async commit(): Promise<void> {
    await this.execute("commit", []);
    this.#isInTransaction = false;
  }

  async rollback(): Promise<void> {
    this.#isInTransaction = false;
    if (this.#database.inTransaction) this.#database.execute("rollback");
  }

  release(): void {
    this.#endTurn();
  }
}

/** SQLite's DDL is transactional; the immediate transaction is also the lock between two processes that migrate. */
class TransactionalSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

function openDatabase(dataDir: string): LibsqlDatabase {
  const file = join(dataDir, "trawl.db");
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    // Made here, because SQLite would make it readable for all; its -wal and -shm files copy the mode.
    closeSync(openSync(file, "a", 0o600));
    chmodSync(file, 0o600);
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code;
    // On a file system that became read-only an existing database can still be read.
    if (code !== "EROFS") {
      throw storeUnavailable(cause, `DATA_DIR ${dataDir} cannot be used (${code}).`);
    }
  }
  try {
    return new LibsqlDatabase(file);
  } catch (cause) {
    throw storeUnavailable(cause, `The database ${file} cannot be opened.`);
  }
}

async function prepareDatabase(database: LibsqlDatabase, busyWaitMs: number): Promise<void> {
  database.execute(`pragma busy_timeout = ${blockingWaitMs}`);
  database.execute("pragma synchronous = full");
  database.execute("pragma foreign_keys = on");
  await whenNotBusy(busyWaitMs, () => {
    // Asked first: the mode is kept in the file, and setting it needs a lock and a writable disk.
    const mode = database.execute("pragma journal_mode").rows[0];
    if (mode?.journal_mode !== "wal") database.execute("pragma journal_mode = wal");
  });
}

async function whenNotBusy<Result>(busyWaitMs: number, work: () => Result): Promise<Result> {
  let deadline = 0;
  for (;;) {
    try {
      return work();
    } catch (error) {
      if (!isBusy(error)) throw error;
      deadline ||= performance.now() + busyWaitMs;
      if (performance.now() > deadline) throw error;
    }
    await wait(1 + Math.random() * longestPauseMs);
  }
}

function isBusy(error: unknown): boolean {
  // BUSY_SNAPSHOT (517) and the like mean that the whole transaction must be repeated, not the statement.
  return resultCode(error) === 5;
}

function isUnavailable(error: unknown): boolean {
  const code = resultCode(error);
  return code !== null && unavailableCodes.has(code & 0xff);
}

function resultCode(error: unknown): number | null {
  const code = error instanceof Error ? (error as Error & { rawCode?: unknown }).rawCode : null;
  return typeof code === "number" ? code : null;
}

function createTurn(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
