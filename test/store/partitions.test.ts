// Tables of a large store in parts: rebuilt while others write, the same constraints, parts by day made ahead and dropped.
import { describe, expect, inject, it, onTestFinished } from "vitest";
import { dayMs, hourMs, monthOf, newId } from "../../src/base/index.ts";
import type { Store } from "../../src/store/index.ts";
import { engines } from "../support/engines.ts";
import { addJob } from "../support/job-store.ts";
import { createDatabase, querySql, runSql } from "../support/postgres.ts";
import { runCli } from "../support/server-process.ts";
import { addTeam, makeActivity, makeCharge } from "./rows.ts";
import { makeWebhookEvent } from "./webhook-rows.ts";

const never = new AbortController().signal;
const tables = ["activity", "credit_ledger", "job_pages", "job_results", "webhook_events"] as const;
const postgres = engines.find(({ name }) => name === "postgres");

async function openFresh() {
  if (!postgres) throw new Error("there is no PostgreSQL");
  const fresh = await postgres.fresh();
  onTestFinished(fresh.cleanup);
  const { databaseUrl } = fresh.options as { databaseUrl: string };
  return { ...fresh, databaseUrl };
}

const convert = (store: Store, now = Date.now()) => store.partitions?.convert(now, () => undefined, never);
const digests = async ({ moving }: Store) => Promise.all(tables.map((table) => moving.digest(table)));
const partsOf = async (url: string, table: string) =>
  (
    await querySql(
      url,
      `select inhrelid::regclass::text as name from pg_inherits where inhparent = '${table}'::regclass`,
    )
  ).map(({ name }) => String(name));

/** More rows than one portion takes. */
const manyPages = (jobId: string, count: number) =>
  `insert into job_pages (job_id, page_key, place, id, url, depth, task, state)
   select '${jobId}', 'old ' || n, n, 'page ' || n, 'http://site.test/' || n, 0, 'page', 'waiting'
   from generate_series(1, ${count}) n`;

