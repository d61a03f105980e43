// All that differs between the databases, behind one interface: sqlite.ts and postgres.ts implement it, driver.ts uses it.
import type { DatabaseIntrospector, DialectAdapter, Kysely, QueryCompiler, QueryResult } from "kysely";
import type { Tables } from "../schema/tables.ts";
import type { WordIndex } from "./search-words.ts";

/**
 * What an error means for the caller: "refused" is certain to have changed nothing, after "lost" it is
 * unknown (the connection broke while the server may have gone on).
 */
export type Unavailability = "refused" | "lost";

export interface EngineConnection {
  execute(sql: string, parameters: readonly unknown[]): Promise<QueryResult<unknown>>;
  begin(): Promise<void>;
  commit(): Promise<void>;
  rollback(): Promise<void>;
  release(): void;
}

/** Runs single reads, each on the state that the latest commit left. */
export type EngineReader = Pick<EngineConnection, "execute">;

/** Notifications between processes. One may be lost: it only shortens the wait until the next poll. */
export interface Notifier {
  publish(word: string): void;
  /** Also called with "" when notifications may have been lost. The first call opens the connection. */
  subscribe(receive: (word: string) => void): void;
  /** Whether notifications arrive at present. */
  isConnected(): boolean;
  close(): Promise<void>;
}

export interface StoreEngine {
  readonly name: "sqlite" | "postgres";
  /** Column types that have no common name. */
  readonly columns: ColumnTypes;
  /** How pages are found by their words. */
  readonly words: WordIndex;
  connect(): Promise<EngineConnection>;
  /** A connection whose statements may take as long as a migration does; null where none is limited. */
  readonly connectToMigrate: (() => Promise<EngineConnection>) | null;
  /** Where a read outside of a transaction goes when `connect` may have to wait for writes; null when it never has to. */
  readonly reader: EngineReader | null;
  /** To the other processes that share the database; null when no other process can. */
  readonly notifier: Notifier | null;
  /** The database's own time, in milliseconds since 1970; null where no other process shares it. */
  readonly readTime: (() => Promise<number>) | null;
  /** Said after rows were copied from another store. */
  readonly afterCopy: readonly string[];
  /** Looks for damage in the file itself; null when that is the server's business. */
  readonly findDamage: (() => Promise<string[]>) | null;
  /** Copies the database into a new file while it is in use; null where the server has its own way. */
  readonly backUp: ((file: string) => Promise<void>) | null;
  /** Connections in use, and those that wait for one. */
  load(): { active: number; waiting: number };
  /** Null when the error is not about the storage's health. */
  classify(error: unknown): Unavailability | null;
  createCompiler(): QueryCompiler;
  createAdapter(): DialectAdapter;
  createIntrospector(db: Kysely<Tables>): DatabaseIntrospector;
  close(): Promise<void>;
}

export interface ColumnTypes {
  bytes: "blob" | "bytea";
  /** Text whose order is that of its bytes, whatever language the database was made for: ranges rely on it. */
  orderedText: "text" | 'text collate "C"';
  /** The clause that stores a table in the order of its key; "" where an engine has no such tables. */
  rowless: "without rowid" | "";
  /** A key that is a number beyond 32 bits. On SQLite, "integer" makes the column the row's own number. */
  rowNumber: "integer" | "bigint";
  /** The same, counted by the database. */
  serial: "integer" | "bigserial";
  /** Statements that make `search_words`. */
  wordTables: readonly string[];
  /** Statements that keep the rows of the audit log as they are. */
  auditTriggers: readonly string[];
}
