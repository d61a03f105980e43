// How PostgreSQL finds what the statements of every page ask for, in tables that are large: by an index, never by reading them
// through. The statements are those that the store sends, taken on their way. `npm run prove -- plans` has a million rows in
// each table.
import pg from "pg";
import { describe, expect, it, onTestFinished } from "vitest";
import { dayMs, earliestId, hourMs, newId } from "../../src/base/index.ts";
import { openPostgres } from "../../src/store/engine/postgres.ts";
import type { EngineConnection, StoreEngine } from "../../src/store/engine/store-engine.ts";
import { packBlob, type Store } from "../../src/store/index.ts";
import { createStore } from "../../src/store/opening/open-store.ts";
import { runSql } from "../support/postgres.ts";
import { createStoreDatabase } from "../support/run-database.ts";
import { makeActivity, makeCharge, makeCopy, makeScrape } from "./rows.ts";
import { makeWebhookEvent } from "./webhook-rows.ts";

const isProof = process.env["TRAWL_PROVE"] === "plans";
const rows = isProof ? 1_000_000 : 20_000;
/** A table with fewer rows is read through faster than by an index. */
const fewRows = 2000;
const minutes = (count: number) => count * 60_000;

const now = Date.now();
const teamId = newId(now);
const jobId = newId(now);
/** Ids of rows, in the order of time over the last day. */
const idAt = `(select '${earliestId(now - dayMs).slice(0, 8)}-' || lpad(to_hex(n % 65536), 4, '0') || '-7000-8000-' || lpad(to_hex(n), 12, '0'))`;
const timeAt = `${now - dayMs} + n * ${Math.floor(dayMs / rows)}`;

/** Most rows belong to others; a tenth are those of the team and job that are asked for. */
const fill = [
  `insert into teams (id, name, created_at) select 'team ' || n, 'team ' || n, 0 from generate_series(1, 200) n`,
  `insert into teams (id, name, created_at) values ('${teamId}', 'asked', 0)`,
  `insert into jobs (id, team_id, kind, api_version, status, created_at, expires_at, page_limit, max_active, delay_ms, waiting, scope_url, activity_row_id, options)
   select 'job ' || n, 'team ' || n % 200, 'crawl', 'v2', 'completed', n, ${now + dayMs} + n, 1, 1, 0, 0, '', '', '{}' from generate_series(1, ${rows / 50}) n`,
  `insert into jobs (id, team_id, kind, api_version, status, created_at, page_limit, max_active, delay_ms, waiting, scope_url, activity_row_id, options)
   values ('${jobId}', '${teamId}', 'crawl', 'v2', 'scraping', ${now}, 1000000, 50, 0, ${rows / 2}, 'http://site.test/', '', '{}')`,
  `insert into job_pages (job_id, page_key, place, id, url, depth, task, state)
   select case when n % 2 = 0 then '${jobId}' else 'job ' || n % 1000 end, 'key ' || n, n, 'page ' || n, 'http://site.test/' || n, 1, 'page',
     case when n % 2 = 0 then 'waiting' else 'done' end from generate_series(1, ${rows}) n`,
  `insert into job_results (job_id, seq, page_id, blob_id, size_bytes, details) select case when n % 10 = 0 then '${jobId}' else 'job ' || n % 1000 end, n, 'page ' || n, '', 1, '{}' from generate_series(1, ${rows}) n`,
  `insert into credit_ledger (id, team_id, key_id, job_id, endpoint, credits, reason, at) select ${idAt}, 'team ' || n % 200, null, 'job ' || n % 1000, 'crawl', 1, 'page', ${timeAt} from generate_series(1, ${rows}) n`,
  `insert into activity (team_id, created_at, row_id, id, endpoint, api_version, target, outcome)
   select case when n % 10 = 0 then '${teamId}' else 'team ' || n % 200 end, ${timeAt}, ${idAt}, 'id ' || n, 'scrape', 'v2', '', 'succeeded' from generate_series(1, ${rows}) n`,
  `insert into webhook_events (id, team_id, job_id, ordinal, type, created_at, status, attempts, next_at, done_at)
   select ${idAt}, case when n % 10 = 0 then '${teamId}' else 'team ' || n % 200 end, 'job ' || n % 1000, n, 'crawl.page', ${timeAt},
     case when n % 100 = 0 then 'pending' else 'delivered' end, n % 2, ${timeAt}, case when n % 100 = 0 then null else ${timeAt} end from generate_series(1, ${rows}) n`,
  `insert into page_copies (id, team_id, copy_key, fetched_at, expires_at, is_shared, blob_id, size_bytes, details) select 'id ' || n, 'team ' || n % 200, 'key ' || n, ${timeAt}, ${now + dayMs} + n, 0, 'blob ' || n, 1, '{}' from generate_series(1, ${rows}) n`,
  `insert into scrapes (id, team_id, created_at, expires_at, blob_id, details) select ${idAt}, 'team ' || n % 200, ${timeAt}, ${now + dayMs}, 'blob ' || n, '{}' from generate_series(1, ${rows}) n`,
  `insert into known_pages (team_id, host_key, url_hash, seen_at, url, title, description) select 'team ' || n % 200, 'host ' || n % 5000, 'hash ' || n, ${timeAt}, 'http://site.test/' || n, '', '' from generate_series(1, ${rows}) n`,
  `insert into blobs (id, team_id, created_at, expires_at, encoding, size_bytes, data)
   select 'blob ' || n, 'team ' || n % 200, ${timeAt}, ${now + hourMs} + n, 'identity', 1, 'a' from generate_series(1, ${rows}) n`,
  "analyze",
];

