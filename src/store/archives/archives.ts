// Web archives: what is known of each, its parts, the records that CDXJ lists, and its pages.
import { sql } from "kysely";
import type { Executor, FixedStatement } from "../engine/executor.ts";
import { insertRows, upsertRows } from "../engine/inserts.ts";
import type { RowOf } from "../schema/tables.ts";

export type ArchiveRow = RowOf<"archives">;
export type ArchivePart = RowOf<"archive_parts">;
export type ArchiveRecordRow = RowOf<"archive_records">;
export type ArchivePageRow = RowOf<"archive_pages">;

/** What is added to an archive at once. */
export interface ArchiveGrowth {
  id: string;
  records: number;
  bytes: number;
  parts: number;
  pages?: number;
  firstAt: number | null;
  lastAt: number | null;
  missing?: number;
  mismatched?: number;
}

/** Which captures of a URL are wanted. */
export type CaptureKey = { urlHash: string } | { keyHash: string };

const insertParts = insertRows<ArchivePart>("archive_parts");
const insertRecords = insertRows<ArchiveRecordRow>("archive_records");
const putPages = upsertRows<ArchivePageRow>("archive_pages", ["archiveId", "pageId"], {
  set: ["url", "urlHash", "at", "status", "mime", "title", "bytes"],
});

const lockArchive: FixedStatement<[id: string], ArchiveRow> = (db, [id]) =>
  db.selectFrom("archives").selectAll().where("id", "=", id).forUpdate();

const findArchive: FixedStatement<[id: string, teamId: string], ArchiveRow> = (db, [id, teamId]) =>
  db.selectFrom("archives").selectAll().where("id", "=", id).where("teamId", "=", teamId);

const countPages: FixedStatement<[archiveId: string], { pages: number }> = (db, [archiveId]) =>
  db
    .selectFrom("archive_pages")
    .select((build) => build.fn.countAll<number>().as("pages"))
    .where("archiveId", "=", archiveId);

/** Records that can be asked for by their URL. */
const replayable = ["response", "revisit", "resource", "conversion"];

function createRowStatements({ db, run }: Executor) {
  return {
    async insert(archive: ArchiveRow): Promise<void> {
      await db.insertInto("archives").values(archive).execute();
    },

    /** Null when the team has no such archive, or it is deleted or has expired. */
    async find(teamId: string, id: string, now: number): Promise<ArchiveRow | null> {
      const [row] = await run(findArchive, [id, teamId]);
      const isThere = row && row.status !== "deleted" && (row.expiresAt === null || row.expiresAt > now);
      return isThere ? row : null;
    },

    /** Inside a transaction: nothing else adds to it until that ends. */
    async lock(id: string): Promise<ArchiveRow | null> {
      return (await run(lockArchive, [id]))[0] ?? null;
    },

    /** The newest first, without those that are being imported. */
    list(teamId: string, now: number, limit: number, before?: string): Promise<ArchiveRow[]> {
      let query = db
        .selectFrom("archives")
        .selectAll()
        .where("teamId", "=", teamId)
        .where("status", "in", ["capturing", "ready"])
        .where((build) => build.or([build("expiresAt", "is", null), build("expiresAt", ">", now)]));
      if (before !== undefined) query = query.where("id", "<", before);
      return query.orderBy("id", "desc").limit(limit).execute();
    },

    /** Bytes of all archives of a team that are still there. */
    async sumBytes(teamId: string): Promise<number> {
      const sum = await db
        .selectFrom("archives")
        .select((build) => build.fn.coalesce(build.fn.sum<number>("bytes"), sql.lit(0)).as("bytes"))
        .where("teamId", "=", teamId)
        .where("status", "<>", "deleted")
        .executeTakeFirst();
      return Number(sum?.bytes ?? 0);
    },

    /** Of the whole store. */
    async totals(): Promise<{ archives: number; bytes: number; records: number }> {
      const sum = await db
        .selectFrom("archives")
        .select((build) => [
          build.fn.countAll<number>().as("archives"),
          build.fn.coalesce(build.fn.sum<number>("bytes"), sql.lit(0)).as("bytes"),
          build.fn.coalesce(build.fn.sum<number>("records"), sql.lit(0)).as("records"),
        ])
        .where("status", "<>", "deleted")
        .executeTakeFirstOrThrow();
      return { archives: Number(sum.archives), bytes: Number(sum.bytes), records: Number(sum.records) };
    },

    async change(id: string, changes: Partial<Omit<ArchiveRow, "id" | "teamId">>): Promise<void> {
      await db.updateTable("archives").set(changes).where("id", "=", id).execute();
    },

    async addIndexed(id: string, count: number): Promise<void> {
      await db
        .updateTable("archives")
        .set((build) => ({ indexed: build("indexed", "+", count) }))
        .where("id", "=", id)
        .execute();
    },

    async addMissing(id: string, count: number): Promise<void> {
      await db
        .updateTable("archives")
        .set((build) => ({ missing: build("missing", "+", count) }))
        .where("id", "=", id)
        .execute();
    },

    /** Jobs of archives that still take in pages, with what became of them. */
    async listEnded(limit: number): Promise<{ id: string; finishedAt: number }[]> {
      const rows = await db
        .selectFrom("archives")
        .innerJoin("jobs", "jobs.id", "archives.id")
        .select(["archives.id", "jobs.finishedAt"])
        .where("archives.status", "=", "capturing")
        .where("jobs.finishedAt", "is not", null)
        .limit(limit)
        .execute();
      return rows.map(({ id, finishedAt }) => ({ id, finishedAt: finishedAt as number }));
    },
  };
}

