import type { Kysely } from "kysely";
import type { Tables } from "../schema/tables.ts";
import type { Outside } from "./outside.ts";

/**
 * The bytes outside go first, so that no row is gone while they are still there. Those that cannot be removed at present stay
 * with their rows, which expire at once: a later purge tries again. Says how many are gone.
 */
export async function removeBlobs(
  db: Kysely<Tables>,
  outside: Outside,
  ids: readonly string[],
  now: number,
): Promise<number> {
  if (ids.length === 0) return 0;
  const stuck = outside.isUsed ? await removeOutside(db, outside, ids) : [];
  if (stuck.length > 0) await db.updateTable("blobs").set({ expiresAt: now }).where("id", "in", stuck).execute();
  const kept = new Set(stuck);
  const gone = ids.filter((id) => !kept.has(id));
  if (gone.length === 0) return 0;
  const { numDeletedRows } = await db.deleteFrom("blobs").where("id", "in", gone).executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

async function removeOutside(db: Kysely<Tables>, outside: Outside, ids: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom("blobs")
    .select(["id", "place"])
    .where("id", "in", [...ids])
    .where("place", "is not", null)
    .execute();
  return outside.remove(rows);
}
