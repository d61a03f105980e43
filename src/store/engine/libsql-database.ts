// libsql without its traps (each has its own test): a bound boolean aborts the process, and so does asking a closed
// database whether it is in a transaction; numbers bind as REAL, text is cut at U+0000, blobs come back as ArrayBuffer, a
// wrong number of parameters passes in silence, run() on a statement that returns rows leaves it open, which blocks
// checkpoints, and so does one that waits for the lock: until it runs again, all reads see what the first of them saw.
import Database from "libsql";
import { cleanParameter } from "./clean-parameter.ts";
import { propertyName } from "./column-names.ts";

export interface LibsqlResult {
  rows: Record<string, unknown>[];
  /** Null for statements that return rows. */
  changes: number | null;
}

interface Prepared {
  statement: ReturnType<Database.Database["prepare"]>;
  /** Null for statements that return no rows. */
  columns: readonly string[] | null;
  parameterCount: number;
  writes: boolean;
}

type LibsqlValue = string | number | bigint | Uint8Array | null;

const beginning = "begin immediate";

/**
 * Preparing costs more than a primary-key read (10 µs against 6 µs), so statements are kept. Lists of values of every length are
 * separate statements: with 200 kept, a crawl prepared the same ones again and again.
 */
const mostStatements = 400;
/** Statements made for one use, such as those with long lists of values, would push out the useful ones. */
export const longestKept = 10_000;

export class LibsqlDatabase {
  readonly #database: Database.Database;
  readonly #statements = new Map<string, Prepared>();
  #isClosed = false;

  constructor(path: string) {
    this.#database = new Database(path);
  }

  get inTransaction(): boolean {
    return !this.#isClosed && this.#database.inTransaction;
  }

  execute(sql: string, parameters: readonly unknown[] = []): LibsqlResult {
    if (this.#isClosed) throw new Error("The database is closed");
    if (sql === beginning) return this.#begin();
    const prepared = this.#prepare(sql);
    if (parameters.length !== prepared.parameterCount) {
      throw new RangeError(
        `The statement takes ${prepared.parameterCount} parameters, not ${parameters.length}: ${sql}`,
      );
    }
    const bound = parameters.map(toLibsql);
    return prepared.writes && !this.#database.inTransaction ? this.#runLocked(prepared, bound) : run(prepared, bound);
  }

  /** Not prepared: what is run as text is never left open. */
  #begin(): LibsqlResult {
    this.#database.exec(beginning);
    return { rows: [], changes: 0 };
  }

  /** With the lock nothing makes the statement wait. Adds 3 µs to a write of 17 µs. */
  #runLocked(prepared: Prepared, bound: LibsqlValue[]): LibsqlResult {
    this.#begin();
    try {
      const result = run(prepared, bound);
      this.#database.exec("commit");
      return result;
    } catch (error) {
      if (this.#database.inTransaction) this.#database.exec("rollback");
      throw error;
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#statements.clear();
    this.#database.close();
  }

  #prepare(sql: string): Prepared {
    const kept = this.#statements.get(sql);
    if (kept) return kept;
    const statement = this.#database.prepare(sql);
    // Rows come as lists: naming every value that libsql returns costs half as much again as reading it.
    const columns = statement.reader ? namesOf(statement.raw()) : null;
    const prepared = { statement, columns, parameterCount: countPlaceholders(sql), writes: isWrite(sql) };
    if (sql.length > longestKept) return prepared;
    if (this.#statements.size >= mostStatements) {
      const oldest = this.#statements.keys().next();
      if (!oldest.done) this.#statements.delete(oldest.value);
    }
    this.#statements.set(sql, prepared);
    return prepared;
  }
}

function run({ statement, columns }: Prepared, bound: LibsqlValue[]): LibsqlResult {
  if (columns === null) return { rows: [], changes: statement.run(bound).changes };
  const rows = statement.all(bound) as unknown[][];
  // A kept `select *` has other columns after its table was altered.
  const names = rows[0] === undefined || rows[0].length === columns.length ? columns : namesOf(statement);
  return { rows: rows.map((values) => toRow(names, values)), changes: null };
}

/** Changes rows; statements about tables belong to migrations, which have their transaction. */
function isWrite(sql: string): boolean {
  return /^\s*(?:insert|update|delete|replace|with\b.*\b(?:insert into|update|delete from))\b/is.test(sql);
}

function toLibsql(value: unknown): LibsqlValue {
  const clean = cleanParameter(value);
  return typeof clean === "number" && Number.isSafeInteger(clean) ? BigInt(clean) : clean;
}

function namesOf(statement: Prepared["statement"]): string[] {
  return statement.columns().map(({ name }) => propertyName(name));
}

function toRow(columns: readonly string[], values: readonly unknown[]): Record<string, unknown> {
  const row: Record<string, unknown> = {};
  // Counted, because an iterator of entries makes a list of each.
  for (let place = 0; place < columns.length; place += 1) {
    const value = values[place];
    row[columns[place] as string] = value instanceof ArrayBuffer ? Buffer.from(value) : value;
  }
  return row;
}

const quotedCommentOrPlaceholder = /'[^']*'|"[^"]*"|`[^`]*`|\[[^\]]*\]|--[^\n]*|\/\*[\s\S]*?\*\/|\?\d*|[:@$]\w+/g;

/** Only bare `?` are counted; the other spellings bind by name or number and are refused. */
function countPlaceholders(sql: string): number {
  let count = 0;
  for (const [token] of sql.matchAll(quotedCommentOrPlaceholder)) {
    if (token === "?") count += 1;
    else if (/^[?:@$]/.test(token)) throw new SyntaxError(`Only ? placeholders are supported, not ${token}: ${sql}`);
  }
  return count;
}
