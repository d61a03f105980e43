// Copies of pages, as fetched or as already turned into a document, found by what was asked for and when it was fetched.

import { sql } from "kysely";
import type { Executor, FixedStatement } from "../engine/executor.ts";
import { insertRows } from "../engine/inserts.ts";
import { sumAll } from "../engine/totals.ts";
import type { RowOf } from "../schema/tables.ts";

export interface PageCopy extends Omit<RowOf<"page_copies">, "copyKey" | "isShared"> {
  key: string;
  isShared: boolean;
}

export interface CopyQuery {
  teamId: string;
  /** Of copies that were fetched at the same time the one with the first key is found. */
  keys: readonly [first: string, second?: string];
  /** Fetched in this span of time, both ends included. */
  from: number;
  to: number;
  /** Also copies that other teams share. */
  isSharedToo: boolean;
}

/** The team is the one that owns the blob. */
export type FoundCopy = Pick<PageCopy, "teamId" | "key" | "fetchedAt" | "blobId" | "details">;

const insertCopies = insertRows<RowOf<"page_copies">>("page_copies");

const findNewest: FixedStatement<
  [first: string, second: string, from: number, to: number, teamId: string, shared: number],
  FoundCopy
> = (db, [first, second, from, to, teamId, shared]) =>
  db
    .selectFrom("page_copies")
    .select(["teamId", "copyKey as key", "fetchedAt", "blobId", "details"])
    .where("copyKey", "in", [first, second])
    .where("fetchedAt", ">=", from)
    .where("fetchedAt", "<=", to)
    .where((build) => build.or([build("teamId", "=", teamId), build("isShared", "=", shared)]))
    .orderBy("fetchedAt", "desc")
    .orderBy((build) => build.case().when("copyKey", "=", first).then(0).else(1).end())
    .limit(1);

export function createCopyStatements({ db, run, insert }: Executor) {
  return {
    async insert(copies: readonly PageCopy[]): Promise<void> {
      await insert(insertCopies, copies.map(toRow));
    },

    /** The newest fitting copy. */
    async find({ teamId, keys: [first, second = first], from, to, isSharedToo }: CopyQuery): Promise<FoundCopy | null> {
      // -1 is no value of the column: then only the team's own copies fit.
      return (await run(findNewest, [first, second, from, to, teamId, isSharedToo ? 1 : -1]))[0] ?? null;
    },

    /** Bytes of all copies, for the limit on the whole cache. */
    sumBytes: (): Promise<number> => sumAll(db.selectFrom("page_copies"), "size_bytes"),

    /** Forgets the oldest copies; their bytes go with the next purge unless a scrape still shows them. */
    async forgetOldest(limit: number, blobsExpireAt: number): Promise<number> {
      // All copies are kept equally long, so the first to expire are the oldest.
      const oldest = db
        .selectFrom("page_copies")
        .select(["copyKey", "fetchedAt", "id"])
        .orderBy("expiresAt")
        .limit(limit);
      const gone = await db
        .deleteFrom("page_copies")
        .where(sql`(copy_key, fetched_at, id)`, "in", oldest)
        .returning("blobId")
        .execute();
      const blobIds = gone.map((row) => row.blobId);
      if (blobIds.length > 0) {
        await db.updateTable("blobs").set({ expiresAt: blobsExpireAt }).where("id", "in", blobIds).execute();
      }
      return gone.length;
    },
  };
}

function toRow({ key, isShared, ...copy }: PageCopy): RowOf<"page_copies"> {
  return { copyKey: key, isShared: Number(isShared), ...copy };
}
