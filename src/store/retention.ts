// Old rows go in small portions, so that neither a long table nor a long absence of the purger blocks the loop.
import { type Kysely, sql } from "kysely";
import { dayMs, earliestId, hourMs, minuteMs } from "../base/index.ts";
import { purgeJob } from "./job-retention.ts";
import { removeOldLinks } from "./search-links.ts";
import { removeUnseenPages } from "./search-removal.ts";
import type { Tables } from "./tables.ts";

/** The activity list shows 24 hours; the hour more keeps a page that is being read whole. */
const activityAgeMs = 25 * hourMs;
/** Answers are readable for 24 hours after they were given; the id tells when the scrape began. */
const scrapeAgeMs = 25 * hourMs;
/** A page that nobody has read for so long may be gone. */
const knownPageAgeMs = 30 * dayMs;
/** For the list of deliveries, from the event's end on. */
const webhookAgeMs = dayMs;
/** A page of the search index that was not read again for so long, unless the operator says otherwise. */
const searchPageDays = 90;
const feedbackAgeMs = 90 * dayMs;
/** A page whose changes nobody asked for so long. */
const snapshotAgeMs = 90 * dayMs;
/** A browser profile that nobody used for so long. */
const profileAgeMs = 365 * dayMs;
/** What an ended browser session came to can be asked for so long. */
const sessionAgeMs = 30 * dayMs;
const rateWindowAgeMs = 5 * minuteMs;
const idempotencyKeyAgeMs = dayMs;

export interface PurgeRequest {
  now: number;
  /** Rows of each kind at most. */
  limit: number;
  /** Days that a page of the search index stays when it is not read again, and a link. */
  searchDays?: number;
}

type Purge = (db: Kysely<Tables>, now: number, limit: number, searchDays: number) => Promise<number>;

