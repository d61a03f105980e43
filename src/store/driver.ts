// Kysely's driver over an Engine. Here, once for all statements, errors of the storage become STORE_UNAVAILABLE, and a
// transaction in which a statement failed never commits: PostgreSQL would turn that COMMIT into a silent ROLLBACK, SQLite
// would keep half of the work.
import type { CompiledQuery, DatabaseConnection, Dialect, Driver, Kysely, QueryResult } from "kysely";
import { ServiceError } from "../base/index.ts";
import type { Engine, EngineConnection } from "./engine.ts";
import type { Tables } from "./tables.ts";
import { storeUnavailable } from "./unavailable.ts";

export function createDialect(engine: Engine): Dialect {
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
function explainError(engine: Engine, error: unknown, isSafe: boolean): unknown {
  if (error instanceof ServiceError) return error;
  const kind = engine.classify(error);
  if (kind === null) return error;
  const message = kind === "lost" && !isSafe ? unknownOutcome : undefined;
  return storeUnavailable(error, message);
}

class StoreConnection implements DatabaseConnection {
  readonly #engine: Engine;
  readonly #connection: EngineConnection;
  #transaction: { failure: unknown } | null = null;

  constructor(engine: Engine, connection: EngineConnection) {
    this.#engine = engine;
    this.#connection = connection;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    try {
      return (await this.#connection.execute(query.sql, query.parameters)) as QueryResult<Row>;
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
    await this.#guard(true, () => this.#connection.begin());
    this.#transaction = { failure: null };
  }

  async commit(): Promise<void> {
    const failure = this.#transaction?.failure;
    if (failure) throw failure;
    await this.#guard(false, () => this.#connection.commit());
    this.#transaction = null;
  }

  async rollback(): Promise<void> {
    this.#transaction = null;
    await this.#guard(true, () => this.#connection.rollback());
  }

  release(): void {
    this.#connection.release();
  }

  async #guard(isSafe: boolean, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      throw explainError(this.#engine, error, isSafe);
    }
  }
}

class StoreDriver implements Driver {
  readonly #engine: Engine;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<StoreConnection> {
    try {
      return new StoreConnection(this.#engine, await this.#engine.connect());
    } catch (error) {
      throw explainError(this.#engine, error, true);
    }
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

  async releaseConnection(connection: StoreConnection): Promise<void> {
    connection.release();
  }

  destroy(): Promise<void> {
    return this.#engine.close();
  }
}
