// An archive that was deleted or has expired goes in pieces: its bytes, what is known of its records and pages, and at last its row.
import { type Kysely, sql } from "kysely";
import { dayMs } from "../../base/index.ts";
import type { Outside } from "../blobs/outside.ts";
import { removeBlobs } from "../blobs/remove-blobs.ts";
import { deleteFound } from "../engine/changes.ts";
import type { Tables } from "../schema/tables.ts";

const rowsOf = [
  ["archive_records", "archive_id, part, place"],
  ["archive_pages", "archive_id, page_id"],
] as const;
/** An import that was not finished in so long never will be. */
const loadingAgeMs = dayMs;

/** Answers the whole limit as long as there is such an archive: come again. */
export async function purgeArchive(db: Kysely<Tables>, now: number, limit: number, outside: Outside): Promise<number> {
  const archive = await db
    .selectFrom("archives")
    .select("id")
    .where((build) =>
      build.or([
        build("status", "=", "deleted"),
        build("expiresAt", "<=", now),
        build.and([build("status", "=", "loading"), build("createdAt", "<", now - loadingAgeMs)]),
      ]),
    )
    .limit(1)
    .executeTakeFirst();
  if (!archive) return 0;
  const { id } = archive;
  const parts = await db
    .selectFrom("archive_parts")
    .select(["part", "blobId"])
    .where("archiveId", "=", id)
    .orderBy("part")
    .limit(Math.ceil(limit / partsShare))
    .execute();
  const last = parts.at(-1);
  if (last) {
    await removeBlobs(
      db,
      outside,
      parts.map(({ blobId }) => blobId),
      now,
    );
    await db.deleteFrom("archive_parts").where("archiveId", "=", id).where("part", "<=", last.part).execute();
    return limit;
  }
  for (const [table, key] of rowsOf) {
    const gone = await deleteFound(db, table, key, sql`where archive_id = ${id} limit ${limit}`);
    if (gone > 0) return limit;
  }
  await db.deleteFrom("archives").where("id", "=", id).execute();
  return limit;
}

/** Parts are large: fewer go at once. */
const partsShare = 10;
