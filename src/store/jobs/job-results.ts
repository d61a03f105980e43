// Results of the pages of jobs: documents in the order in which they were finished, and errors.

import type { Executor } from "../engine/executor.ts";
import { insertNew, insertRows } from "../engine/inserts.ts";
import type { RowOf } from "../schema/tables.ts";

export type JobResult = RowOf<"job_results">;

export type JobError = RowOf<"job_errors">;

/** A page that is gone since an earlier crawl. */
export interface RemovedPage {
  jobId: string;
  key: string;
  url: string;
}

const insertResults = insertRows<RowOf<"job_results">>("job_results");
const insertErrors = insertNew<RowOf<"job_errors">>("job_errors", ["jobId", "id"]);
const insertRemoved = insertNew<RowOf<"job_removed">>("job_removed", ["jobId", "pageKey"]);

export function createJobResultStatements({ db, insert }: Executor) {
  return {
    async insert(results: readonly JobResult[]): Promise<void> {
      await insert(insertResults, results);
    },

    /** From a place on, in order. */
    list(jobId: string, from: number, limit: number): Promise<JobResult[]> {
      return db
        .selectFrom("job_results")
        .selectAll()
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
        .selectAll("job_results")
        .where((build) => build.and({ "job_results.pageId": pageId, "jobs.teamId": teamId }))
        .executeTakeFirst();
      return found ?? null;
    },

    async findError(jobId: string, pageId: string): Promise<JobError | null> {
      const found = await db
        .selectFrom("job_errors")
        .selectAll()
        .where((build) => build.and({ jobId, id: pageId }))
        .executeTakeFirst();
      return found ?? null;
    },

    async insertErrors(errors: readonly JobError[]): Promise<void> {
      await insert(insertErrors, errors);
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
      return db.selectFrom("job_errors").selectAll().where("jobId", "=", jobId).orderBy("id").limit(limit).execute();
    },
  };
}