function createRecordStatements({ db, run, insert }: Executor) {
  const records = (archiveId: string) => db.selectFrom("archive_records").where("archiveId", "=", archiveId);

  function capturesOf(archiveId: string, key: CaptureKey) {
    const wanted = records(archiveId).selectAll().where("type", "in", replayable);
    return "urlHash" in key ? wanted.where("urlHash", "=", key.urlHash) : wanted.where("keyHash", "=", key.keyHash);
  }

  return {
    /** Rows of one addition, in a transaction that has locked the archive. */
    async add(
      growth: ArchiveGrowth,
      rows: { parts: readonly ArchivePart[]; records: readonly ArchiveRecordRow[]; pages: readonly ArchivePageRow[] },
    ): Promise<void> {
      const { id, records: added, bytes, parts, firstAt, lastAt, missing = 0, mismatched = 0 } = growth;
      await insert(insertParts, rows.parts);
      await insert(insertRecords, rows.records);
      await insert(putPages, rows.pages);
      const pages = rows.pages.length === 0 ? null : Number((await run(countPages, [id]))[0]?.pages ?? 0);
      await db
        .updateTable("archives")
        .set((build) => ({
          records: build("records", "+", added),
          bytes: build("bytes", "+", bytes),
          parts: build("parts", "+", parts),
          missing: build("missing", "+", missing),
          mismatched: build("mismatched", "+", mismatched),
          ...(pages === null ? {} : { pages }),
          ...(firstAt === null
            ? {}
            : {
                firstAt: sql<number>`case when first_at is null or first_at > ${firstAt} then ${firstAt} else first_at end`,
              }),
          ...(lastAt === null
            ? {}
            : {
                lastAt: sql<number>`case when last_at is null or last_at < ${lastAt} then ${lastAt} else last_at end`,
              }),
        }))
        .where("id", "=", id)
        .execute();
    },

    /** The first response of each of these payloads. */
    findPayloads(
      archiveId: string,
      digests: readonly string[],
    ): Promise<Pick<ArchiveRecordRow, "digest" | "url" | "at">[]> {
      if (digests.length === 0) return Promise.resolve([]);
      return records(archiveId)
        .select(["digest", "url", "at"])
        .where("digest", "in", [...digests])
        .where("type", "=", "response")
        .orderBy("part")
        .orderBy("place")
        .execute();
    },

    /** The captures next to a moment: the last one until then, and the first one after. */
    async nearest(archiveId: string, key: CaptureKey, at: number | null): Promise<ArchiveRecordRow[]> {
      const newestFirst = () =>
        capturesOf(archiveId, key).orderBy("at", "desc").orderBy("part", "desc").orderBy("place", "desc");
      if (at === null) return newestFirst().limit(1).execute();
      const until = await newestFirst().where("at", "<=", at).limit(1).execute();
      const after = await capturesOf(archiveId, key)
        .where("at", ">", at)
        .orderBy("at")
        .orderBy("part")
        .orderBy("place")
        .limit(1)
        .execute();
      return [...until, ...after];
    },

    /** The response with this payload, or this URL and time, that a revisit refers to. */
    async findOriginal(
      archiveId: string,
      wanted: { digest: string } | { urlHash: string; at: number },
    ): Promise<ArchiveRecordRow | null> {
      const query = records(archiveId).selectAll().where("type", "in", ["response", "resource"]);
      const found =
        "digest" in wanted
          ? query.where("digest", "=", wanted.digest)
          : query.where("urlHash", "=", wanted.urlHash).where("at", "=", wanted.at);
      return (await found.orderBy("part").orderBy("place").limit(1).executeTakeFirst()) ?? null;
    },
  };
}

