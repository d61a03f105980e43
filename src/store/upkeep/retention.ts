// Old rows are deleted in small batches, so that neither a large table nor a long pause blocks the event loop.
import { type Kysely, sql } from "kysely";
import { dayMs, earliestId, hourMs, minuteMs } from "../../base/index.ts";
import { purgeArchive } from "../archives/archive-retention.ts";
import type { Outside } from "../blobs/outside.ts";
import { removeBlobs } from "../blobs/remove-blobs.ts";
import { purgeRecordings } from "../browser/recordings.ts";
import { deleteFound } from "../engine/changes.ts";
import { purgeJob } from "../jobs/job-retention.ts";
import { purgeChecks, purgeMonitors } from "../monitors/monitor-retention.ts";
import type { Tables } from "../schema/tables.ts";
import { removeOldLinks } from "../search/page-links.ts";
import { removeUnseenPages } from "../search/removal.ts";

/** Results of jobs and scrapes can be read for this long after their end. */
export const resultAgeMs = dayMs;
/** The activity list shows 24 hours; the hour more keeps a page that is being read whole. */
const activityAgeMs = 25 * hourMs;
/** Answers are readable for 24 hours after they were given; the id tells when the scrape began. */
const scrapeAgeMs = 25 * hourMs;
/** A page that was not read for so long may be gone. */
const knownPageAgeMs = 30 * dayMs;
/** For the list of deliveries, from the event's end on. */
const webhookAgeMs = dayMs;
/** A page of the search index that was not read again for so long, unless the operator says otherwise. */
const searchPageDays = 90;
const feedbackAgeMs = 90 * dayMs;
/** A page that no crawl has read for so long. */
const fingerprintAgeMs = 90 * dayMs;
/** A page whose changes were not asked for in so long. */
const snapshotAgeMs = 90 * dayMs;
/** Longer than any working attempt is remembered. */
const hostAgeMs = 8 * dayMs;
/** Rules of a host that no page was read with for so long. */
const siteRulesAgeMs = 90 * dayMs;
/** A browser profile that was not used for so long. */
const profileAgeMs = 365 * dayMs;
/** How long the usage of an ended browser session can be read. */
const sessionAgeMs = 30 * dayMs;
/** Hourly usage, for charts of 30 days. */
const usageHourAgeMs = 35 * dayMs;
/** Longer than any window. */
const rateWindowAgeMs = 65 * minuteMs;
const idempotencyKeyAgeMs = dayMs;
/** A client that no person has allowed. */
const unusedClientAgeMs = 7 * dayMs;
/** A code that comes again so long after its end is only unknown. */
const spentCodeAgeMs = 30 * dayMs;
/** For rows that hold the time of their end: they go from that millisecond on. */
const fromTheirEnd = -1;

export interface PurgeRequest {
  now: number;
  /** Rows of each kind at most. */
  limit: number;
  /** Days that a page of the search index stays when it is not read again, and a link. */
  searchDays?: number;
  /** Days that rows of the audit log stay; 0 or absent: for ever. */
  auditDays?: number;
}

interface PurgeContext {
  auditDays: number;
  searchDays: number;
  /** Where blobs lie besides their rows. */
  outside: Outside;
}

type Purge = (db: Kysely<Tables>, now: number, limit: number, context: PurgeContext) => Promise<number>;

