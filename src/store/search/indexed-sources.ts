// The sources of teams' indexes, and which pages each has brought. A page that the team itself has read is not theirs to hide or remove.
import { sql } from "kysely";
import type { Executor } from "../engine/executor.ts";
import type { RowOf } from "../schema/tables.ts";
import { pageKeyOf } from "./entries.ts";
import { removeIds } from "./removal.ts";
import { hasOtherSource } from "./search-plan.ts";

export type IndexedSource = RowOf<"indexed_sources">;
export type IndexedSourceChanges = Partial<Omit<IndexedSource, "id" | "teamId" | "keyId" | "type" | "createdAt">>;

/** A page that a source has read. */
export interface PageOfSource {
  sourceId: string;
  teamId: string;
  url: string;
  readAt: number;
}

export function createIndexedSourceStatements({ db }: Executor) {
  return {
    async insert(source: IndexedSource): Promise<void> {
      await db.insertInto("indexed_sources").values(source).execute();
    },

    /** Null when the team has no such source. */
    async find(teamId: string, id: string): Promise<IndexedSource | null> {
      const query = db
        .selectFrom("indexed_sources")
        .selectAll()
        .where((build) => build.and({ id, teamId }));
      return (await query.executeTakeFirst()) ?? null;
    },

    /** To be called in a transaction: until it ends nothing else changes these. Those that are gone are left out. */
    async lock(ids: readonly string[]): Promise<Map<string, IndexedSource>> {
      if (ids.length === 0) return new Map();
      const query = db.selectFrom("indexed_sources").selectAll().where("id", "in", ids).orderBy("id").forUpdate();
      return new Map((await query.execute()).map((source) => [source.id, source]));
    },

    /** Newest first. */
    async list(teamId: string, limit: number, before?: { createdAt: number; rowId: string }): Promise<IndexedSource[]> {
      let query = db.selectFrom("indexed_sources").selectAll().where("teamId", "=", teamId);
      if (before) {
        const place = sql<[number, string]>`(${before.createdAt}, ${before.rowId})`;
        query = query.where((build) => build(build.refTuple("createdAt", "id"), "<", place));
      }
      return query.orderBy("createdAt", "desc").orderBy("id", "desc").limit(limit).execute();
    },

    /** Those that are to be read now, and are not being read. */
    listDue: (now: number, limit: number): Promise<IndexedSource[]> =>
      db
        .selectFrom("indexed_sources")
        .selectAll()
        .where("dueAt", "is not", null)
        .where("dueAt", "<=", now)
        .where("jobId", "is", null)
        .orderBy("dueAt")
        .limit(limit)
        .execute(),

    /** Those that are being read. */
    listRead: (): Promise<IndexedSource[]> =>
      db.selectFrom("indexed_sources").selectAll().where("jobId", "is not", null).orderBy("id").execute(),

    async change(id: string, changes: IndexedSourceChanges): Promise<void> {
      await db.updateTable("indexed_sources").set(changes).where("id", "=", id).execute();
    },

    /** Its pages have to be removed before. */
    async remove(id: string): Promise<void> {
      await db.deleteFrom("indexed_sources").where("id", "=", id).execute();
    },

    async notePages(pages: readonly PageOfSource[]): Promise<void> {
      for (const { sourceId, teamId, url, readAt } of pages) {
        // The database counts the ids.
        await sql`insert into indexed_source_pages (source_id, page_key, read_at)
          values (${sourceId}, ${pageKeyOf(teamId, url)}, ${readAt})
          on conflict (source_id, page_key) do update set read_at = excluded.read_at`.execute(db);
      }
    },

    /** How many pages of the index each source has brought, since a time. */
    async countPages(ids: readonly string[], since = 0): Promise<Map<string, number>> {
      if (ids.length === 0) return new Map();
      const rows = await db
        .selectFrom("indexed_source_pages")
        .innerJoin("search_pages", "search_pages.pageKey", "indexed_source_pages.pageKey")
        .select(({ fn }) => ["sourceId", fn.countAll<number>().as("pages")] as const)
        .where("sourceId", "in", ids)
        .where("readAt", ">=", since)
        .groupBy("sourceId")
        .execute();
      return new Map(rows.map(({ sourceId, pages }) => [sourceId, pages]));
    },

    /**
     * To be called in a transaction. Takes pages out of a source, at most `limit`, that it has not read since `before`, but for those
     * with these URLs; those that nothing else has brought leave the index. Says how many were taken out.
     */
    async dropPages(source: Pick<IndexedSource, "id" | "teamId">, dropped: DroppedPages): Promise<number> {
      const { before = Number.MAX_SAFE_INTEGER, keptUrls = [], limit } = dropped;
      let query = db
        .selectFrom("indexed_source_pages")
        .select("pageKey")
        .where("sourceId", "=", source.id)
        .where("readAt", "<", before)
        .limit(limit);
      const kept = keptUrls.map((url) => pageKeyOf(source.teamId, url));
      if (kept.length > 0) query = query.where("pageKey", "not in", kept);
      const keys = (await query.execute()).map(({ pageKey }) => pageKey);
      if (keys.length === 0) return 0;
      await db
        .deleteFrom("indexed_source_pages")
        .where("sourceId", "=", source.id)
        .where("pageKey", "in", keys)
        .execute();
      const orphans = await db
        .selectFrom("search_pages")
        .select("id")
        .where("pageKey", "in", keys)
        .where("isOwn", "=", 0)
        .where(sql<boolean>`not ${hasOtherSource}`)
        .execute();
      await removeIds(
        db,
        orphans.map(({ id }) => id),
      );
      return keys.length;
    },
  };
}

export interface DroppedPages {
  before?: number;
  keptUrls?: readonly string[];
  limit: number;
}
