// A job whose results have expired goes with everything that belongs to it: results and their documents, pages, errors, and
// at last its own row.
import { type Kysely, sql } from "kysely";
import type { Outside } from "../blobs/outside.ts";
import { removeBlobs } from "../blobs/remove-blobs.ts";
import type { Tables } from "../schema/tables.ts";

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
  const pages = db.selectFrom("job_pages").select(["jobId", "pageKey"]).where("jobId", "=", job.id).limit(limit);
  const gonePages = await db.deleteFrom("job_pages").where(sql`(job_id, page_key)`, "in", pages).executeTakeFirst();
  if (gonePages.numDeletedRows > 0n) return limit;
  const errors = db.selectFrom("job_errors").select(["jobId", "id"]).where("jobId", "=", job.id).limit(limit);
  const goneErrors = await db.deleteFrom("job_errors").where(sql`(job_id, id)`, "in", errors).executeTakeFirst();
  if (goneErrors.numDeletedRows > 0n) return limit;
  const removed = db.selectFrom("job_removed").select(["jobId", "pageKey"]).where("jobId", "=", job.id).limit(limit);
  const goneRemoved = await db
    .deleteFrom("job_removed")
    .where(sql`(job_id, page_key)`, "in", removed)
    .executeTakeFirst();
  if (goneRemoved.numDeletedRows > 0n) return limit;
  await db.deleteFrom("jobs").where("id", "=", job.id).execute();
  return limit;
}
