// Leases of tasks: a worker renews those it works under; those of workers that are gone are found and given to others.
import { type Kysely, sql } from "kysely";
import type { TaskKind } from "../schema/job-tables.ts";
import type { Tables } from "../schema/tables.ts";

export interface TaskLease {
  jobId: string;
  key: string;
  owner: string;
  /** How often the task was claimed; the number makes the lease unique. */
  claims: number;
}

export interface ClaimedPage extends TaskLease {
  id: string;
  url: string;
  depth: number;
  kind: TaskKind;
  /** Of an agent's step, and of what that step asked for. */
  step: number | null;
  /** When the page changed at the latest, as a sitemap tells. */
  lastmod?: number | null;
  /** Attempts that ended in a failure worth another try. */
  tries: number;
  /** How often a worker's lease on it expired. */
  lostLeases: number;
}

/** What a worker gets of a task, besides its job and the lease's owner. */
export const taskColumns = [
  ...(["job_pages.pageKey as key", "job_pages.claims", "job_pages.id", "job_pages.url"] as const),
  ...(["job_pages.depth", "job_pages.task as kind", "job_pages.step"] as const),
  ...(["job_pages.tries", "job_pages.lostLeases"] as const),
] as const;

/** Written into the statement, not bound: only so do the partial indexes apply. */
const leased = sql.lit("leased" as const);

export function createLeaseStatements(db: Kysely<Tables>) {
  return {
    /** Whether an active task of a job reads a page instead of looking for pages. */
    async hasActivePage(jobId: string): Promise<boolean> {
      const row = await db
        .selectFrom("job_pages")
        .select("id")
        .where((build) => build.and({ jobId, state: leased, task: "page" }))
        .limit(1)
        .executeTakeFirst();
      return row !== undefined;
    },

    /** URLs of the active pages of all jobs of a team, in whatever process. */
    async listActiveUrls(teamId: string, limit: number): Promise<string[]> {
      const rows = await db
        .selectFrom("job_pages")
        .innerJoin("jobs", "jobs.id", "job_pages.jobId")
        .select("job_pages.url")
        .where((build) =>
          build.and({
            "job_pages.state": leased,
            "job_pages.task": "page",
            "jobs.teamId": teamId,
            "jobs.status": "scraping",
          }),
        )
        .limit(limit)
        .execute();
      return rows.map(({ url }) => url);
    },

    /** A living worker keeps the pages that it works on, named by their ids. */
    async extendLeases(owner: string, ids: readonly string[], leaseUntil: number): Promise<void> {
      if (ids.length === 0) return;
      // A page that is locked is just being settled; to wait for it, holding others, could be a deadlock.
      const held = db
        .selectFrom("job_pages")
        .select(["jobId", "pageKey"])
        .where((build) => build.and({ state: leased, leaseOwner: owner }))
        .where("id", "in", ids)
        .forUpdate()
        .skipLocked();
      await db
        .updateTable("job_pages")
        .set({ leaseUntil })
        // Said again, so that the index of leases finds the rows here, too, in whatever part they lie.
        .where((build) => build.and({ state: leased, leaseOwner: owner }))
        .where(sql`(job_id, page_key)`, "in", held)
        .execute();
    },

    /** Who holds leases, by the beginning of the name. */
    async listOwners(prefix: string): Promise<string[]> {
      const rows = await db
        .selectFrom("job_pages")
        .select("leaseOwner as owner")
        .distinct()
        .where("state", "=", leased)
        .where("leaseOwner", "like", `${prefix}%`)
        .execute();
      return rows.map(({ owner }) => owner ?? "");
    },

    /** Leases that ran out, and those of owners that are known to be gone. */
    listLost({
      now,
      owners,
      limit,
    }: {
      now: number;
      owners: readonly string[];
      limit: number;
    }): Promise<ClaimedPage[]> {
      return (
        db
          .selectFrom("job_pages")
          .innerJoin("jobs", "jobs.id", "job_pages.jobId")
          .select(["job_pages.jobId", "job_pages.leaseOwner as owner"])
          .select(taskColumns)
          .where("job_pages.state", "=", leased)
          // Leases of jobs that are over mean nothing any more.
          .where("jobs.status", "=", "scraping")
          .where((build) =>
            build.or([
              build("leaseUntil", "<", now),
              ...(owners.length === 0 ? [] : [build("leaseOwner", "in", owners)]),
            ]),
          )
          .limit(limit)
          .$castTo<ClaimedPage>()
          .execute()
      );
    },
  };
}
