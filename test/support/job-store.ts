// Jobs made straight in a store, and what tests of the job engine count in it.
import { join } from "node:path";
import pg from "pg";
import type { Owner } from "../../src/base/index.ts";
import { createLog, newId } from "../../src/base/index.ts";
import type { Settlement } from "../../src/jobs/engine/settle-job.ts";
import type { Ending, NewTask } from "../../src/jobs/index.ts";
import { LibsqlDatabase } from "../../src/store/engine/libsql-database.ts";
import type { LedgerCharge, NewJob, Statements, Store } from "../../src/store/index.ts";
import { addTeam } from "../store/rows.ts";
import type { FreshStore } from "./engines.ts";

export interface JobPlan {
  /** Keys of the pages it starts with. */
  pages: string[];
  teamId?: string;
  pageLimit?: number;
  maxActive?: number;
  delayMs?: number;
  limits?: Partial<Pick<NewJob, "pagePrice" | "maxCredits" | "maxBytes" | "stopAt" | "retentionMs">>;
}

/** Of a job that its caller did not limit. */
export const noLimits = { pagePrice: 1, maxCredits: null, maxBytes: null, stopAt: null, retentionMs: 86_400_000 };

/** Of a team without an allowance. */
export const payAll = async () => Number.POSITIVE_INFINITY;

export const silentLog = createLog("silent", { write: () => undefined });

/** Owners of one machine; those that a test calls gone are gone. */
export function createTestOwner(machine: string, isGone: (name: string) => boolean = () => false): Owner {
  return { name: `${machine}/1/${newId()}`, prefix: `${machine}/`, isGone };
}

export async function addJob(store: Store, plan: JobPlan): Promise<string> {
  const { pages, pageLimit = 1000, maxActive = 50, delayMs = 0 } = plan;
  const id = newId();
  const createdAt = Date.now();
  const teamId = plan.teamId ?? (await addTeam(store)).id;
  await store.transaction(async (statements) => {
    await statements.jobs.insert({
      ...{ id, teamId, keyId: null, kind: "crawl", apiVersion: "v2", createdAt, pageLimit, maxActive, delayMs },
      ...{ scopeUrl: "http://site.test/", activityRowId: newId(), secrets: null, webhook: null, options: "{}" },
      ...{ ...noLimits, ...plan.limits },
    });
    await statements.jobPages.add(pages.map((key, place) => makePage(id, key, place)));
    await statements.jobs.change(id, { known: pages.length, waiting: pages.length });
  });
  return id;
}

function makePage(jobId: string, key: string, place: number) {
  const url = `http://site.test/${key}`;
  return { jobId, key, place, id: newId(), url, depth: 0, kind: "page", step: null, state: "waiting" } as const;
}

export function found(...keys: string[]): NewTask[] {
  return keys.map((key) => ({ key, url: `http://site.test/${key}`, depth: 1, kind: "page", step: null }));
}

/** A document that cost one credit. */
export function documentOf(
  { id, key, jobId }: { id: string; key: string; jobId: string },
  leadsTo: string[] = [],
  endKey = key,
): Ending<LedgerCharge> & { kind: "document" } {
  const charge = { keyId: null, jobId, endpoint: "crawl", credits: 1, reason: "crawl", at: Date.now() };
  return {
    kind: "document",
    document: { blobId: newId(), sizeBytes: 1, details: "{}" },
    rows: { ...charge, id, teamId: jobId },
    credits: 1,
    endKey,
    found: found(...leadsTo),
    refused: [],
  };
}

/** Charges go to a team named like the job, so that its ledger can be counted. */
export async function saveCharges(
  statements: Statements,
  settlements: readonly Settlement<LedgerCharge>[],
): Promise<void> {
  await statements.charges.charge(settlements.flatMap(({ rows }) => rows));
}

export interface JobAudit {
  status: string;
  counters: { waiting: number; active: number; started: number; completed: number; failed: number; credits: number };
  /** Counted from the rows; `counters` must be the same. */
  counted: JobAudit["counters"];
  /** Places of the results, in order. */
  places: number[];
  /** Results, and pages among them. */
  results: number;
  resultPages: number;
  /** Credits in the ledger. */
  charged: number;
  errors: Record<string, number>;
  keys: string[];
}

export async function auditJob(fresh: FreshStore, id: string): Promise<JobAudit> {
  const query = <Row>(sql: string) => queryRows<Row>(fresh, sql.replaceAll("$id", `'${id}'`));
  const [job] = await query<Record<string, number> & { status: string }>("select * from jobs where id = $id");
  const pages = await query<{ key: string; state: string; url: string }>(
    "select page_key as key, state, url from job_pages where job_id = $id order by page_key",
  );
  const results = await query<{ seq: number; page: string }>(
    "select seq, page_id as page from job_results where job_id = $id order by seq",
  );
  const errors = await query<{ code: string }>("select code from job_errors where job_id = $id");
  const charged = await query<{ credits: number }>("select credits from credit_ledger where job_id = $id");
  if (!job) throw new Error("the job is gone");
  const number = (name: string) => Number(job[name]);
  const inState = (state: string) => pages.filter((page) => page.state === state).length;
  const byCode: Record<string, number> = {};
  for (const { code } of errors) byCode[code] = (byCode[code] ?? 0) + 1;
  // Pages that gave their place to others count for nothing, like those that were never begun.
  const failed = errors.length - (byCode.SCRAPE_NOT_TRIED_AGAIN ?? 0);
  return {
    status: job.status,
    counters: {
      waiting: number("waiting"),
      active: number("active"),
      started: number("started"),
      completed: number("completed"),
      failed: number("failed"),
      credits: number("credits"),
    },
    counted: {
      waiting: inState("waiting"),
      active: inState("leased"),
      started: inState("leased") + results.length + failed,
      completed: results.length,
      failed,
      credits: charged.length,
    },
    places: results.map(({ seq }) => Number(seq)),
    results: results.length,
    resultPages: new Set(results.map(({ page }) => page)).size,
    charged: charged.length,
    errors: byCode,
    keys: pages.filter(({ url }) => url !== "").map(({ key }) => key),
  };
}

async function queryRows<Row>({ options }: FreshStore, sql: string): Promise<Row[]> {
  if ("dataDir" in options) {
    const database = new LibsqlDatabase(join(options.dataDir, "trawl.db"));
    try {
      return database.execute(sql).rows as Row[];
    } finally {
      database.close();
    }
  }
  const client = new pg.Client({ connectionString: options.databaseUrl });
  await client.connect();
  try {
    return (await client.query(sql)).rows as Row[];
  } finally {
    await client.end();
  }
}