/** Each deletes at most so many rows and says how many it deleted. */
const purges = {
  async activity(db, now, limit) {
    // Team by team, in the order in which the rows lie.
    const old = db
      .selectFrom("teams")
      .innerJoin("activity", "activity.teamId", "teams.id")
      .select(["activity.teamId", "activity.createdAt", "activity.rowId"])
      .where("activity.createdAt", "<", now - activityAgeMs)
      .limit(limit);
    const { numDeletedRows } = await db
      .deleteFrom("activity")
      .where(sql`(team_id, created_at, row_id)`, "in", old)
      .executeTakeFirst();
    return Number(numDeletedRows);
  },

  scrapes: (db, now, limit) =>
    deleteFound(db, "scrapes", "id", sql`where id < ${earliestId(now - scrapeAgeMs)} order by id limit ${limit}`),

  async blobs(db, now, limit, { outside }) {
    const old = await db
      .selectFrom("blobs")
      .select("id")
      .where("expiresAt", "<=", now)
      .orderBy("expiresAt")
      .limit(limit)
      .execute();
    const ids = old.map(({ id }) => id);
    return removeBlobs(db, outside, ids, now);
  },

  copies: oldest("page_copies", "copy_key, fetched_at, id", "expires_at", fromTheirEnd),
  rateWindows: oldest("rate_windows", "team_id, rate_group, window_start", "window_start", rateWindowAgeMs),
  knownPages: oldest("known_pages", "team_id, host_key, url_hash", "seen_at", knownPageAgeMs),
  webhooks: oldest("webhook_events", "id", "done_at", webhookAgeMs),
  idempotencyKeys: oldest("idempotency_keys", "team_id, endpoint, idempotency_key", "created_at", idempotencyKeyAgeMs),
  feedback: oldest("feedback", "team_id, job_id", "created_at", feedbackAgeMs),
  pageFingerprints: oldest("page_fingerprints", "team_id, fingerprint_key", "read_at", fingerprintAgeMs),
  snapshots: oldest("change_snapshots", "team_id, snapshot_key", "scraped_at", snapshotAgeMs),
  siteRules: oldest("site_rules", "team_id, host, kind, form", "used_at", siteRulesAgeMs),
  hosts: oldest("host_memory", "team_id, host", "seen_at", hostAgeMs),
  profiles: oldest("browser_profiles", "team_id, name", "used_at", profileAgeMs),
  sessions: oldest("browser_sessions", "id", "ended_at", sessionAgeMs),
  recordings: (db, now, limit, { outside }) => purgeRecordings(db, now, limit, outside),
  flowRuns: oldest("flow_runs", "id", "started_at", dayMs),
  sessionEvents: oldest("session_events", "id", "expires_at", fromTheirEnd),
  searchPages: (db, now, limit, { searchDays }) => removeUnseenPages(db, now - searchDays * dayMs, limit),
  searchLinks: (db, now, limit, { searchDays }) => removeOldLinks(db, now - searchDays * dayMs, limit),
  usageHours: oldest("usage_hours", "team_id, hour, endpoint, key_id, cause, step", "hour", usageHourAgeMs),
  signInLinks: oldest("sign_in_links", "hash", "expires_at", fromTheirEnd),
  personSessions: oldest("person_sessions", "id", "expires_at", fromTheirEnd),
  spentChallenges: oldest("spent_challenges", "hash", "expires_at", fromTheirEnd),
  readings: oldest("readings", "id", "expires_at", fromTheirEnd),
  oauthClients: (db, now, limit) => {
    const old = sql`where allowed_at is null and created_at < ${now - unusedClientAgeMs} order by created_at limit ${limit}`;
    return deleteFound(db, "oauth_clients", "id", old);
  },
  oauthRequests: oldest("oauth_requests", "id", "expires_at", fromTheirEnd),
  oauthCodes: oldest("oauth_codes", "hash", "expires_at", spentCodeAgeMs),
  oauthTokens: oldest("oauth_tokens", "hash", "expires_at", fromTheirEnd),
  jobRows: (db, now, limit, { outside }) => purgeJob(db, now, limit, outside),
  archives: (db, now, limit, { outside }) => purgeArchive(db, now, limit, outside),
  auditRows: (db, now, limit, { auditDays }) =>
    auditDays === 0 ? Promise.resolve(0) : removeAuditRows(db, now - auditDays * dayMs, limit),
  monitorChecks: purgeChecks,
  monitors: purgeMonitors,
} satisfies Record<string, Purge>;

/** The log lets rows go only to a transaction that says from when on they have expired. */
function removeAuditRows(db: Kysely<Tables>, before: number, limit: number): Promise<number> {
  return db.transaction().execute(async (transaction) => {
    await transaction.insertInto("audit_expiry").values({ before }).execute();
    const old = sql`where at < ${before} order by at limit ${limit}`;
    const count = await deleteFound(transaction, "audit_rows", "team_id, at, id", old);
    await transaction.deleteFrom("audit_expiry").execute();
    return count;
  });
}

/** Takes the rows whose time lies further back than an age, by their key, the oldest first. */
function oldest(table: keyof Tables, key: string, time: string, ageMs: number): Purge {
  const at = sql.ref(time);
  return (db, now, limit) =>
    deleteFound(db, table, key, sql`where ${at} < ${now - ageMs} order by ${at} limit ${limit}`);
}

/** Rows that were deleted, by kind. */
export type PurgeResult = Record<keyof typeof purges, number> & {
  /** True when a kind reached the limit: purge again soon. */
  more: boolean;
};

export function createRetentionStatements(db: Kysely<Tables>, outside: Outside) {
  return {
    /** Of deleted and expired archives: whether there is more to do. */
    async purgeArchives({ now, limit }: PurgeRequest): Promise<boolean> {
      return (await purgeArchive(db, now, limit, outside)) >= limit;
    },

    async purge({ now, limit, searchDays = searchPageDays, auditDays = 0 }: PurgeRequest): Promise<PurgeResult> {
      const counts: Record<string, number> = {};
      for (const [kind, purge] of Object.entries<Purge>(purges))
        counts[kind] = await purge(db, now, limit, { searchDays, auditDays, outside });
      const more = Object.values(counts).some((count) => count >= limit);
      return { ...(counts as Record<keyof typeof purges, number>), more };
    },
  };
}