/** Each deletes at most so many rows and says how many it deleted. */
const purges = {
  async activity(db, now, limit) {
    // Team by team, in the order in which the rows lie.
    const old = db
      .selectFrom("teams")
      .innerJoin("activity", "activity.team_id", "teams.id")
      .select(["activity.team_id", "activity.created_at", "activity.row_id"])
      .where("activity.created_at", "<", now - activityAgeMs)
      .limit(limit);
    return countOf(db.deleteFrom("activity").where(sql`(team_id, created_at, row_id)`, "in", old).executeTakeFirst());
  },

  async rateWindows(db, now, limit) {
    const old = db
      .selectFrom("rate_windows")
      .select(["team_id", "rate_group", "window_start"])
      .where("window_start", "<", now - rateWindowAgeMs)
      .orderBy("window_start")
      .limit(limit);
    const key = sql`(team_id, rate_group, window_start)`;
    return countOf(db.deleteFrom("rate_windows").where(key, "in", old).executeTakeFirst());
  },

  async blobs(db, now, limit) {
    const old = db.selectFrom("blobs").select("id").where("expires_at", "<=", now).orderBy("expires_at").limit(limit);
    return countOf(db.deleteFrom("blobs").where("id", "in", old).executeTakeFirst());
  },

  async copies(db, now, limit) {
    const old = db
      .selectFrom("page_copies")
      .select(["copy_key", "fetched_at", "id"])
      .where("expires_at", "<=", now)
      .orderBy("expires_at")
      .limit(limit);
    return countOf(db.deleteFrom("page_copies").where(sql`(copy_key, fetched_at, id)`, "in", old).executeTakeFirst());
  },

  async scrapes(db, now, limit) {
    const old = db
      .selectFrom("scrapes")
      .select("id")
      .where("id", "<", earliestId(now - scrapeAgeMs))
      .orderBy("id")
      .limit(limit);
    return countOf(db.deleteFrom("scrapes").where("id", "in", old).executeTakeFirst());
  },

  async knownPages(db, now, limit) {
    const old = db
      .selectFrom("known_pages")
      .select(["team_id", "host_key", "url_hash"])
      .where("seen_at", "<", now - knownPageAgeMs)
      .orderBy("seen_at")
      .limit(limit);
    return countOf(
      db.deleteFrom("known_pages").where(sql`(team_id, host_key, url_hash)`, "in", old).executeTakeFirst(),
    );
  },

  async webhooks(db, now, limit) {
    const old = db
      .selectFrom("webhook_events")
      .select("id")
      .where("done_at", "<", now - webhookAgeMs)
      .orderBy("done_at")
      .limit(limit);
    return countOf(db.deleteFrom("webhook_events").where("id", "in", old).executeTakeFirst());
  },

  async idempotencyKeys(db, now, limit) {
    const old = db
      .selectFrom("idempotency_keys")
      .select(["team_id", "endpoint", "idempotency_key"])
      .where("created_at", "<", now - idempotencyKeyAgeMs)
      .orderBy("created_at")
      .limit(limit);
    const key = sql`(team_id, endpoint, idempotency_key)`;
    return countOf(db.deleteFrom("idempotency_keys").where(key, "in", old).executeTakeFirst());
  },

  searchPages: (db, now, limit, searchDays) => removeUnseenPages(db, now - searchDays * dayMs, limit),

  searchLinks: (db, now, limit, searchDays) => removeOldLinks(db, now - searchDays * dayMs, limit),

  async feedback(db, now, limit) {
    const old = db
      .selectFrom("feedback")
      .select(["team_id", "job_id"])
      .where("created_at", "<", now - feedbackAgeMs)
      .orderBy("created_at")
      .limit(limit);
    return countOf(db.deleteFrom("feedback").where(sql`(team_id, job_id)`, "in", old).executeTakeFirst());
  },

  async snapshots(db, now, limit) {
    const old = db
      .selectFrom("change_snapshots")
      .select(["team_id", "snapshot_key"])
      .where("scraped_at", "<", now - snapshotAgeMs)
      .orderBy("scraped_at")
      .limit(limit);
    const key = sql`(team_id, snapshot_key)`;
    return countOf(db.deleteFrom("change_snapshots").where(key, "in", old).executeTakeFirst());
  },

  async profiles(db, now, limit) {
    const old = db
      .selectFrom("browser_profiles")
      .select(["team_id", "name"])
      .where("used_at", "<", now - profileAgeMs)
      .orderBy("used_at")
      .limit(limit);
    return countOf(db.deleteFrom("browser_profiles").where(sql`(team_id, name)`, "in", old).executeTakeFirst());
  },

  async sessions(db, now, limit) {
    const old = db
      .selectFrom("browser_sessions")
      .select("id")
      .where("ended_at", "<", now - sessionAgeMs)
      .orderBy("ended_at")
      .limit(limit);
    return countOf(db.deleteFrom("browser_sessions").where("id", "in", old).executeTakeFirst());
  },

  jobRows: purgeJob,
} satisfies Record<string, Purge>;

/** Rows that were deleted, by kind. */
export type PurgeResult = Record<keyof typeof purges, number> & {
  /** True when a kind reached the limit: purge again soon. */
  more: boolean;
};

export type RetentionStatements = ReturnType<typeof createRetentionStatements>;

export function createRetentionStatements(db: Kysely<Tables>) {
  return {
    async purge({ now, limit, searchDays = searchPageDays }: PurgeRequest): Promise<PurgeResult> {
      const counts: Record<string, number> = {};
      for (const [kind, purge] of Object.entries(purges)) counts[kind] = await purge(db, now, limit, searchDays);
      const more = Object.values(counts).some((count) => count >= limit);
      return { ...(counts as Record<keyof typeof purges, number>), more };
    },
  };
}

async function countOf(deleting: Promise<{ numDeletedRows: bigint }>): Promise<number> {
  return Number((await deleting).numDeletedRows);
}
