// Jobs: one row each, with counters that its pages move. The counters tell, in the transaction that moves them, whether the
// job has come to its end, so pages never have to be counted.
import { sql } from "kysely";
import type { Executor, FixedStatement } from "../engine/executor.ts";
import type { JobsTable } from "../schema/tables.ts";

export type JobKind = JobsTable["kind"];
export type JobStatus = "scraping" | "completed" | "failed" | "cancelled";

export interface NewJob {
  id: string;
  teamId: string;
  keyId: string | null;
  kind: JobKind;
  apiVersion: string;
  createdAt: number;
  /** Pages that may be started. */
  pageLimit: number;
  /** Pages at the same time. */
  maxActive: number;
  /** From the end of a page to the start of the next one; 0: none. */
  delayMs: number;
  scopeUrl: string;
  activityRowId: string;
  /** Sealed text, or null; erased when the job ends. */
  secrets: string | null;
  /** Where its events go, sealed; kept as long as the job, because deliveries may come late. */
  webhook: string | null;
  /** JSON text without secrets. */
  options: string;
}

export interface Job extends NewJob {
  status: JobStatus;
  finishedAt: number | null;
  expiresAt: number | null;
  nextStartAt: number;
  /** Pages that were accepted, but for those that turned out to be others' duplicates or not for us. */
  known: number;
  /** Accepted, not started yet. */
  waiting: number;
  /** In work just now. */
  active: number;
  /** Counted towards the limit. */
  started: number;
  completed: number;
  failed: number;
  credits: number;
  warning: string | null;
  error: string | null;
}

/** What a worker needs to know to choose a job. */
export type RunningJob = Pick<
  Job,
  "id" | "teamId" | "maxActive" | "nextStartAt" | "waiting" | "active" | "started" | "pageLimit"
>;

/** Counters are added to, the rest is set. */
export interface JobChanges {
  known?: number;
  waiting?: number;
  active?: number;
  started?: number;
  completed?: number;
  failed?: number;
  credits?: number;
  pageLimit?: number;
  set?: Partial<
    Pick<
      Job,
      | "status"
      | "finishedAt"
      | "expiresAt"
      | "nextStartAt"
      | "delayMs"
      | "maxActive"
      | "scopeUrl"
      | "warning"
      | "error"
      | "secrets"
    >
  >;
}

export type JobStatements = ReturnType<typeof createJobStatements>;

const columns = [
  "id",
  "team_id as teamId",
  "key_id as keyId",
  "kind",
  "api_version as apiVersion",
  "status",
  "created_at as createdAt",
  "finished_at as finishedAt",
  "expires_at as expiresAt",
  "page_limit as pageLimit",
  "max_active as maxActive",
  "delay_ms as delayMs",
  "next_start_at as nextStartAt",
  "known",
  "waiting",
  "active",
  "started",
  "completed",
  "failed",
  "credits",
  "scope_url as scopeUrl",
  "activity_row_id as activityRowId",
  "warning",
  "error",
  "secrets",
  "webhook",
  "options",
] as const;

/** Written into the statement, not bound: only so does the partial index apply. */
const scraping = sql.lit("scraping" as const);

const findJob: FixedStatement<[id: string], Job> = {
  valueCount: 1,
  build: (db, [id]) => db.selectFrom("jobs").select(columns).where("id", "=", id),
};

const lockJob: FixedStatement<[id: string], Job> = {
  valueCount: 1,
  build: (db, [id]) => db.selectFrom("jobs").select(columns).where("id", "=", id).forUpdate(),
};

const listRunning: FixedStatement<[], RunningJob> = {
  valueCount: 0,
  build: (db) =>
    db
      .selectFrom("jobs")
      .select([
        "id",
        "team_id as teamId",
        "max_active as maxActive",
        "next_start_at as nextStartAt",
        "waiting",
        "active",
        "started",
        "page_limit as pageLimit",
      ])
      .where("status", "=", scraping),
};

type Counters = [
  known: number,
  waiting: number,
  active: number,
  started: number,
  completed: number,
  failed: number,
  credits: number,
  pageLimit: number,
  id: string,
];

const addToCounters: FixedStatement<Counters, unknown> = {
  valueCount: 9,
  build: (db, [known, waiting, active, started, completed, failed, credits, pageLimit, id]) =>
    db
      .updateTable("jobs")
      .set((build) => ({
        known: build("known", "+", known),
        waiting: build("waiting", "+", waiting),
        active: build("active", "+", active),
        started: build("started", "+", started),
        completed: build("completed", "+", completed),
        failed: build("failed", "+", failed),
        credits: build("credits", "+", credits),
        page_limit: build("page_limit", "+", pageLimit),
      }))
      .where("id", "=", id),
};

