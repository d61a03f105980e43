// Old rows go in small portions, so that neither a long table nor a long absence of the purger blocks the loop.
import { type Kysely, sql } from "kysely";
import { dayMs, earliestId, hourMs, minuteMs } from "../base/index.ts";
import type { Tables } from "./tables.ts";

/** The activity list shows 24 hours; the hour more keeps a page that is being read whole. */
const activityAgeMs = 25 * hourMs;
/** Answers are readable for 24 hours after they were given; the id tells when the scrape began. */
const scrapeAgeMs = 25 * hourMs;
/** A page that nobody has read for so long may be gone. */
const knownPageAgeMs = 30 * dayMs;
/** For the list of deliveries, from the event's end on. */
const webhookAgeMs = dayMs;
const rateWindowAgeMs = 5 * minuteMs;

export interface PurgeRequest {
  now: number;
  /** Rows of each kind at most. */
  limit: number;
}

export interface PurgeResult {
  activity: number;
  rateWindows: number;
  blobs: number;
  copies: number;
  scrapes: number;
  knownPages: number;
  webhooks: number;
  /** True when a kind reached the limit: purge again soon. */
  more: boolean;
}

export type RetentionStatements = ReturnType<typeof createRetentionStatements>;

export function createRetentionStatements(db: Kysely<Tables>) {
  return {
    async purge({ now, limit }: PurgeRequest): Promise<PurgeResult> {
      // Team by team, in the order in which the rows lie.
      const oldActivity = db
        .selectFrom("teams")
        .innerJoin("activity", "activity.team_id", "teams.id")
        .select(["activity.team_id", "activity.created_at", "activity.row_id"])
        .where("activity.created_at", "<", now - activityAgeMs)
        .limit(limit);
      const activity = await db
        .deleteFrom("activity")
        .where(sql`(team_id, created_at, row_id)`, "in", oldActivity)
        .executeTakeFirst();

      const oldWindows = db
        .selectFrom("rate_windows")
        .select(["team_id", "rate_group", "window_start"])
        .where("window_start", "<", now - rateWindowAgeMs)
        .orderBy("window_start")
        .limit(limit);
      const rateWindows = await db
        .deleteFrom("rate_windows")
        .where(sql`(team_id, rate_group, window_start)`, "in", oldWindows)
        .executeTakeFirst();

      const oldBlobs = db
        .selectFrom("blobs")
        .select("id")
        .where("expires_at", "<=", now)
        .orderBy("expires_at")
        .limit(limit);
      const blobs = await db.deleteFrom("blobs").where("id", "in", oldBlobs).executeTakeFirst();

      const oldCopies = db
        .selectFrom("page_copies")
        .select(["copy_key", "fetched_at", "id"])
        .where("expires_at", "<=", now)
        .orderBy("expires_at")
        .limit(limit);
      const copies = await db
        .deleteFrom("page_copies")
        .where(sql`(copy_key, fetched_at, id)`, "in", oldCopies)
        .executeTakeFirst();

      const oldScrapes = db
        .selectFrom("scrapes")
        .select("id")
        .where("id", "<", earliestId(now - scrapeAgeMs))
        .orderBy("id")
        .limit(limit);
      const scrapes = await db.deleteFrom("scrapes").where("id", "in", oldScrapes).executeTakeFirst();

      const oldPages = db
        .selectFrom("known_pages")
        .select(["team_id", "host_key", "url_hash"])
        .where("seen_at", "<", now - knownPageAgeMs)
        .orderBy("seen_at")
        .limit(limit);
      const knownPages = await db
        .deleteFrom("known_pages")
        .where(sql`(team_id, host_key, url_hash)`, "in", oldPages)
        .executeTakeFirst();

      const oldWebhooks = db
        .selectFrom("webhook_events")
        .select("id")
        .where("done_at", "<", now - webhookAgeMs)
        .orderBy("done_at")
        .limit(limit);
      const webhooks = await db.deleteFrom("webhook_events").where("id", "in", oldWebhooks).executeTakeFirst();

      const counts = {
        activity: Number(activity.numDeletedRows),
        rateWindows: Number(rateWindows.numDeletedRows),
        blobs: Number(blobs.numDeletedRows),
        copies: Number(copies.numDeletedRows),
        scrapes: Number(scrapes.numDeletedRows),
        knownPages: Number(knownPages.numDeletedRows),
        webhooks: Number(webhooks.numDeletedRows),
      };
      return { ...counts, more: Object.values(counts).some((count) => count >= limit) };
    },
  };
}
