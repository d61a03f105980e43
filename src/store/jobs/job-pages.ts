// The tasks of jobs, most of which read a page: frontier and queue in one. A task is known by its key, so none is taken in twice;
// it is worked on under a lease, and only the holder of the latest lease can end it.
import { sql } from "kysely";
import type { Executor, FixedStatement } from "../engine/executor.ts";
import { insertNew } from "../engine/inserts.ts";
import type { TaskKind } from "../schema/job-tables.ts";
import type { RowOf } from "../schema/tables.ts";
import { groupLeases } from "./lease-groups.ts";
import { type ClaimedPage, createLeaseStatements, type TaskLease, taskColumns } from "./leases.ts";

export interface NewJobPage extends Pick<RowOf<"job_pages">, "jobId" | "place" | "id" | "url" | "depth" | "step"> {
  /** Tasks of a job with the same key are one task. */
  key: string;
  kind: TaskKind;
  /** When the page changed at the latest, as a sitemap tells. */
  lastmod?: number | null;
  /** "done" marks a URL that must not be read again, such as the end of a redirect. */
  state: "waiting" | "done";
}

export interface ClaimRequest {
  jobId: string;
  owner: string;
  leaseUntil: number;
  now: number;
  limit: number;
}

/** Written into the statement, not bound: only so do the partial indexes apply. */
const waiting = sql.lit("waiting" as const);

const insertPages = insertNew<RowOf<"job_pages">, "pageKey">("job_pages", ["jobId", "pageKey"], ["pageKey"]);

type ClaimedRow = Omit<ClaimedPage, "jobId" | "owner"> & { place: number };

const claimPages: FixedStatement<
  [owner: string, leaseUntil: number, jobId: string, sameJobId: string, now: number, limit: number],
  ClaimedRow
> = (db, [owner, leaseUntil, jobId, sameJobId, now, limit]) =>
  db
    .updateTable("job_pages")
    .set((build) => ({
      state: "leased" as const,
      leaseOwner: owner,
      leaseUntil,
      claims: build("claims", "+", 1),
    }))
    .where("jobId", "=", jobId)
    .where("pageKey", "in", (build) =>
      build
        .selectFrom("job_pages")
        .select("pageKey")
        .where((build) => build.and({ jobId: sameJobId, state: waiting }))
        .where("notBefore", "<=", now)
        .orderBy("place")
        .limit(limit),
    )
    .returning([...taskColumns, "lastmod", "place"])
    .$castTo<ClaimedRow>();

type LeaseValues = [jobId: string, key: string, owner: string, claims: number];

/** Leases that end together; fewer are filled up with the last, so that one text serves any number. */
const endBatch = 32;

/** Of one claim's holder and turn, which most tasks that end together share. */
const endPages: FixedStatement<(string | number)[], { key: string }> = (db, [jobId, owner, claims, ...keys]) =>
  db
    .updateTable("job_pages")
    .set({ state: "done", leaseOwner: null, leaseUntil: null })
    .where("jobId", "=", jobId as string)
    .where("pageKey", "in", keys as string[])
    .where((build) => build.and({ state: "leased", leaseOwner: owner as string, claims: claims as number }))
    .returning("pageKey as key");

const findLease: FixedStatement<LeaseValues, { key: string }> = (db, [jobId, key, owner, claims]) =>
  db
    .selectFrom("job_pages")
    .select("pageKey as key")
    .where((build) => build.and({ jobId, pageKey: key, state: "leased", leaseOwner: owner, claims }));

const putBack: FixedStatement<
  [notBefore: number, tries: number, lostLeases: number, ...LeaseValues],
  { key: string }
> = (db, [notBefore, tries, lostLeases, jobId, key, owner, claims]) =>
  db
    .updateTable("job_pages")
    .set((build) => ({
      state: "waiting" as const,
      leaseOwner: null,
      leaseUntil: null,
      notBefore,
      tries: build("tries", "+", tries),
      lostLeases: build("lostLeases", "+", lostLeases),
    }))
    .where((build) => build.and({ jobId, pageKey: key, state: "leased", leaseOwner: owner, claims }))
    .returning("pageKey as key");

