// Rows that should not be there: nothing refers to them, or the process that held them is gone.
import { type Kysely, sql } from "kysely";
import { hourMs } from "../../base/index.ts";
import type { Tables } from "../schema/tables.ts";

export interface FaultCount {
  fault: string;
  rows: number;
}

/** A lease that ran out so long ago should have been taken over. */
const stuckMs = hourMs;

export async function countFaults(db: Kysely<Tables>, now: number): Promise<FaultCount[]> {
  const orphans = (table: keyof Tables) =>
    sql`select count(*) from ${sql.table(table)} as part where not exists (select 1 from jobs where jobs.id = part.job_id)`;
  const counted = {
    "tasks of jobs that are gone": orphans("job_pages"),
    "results of jobs that are gone": orphans("job_results"),
    "results whose text is gone": sql`select count(*) from job_results join jobs on jobs.id = job_results.job_id
      where not exists (select 1 from blobs where blobs.id = job_results.blob_id)`,
    "cached copies whose text is gone": sql`select count(*) from page_copies
      where expires_at > ${now} and not exists (select 1 from blobs where blobs.id = page_copies.blob_id)`,
    "tasks with a lease that ran out an hour ago": sql`select count(*) from job_pages
      where state = 'leased' and lease_until < ${now - stuckMs}`,
    "jobs that count other tasks than they have": sql`select count(*) from jobs where status = 'scraping' and waiting + active <>
      (select count(*) from job_pages where job_pages.job_id = jobs.id and job_pages.state <> 'done')`,
    "pages of the index without text": sql`select count(*) from search_pages
      where not exists (select 1 from search_texts where search_texts.id = search_pages.id)`,
    "texts of the index without page": sql`select count(*) from search_texts
      where not exists (select 1 from search_pages where search_pages.id = search_texts.id)`,
  };
  const faults: FaultCount[] = [];
  for (const [fault, query] of Object.entries(counted)) {
    const { rows } = await sql<{ rows: number }>`select (${query}) as rows`.execute(db);
    faults.push({ fault, rows: Number(rows[0]?.rows ?? 0) });
  }
  return faults;
}
