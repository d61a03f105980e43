// Copies of pages, as fetched or as already turned into a document, found by what was asked for and when it was fetched.
import type { Kysely } from "kysely";
import { compileOnce } from "./compile-once.ts";
import { inPortions } from "./portions.ts";
import type { Tables } from "./tables.ts";

export interface PageCopy {
  id: string;
  teamId: string;
  /** Hash of everything that the copy depends on. */
  key: string;
  fetchedAt: number;
  expiresAt: number;
  /** May be given to other teams where the operator allows it. */
  isShared: boolean;
  blobId: string;
  sizeBytes: number;
  /** Small facts as JSON text; the bytes lie in the blob. */
  details: string;
}

export interface CopyQuery {
  teamId: string;
  key: string;
  /** Fetched in this span of time, both ends included. */
  from: number;
  to: number;
  /** Also copies that other teams share. */
  isSharedToo: boolean;
}

export interface FoundCopy {
  /** The team that owns the blob. */
  teamId: string;
  fetchedAt: number;
  blobId: string;
  details: string;
}

export type CopyStatements = ReturnType<typeof createCopyStatements>;

export function createCopyStatements(db: Kysely<Tables>) {
  const findNewest = compileOnce<[key: string, from: number, to: number, teamId: string, shared: number], FoundCopy>(
    db,
    5,
    ([key, from, to, teamId, shared]) =>
      db
        .selectFrom("page_copies")
        .select(["team_id as teamId", "fetched_at as fetchedAt", "blob_id as blobId", "details"])
        .where("copy_key", "=", key)
        .where("fetched_at", ">=", from)
        .where("fetched_at", "<=", to)
        .where((build) => build.or([build("team_id", "=", teamId), build("is_shared", "=", shared)]))
        .orderBy("fetched_at", "desc")
        .limit(1),
  );

  return {
    async insert(copies: readonly PageCopy[]): Promise<void> {
      for (const portion of inPortions(copies)) {
        await db
          .insertInto("page_copies")
          .values(
            portion.map((copy) => ({
              id: copy.id,
              team_id: copy.teamId,
              copy_key: copy.key,
              fetched_at: copy.fetchedAt,
              expires_at: copy.expiresAt,
              is_shared: copy.isShared ? 1 : 0,
              blob_id: copy.blobId,
              size_bytes: copy.sizeBytes,
              details: copy.details,
            })),
          )
          .execute();
      }
    },

    /** The newest fitting copy. */
    async find({ teamId, key, from, to, isSharedToo }: CopyQuery): Promise<FoundCopy | null> {
      // -1 is no value of the column: then only the team's own copies fit.
      return (await findNewest([key, from, to, teamId, isSharedToo ? 1 : -1]))[0] ?? null;
    },

    /** Bytes of all copies, for the limit on the whole cache. */
    async sumBytes(): Promise<number> {
      const row = await db
        .selectFrom("page_copies")
        .select((build) => build.fn.sum<number | null>("size_bytes").as("bytes"))
        .executeTakeFirst();
      return row?.bytes ?? 0;
    },

    /** Forgets the oldest copies; their bytes go with the next purge unless a scrape still shows them. */
    async forgetOldest(limit: number, blobsExpireAt: number): Promise<number> {
      const oldest = db.selectFrom("page_copies").select("id").orderBy("fetched_at").limit(limit);
      const gone = await db.deleteFrom("page_copies").where("id", "in", oldest).returning("blob_id").execute();
      const blobIds = gone.map((row) => row.blob_id);
      if (blobIds.length > 0) {
        await db.updateTable("blobs").set({ expires_at: blobsExpireAt }).where("id", "in", blobIds).execute();
      }
      return gone.length;
    },
  };
}