export function createJobPageStatements({ db, run, insert }: Executor) {
  return {
    ...createLeaseStatements(db),

    /** The keys that were new, in no particular order. */
    async add(pages: readonly NewJobPage[]): Promise<Set<string>> {
      const inserted = await insert(insertPages, pages.map(toRow));
      return new Set(inserted.map(({ pageKey }) => pageKey));
    },

    /** Which of these keys the job knows. */
    async known(jobId: string, keys: readonly string[]): Promise<Set<string>> {
      if (keys.length === 0) return new Set();
      const rows = await db
        .selectFrom("job_pages")
        .select("pageKey as key")
        .where("jobId", "=", jobId)
        .where("pageKey", "in", keys)
        .execute();
      return new Set(rows.map(({ key }) => key));
    },

    /** The first waiting pages, now leased, in their order: an update returns its rows in any. */
    async claim({ jobId, owner, leaseUntil, now, limit }: ClaimRequest): Promise<ClaimedPage[]> {
      const claimed = await run(claimPages, [owner, leaseUntil, jobId, jobId, now, limit]);
      return claimed
        .sort((one, other) => one.place - other.place)
        .map(({ place, ...page }) => ({ jobId, owner, ...page }));
    },

    /** Of one job: those whose lease was still theirs. A worker may hold an older lease of the same page beside it. */
    async end<Lease extends TaskLease>(jobId: string, leases: readonly Lease[]): Promise<Set<Lease>> {
      const ended = new Set<Lease>();
      for (const group of groupLeases(leases, endBatch)) {
        const [{ owner, claims, key: first }] = group as [Lease];
        const byKey = new Map(group.map((lease) => [lease.key, lease]));
        const filled = [...byKey.keys(), ...Array<string>(endBatch - byKey.size).fill(first)];
        for (const { key } of await run(endPages, [jobId, owner, claims, ...filled]))
          ended.add(byKey.get(key) as Lease);
      }
      return ended;
    },

    /** Whether the lease is still the page's. */
    async holds({ jobId, key, owner, claims }: TaskLease): Promise<boolean> {
      return (await run(findLease, [jobId, key, owner, claims])).length === 1;
    },

    /** Lets it wait again; false when the lease is not the page's any more. */
    async putBack(
      { jobId, key, owner, claims }: TaskLease,
      { notBefore, tries, lostLeases }: { notBefore: number; tries: number; lostLeases: number },
    ): Promise<boolean> {
      return (await run(putBack, [notBefore, tries, lostLeases, jobId, key, owner, claims])).length === 1;
    },

    /** When the first of the job's waiting pages may be claimed; null when none waits. */
    async nextDue(jobId: string): Promise<number | null> {
      const row = await db
        .selectFrom("job_pages")
        .select((build) => build.fn.min<number | null>("notBefore").as("at"))
        .where((build) => build.and({ jobId, state: waiting }))
        .executeTakeFirst();
      return row?.at ?? null;
    },

    /** Pages that were tried in vain and wait for another try. */
    listTried(jobId: string, limit: number): Promise<ClaimedPage[]> {
      return db
        .selectFrom("job_pages")
        .select(["jobId", "leaseOwner as owner"])
        .select(taskColumns)
        .where((build) => build.and({ jobId, state: waiting }))
        .where("tries", ">", 0)
        .orderBy("place")
        .limit(limit)
        .$castTo<ClaimedPage>()
        .execute();
    },

    /** How many links each page of a job lies from its start, by the page's id. */
    async listDepths(jobId: string): Promise<Map<string, number>> {
      const rows = await db
        .selectFrom("job_pages")
        .select(["id", "depth"])
        .where((build) => build.and({ jobId, task: "page" }))
        .execute();
      return new Map(rows.map(({ id, depth }) => [id, depth]));
    },
  };
}

const unclaimed = { tries: 0, lostLeases: 0, claims: 0, notBefore: 0, leaseOwner: null, leaseUntil: null };

function toRow({ key, kind, lastmod = null, ...page }: NewJobPage): RowOf<"job_pages"> {
  return { pageKey: key, task: kind, lastmod, ...unclaimed, ...page };
}