export function createJobStatements({ db, run }: Executor) {
  return {
    async insert(job: NewJob): Promise<void> {
      await db.insertInto("jobs").values(toRow(job)).execute();
    },

    /** Null when the team has no such job. */
    async find(teamId: string, id: string): Promise<Job | null> {
      const [job] = await run(findJob, [id]);
      return job?.teamId === teamId ? job : null;
    },

    async read(id: string): Promise<Job | null> {
      return (await run(findJob, [id]))[0] ?? null;
    },

    /** The same inside a transaction; until it ends nothing else changes the job. */
    async lock(id: string): Promise<Job | null> {
      return (await run(lockJob, [id]))[0] ?? null;
    },

    listRunning: (): Promise<RunningJob[]> => run(listRunning, []),

    /** Those of the jobs that have not ended. */
    async filterRunning(ids: readonly string[]): Promise<Set<string>> {
      if (ids.length === 0) return new Set();
      const rows = await db
        .selectFrom("jobs")
        .select("id")
        .where("id", "in", ids)
        .where("status", "=", scraping)
        .execute();
      return new Set(rows.map(({ id }) => id));
    },

    /** Oldest first. */
    listOfTeam(teamId: string, kind: JobKind): Promise<Job[]> {
      return db
        .selectFrom("jobs")
        .select(columns)
        .where("team_id", "=", teamId)
        .where("status", "=", scraping)
        .where("kind", "=", kind)
        .orderBy("created_at")
        .execute();
    },

    /** Running or over, newest first. */
    listNewest(asked: { teamId: string; kind: "agent"; before: number; limit: number }): Promise<Job[]> {
      return db
        .selectFrom("jobs")
        .select(columns)
        .where("team_id", "=", asked.teamId)
        .where("kind", "=", sql.lit(asked.kind))
        .where("created_at", "<", asked.before)
        .orderBy("created_at", "desc")
        .limit(asked.limit)
        .execute();
    },

    /** Pages of a team that wait or are in work, over all its running jobs. */
    async countOfTeam(teamId: string): Promise<{ active: number; waiting: number; jobs: number }> {
      const row = await db
        .selectFrom("jobs")
        .select((build) => [
          build.fn.sum<number | null>("active").as("active"),
          build.fn.sum<number | null>("waiting").as("waiting"),
          build.fn.countAll<number>().as("jobs"),
        ])
        .where("team_id", "=", teamId)
        .where("status", "=", scraping)
        .executeTakeFirst();
      return { active: row?.active ?? 0, waiting: row?.waiting ?? 0, jobs: row?.jobs ?? 0 };
    },

    async change(id: string, { set, ...counts }: JobChanges): Promise<void> {
      const { known = 0, waiting = 0, active = 0, started = 0 } = counts;
      const { completed = 0, failed = 0, credits = 0, pageLimit = 0 } = counts;
      await run(addToCounters, [known, waiting, active, started, completed, failed, credits, pageLimit, id]);
      if (set) await db.updateTable("jobs").set(toColumns(set)).where("id", "=", id).execute();
    },

    /** False when the key was used before: then `jobId` is the first job's. */
    async keepIdempotencyKey(key: {
      teamId: string;
      endpoint: string;
      key: string;
      jobId: string;
      createdAt: number;
    }): Promise<{ isNew: boolean; jobId: string }> {
      const { teamId, endpoint, jobId, createdAt } = key;
      const inserted = await db
        .insertInto("idempotency_keys")
        .values({ team_id: teamId, endpoint, idempotency_key: key.key, job_id: jobId, created_at: createdAt })
        .onConflict((conflict) => conflict.columns(["team_id", "endpoint", "idempotency_key"]).doNothing())
        .returning("job_id as jobId")
        .executeTakeFirst();
      if (inserted) return { isNew: true, jobId };
      const first = await db
        .selectFrom("idempotency_keys")
        .select("job_id as jobId")
        .where("team_id", "=", teamId)
        .where("endpoint", "=", endpoint)
        .where("idempotency_key", "=", key.key)
        .executeTakeFirst();
      return { isNew: false, jobId: first?.jobId ?? "" };
    },
  };
}

function toRow(job: NewJob) {
  return {
    id: job.id,
    team_id: job.teamId,
    key_id: job.keyId,
    kind: job.kind,
    api_version: job.apiVersion,
    status: "scraping" as const,
    created_at: job.createdAt,
    finished_at: null,
    expires_at: null,
    page_limit: job.pageLimit,
    max_active: job.maxActive,
    delay_ms: job.delayMs,
    next_start_at: 0,
    known: 0,
    waiting: 0,
    active: 0,
    started: 0,
    completed: 0,
    failed: 0,
    credits: 0,
    scope_url: job.scopeUrl,
    activity_row_id: job.activityRowId,
    warning: null,
    error: null,
    secrets: job.secrets,
    webhook: job.webhook,
    options: job.options,
  } satisfies JobsTable;
}

function toColumns(set: NonNullable<JobChanges["set"]>): Partial<JobsTable> {
  const names: Partial<JobsTable> = {};
  if (set.status !== undefined) names.status = set.status;
  if (set.finishedAt !== undefined) names.finished_at = set.finishedAt;
  if (set.expiresAt !== undefined) names.expires_at = set.expiresAt;
  if (set.nextStartAt !== undefined) names.next_start_at = set.nextStartAt;
  if (set.delayMs !== undefined) names.delay_ms = set.delayMs;
  if (set.maxActive !== undefined) names.max_active = set.maxActive;
  if (set.scopeUrl !== undefined) names.scope_url = set.scopeUrl;
  if (set.warning !== undefined) names.warning = set.warning;
  if (set.error !== undefined) names.error = set.error;
  if (set.secrets !== undefined) names.secrets = set.secrets;
  return names;
}
