import {
  type Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  sql,
} from "kysely";
import pg from "pg";
import { hourMs } from "../../base/index.ts";
import { postgresAuditTriggers } from "./audit-triggers.ts";
import { cleanParameter } from "./clean-parameter.ts";
import { columnName, propertyName } from "./column-names.ts";
import { createPostgresNotifier } from "./postgres-notifier.ts";
import { postgresWords, postgresWordTables } from "./search-words-postgres.ts";
import type { EngineConnection, StoreEngine, Unavailability } from "./store-engine.ts";

const statementTimeoutMs = 30_000;
const connectTimeoutMs = 5000;
/** A process that freezes in the middle of a transaction may hold its rows no longer: others wait for them. */
const idleTransactionMs = 10_000;
/** When even the server's own time limit does not answer, the network is gone. */
const answerGraceMs = 5000;
/** A migration that rewrites a large table may take hours, and so may waiting for another server's. */
const migrationMs = 24 * hourMs;
const defaultPoolSize = 10;

/** Types that pg gives as text, because they may exceed a double; ours do not. */
const int8 = 20;
const numeric = 1700;

/** SQLSTATE (PostgreSQL's appendix A): the server speaks, so the statement is certain to have been undone. */
const refusedStates = /^(?:53|58|57P|57014|25006|40001|40P01|55P03|XX001|XX002)/;
/** The connection itself broke. */
const lostStates = /^(?:08|25P03|57P0[12])/;
const lostCodes = new Set(["ECONNRESET", "EPIPE", "ETIMEDOUT", "ECONNABORTED"]);
const refusedCodes = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH", "ENOENT"]);
/** pg's own errors carry no code. */
const lostMessages =
  /^(?:Connection terminated|Query read timeout|Client has encountered a connection error|Client was closed)/;
const refusedMessages = /^(?:timeout exceeded when trying to connect|timeout expired)/;

export interface PostgresOptions {
  poolSize?: number | undefined;
  /** Leads to the server itself where `databaseUrl` leads to a pooler. */
  directUrl?: string | null | undefined;
  /** Of a statement of requests and jobs; migrations have none. */
  statementTimeoutMs?: number;
  /** Is told what opening the store waits for. */
  tell?: (message: string) => void;
}

/** Of one connection. */
interface Limits {
  begin: string;
  answerMs: number;
}

export function openPostgres(databaseUrl: string, options: PostgresOptions = {}): StoreEngine {
  const { poolSize = defaultPoolSize, directUrl, tell = () => {} } = options;
  const usual = limitsOf(options.statementTimeoutMs ?? statementTimeoutMs);
  const notifier = createPostgresNotifier(directUrl ?? databaseUrl);
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: poolSize,
    connectionTimeoutMillis: connectTimeoutMs,
    query_timeout: usual.answerMs,
    application_name: "trawl",
    keepAlive: true,
    types: {
      getTypeParser: (oid: number, format?: "text" | "binary") =>
        oid === int8 || oid === numeric ? Number : pg.types.getTypeParser(oid, format as "text"),
    },
  });
  // Without listeners, a connection that the server closes (a restart) would end this process: the pool's listener receives
  // idle connections, the client's own one those inside a transaction. The next statement reports the loss.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));

  return {
    name: "postgres",
    columns: {
      bytes: "bytea",
      orderedText: 'text collate "C"',
      rowless: "",
      rowNumber: "bigint",
      serial: "bigserial",
      wordTables: postgresWordTables,
      auditTriggers: postgresAuditTriggers,
    },
    words: postgresWords,
    reader: null,
    notifier,
    afterCopy: ["search_hosts", "indexed_source_pages"].map(
      (table) => `select setval(pg_get_serial_sequence('${table}', 'id'), (select max(id) from ${table}))`,
    ),
    findDamage: null,
    backUp: null,
    async readTime() {
      const { rows } = await pool.query("select extract(epoch from clock_timestamp()) * 1000 as now");
      return Math.round(rows[0].now);
    },
    connect: async () => new PostgresConnection(await pool.connect(), usual),
    connectToMigrate: async () => new PostgresConnection(await pool.connect(), unlimited),
    load: () => ({ active: pool.totalCount - pool.idleCount, waiting: pool.waitingCount }),
    classify,
    createCompiler: () => new StorePostgresCompiler(),
    createAdapter: () => new PooledPostgresAdapter(tell),
    createIntrospector: (db) => new PostgresIntrospector(db),
    async close() {
      await notifier.close();
      await pool.end();
    },
  };
}

