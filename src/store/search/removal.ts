// Pages that leave the search index.

import type { Kysely } from "kysely";
import { anchorIdOf } from "../engine/search-ids.ts";
import { sumAll } from "../engine/totals.ts";
import type { Tables } from "../schema/tables.ts";

/** Pages last: what is left after a failure is found and removed again. */
export async function removeIds(db: Kysely<Tables>, ids: readonly number[]): Promise<number> {
  if (ids.length === 0) return 0;
  await db
    .deleteFrom("search_words")
    .where("rowid", "in", [...ids, ...ids.map(anchorIdOf)])
    .execute();
  await db.deleteFrom("search_texts").where("id", "in", ids).execute();
  const { numDeletedRows } = await db.deleteFrom("search_pages").where("id", "in", ids).executeTakeFirst();
  return Number(numDeletedRows);
}

/** At most `limit` pages of all teams, those first that were not seen for longest, if not since `before`. */
export async function removeUnseenPages(db: Kysely<Tables>, before: number, limit: number): Promise<number> {
  const query = db.selectFrom("search_pages").select("id").where("seenAt", "<", before).orderBy("seenAt");
  return removeIds(
    db,
    (await query.limit(limit).execute()).map(({ id }) => id),
  );
}

/** At most `limit` pages, those first that were not seen for longest, until the rest fits into so many bytes. */
export async function removeBeyond(db: Kysely<Tables>, mostBytes: number, limit: number): Promise<number> {
  let excess = (await sumAll(db.selectFrom("search_pages"), "size_bytes")) - mostBytes;
  if (excess <= 0) return 0;
  const oldest = await db
    .selectFrom("search_pages")
    .select(["id", "sizeBytes"])
    .orderBy("seenAt")
    .limit(limit)
    .execute();
  const ids: number[] = [];
  for (const { id, sizeBytes } of oldest) {
    if (excess <= 0) break;
    ids.push(id);
    excess -= sizeBytes;
  }
  return removeIds(db, ids);
}
