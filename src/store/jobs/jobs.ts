// Jobs: one row each, with counters that its pages move. The counters show, in the transaction that moves them, whether the
// job has ended, so pages are never counted.
import { type Kysely, sql } from "kysely";
import type { Executor, FixedStatement } from "../engine/executor.ts";
import type { Tables } from "../schema/tables.ts";
import {
  counters,
  type Job,
  type JobChanges,
  type JobKind,
  type JobStatus,
  type NewJob,
  startedJob,
} from "./job-row.ts";

const runningColumns = [
  ...(["id", "teamId", "maxActive", "nextStartAt", "waiting"] as const),
  ...(["active", "started", "pageLimit", "stopAt"] as const),
] as const;

/** What a worker needs to know to choose a job. */
export type RunningJob = Pick<Job, (typeof runningColumns)[number]>;

export interface JobPage {
  kind: "crawl" | "batch";
  teamId: string;
  status?: JobStatus | undefined;
  /** The last row of the page before: only older ones follow. */
  before?: { createdAt: number; rowId: string } | undefined;
  /** Results that have expired are not listed any more. */
  now: number;
  limit: number;
}

/** Written into the statement, not bound: only so does the partial index apply. */
const scraping = sql.lit("scraping" as const);

const findJob: FixedStatement<[id: string], Job> = (db, [id]) =>
  db.selectFrom("jobs").selectAll("jobs").where("id", "=", id);

const lockJob: FixedStatement<[id: string], Job> = (db, [id]) =>
  db.selectFrom("jobs").selectAll("jobs").where("id", "=", id).forUpdate();

const lockJobOfTeam: FixedStatement<[id: string], Job & { teamActive: number | null }> = (db, [id]) =>
  db
    .selectFrom("jobs")
    .selectAll("jobs")
    .select((build) =>
      build
        .selectFrom("jobs as others")
        .select(({ fn }) => fn.sum<number | null>("others.active").as("active"))
        .whereRef("others.teamId", "=", "jobs.teamId")
        .where("others.status", "=", scraping)
        .as("teamActive"),
    )
    .where("id", "=", id)
    .forUpdate("jobs");

const listRunning: FixedStatement<[], RunningJob> = (db) =>
  db.selectFrom("jobs").select(runningColumns).where("status", "=", scraping).where("pausedAt", "is", null);

const added = [...counters, "pageLimit"] as const;

/** The changes of the counters, in their order, and the job's id. */
const addToCounters: FixedStatement<(number | string)[], unknown> = (db, values) =>
  db
    .updateTable("jobs")
    .set((build) =>
      Object.fromEntries(added.map((counter, place) => [counter, build(counter, "+", values[place] as number)])),
    )
    .where("id", "=", values[added.length] as string);

export interface TaskCounts {
  active: number;
  waiting: number;
  jobs: number;
}

/** Tasks of running jobs that are active or wait. */
const countTasks = (db: Kysely<Tables>) =>
  db
    .selectFrom("jobs")
    .select(sql<number>`coalesce(sum(active), 0)`.as("active"))
    .select(sql<number>`coalesce(sum(waiting), 0)`.as("waiting"))
    .select(sql<number>`count(*)`.as("jobs"))
    .where("status", "=", scraping);

const countTasksOfTeam: FixedStatement<[teamId: string], TaskCounts> = (db, [teamId]) =>
  countTasks(db).where("teamId", "=", teamId);

export function createJobStatements(executor: Executor) {
  const { db, run } = executor;
  return {
    ...createJobLists(executor),

    async insert(job: NewJob): Promise<void> {
      await db.insertInto("jobs").values(startedJob(job)).execute();
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

    /** The same, and how many pages of the job's team are active; for the holder of the team's lock, under which alone it grows. */
    async lockWithTeam(id: string): Promise<{ job: Job; teamActive: number } | null> {
      const [row] = await run(lockJobOfTeam, [id]);
      if (!row) return null;
      const { teamActive, ...job } = row;
      return { job, teamActive: teamActive ?? 0 };
    },

    async change(id: string, { set, ...counts }: JobChanges): Promise<void> {
      await run(addToCounters, [...added.map((counter) => counts[counter] ?? 0), id]);
      if (set) await db.updateTable("jobs").set(set).where("id", "=", id).execute();
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
        .values({ teamId, endpoint, idempotencyKey: key.key, jobId, createdAt })
        .onConflict((conflict) => conflict.columns(["teamId", "endpoint", "idempotencyKey"]).doNothing())
        .returning("jobId")
        .executeTakeFirst();
      if (inserted) return { isNew: true, jobId };
      const first = await db
        .selectFrom("idempotency_keys")
        .select("jobId")
        .where((build) => build.and({ teamId, endpoint, idempotencyKey: key.key }))
        .executeTakeFirst();
      return { isNew: false, jobId: first?.jobId ?? "" };
    },
  };
}

/** Which jobs there are, and how much they have to do. */
function createJobLists({ db, run }: Executor) {
  return {
    /** Those of which something may be started; a paused job is not among them. */
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
        .selectAll("jobs")
        .where((build) => build.and({ teamId, status: scraping, kind }))
        .orderBy("createdAt")
        .execute();
    },

    /** Running or over, newest first. */
    listNewest(asked: { teamId: string; kind: "agent"; before: number; limit: number }): Promise<Job[]> {
      return db
        .selectFrom("jobs")
        .selectAll("jobs")
        .where((build) => build.and({ teamId: asked.teamId, kind: sql.lit(asked.kind) }))
        .where("createdAt", "<", asked.before)
        .orderBy("createdAt", "desc")
        .limit(asked.limit)
        .execute();
    },

    /** The runs of an agent's thread, the first one, whose id is the thread's, first. */
    listThread(teamId: string, threadId: string): Promise<Job[]> {
      return db
        .selectFrom("jobs")
        .selectAll("jobs")
        .where((build) => build.and({ teamId, kind: sql.lit("agent" as const) }))
        .where((build) => {
          const isFirst = build.and([build("id", "=", threadId), build("threadId", "is", null)]);
          return build.or([isFirst, build("threadId", "=", threadId)]);
        })
        .orderBy("createdAt")
        .orderBy("id")
        .execute();
    },

    /** Crawls of a team, running or over, newest first. */
    pageOfKind(asked: JobPage): Promise<Job[]> {
      const { kind, teamId, status, before, now, limit } = asked;
      let query = db
        .selectFrom("jobs")
        .selectAll("jobs")
        .where((build) => build.and({ teamId, kind: sql.lit(kind) }))
        .where((build) => build.or([build("expiresAt", "is", null), build("expiresAt", ">", now)]))
        .orderBy("createdAt", "desc")
        .orderBy("id", "desc")
        .limit(limit);
      if (status !== undefined) query = query.where("status", "=", status);
      if (before) {
        const place = sql<[number, string]>`(${before.createdAt}, ${before.rowId})`;
        query = query.where((build) => build(build.refTuple("createdAt", "id"), "<", place));
      }
      return query.execute();
    },

    /** Pages of a team that wait or are active, over all its running jobs. */
    async countOfTeam(teamId: string): Promise<TaskCounts> {
      return (await run(countTasksOfTeam, [teamId]))[0] as TaskCounts;
    },

    /** Tasks of all running jobs that wait or are active. */
    countTasks: (): Promise<TaskCounts> => countTasks(db).executeTakeFirstOrThrow(),
  };
}