function createListStatements({ db }: Executor) {
  const records = (archiveId: string) => db.selectFrom("archive_records").where("archiveId", "=", archiveId);

  return {
    /** In the order of a CDXJ file, but for lines of one key and time. */
    listOrdered(
      archiveId: string,
      after: Pick<ArchiveRecordRow, "keyStart" | "recordKey" | "at" | "part" | "place"> | null,
      limit: number,
    ): Promise<ArchiveRecordRow[]> {
      let query = records(archiveId).selectAll();
      if (after !== null) {
        const place = sql`(${after.keyStart}, ${after.recordKey}, ${after.at}, ${after.part}, ${after.place})`;
        query = query
          .where("keyStart", ">=", after.keyStart)
          .where(sql<boolean>`(key_start, record_key, at, part, place) > ${place}`);
      }
      const ordered = query.orderBy("keyStart").orderBy("recordKey").orderBy("at").orderBy("part").orderBy("place");
      return ordered.limit(limit).execute();
    },

    listParts(archiveId: string, from: number, limit: number): Promise<ArchivePart[]> {
      return db
        .selectFrom("archive_parts")
        .selectAll()
        .where("archiveId", "=", archiveId)
        .where("part", ">=", from)
        .orderBy("part")
        .limit(limit)
        .execute();
    },

    /** By time. `urlHash`: only the captures of one page. */
    listPages(
      archiveId: string,
      {
        limit,
        after,
        urlHash,
      }: { limit: number; after?: { at: number; pageId: string } | undefined; urlHash?: string | undefined },
    ): Promise<ArchivePageRow[]> {
      let query = db.selectFrom("archive_pages").selectAll().where("archiveId", "=", archiveId);
      if (urlHash !== undefined) query = query.where("urlHash", "=", urlHash);
      if (after) query = query.where(sql<boolean>`(at, page_id) > (${after.at}, ${after.pageId})`);
      return query.orderBy("at").orderBy("pageId").limit(limit).execute();
    },

    async setSearchUrl(archiveId: string, pageId: string, searchUrl: string): Promise<void> {
      await db
        .updateTable("archive_pages")
        .set({ searchUrl })
        .where("archiveId", "=", archiveId)
        .where("pageId", "=", pageId)
        .execute();
    },
  };
}

export function createArchiveStatements(executor: Executor) {
  return { ...createRowStatements(executor), ...createRecordStatements(executor), ...createListStatements(executor) };
}
