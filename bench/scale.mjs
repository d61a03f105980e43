// Whether a queue of a million pages costs as little as one of ten thousand: claims by 1, 4 and 16 workers that do nothing else; how
// long a claim takes where a million pages wait; CPU per page of a crawl (server and database) behind a frontier of 10,000 and of
// 1,000,000 rows, on both stores. The machine also carries the site and the database, so claims of 16 workers show how they get on
// with each other, not how fast a larger machine is.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { createPageIdentity } from "../dist/discovery/scope/page-identity.js";
import { shortKey } from "../dist/jobs/pages/task-keys.js";
import { LibsqlDatabase } from "../dist/store/engine/libsql-database.js";
import { openStore } from "../dist/store/index.js";
import { cpuMs, median, quantile, startProgram } from "./measure.mjs";
import { startPostgres } from "./postgres.mjs";
import { treeCpuMs } from "./process-tree.mjs";
import { startServer, untilCompleted } from "./servers.mjs";

const file = (name) => fileURLToPath(new URL(name, import.meta.url));
const million = 1_000_000;
const few = 10_000;
/** Not timed: the first thousand claims wait for the compiler, a worker that runs for days does not. */
const warmUpMs = 4000;
const claimMs = 8000;
const claimed = 8;
const pagesMeasured = 1200;
const sitePages = 4000;
const rounds = 2;

let querySql;

export async function measure() {
  const folder = mkdtempSync(join(tmpdir(), "trawl-bench-"));
  const database = await startPostgres();
  querySql = database.query;
  const fixture = await startProgram([file("fixtures/crawl-site.mjs")], { until: /listening (http:\S+)/ });
  let made = 0;
  const emptyDatabase = async () => {
    made += 1;
    await database.query(database.url, `create database bench_${made}`);
    return { databaseUrl: database.url.replace(/\/postgres$/, `/bench_${made}`) };
  };
  const emptyFolder = () => ({ dataDir: mkdtempSync(join(folder, "store-")) });
  const [{ pid }] = await database.query(
    database.url,
    "select split_part(pg_read_file('postmaster.pid'), chr(10), 1)::int as pid",
  );
  const context = { site: fixture.match[1], folder, databasePid: pid };
  try {
    return [
      ...(await measureClaims(await emptyDatabase())),
      await measureWaiting("PostgreSQL", await emptyDatabase()),
      await measureWaiting("SQLite", emptyFolder()),
      await compareFrontiers("PostgreSQL", emptyDatabase, context),
      await compareFrontiers("SQLite", emptyFolder, context),
    ];
  } finally {
    await fixture.stop();
    await database.remove();
    rmSync(folder, { recursive: true, maxRetries: 5 });
  }
}

/** A running job with so many pages that wait. */
async function addJob(place, id, pages) {
  const store = await openStore(place);
  const team = { id: `team of ${id}`, name: `team of ${id}`, requestsPerMinute: null, createdAt: 1 };
  await store.teams.insert(team);
  const limits = { pagePrice: 1, maxCredits: null, maxBytes: null, stopAt: null, retentionMs: 86_400_000 };
  const job = { id, teamId: team.id, keyId: null, kind: "crawl", apiVersion: "v2", createdAt: 1, ...limits };
  const scope = { pageLimit: 10 * million, maxActive: million, delayMs: 0, scopeUrl: "http://site.test/" };
  const texts = { activityRowId: "", secrets: null, webhook: null, options: "{}" };
  await store.jobs.insert({ ...job, ...scope, ...texts });
  await store.close();
  await addPlaceholders(place, id, pages);
  return { id, teamId: team.id };
}

/** Pages that wait behind all others. */
async function addPlaceholders(place, jobId, pages) {
  const numbers = `with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${pages})`;
  const columns = "job_id, page_key, place, id, url, depth, task, state, tries, lost_leases, claims, not_before";
  const row = `'${jobId}', 'placeholder ' || n, ${million} + n, '${jobId} ' || n, 'http://site.test/' || n, 1, 'page', 'waiting', 0, 0, 0, 0`;
  const insert = `insert into job_pages (${columns})`;
  const count = `update jobs set known = known + ${pages}, waiting = waiting + ${pages} where id = '${jobId}'`;
  if ("databaseUrl" in place) {
    await querySql(place.databaseUrl, `${insert} ${numbers} select ${row} from numbers`, count, "analyze");
    return;
  }
  const database = new LibsqlDatabase(join(place.dataDir, "trawl.db"));
  database.execute(`${numbers} ${insert} select ${row} from numbers`);
  database.execute(count);
  database.close();
}