interface Sent {
  text: string;
  values: readonly unknown[];
}

/** Keeps what goes to the database while `isOn`. */
function recording(engine: StoreEngine) {
  const sent: Sent[] = [];
  const recorder = { isOn: false, sent };
  async function connect(): Promise<EngineConnection> {
    const connection = await engine.connect();
    const execute = connection.execute.bind(connection);
    connection.execute = (text, values) => {
      if (recorder.isOn && /^\s*(?:select|insert|update|delete|with)\b/i.test(text)) sent.push({ text, values });
      return execute(text, values);
    };
    return connection;
  }
  return { recorder, engine: { ...engine, connect } };
}

/** What the pages of scrapes and jobs, their webhooks and what looks after them ask for. */
const hot: Record<string, (store: Store) => Promise<unknown>> = {
  "choosing jobs": async ({ jobs }) => [
    await jobs.listRunning(),
    await jobs.countTasks(),
    await jobs.countOfTeam(teamId),
  ],
  "a claim": (store) =>
    store.transaction(async ({ teams, jobs, jobPages }) => {
      await teams.lock(teamId);
      await jobs.lock(jobId);
      return jobPages.claim({ jobId, owner: "me", leaseUntil: now + hourMs, now, limit: 8 });
    }),
  leases: async ({ jobPages }) => {
    const [page] = await jobPages.claim({ jobId, owner: "me", leaseUntil: now + hourMs, now, limit: 1 });
    if (!page) throw new Error("no page could be claimed");
    await jobPages.extendLeases("me", [page.id], now + hourMs);
    await jobPages.listOwners("me");
    await jobPages.listLost({ now, owners: [], limit: 10 });
    await jobPages.holds(page);
    await jobPages.hasActivePage(jobId);
    await jobPages.putBack(page, { notBefore: 0, tries: 0, lostLeases: 0 });
  },
  settling: (store) =>
    store.transaction(async ({ jobs, jobPages, jobResults, charges, activity, webhooks, blobs }) => {
      const leases = await jobPages.claim({ jobId, owner: "me", leaseUntil: now + hourMs, now, limit: 3 });
      await jobPages.known(jobId, ["key 2", "key 4"]);
      await jobPages.end(jobId, leases);
      const page = { jobId, key: newId(), place: 1, id: newId(), url: "http://site.test/", depth: 0 };
      await jobPages.add([{ ...page, kind: "page", step: null, state: "waiting" }]);
      await jobResults.insert([{ jobId, seq: rows + 1, pageId: newId(), blobId: "", sizeBytes: 1, details: "{}" }]);
      await charges.charge([makeCharge(teamId, { at: now })]);
      await jobs.change(jobId, { active: 0, completed: 1 });
      await activity.insert([makeActivity(teamId, { createdAt: now })]);
      await webhooks.enqueue([makeWebhookEvent(teamId, { jobId, createdAt: now })]);
      await blobs.put([
        await packBlob({ id: newId(), teamId, createdAt: now, expiresAt: now, data: Buffer.from("a") }),
      ]);
    }),
  "reading results": async ({ jobs, jobResults }) => {
    await jobs.find(teamId, jobId);
    await jobResults.list(jobId, 0, 10);
    await jobResults.findPage(teamId, "page 10");
  },
  webhooks: async ({ webhooks }) => {
    const [event] = await webhooks.claimDue({ now, limit: 5, owner: "me", leaseMs: 1000 });
    if (event) await webhooks.settle(event, { kind: "retry", nextAt: now, status: null, error: "" });
    await webhooks.listOwners("me");
    await webhooks.releaseOwners(["unknown"]);
    await webhooks.countPending();
    await webhooks.find(teamId, newId(now));
    await webhooks.page({ teamId, limit: 20 });
  },
  "a scrape": async ({ copies, scrapes, blobs, knownPages, charges }) => {
    await copies.find({ teamId, keys: ["key 5", "key 6"], from: now - dayMs, to: now, isSharedToo: true });
    await copies.insert([makeCopy(teamId, {})]);
    await scrapes.insert([makeScrape(teamId, {})]);
    await scrapes.find(teamId, newId(now), now);
    await blobs.get("team 5", "blob 5", now);
    await blobs.renew("team 5", ["blob 5"], now + dayMs, now);
    await knownPages.note([{ teamId, url: "http://site.test/", title: "", description: "", seenAt: now }]);
    await charges.charge([makeCharge(teamId, { at: now })]);
  },
  "the list of activity": async ({ activity }) => {
    const [first] = await activity.page({ teamId, since: now - dayMs, limit: 20 });
    await activity.page({ teamId, outcome: "failed", keyName: "ci", isKeyless: true, since: now - dayMs, limit: 20 });
    await activity.find({ teamId, id: first?.id ?? "", endpoint: "scrape", since: now - dayMs });
    await activity.page({ teamId, endpoint: "scrape", since: now - dayMs, before: first, limit: 20 });
    await activity.has({ teamId, id: first?.id ?? "", endpoint: "scrape", since: now - minutes(5) });
    await activity.lastSuccess(teamId);
    if (first) await activity.setOutcome(first, { outcome: "failed", endedAt: now });
  },
  "limits and hosts": async ({ rates, keys, hostPaces, hostTurns }) => {
    await rates.reserve({ teamId, group: "scrape", windowStart: now, count: 1, limit: 10 });
    await keys.findByHash("none");
    await hostPaces.listSince(now, 100);
    await hostTurns.take("site.test", 10, now);
  },
  upkeep: ({ retention }) => retention.purge({ now, limit: 500 }),
};

