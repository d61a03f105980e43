// Checks go when their monitor's time for them is over; a deleted monitor goes with everything that belongs to it.
import { type Kysely, sql } from "kysely";
import type { Tables } from "../schema/tables.ts";

/** Takes a batch from the check that expired first. Answers the whole limit as long as there is such a check: come again. */
export async function purgeChecks(db: Kysely<Tables>, now: number, limit: number): Promise<number> {
  const check = await db
    .selectFrom("monitor_checks")
    .select("id")
    .where("expiresAt", "<=", now)
    .where("finishedAt", "is not", null)
    .orderBy("expiresAt")
    .limit(1)
    .executeTakeFirst();
  if (!check) return 0;
  await removeCheck(db, check.id, limit);
  return limit;
}

/** The same for what deleted monitors have left. */
export async function purgeMonitors(db: Kysely<Tables>, _now: number, limit: number): Promise<number> {
  const monitor = await db
    .selectFrom("monitors")
    .select("id")
    .where("status", "=", sql.lit("deleted"))
    .limit(1)
    .executeTakeFirst();
  if (!monitor) return 0;
  const check = await db
    .selectFrom("monitor_checks")
    .select("id")
    .where("monitorId", "=", monitor.id)
    .limit(1)
    .executeTakeFirst();
  if (check) {
    await removeCheck(db, check.id, limit);
    return limit;
  }
  const versions = db
    .selectFrom("monitor_versions")
    .select(["monitorId", "targetId", "pageKey"])
    .where("monitorId", "=", monitor.id)
    .limit(limit);
  const gone = await db
    .deleteFrom("monitor_versions")
    .where(sql`(monitor_id, target_id, page_key)`, "in", versions)
    .executeTakeFirst();
  if (gone.numDeletedRows > 0n) return limit;
  await db.deleteFrom("monitors").where("id", "=", monitor.id).execute();
  return limit;
}

async function removeCheck(db: Kysely<Tables>, checkId: string, limit: number): Promise<void> {
  const pages = db
    .selectFrom("monitor_check_pages")
    .select(["checkId", "seq"])
    .where("checkId", "=", checkId)
    .limit(limit);
  const gone = await db.deleteFrom("monitor_check_pages").where(sql`(check_id, seq)`, "in", pages).executeTakeFirst();
  if (gone.numDeletedRows > 0n) return;
  await db.deleteFrom("monitor_check_targets").where("checkId", "=", checkId).execute();
  await db.deleteFrom("monitor_checks").where("id", "=", checkId).execute();
}