/** The pages of a site, as a crawl that has met them all knows them. */
async function addSite(place, jobId, url) {
  const identify = createPageIdentity({ ignoreQueryParameters: false, deduplicateSimilarURLs: true });
  const rows = Array.from({ length: sitePages - 1 }, (_, index) => {
    const page = `${url}articles/page-${index + 1}`;
    const row = {
      jobId,
      key: shortKey(identify(new URL(page))),
      place: 1 + index,
      id: `${jobId} of ${index}`,
      url: page,
    };
    return { ...row, depth: 1, kind: "page", step: null, state: "waiting" };
  });
  const store = await openStore(place);
  await store.transaction(async ({ jobPages, jobs }) => {
    await jobPages.add(rows);
    await jobs.change(jobId, { known: rows.length, waiting: rows.length });
  });
  await store.close();
}

async function measureClaims(options) {
  const jobs = [];
  for (let number = 0; number < 32; number += 1) jobs.push(await addJob(options, `job ${number}`, 20_000));
  const figures = [];
  for (const workers of [1, 4, 16]) {
    const results = await runClaims(options, jobs, workers);
    const claims = results.reduce((sum, { times }) => sum + times.length, 0);
    const pages = results.reduce((sum, result) => sum + result.pages, 0);
    const p95 = quantile(
      results.flatMap(({ times }) => times),
      0.95,
    );
    figures.push({
      what: `Claims of up to ${claimed} pages by ${workers} ${workers === 1 ? "worker" : "workers"}, each page ended too`,
      value: Math.round((claims * 1000) / claimMs),
      unit: "claims/s",
      bar: 0,
      isMinimum: true,
      detail: `${Math.round((pages * 1000) / claimMs)} pages/s, p95 of a claim ${p95.toFixed(1)} ms, 32 jobs of 32 teams`,
    });
  }
  return figures;
}

async function runClaims(options, jobs, count) {
  const workers = Array.from({ length: count }, (_, number) => {
    const workerData = {
      options: { ...options, poolSize: 2 },
      jobs,
      owner: `worker ${number}`,
      warmUpMs,
      ms: claimMs,
      room: claimed,
    };
    return new Worker(file("programs/claim-loop.mjs"), { workerData });
  });
  const next = (worker) => new Promise((received, failed) => worker.once("message", received).once("error", failed));
  await Promise.all(workers.map(next));
  const results = Promise.all(workers.map(next));
  for (const worker of workers) worker.postMessage("begin");
  return results;
}

/** Alone, so that nothing but the number of rows counts. */
async function measureWaiting(name, options) {
  const job = await addJob(options, "large", million);
  const [{ times }] = await runClaims(options, [job], 1);
  return {
    what: `A claim where a million pages wait, ${name}: p95`,
    value: Number(quantile(times, 0.95).toFixed(2)),
    unit: "ms",
    bar: 3,
    detail: `median ${median(times).toFixed(2)} ms of ${times.length} claims of ${claimed} pages`,
  };
}

/**
 * CPU of server and database for a page of a crawl whose frontier has so many rows that wait. The pages that are read, and those
 * that they link to, are the same and known from the start; the others only wait.
 */
async function costBehind(rows, place, { site, databasePid, folder }) {
  const env = { HOST_CONCURRENCY: "16", ...("dataDir" in place ? {} : { DATA_DIR: folder }) };
  const url = `${site}/frontier-${sitePages}/`;
  const first = await startServer(place, env);
  const { id } = await first.call("POST", "/v2/crawl", { url, limit: million, sitemap: "skip" });
  await first.call("POST", `/v2/crawl/${id}/pause`);
  await first.stop();
  await addSite(place, id, url);
  await addPlaceholders(place, id, rows);
  const server = await startServer(place, env);
  try {
    await server.call("POST", `/v2/crawl/${id}/resume`);
    const cpu = () => cpuMs(server.pid) + ("dataDir" in place ? 0 : treeCpuMs(databasePid));
    let done = await untilCompleted(server, id, 500);
    const costs = [];
    for (let round = 0; round < rounds; round += 1) {
      const [from, before] = [done, cpu()];
      done = await untilCompleted(server, id, from + pagesMeasured / rounds);
      costs.push((cpu() - before) / (done - from));
    }
    await server.call("DELETE", `/v2/crawl/${id}`);
    return Math.min(...costs);
  } finally {
    await server.stop();
  }
}

async function compareFrontiers(name, emptyPlace, context) {
  const small = await costBehind(few, await emptyPlace(), context);
  const large = await costBehind(million, await emptyPlace(), context);
  return {
    what: `CPU per page behind a frontier of 1,000,000 rows, relative to 10,000, ${name}`,
    value: Number((large / small).toFixed(2)),
    unit: "×",
    bar: 1.15,
    detail: `${small.toFixed(2)} ms and ${large.toFixed(2)} ms a page, the database included`,
  };
}
