// What one page of a crawl leaves and costs on several servers: rows and bytes by table, the log of the database, blobs outside of it,
// what the site sends, and CPU of the worker, the API server and PostgreSQL. One API server and one worker on PostgreSQL, blobs on disk.
// A browser server renders some pages beside it. bench/scale-sim.mjs reckons with these figures.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { cpuMs, folderSize, load, send, startProgram } from "./measure.mjs";
import { postmasterOf, startPostgres } from "./postgres.mjs";
import { treeCpuMs } from "./process-tree.mjs";

const file = (name) => fileURLToPath(new URL(name, import.meta.url));
const pages = 1000;
const warmUpPages = 300;
const concurrency = 16;
const statusCalls = 200;
const renderedPages = 20;
const key = "fc-0123456789abcdef0123456789abcdef";
const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };

export async function measure() {
  const folder = mkdtempSync(join(tmpdir(), "trawl-bench-"));
  const database = await startPostgres();
  const fixture = await startProgram([file("fixtures/soak-site.mjs")], { until: /listening (http:\S+)/ });
  const site = fixture.match[1];
  const started = [];
  const start = async (role) => {
    const server = await startServer(folder, database.url, role);
    started.push(server);
    return server;
  };
  try {
    const api = await start("api");
    const worker = await start("worker");
    const browser = await start("browser");
    const crawl = (count, name) => crawlSite(api, `${site}/0/${name}/0`, count);
    await crawl(warmUpPages, "warm");
    const look = async () => ({
      tables: await readTables(database),
      blobs: folderSize(join(folder, "blobs")),
      sent: Number(await send({ url: `${site}/bytes` })),
      worker: cpuMs(worker.pid),
      database: treeCpuMs(await postmasterOf(database)),
      ...(await readCounters(database)),
    });
    const before = await look();
    const job = await crawl(pages, "counted");
    // The local index and figures of use are written shortly after the pages.
    await wait(15_000);
    const after = await look();
    const apiBefore = cpuMs(api.pid);
    await load(() => ({ url: `${job}?limit=1`, headers }), { count: statusCalls });
    const statusMs = (cpuMs(api.pid) - apiBefore) / statusCalls;
    const renderMs = await measureRendering(api, browser, site);
    return figuresOf(before, after, { statusMs, renderMs });
  } finally {
    for (const { stop } of started) await stop();
    await fixture.stop();
    await database.remove();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function startServer(folder, databaseUrl, role) {
  const server = await startProgram([file("../dist/cli.js"), "serve", "--role", role], {
    env: {
      PORT: "0",
      HOST: "127.0.0.1",
      DATA_DIR: join(folder, role),
      DATABASE_URL: databaseUrl,
      TRAWL_SECRET: "x".repeat(32),
      TRAWL_API_KEYS: `bench:${key}:0`,
      ALLOWED_PRIVATE_HOSTS: "127.0.0.1",
      HOST_CONCURRENCY: String(concurrency),
      BLOBS: "disk",
      BLOBS_DIR: join(folder, "blobs"),
      OPEN_SEARCH: "0",
      OWN_INDEX: "0",
      LOG_LEVEL: "error",
      ...(role === "browser" ? {} : { CHROMIUM_PATH: "/none" }),
    },
    until: /(?:API page\s+|is processing.*)(http:\S+)\/(?:docs|health)/,
  });
  return { ...server, url: server.match[1] };
}

/** CPU of the browser server with its Chromium, which has started before. */
async function measureRendering(api, browser, site) {
  for (;;) {
    const { browser: known } = JSON.parse(await send({ url: `${api.url}/health/readiness` }));
    if (known.available) break;
    await wait(500);
  }
  const scrape = async (count, name) => {
    for (let index = 0; index < count; index += 1) {
      const url = `${site}/0/${name}/${index}`;
      const body = JSON.stringify({ url, formats: ["markdown"], waitFor: 1 });
      await send({ url: `${api.url}/v2/scrape`, method: "POST", headers, body });
    }
  };
  await scrape(5, "first");
  const before = treeCpuMs(browser.pid);
  await scrape(renderedPages, "rendered");
  return (treeCpuMs(browser.pid) - before) / renderedPages;
}

async function crawlSite(api, url, count) {
  const body = JSON.stringify({
    url,
    limit: count,
    sitemap: "skip",
    crawlEntireDomain: true,
    scrapeOptions: { formats: ["markdown"] },
  });
  const { id } = JSON.parse(await send({ url: `${api.url}/v2/crawl`, method: "POST", headers, body }));
  const job = `${api.url}/v2/crawl/${id}`;
  for (;;) {
    const { status, completed } = JSON.parse(await send({ url: `${job}?skip=${count}&limit=1`, headers }));
    if (status === "completed" && completed === count) return job;
    if (status !== "scraping") throw new Error(`${status} with ${completed} of ${count} pages`);
    await wait(500);
  }
}

/** Rows and bytes with indexes of every table, after what is dead in them was cleared away. */
async function readTables({ url, query }) {
  await query(url, "vacuum analyze");
  const rows = await query(
    url,
    `select relname as name, pg_total_relation_size(relid) as bytes from pg_stat_user_tables`,
  );
  const counted = [];
  for (const { name, bytes } of rows) {
    const [{ n }] = await query(url, `select count(*)::int as n from "${name}"`);
    counted.push([name, { bytes: Number(bytes), rows: n }]);
  }
  return Object.fromEntries(counted);
}

async function readCounters({ url, query }) {
  const [row] = await query(
    url,
    `select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as log, xact_commit::float8 as transactions
     from pg_stat_database where datname = current_database()`,
  );
  return row;
}

function figuresOf(before, after, { statusMs, renderMs }) {
  const perPage = (name) => (after[name] - before[name]) / pages;
  const ofTable = (name, what) => (after.tables[name][what] - before.tables[name][what]) / pages;
  const names = Object.keys(after.tables);
  const sum = (what, some = names) => some.reduce((total, name) => total + ofTable(name, what), 0);
  const byTable = (what) =>
    names
      .map((name) => [name, ofTable(name, what)])
      .filter(([, value]) => value >= 0.01)
      .toSorted(([, one], [, other]) => other - one)
      .map(([name, value]) => `${name} ${round(value)}`)
      .join(", ");
  const figure = (what, value, unit, detail) => ({
    what,
    value: round(value),
    unit,
    bar: 0,
    isMinimum: true,
    ...(detail ? { detail } : {}),
  });
  return [
    figure("Rows of one crawled page of 23 KB", sum("rows"), "rows", byTable("rows")),
    figure("Bytes of those rows with their indexes", sum("bytes"), "bytes", byTable("bytes")),
    figure("Blobs of the page outside of the database", perPage("blobs"), "bytes"),
    figure("Log that PostgreSQL writes for it", perPage("log"), "bytes"),
    figure("Transactions for it, idle servers included", perPage("transactions"), "transactions"),
    figure("Bytes that the site sends for it", perPage("sent"), "bytes"),
    figure("CPU of the worker for it", perPage("worker"), "ms"),
    figure("CPU of PostgreSQL for it", perPage("database"), "ms"),
    figure("CPU of the API server for one status call", statusMs, "ms"),
    figure(
      "CPU of a browser server for one rendered page",
      renderMs,
      "ms",
      "with its Chromium, which has started before",
    ),
  ];
}

function round(value) {
  return Math.round(value * 1000) / 1000;
}
