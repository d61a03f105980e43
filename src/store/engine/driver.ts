// Kysely's driver over an StoreEngine. Here, once for all statements, errors of the storage become STORE_UNAVAILABLE, and a
// transaction in which a statement failed never commits: PostgreSQL would turn that COMMIT into a silent ROLLBACK, SQLite
// would keep half of the work.
import type { CompiledQuery, DatabaseConnection, Dialect, Driver, Kysely, QueryResult } from "kysely";
import { ServiceError } from "../../base/index.ts";
import type { Tables } from "../schema/tables.ts";
import { type DirectRead, isRead } from "./direct-read.ts";
import type { EngineConnection, StoreEngine } from "./store-engine.ts";
import { storeUnavailable } from "./unavailable.ts";

export function createDialect(engine: StoreEngine): Dialect {
  return {
    createDriver: () => new StoreDriver(engine),
    createQueryCompiler: () => engine.createCompiler(),
    createAdapter: () => engine.createAdapter(),
    createIntrospector: (db: Kysely<Tables>) => engine.createIntrospector(db),
  };
}

const unknownOutcome =
  "The storage became unavailable while saving. Whether this change was kept is not known; check before repeating it.";

/** `isSafe`: the failed step cannot have changed anything by itself. */
function explainError(engine: StoreEngine, error: unknown, isSafe: boolean): unknown {
  if (error instanceof ServiceError) return error;
  const kind = engine.classify(error);
  if (kind === null) return error;
  const message = kind === "lost" && !isSafe ? unknownOutcome : undefined;
  return storeUnavailable(error, message);
}

/** Kysely's way to a connection costs more than SQLite's whole work on a small read (20 against 8 µs of CPU). */
export function createDirectRead(engine: StoreEngine): DirectRead | null {
  const { reader } = engine;
  if (reader === null) return null;
  return async ({ sql, parameters }) => {
    try {
      return (await reader.execute(sql, parameters)).rows;
    } catch (error) {
      throw explainError(engine, error, true);
    }
  };
}

/** Takes the engine's connection at the first use that needs it: Kysely asks before it knows whether it will read. */
class StoreConnection implements DatabaseConnection {
  readonly #engine: StoreEngine;
  #connection: Promise<EngineConnection> | null = null;
  #transaction: { failure: unknown } | null = null;

  constructor(engine: StoreEngine) {
    this.#engine = engine;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    try {
      const reader = this.#connection === null && isRead(query) ? this.#engine.reader : null;
      const target = reader ?? (await this.#connect());
      return (await target.execute(query.sql, query.parameters)) as QueryResult<Row>;
    } catch (error) {
      const transaction = this.#transaction;
      const explained = explainError(this.#engine, error, transaction !== null);
      if (transaction) transaction.failure ??= explained;
      throw explained;
    }
  }

  // biome-ignore lint/correctness/useYield: streaming is refused; pages are read by keyset
  async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error("The store does not stream; read pages instead.");
  }

  async begin(): Promise<void> {
    await this.#guard(true, (connection) => connection.begin());
    this.#transaction = { failure: null };
  }

  async commit(): Promise<void> {
    const failure = this.#transaction?.failure;
    if (failure) throw failure;
    await this.#guard(false, (connection) => connection.commit());
    this.#transaction = null;
  }

  async rollback(): Promise<void> {
    this.#transaction = null;
    await this.#guard(true, (connection) => connection.rollback());
  }

  async release(): Promise<void> {
    // The caller that asked for the connection already has its error.
    const connection = await this.#connection?.catch(() => null);
    connection?.release();
  }

  #connect(): Promise<EngineConnection> {
    this.#connection ??= this.#engine.connect().catch((error) => {
      throw explainError(this.#engine, error, true);
    });
    return this.#connection;
  }

  async #guard(isSafe: boolean, work: (connection: EngineConnection) => Promise<void>): Promise<void> {
    try {
      await work(await this.#connect());
    } catch (error) {
      throw explainError(this.#engine, error, isSafe);
    }
  }
}

class StoreDriver implements Driver {
  readonly #engine: StoreEngine;

  constructor(engine: StoreEngine) {
    this.#engine = engine;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<StoreConnection> {
    return new StoreConnection(this.#engine);
  }

  beginTransaction(connection: StoreConnection): Promise<void> {
    return connection.begin();
  }

  commitTransaction(connection: StoreConnection): Promise<void> {
    return connection.commit();
  }

  rollbackTransaction(connection: StoreConnection): Promise<void> {
    return connection.rollback();
  }

  releaseConnection(connection: StoreConnection): Promise<void> {
    return connection.release();
  }

  destroy(): Promise<void> {
    return this.#engine.close();
  }
}
