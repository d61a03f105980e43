// Pages that leave the search index.
import type { Kysely } from "kysely";
import { anchorIdOf } from "./search-ids.ts";
import type { Tables } from "./tables.ts";

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
  const query = db.selectFrom("search_pages").select("id").where("seen_at", "<", before).orderBy("seen_at");
  return removeIds(
    db,
    (await query.limit(limit).execute()).map(({ id }) => id),
  );
}
