// What the pages of jobs came to: documents in the order in which they were finished, and errors.
import type { Executor, InsertStatement } from "../engine/executor.ts";
import type { JobErrorsTable, JobRemovedTable, JobResultsTable } from "../schema/job-tables.ts";

export interface JobResult {
  jobId: string;
  /** 0, 1, 2 … without gaps. */
  seq: number;
  pageId: string;
  /** Of its document; '' for a page that has not changed, which has none. */
  blobId: string;
  /** Of the document as JSON text. */
  sizeBytes: number;
  /** What this reading adds to the document, as JSON text. */
  details: string;
}

export interface JobError {
  jobId: string;
  /** The page's own id. */
  id: string;
  at: number;
  url: string;
  code: string;
  message: string;
}

/** A page that is gone since an earlier crawl. */
export interface RemovedPage {
  jobId: string;
  key: string;
  url: string;
}

export type JobResultStatements = ReturnType<typeof createJobResultStatements>;

const insertResults: InsertStatement<JobResultsTable, unknown> = {
  build: (db, rows) => db.insertInto("job_results").values(rows),
};

const resultColumns = [
  "job_results.jobId",
  "job_results.seq",
  "job_results.pageId",
  "job_results.blobId",
  "job_results.sizeBytes",
  "job_results.details",
] as const;

const insertErrors: InsertStatement<JobErrorsTable, unknown> = {
  build: (db, rows) =>
    db
      .insertInto("job_errors")
      .values(rows)
      .onConflict((conflict) => conflict.columns(["jobId", "id"]).doNothing()),
};

const insertRemoved: InsertStatement<JobRemovedTable, unknown> = {
  build: (db, rows) =>
    db
      .insertInto("job_removed")
      .values(rows)
      .onConflict((conflict) => conflict.columns(["jobId", "pageKey"]).doNothing()),
};

export function createJobResultStatements({ db, insert }: Executor) {
  return {
    async insert(results: readonly JobResult[]): Promise<void> {
      await insert(
        insertResults,
        results.map((result) => ({
          jobId: result.jobId,
          seq: result.seq,
          pageId: result.pageId,
          blobId: result.blobId,
          sizeBytes: result.sizeBytes,
          details: result.details,
        })),
      );
    },

    /** From a place on, in order. */
    list(jobId: string, from: number, limit: number): Promise<JobResult[]> {
      return db
        .selectFrom("job_results")
        .select(resultColumns)
        .where("jobId", "=", jobId)
        .where("seq", ">=", from)
        .orderBy("seq")
        .limit(limit)
        .execute();
    },

    /** Of one page, by its id. */
    async findPage(teamId: string, pageId: string): Promise<JobResult | null> {
      const found = await db
        .selectFrom("job_results")
        .innerJoin("jobs", "jobs.id", "job_results.jobId")
        .select(resultColumns)
        .where("job_results.pageId", "=", pageId)
        .where("jobs.teamId", "=", teamId)
        .executeTakeFirst();
      return found ?? null;
    },

    async insertErrors(errors: readonly JobError[]): Promise<void> {
      await insert(
        insertErrors,
        errors.map(({ jobId, ...error }) => ({ jobId, ...error })),
      );
    },

    async insertRemoved(pages: readonly RemovedPage[]): Promise<void> {
      await insert(
        insertRemoved,
        pages.map(({ jobId, key, url }) => ({ jobId, pageKey: key, url })),
      );
    },

    async listRemoved(jobId: string, limit: number): Promise<string[]> {
      const rows = await db
        .selectFrom("job_removed")
        .select("url")
        .where("jobId", "=", jobId)
        .orderBy("url")
        .limit(limit)
        .execute();
      return rows.map(({ url }) => url);
    },

    /** Whether every error of a job is one of these. */
    async hasOnlyErrors(jobId: string, codes: readonly string[]): Promise<boolean> {
      const other = await db
        .selectFrom("job_errors")
        .select("id")
        .where("jobId", "=", jobId)
        .where("code", "not in", codes)
        .limit(1)
        .executeTakeFirst();
      return other === undefined;
    },

    /** By the pages' ids: in the order in which they were found. */
    listErrors(jobId: string, limit: number): Promise<JobError[]> {
      return db
        .selectFrom("job_errors")
        .select(["jobId", "id", "at", "url", "code", "message"])
        .where("jobId", "=", jobId)
        .orderBy("id")
        .limit(limit)
        .execute();
    },
  };
}
