import { execFile } from "node:child_process";
import { chmodSync, closeSync, openSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import {
  type QueryResult,
  type SelectModifierNode,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely";
import { compiledFile, createSemaphore } from "../../base/index.ts";
import { prepareDataFolder } from "../secrets/data-folder.ts";
import { sqliteAuditTriggers } from "./audit-triggers.ts";
import { columnName } from "./column-names.ts";
import { LibsqlDatabase } from "./libsql-database.ts";
import { copyReadyMade } from "./ready-made.ts";
import { sqliteWords, sqliteWordTables } from "./search-words-sqlite.ts";
import type { EngineConnection, StoreEngine } from "./store-engine.ts";
import { storeUnavailable } from "./unavailable.ts";

/**
 * How long a statement waits for another process's write lock. SQLite itself would block the whole event loop meanwhile
 * (and a transaction of a second store in this process could never end), so it blocks for a moment only and the rest
 * of the wait is asynchronous.
 */
const defaultBusyWaitMs = 5000;
const blockingWaitMs = 5;
/** Of the connection that reads. */
const readCacheKb = 8192;
/** Of the one that writes: with SQLite's 2 MB a crawl read 28 times per page from its file, with these 14 times. */
const writeCacheKb = 16_384;
const longestPauseMs = 20;
const backUpFile = fileURLToPath(compiledFile(import.meta.url, "./backup-child.ts"));
const run = promisify(execFile);

/**
 * After so many pages (16 MB) the journal is written back into the database. Pages of indexes change with every row: four times
 * SQLite's own measure took 4 to 12 % off the CPU of a scrape, since each of them is written back once instead of often.
 */
const checkpointPages = 4000;

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

export interface SqliteEngine extends StoreEngine {
  /** The connection that writes; for tests, which make faults with pragmas. */
  readonly database: LibsqlDatabase;
}

/**
 * Two connections: one writes and is taken in turns, the other reads. In WAL mode a reader waits for no writer, so reads go
 * on while a transaction is open here or another process holds the write lock. A statement runs to its end before the
 * event loop goes on, so no read leaves a snapshot open and each sees all that was committed before it.
 */
export async function openSqlite(dataDir: string, busyWaitMs: number = defaultBusyWaitMs): Promise<SqliteEngine> {
  const file = prepareFile(dataDir);
  const database = openDatabase(file);
  let reading: LibsqlDatabase;
  try {
    await prepareDatabase(database, busyWaitMs);
    reading = openDatabase(file);
    await prepareReading(reading, busyWaitMs);
  } catch (error) {
    database.close();
    if (!isUnavailable(error)) throw error;
    throw storeUnavailable(error, `The database in ${dataDir} cannot be used.`);
  }

  const writing = createSemaphore({ places: 1 });
  return {
    name: "sqlite",
    columns: {
      bytes: "blob",
      orderedText: "text",
      rowless: "without rowid",
      rowNumber: "integer",
      serial: "integer",
      wordTables: sqliteWordTables,
      auditTriggers: sqliteAuditTriggers,
    },
    words: sqliteWords,
    database,
    notifier: null,
    afterCopy: [],
    async findDamage() {
      const { rows } = reading.execute("pragma integrity_check(20)");
      const found = rows.map((row) => String((row as { integrityCheck: string }).integrityCheck));
      return found.filter((line) => line !== "ok");
    },
    async backUp(target) {
      // Copying gigabytes takes a while, and this process answers requests. In a thread that ends, the database's library ends
      // the whole process.
      await run(process.execPath, [backUpFile, file, target], { env: {} }).catch((cause: unknown) => {
        throw new Error("Copying the database was broken off.", { cause });
      });
    },
    readTime: null,
    reader: {
      async execute(sql, parameters) {
        // The writing connection still holds in memory what it wrote; the other one has to read it back from the file.
        const idle = () => (database.inTransaction ? reading : database);
        const { rows } = await whenNotBusy(busyWaitMs, () => idle().execute(sql, parameters));
        return { rows };
      },
    },
    /** First come, first served. */
    async connect() {
      const deadline = performance.now() + busyWaitMs;
      return new SqliteConnection(database, busyWaitMs, deadline, await writing.acquire());
    },
    connectToMigrate: null,
    load: () => writing.count(),
    classify: (error) => (isUnavailable(error) ? "refused" : null),
    createCompiler: () => new StoreSqliteCompiler(),
    createAdapter: () => new TransactionalSqliteAdapter(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    async close() {
      const release = await writing.acquire();
      release();
      reading.close();
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
  readonly #deadline: number;
  readonly #endTurn: () => void;
  #isInTransaction = false;

  /** `deadline`: for getting the write lock, the wait for the turn included; a queue's waits would add up otherwise. */
  constructor(database: LibsqlDatabase, busyWaitMs: number, deadline: number, endTurn: () => void) {
    this.#database = database;
    this.#busyWaitMs = busyWaitMs;
    this.#deadline = deadline;
    this.#endTurn = endTurn;
  }

  async execute(sql: string, parameters: readonly unknown[]): Promise<QueryResult<unknown>> {
    // A full disk makes SQLite roll back by itself; what follows would then be saved outside of any transaction.
    if (this.#isInTransaction && !this.#database.inTransaction) {
      throw storeUnavailable(new Error("SQLite has rolled the transaction back"));
    }
    const { rows, changes } = await this.#whenNotBusy(() => this.#database.execute(sql, parameters));
    return changes === null ? { rows } : { rows, numAffectedRows: BigInt(changes) };
  }

  async begin(): Promise<void> {
    // Immediate: a transaction that reads first and writes later would meet BUSY_SNAPSHOT, for which no waiting helps.
    await this.#whenNotBusy(() => this.#database.execute("begin immediate"));
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

  #whenNotBusy<Result>(work: () => Result): Promise<Result> {
    return whenNotBusy(this.#isInTransaction ? this.#busyWaitMs : this.#deadline - performance.now(), work);
  }
}

/** Leaves out row locks, which SQLite does not have: it has one writer at a time. */
class StoreSqliteCompiler extends SqliteQueryCompiler {
  protected override sanitizeIdentifier(identifier: string): string {
    return super.sanitizeIdentifier(columnName(identifier));
  }

  protected override visitSelectModifier(node: SelectModifierNode): void {
    if (node.modifier === undefined || !rowLocks.has(node.modifier)) super.visitSelectModifier(node);
  }
}

const rowLocks: ReadonlySet<string> = new Set(["ForUpdate", "ForNoKeyUpdate", "SkipLocked"]);

/** SQLite's DDL is transactional; the immediate transaction is also the lock between two processes that migrate. */
class TransactionalSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

function prepareFile(dataDir: string): string {
  const file = join(dataDir, "trawl.db");
  try {
    prepareDataFolder(dataDir);
    copyReadyMade(file);
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
  return file;
}

function openDatabase(file: string): LibsqlDatabase {
  try {
    return new LibsqlDatabase(file);
  } catch (cause) {
    throw storeUnavailable(cause, `The database ${file} cannot be opened.`);
  }
}

/** Another process may be changing the mode of the file: even a pragma that writes nothing is busy then. */
async function prepareDatabase(database: LibsqlDatabase, busyWaitMs: number): Promise<void> {
  await whenNotBusy(busyWaitMs, () => {
    database.execute(`pragma busy_timeout = ${blockingWaitMs}`);
    database.execute("pragma synchronous = full");
    database.execute("pragma foreign_keys = on");
    database.execute(`pragma cache_size = -${writeCacheKb}`);
    database.execute(`pragma wal_autocheckpoint = ${checkpointPages}`);
    // Asked first: the mode is kept in the file, and setting it needs a lock and a writable disk.
    const mode = database.execute("pragma journal_mode").rows[0];
    if (mode?.journalMode !== "wal") database.execute("pragma journal_mode = wal");
  });
}

async function prepareReading(database: LibsqlDatabase, busyWaitMs: number): Promise<void> {
  await whenNotBusy(busyWaitMs, () => {
    database.execute(`pragma busy_timeout = ${blockingWaitMs}`);
    // Should a statement that writes ever come here, it is refused instead of evading the turns.
    database.execute("pragma query_only = on");
    // In kB. Searches read the same sizes of pages again and again; with 16 MB instead of SQLite's 2 finding them took a seventh less CPU.
    database.execute(`pragma cache_size = -${readCacheKb}`);
  });
}

/** Tries once at least. */
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
  const code = resultCode(error);
  // BUSY_SNAPSHOT (517) means that the whole transaction must be repeated, not the statement.
  return code !== null && (code & 0xff) === 5 && code !== 517;
}

function isUnavailable(error: unknown): boolean {
  const code = resultCode(error);
  return code !== null && unavailableCodes.has(code & 0xff);
}

function resultCode(error: unknown): number | null {
  const code = error instanceof Error ? (error as Error & { rawCode?: unknown }).rawCode : null;
  return typeof code === "number" ? code : null;
}
