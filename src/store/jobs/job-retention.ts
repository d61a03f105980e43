// A job whose results have expired goes with everything that belongs to it: results and their documents, pages, errors, and
// at last its own row.
import { type Kysely, sql } from "kysely";
import type { Outside } from "../blobs/outside.ts";
import { removeBlobs } from "../blobs/remove-blobs.ts";
import { deleteFound } from "../engine/changes.ts";
import type { Tables } from "../schema/tables.ts";

/** Tables with rows of a job, besides its results, and their keys. */
const parts = [
  ["job_pages", "job_id, page_key"],
  ["job_errors", "job_id, id"],
  ["job_removed", "job_id, page_key"],
] as const;

/** Takes a batch from the job that expired first. Answers the whole limit as long as there is such a job: come again. */
export async function purgeJob(db: Kysely<Tables>, now: number, limit: number, outside: Outside): Promise<number> {
  const job = await db
    .selectFrom("jobs")
    .select("id")
    .where("expiresAt", "<=", now)
    .orderBy("expiresAt")
    .limit(1)
    .executeTakeFirst();
  if (!job) return 0;

  const results = await db
    .selectFrom("job_results")
    .select(["seq", "blobId"])
    .where("jobId", "=", job.id)
    .orderBy("seq")
    .limit(limit)
    .execute();
  const last = results.at(-1);
  if (last) {
    const blobIds = results.map((result) => result.blobId);
    await removeBlobs(db, outside, blobIds, now);
    await db.deleteFrom("job_results").where("jobId", "=", job.id).where("seq", "<=", last.seq).execute();
    return limit;
  }
  for (const [table, key] of parts) {
    const gone = await deleteFound(db, table, key, sql`where job_id = ${job.id} limit ${limit}`);
    if (gone > 0) return limit;
  }
  await db.deleteFrom("jobs").where("id", "=", job.id).execute();
  return limit;
}