interface Plan {
  "Node Type": string;
  "Relation Name"?: string;
  Plans?: Plan[];
}

function scansOf(plan: Plan): string[] {
  const own = plan["Node Type"] === "Seq Scan" ? [plan["Relation Name"] ?? ""] : [];
  return [...own, ...(plan.Plans ?? []).flatMap(scansOf)];
}

describe("large tables of PostgreSQL", () => {
  it("are never read through for what every page asks for", { timeout: isProof ? 900_000 : 60_000 }, async () => {
    const { url, drop } = await createStoreDatabase();
    onTestFinished(drop);
    const { recorder, engine } = recording(openPostgres(url));
    const store = await createStore(engine);
    onTestFinished(() => store.close());
    await runSql(url, ...fill);
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    onTestFinished(() => client.end());
    // A table of so few rows may be read through where many of them are asked for: here, only what no index serves is.
    if (!isProof) await client.query("set enable_seqscan = off");
    const large = new Set(
      (await client.query("select relname from pg_class where reltuples >= $1", [fewRows])).rows.map(
        ({ relname }) => relname,
      ),
    );
    expect(large.size).toBeGreaterThan(9);
    const found: string[] = [];
    let statements = 0;
    for (const [what, ask] of Object.entries(hot)) {
      recorder.isOn = true;
      await ask(store);
      recorder.isOn = false;
      for (const { text, values } of recorder.sent.splice(0)) {
        statements += 1;
        const explained = await client.query(`explain (format json) ${text}`, [...values]);
        const [{ Plan: plan }] = explained.rows[0]["QUERY PLAN"] as [{ Plan: Plan }];
        for (const table of scansOf(plan)) if (large.has(table)) found.push(`${what}: ${table}: ${text}`);
      }
    }
    expect(found).toEqual([]);
    expect(statements).toBeGreaterThan(60);
  });
});
