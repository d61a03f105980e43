// Which statements only read, and the short way that they may take.
import type { CompiledQuery } from "kysely";

/** Reads outside of transactions, without a separate connection; null where every read needs one. */
export type DirectRead = (query: CompiledQuery) => Promise<unknown[]>;

/** The only engine with a reader is SQLite, whose SELECT cannot write: there are no data-modifying CTEs. */
export function isRead({ query }: CompiledQuery): boolean {
  return query.kind === "SelectQueryNode";
}
