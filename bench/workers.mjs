// Two workers on one PostgreSQL beside one: CPU per page of a crawl, and their speed at a site that answers after 300 ms.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { cpuMs, startProgram } from "./measure.mjs";
import { startPostgres } from "./postgres.mjs";
import { startServer, untilCompleted } from "./servers.mjs";

const rounds = 2;

export async function measure() {
  const folder = mkdtempSync(join(tmpdir(), "trawl-bench-"));
  const database = await startPostgres();
  const site = fileURLToPath(new URL("fixtures/crawl-site.mjs", import.meta.url));
  const fixture = await startProgram([site], { until: /listening (http:\S+)/ });
  let made = 0;
  const emptyDatabase = async () => {
    made += 1;
    await database.query(database.url, `create database bench_${made}`);
    return { databaseUrl: database.url.replace(/\/postgres$/, `/bench_${made}`) };
  };
  try {
    return await compareWorkers(emptyDatabase, { site: fixture.match[1], folder });
  } finally {
    await fixture.stop();
    await database.remove();
    rmSync(folder, { recursive: true, maxRetries: 5 });
  }
}

/**
 * One API server and so many workers; resolves with what a crawl of this site took. Each worker reads as many pages as the one that is
 * alone: the first pages of a process cost more.
 */
async function crawlWith(workerCount, place, { site, folder }, { name, env, ...each }) {
  const [pages, warmUp] = [each.pages * workerCount, each.warmUp * workerCount];
  const api = await startServer(place, { ...env, DATA_DIR: folder }, "api");
  const workers = [];
  try {
    for (let number = 0; number < workerCount; number += 1)
      workers.push(await startServer(place, { ...env, DATA_DIR: folder }, "worker"));
    const warm = await api.call("POST", "/v2/crawl", { url: `${site}/${name}0-${warmUp}/`, sitemap: "skip" });
    await untilCompleted(api, warm.id, warmUp);
    const cpu = () => workers.reduce((sum, { pid }) => sum + cpuMs(pid), 0);
    const [startedAt, before] = [performance.now(), cpu()];
    const { id } = await api.call("POST", "/v2/crawl", { url: `${site}/${name}1-${pages}/`, sitemap: "skip" });
    await untilCompleted(api, id, pages);
    const seconds = (performance.now() - startedAt) / 1000;
    const cpuPerPage = (cpu() - before) / pages;
    return { cpuPerPage, pagesPerSecond: pages / seconds, load: (cpu() - before) / 1000 / seconds / workerCount };
  } finally {
    for (const server of [...workers, api]) await server.stop();
  }
}

async function compareWorkers(emptyPlace, context) {
  const busy = { name: "busy", pages: 1500, warmUp: 2000, env: { HOST_CONCURRENCY: "16" } };
  const [one, two] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    one.push((await crawlWith(1, await emptyPlace(), context, busy)).cpuPerPage);
    two.push((await crawlWith(2, await emptyPlace(), context, busy)).cpuPerPage);
  }
  const slow = { name: "slow", pages: 120, warmUp: 30, env: { HOST_CONCURRENCY: "16", WORKER_CONCURRENCY: "4" } };
  const alone = await crawlWith(1, await emptyPlace(), context, slow);
  const both = await crawlWith(2, await emptyPlace(), context, slow);
  return [
    {
      what: "CPU per page of two workers relative to one",
      value: Number((Math.min(...two) / Math.min(...one)).toFixed(2)),
      unit: "×",
      bar: 1.1,
      detail: `${Math.min(...two).toFixed(2)} ms and ${Math.min(...one).toFixed(2)} ms a page of 25 KB`,
    },
    {
      what: "Pages per second of two workers relative to one, WORKER_CONCURRENCY=4 and a site that answers after 300 ms",
      value: Number((both.pagesPerSecond / alone.pagesPerSecond).toFixed(2)),
      unit: "×",
      bar: 1.7,
      isMinimum: true,
      detail: `${both.pagesPerSecond.toFixed(1)} and ${alone.pagesPerSecond.toFixed(1)} pages/s; one worker takes ${Math.round(alone.load * 100)} % of a core`,
    },
  ];
}