class PostgresConnection implements EngineConnection {
  readonly #client: pg.PoolClient;
  readonly #limits: Limits;
  #isBroken = false;

  constructor(client: pg.PoolClient, limits: Limits) {
    this.#client = client;
    this.#limits = limits;
  }

  async execute(text: string, parameters: readonly unknown[]): Promise<QueryResult<unknown>> {
    const values = parameters.map(cleanParameter);
    const query = { text, values, rowMode: "array" as const, query_timeout: this.#limits.answerMs };
    const answer = await this.#watch(this.#client.query<unknown[]>(query));
    const { command, rowCount } = answer;
    const names = answer.fields.map(({ name }) => propertyName(name));
    const rows = answer.rows.map((row) => toRow(names, row));
    return changing.has(command) ? { rows, numAffectedRows: BigInt(rowCount ?? 0) } : { rows };
  }

  async #watch<Answer>(query: Promise<Answer>): Promise<Answer> {
    try {
      return await query;
    } catch (error) {
      if (classify(error) === "lost") this.#isBroken = true;
      throw error;
    }
  }

  async begin(): Promise<void> {
    await this.#watch(this.#client.query(this.#limits.begin));
  }

  async commit(): Promise<void> {
    await this.execute("commit", []);
  }

  async rollback(): Promise<void> {
    if (this.#isBroken) return; // The server has rolled back; the error that broke the connection is the one to report.
    try {
      await this.execute("rollback", []);
    } catch (error) {
      this.#isBroken = true;
      throw error;
    }
  }

  release(): void {
    this.#client.release(this.#isBroken);
  }
}

class StorePostgresCompiler extends PostgresQueryCompiler {
  protected override sanitizeIdentifier(identifier: string): string {
    return super.sanitizeIdentifier(columnName(identifier));
  }
}

function toRow(names: readonly string[], values: readonly unknown[]): Record<string, unknown> {
  const row: Record<string, unknown> = {};
  for (let place = 0; place < names.length; place += 1) row[names[place] as string] = values[place];
  return row;
}

/** For the transaction alone and in one message: behind a pooler, session settings would apply to other clients. */
function beginWith(statementMs: number, idleMs: number): string {
  return `begin; set local statement_timeout = ${statementMs}; set local idle_in_transaction_session_timeout = ${idleMs}`;
}

function limitsOf(statementMs: number): Limits {
  return { begin: beginWith(statementMs, idleTransactionMs), answerMs: statementMs + answerGraceMs };
}

/** Also where the operator has set limits for the whole database. */
const unlimited: Limits = { begin: `${beginWith(0, 0)}; set local lock_timeout = 0`, answerMs: migrationMs };

const changing = new Set(["INSERT", "UPDATE", "DELETE", "MERGE"]);

const waiting = "another server is upgrading the tables of the store; this one waits until it is done";

/** Any number that nothing else on the database locks. */
const migrationLock = 3_853_314_791;

/**
 * Kysely's own lock for migrations belongs to a session. Behind a pooler the next statement may be another session's: the lock
 * was never given back. This one ends with the transaction of the migrations, which begins here.
 */
class PooledPostgresAdapter extends PostgresAdapter {
  readonly #tell: (message: string) => void;

  constructor(tell: (message: string) => void) {
    super();
    this.#tell = tell;
  }

  override async acquireMigrationLock(db: Kysely<unknown>): Promise<void> {
    await sql`begin`.execute(db);
    try {
      // Waiting for another process's migrations may take longer than any statement of a request.
      await sql`set local statement_timeout = 0`.execute(db);
      await sql`set local lock_timeout = 0`.execute(db);
      const taken = sql<{ got: boolean }>`select pg_try_advisory_xact_lock(${sql.lit(migrationLock)}) as got`;
      const [answer] = (await taken.execute(db)).rows;
      if (answer?.got) return;
      this.#tell(waiting);
      await sql`select pg_advisory_xact_lock(${sql.lit(migrationLock)})`.execute(db);
    } catch (error) {
      await sql`rollback`.execute(db).catch(() => undefined);
      throw error;
    }
  }

  override async releaseMigrationLock(): Promise<void> {}
}

function classify(error: unknown): Unavailability | null {
  if (!(error instanceof Error)) return null;
  const { code } = error as Error & { code?: unknown };
  if (typeof code === "string") {
    if (lostCodes.has(code) || lostStates.test(code)) return "lost";
    return refusedCodes.has(code) || refusedStates.test(code) ? "refused" : null;
  }
  if (lostMessages.test(error.message)) return "lost";
  return refusedMessages.test(error.message) ? "refused" : null;
}