describe("tables in parts on PostgreSQL", () => {
  it("are made of whole ones while others write, and hold the same", async () => {
    const { store, openAnother, databaseUrl } = await openFresh();
    const { id: teamId } = await addTeam(store);
    const jobId = await addJob(store, { pages: ["first"], teamId, maxActive: 1000, pageLimit: 100_000 });
    await runSql(databaseUrl, manyPages(jobId, 12_000));
    await store.activity.insert([makeActivity(teamId), makeActivity(teamId, { createdAt: Date.now() })]);
    await store.webhooks.enqueue([makeWebhookEvent(teamId, { jobId })]);
    let isOver = false;
    const acknowledged: string[] = [];
    const writer = async (other: Store, owner: string) => {
      while (!isOver) {
        const now = Date.now();
        const charge = makeCharge(teamId, { id: newId(), at: now });
        await other.charges.charge([charge]);
        acknowledged.push(charge.id);
        const leases = await other.transaction(async ({ jobs, jobPages }) => {
          await jobs.lock(jobId);
          return jobPages.claim({ jobId, owner, leaseUntil: now + 60_000, now, limit: 5 });
        });
        const [back, ...ended] = leases;
        await other.jobPages.end(jobId, ended);
        if (back) await other.jobPages.putBack(back, { notBefore: 0, tries: 1, losses: 0 });
        await other.activity.insert([makeActivity(teamId, { createdAt: now })]);
        await runSql(databaseUrl, `delete from job_pages where state = 'done' and page_key = '${ended[0]?.key}'`);
      }
    };
    const others = [await openAnother(), await openAnother()];
    const writing = Promise.all(others.map((other, place) => writer(other, `owner ${place}`)));
    onTestFinished(async () => {
      isOver = true;
      await writing.catch(() => undefined);
    });
    await expect.poll(() => acknowledged.length).toBeGreaterThan(3);
    await convert(store);
    const duringConversion = acknowledged.length;
    await expect.poll(() => acknowledged.length).toBeGreaterThan(duringConversion + 3);
    isOver = true;
    await writing;

    expect((await store.partitions?.read())?.map(({ isParted }) => isParted)).toEqual(tables.map(() => true));
    const ledger = await querySql(databaseUrl, "select id from credit_ledger");
    expect(ledger.map(({ id }) => id).toSorted()).toEqual(acknowledged.toSorted());
    expect(await store.charges.sumMonth(teamId, monthOf(Date.now()))).toBe(acknowledged.length);
    // What every page came to is in its row, however it got there.
    const [sums] = await querySql(
      databaseUrl,
      `select count(*) filter (where state = 'leased') as leased, count(distinct page_key) = count(*) as once,
        count(*) filter (where state = 'waiting' and claims <> tries) as odd from job_pages`,
    );
    expect(sums).toEqual({ leased: "0", once: true, odd: "0" });

    // The constraints of today: a charge counts once, a page is taken in once.
    const [known] = acknowledged;
    await store.charges.charge([makeCharge(teamId, { id: known ?? "", at: Date.now() })]);
    expect(await store.charges.sumMonth(teamId, monthOf(Date.now()))).toBe(acknowledged.length);
    const page = { jobId, key: "first", place: 1, id: newId(), url: "http://site.test/", depth: 0 };
    expect(await store.jobPages.add([{ ...page, kind: "page", step: null, state: "waiting" }])).toEqual(new Set());
    await expect(
      runSql(databaseUrl, "insert into credit_ledger select * from credit_ledger limit 1"),
    ).rejects.toMatchObject({ code: "23505", constraint: expect.stringContaining("credit_ledger") });

    // A second time there is nothing to do, and another database gets the same rows.
    const before = await digests(store);
    await convert(store);
    expect(await digests(store)).toEqual(before);
  });

  it("by day are made ahead, and dropped when all their rows have expired", async () => {
    const { store, databaseUrl } = await openFresh();
    const { id: teamId } = await addTeam(store);
    const now = Date.now();
    await convert(store, now);
    await store.activity.insert([makeActivity(teamId, { createdAt: now })]);
    const open = makeWebhookEvent(teamId, { createdAt: now });
    await store.webhooks.enqueue([open]);
    const count = async (table: string) =>
      Number((await querySql(databaseUrl, `select count(*) from ${table}`))[0]?.["count"]);
    const first = await partsOf(databaseUrl, "activity");
    const purge = (at: number) => store.retention.purge({ now: at, limit: 100 });
    await purge(now + dayMs);
    expect(await count("activity")).toBe(1);
    const later = now + 3 * dayMs;
    await purge(later);
    const parts = await partsOf(databaseUrl, "activity");
    // As many ahead as before, and the days that are over are gone with their rows.
    expect(parts.toSorted().at(-1)).toBe(`activity_to_${stamp(later + 8 * dayMs)}`);
    expect(parts.filter((name) => first.includes(name)).length).toBeLessThan(first.length);
    expect(await count("activity")).toBe(0);
    // The event is not delivered yet: its part stays.
    expect(await count("webhook_events")).toBe(1);
    const [claimed] = await store.webhooks.claimDue({ now: later, limit: 1, owner: "me", leaseMs: 1000 });
    if (!claimed) throw new Error("the event could not be claimed");
    await store.webhooks.settle(claimed, { kind: "delivered", at: later, status: 200 });
    await purge(later + hourMs);
    expect(await count("webhook_events")).toBe(1);
    await purge(later + 2 * dayMs);
    expect(await count("webhook_events")).toBe(0);
    // What no day takes is taken all the same.
    await store.activity.insert([makeActivity(teamId, { createdAt: later + 300 * dayMs })]);
    expect(await count("activity")).toBe(1);
    await purge(later + 2 * dayMs);
    expect(await count("activity_rest")).toBe(1);
  });

  it("come of `trawl store partition`, for large stores only unless it is forced", async () => {
    const { url, drop } = await createDatabase(inject("postgresUrl"), inject("postgresTemplate"));
    onTestFinished(drop);
    const env = { DATABASE_URL: url, TRAWL_SECRET: "x".repeat(32) };
    const small = await runCli(["store", "partition"], env);
    expect([small.code, small.stderr]).toEqual([2, expect.stringContaining("partitions help above 10000000")]);
    expect(await partsOf(url, "activity")).toEqual([]);
    const forced = await runCli(["store", "partition", "--force"], env);
    expect([forced.code, forced.stdout.trim()]).toEqual([
      0,
      "Partitioned: job_pages, job_results, credit_ledger, activity, webhook_events.",
    ]);
    expect(await partsOf(url, "credit_ledger")).toHaveLength(16);
    const again = await runCli(["store", "partition"], env);
    expect(again.stdout.trim()).toBe("The tables are partitioned already.");
  });
});

const stamp = (ms: number) => new Date(ms).toISOString().slice(0, 10).replaceAll("-", "");
