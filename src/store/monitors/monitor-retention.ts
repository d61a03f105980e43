// Checks go when their monitor's time for them is over; a deleted monitor goes with everything that belongs to it.
import { type Kysely, sql } from "kysely";
import { deleteFound } from "../engine/changes.ts";
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
  const key = "monitor_id, target_id, page_key";
  const found = sql`where monitor_id = ${monitor.id} limit ${limit}`;
  if ((await deleteFound(db, "monitor_versions", key, found)) > 0) return limit;
  await db.deleteFrom("monitor_subscriptions").where("monitorId", "=", monitor.id).execute();
  await db.deleteFrom("notify_entries").where("ownerId", "=", monitor.id).execute();
  await db.deleteFrom("troubles").where("id", "=", monitor.id).execute();
  await db.deleteFrom("monitors").where("id", "=", monitor.id).execute();
  return limit;
}

async function removeCheck(db: Kysely<Tables>, checkId: string, limit: number): Promise<void> {
  const found = sql`where check_id = ${checkId} limit ${limit}`;
  if ((await deleteFound(db, "monitor_check_pages", "check_id, seq", found)) > 0) return;
  await db.deleteFrom("monitor_check_targets").where("checkId", "=", checkId).execute();
  await db.deleteFrom("monitor_checks").where("id", "=", checkId).execute();
}
