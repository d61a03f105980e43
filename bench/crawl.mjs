// A crawl from start to stored results: its CPU relative to a bare sketch and to Crawlee, whether its cost and memory stay flat
// up to 20,000 pages, and whether the last page of results costs as little as the first.
// Only the CPU of the server process counts (with its threads; it starts no other process), not that of the fixture site or
// the client. All programs are warm, crawl identical sites with the same concurrency, and take turns.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { installRivals } from "./install-rivals.mjs";
import { cpuMs, load, median, memoryMb, send, startProgram } from "./measure.mjs";

const file = (name) => fileURLToPath(new URL(name, import.meta.url));
const concurrency = 16;
const rounds = 3;
const pages = 2000;
const rivalPages = 400;
const warmUpPages = 500;
const manyPages = 20_000;
/** Pages compared at each end of the long crawl, in windows. */
const endPages = 4000;
const windowPages = 500;
/** Longer than the delay before a page is indexed. */
const indexMs = 1500;
const statusRounds = 5;
const statusCalls = 40;
const key = "fc-0123456789abcdef0123456789abcdef";
const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };

let siteCount = 0;

export async function measure() {
  installRivals();
  const folder = mkdtempSync(join(tmpdir(), "trawl-bench-"));
  const fixture = await startProgram([file("fixtures/crawl-site.mjs")], { until: /listening (http:\S+)/ });
  const newSite = (count) => {
    siteCount += 1;
    return `${fixture.match[1]}/site${siteCount}-${count}/`;
  };
  try {
    const costs = await compareCosts(folder, newSite);
    const server = await startServer(join(folder, "long"));
    const long = await measureLongCrawl(server, newSite).finally(server.stop);
    return [...figuresOfCosts(costs), ...long];
  } finally {
    await fixture.stop();
    rmSync(folder, { recursive: true });
  }
}

async function startServer(dataDir, ownIndex = "0") {
  const server = await startProgram([file("../dist/cli.js"), "serve"], {
    env: {
      PORT: "0",
      DATA_DIR: dataDir,
      TRAWL_API_KEYS: `bench:${key}:0`,
      HOST: "127.0.0.1",
      ALLOWED_PRIVATE_HOSTS: "127.0.0.1",
      HOST_CONCURRENCY: String(concurrency),
      OWN_INDEX: ownIndex,
    },
    until: /API page\s+(http:\S+)\/docs/,
  });
  return { ...server, url: server.match[1] };
}

/** Crawls a site to its end; `onProgress` gets the number of stored pages. Resolves with the URL of the job. */
async function crawl(server, site, count, onProgress = () => {}) {
  const body = JSON.stringify({
    url: site,
    limit: count,
    maxConcurrency: concurrency,
    scrapeOptions: { formats: ["markdown"] },
  });
  const { id } = JSON.parse(await send({ url: `${server.url}/v2/crawl`, method: "POST", headers, body }));
  const job = `${server.url}/v2/crawl/${id}`;
  for (;;) {
    // Skips all pages, so that polling costs next to nothing.
    const { status, completed } = JSON.parse(await send({ url: `${job}?skip=${count}&limit=1`, headers }));
    onProgress(completed);
    if (status !== "scraping") {
      if (status !== "completed" || completed !== count)
        throw new Error(`${status} with ${completed} of ${count} pages`);
      return job;
    }
    await wait(100);
  }
}

/** Pages are indexed shortly after they are stored. */
async function crawlAndIndex(server, newSite, count) {
  await crawl(server, newSite(count), count);
  await wait(indexMs);
}

/** CPU in milliseconds per page. */
async function costOf(pid, count, work) {
  const before = cpuMs(pid);
  await work();
  return (cpuMs(pid) - before) / count;
}

async function compareCosts(folder, newSite) {
  const server = await startServer(join(folder, "costs"));
  const indexing = await startServer(join(folder, "indexed"), "1");
  const startOther = async (program, ...words) => {
    const { pid, ask, stop } = await startProgram([file(program), ...words, String(concurrency)], { until: /ready/ });
    const read = async (count) => {
      const [, done] = await ask(`${newSite(count)}\n`, /done (\d+)/);
      if (Number(done) !== count) throw new Error(`${program} ${words} read ${done} of ${count} pages`);
    };
    return { pid, read, stop };
  };
  const contenders = {
    ours: { pid: server.pid, count: pages, read: (count) => crawl(server, newSite(count), count), stop: server.stop },
    indexed: {
      pid: indexing.pid,
      count: pages,
      read: (count) => crawlAndIndex(indexing, newSite, count),
      stop: indexing.stop,
    },
    sketch: { count: pages, ...(await startOther("fixtures/crawl-sketch.mjs")) },
    kreuzberg: { count: rivalPages, ...(await startOther("rivals/crawlee.mjs", "kreuzberg")) },
    turndown: { count: rivalPages, ...(await startOther("rivals/crawlee.mjs", "turndown")) },
  };
  const costs = Object.fromEntries(Object.keys(contenders).map((name) => [name, []]));
  try {
    for (const { count, read } of Object.values(contenders)) await read(Math.min(count, warmUpPages));
    for (let round = 0; round < rounds; round += 1) {
      for (const [name, { pid, count, read }] of Object.entries(contenders)) {
        costs[name].push(await costOf(pid, count, () => read(count)));
      }
    }
  } finally {
    for (const { stop } of Object.values(contenders)) await stop();
  }
  return Object.fromEntries(Object.entries(costs).map(([name, values]) => [name, median(values)]));
}

function figuresOfCosts({ ours, indexed, sketch, kreuzberg, turndown }) {
  const against = (other) => ({
    value: round3(ours / other),
    detail: `${round3(ours)} and ${round3(other)} ms of CPU per page`,
  });
  return [
    {
      what: `Crawl of ${pages.toLocaleString("en")} pages of 25 KB: CPU per 1,000 stored pages`,
      value: round3(ours),
      unit: "s",
      bar: 5,
    },
    { what: "The same with the local index", value: round3(indexed), unit: "s", bar: 6.5 },
    {
      what: "The same crawl relative to a one-pass sketch that stores nothing: CPU",
      ...against(sketch),
      unit: "times",
      bar: 3,
    },
    {
      what: "The same crawl relative to `@crawlee/cheerio` with `@kreuzberg/html-to-markdown-node`: CPU",
      ...against(kreuzberg),
      unit: "times",
      bar: 0.25,
    },
    {
      what: "The same crawl relative to `@crawlee/cheerio` with `turndown`: CPU",
      ...against(turndown),
      unit: "times",
      bar: 0.167,
    },
  ];
}

async function measureLongCrawl(server, newSite) {
  await crawl(server, newSite(warmUpPages), warmUpPages);
  const memoryBefore = memoryMb(server.pid);
  const samples = [];
  const job = await crawl(server, newSite(manyPages), manyPages, (completed) =>
    samples.push({ completed, cpu: cpuMs(server.pid), memory: memoryMb(server.pid) }),
  );
  const first = costBetween(samples, warmUpPages, warmUpPages + endPages);
  const last = costBetween(samples, manyPages - endPages, manyPages);
  const growth = samples.at(-1).memory - memoryBefore;
  const highest = Math.max(...samples.map(({ memory }) => memory)) - memoryBefore;
  const status = await compareStatusCalls(server, job);
  return [
    {
      what: `Crawl of ${manyPages.toLocaleString("en")} pages: CPU per page of the last ${endPages.toLocaleString("en")} relative to as many after the first ${warmUpPages}`,
      value: round3(last / first),
      unit: "times",
      bar: 1.3,
      detail: `${round3(last)} and ${round3(first)} ms, medians of windows of ${windowPages}`,
    },
    {
      what: `The same crawl: resident memory at its end above that after ${warmUpPages} pages`,
      value: Math.round(growth),
      unit: "MB",
      bar: 150,
      detail: `from ${Math.round(memoryBefore)} MB; at its peak ${Math.round(highest)} MB more`,
    },
    status,
  ];
}

/** CPU in milliseconds per page, the median of windows between two numbers of stored pages. */
function costBetween(samples, from, to) {
  const costs = [];
  for (let start = from; start + windowPages <= to; start += windowPages) {
    const begin = samples.find(({ completed }) => completed >= start);
    const end = samples.find(({ completed }) => completed >= start + windowPages);
    if (end.completed > begin.completed) costs.push((end.cpu - begin.cpu) / (end.completed - begin.completed));
  }
  return median(costs);
}

async function compareStatusCalls(server, job) {
  const spend = (skip) =>
    costOf(server.pid, statusCalls, () =>
      load(() => ({ url: `${job}?skip=${skip}&limit=100`, headers }), { count: statusCalls, connections: 4 }),
    );
  const lastSkip = manyPages - 100;
  await spend(0);
  await spend(lastSkip);
  const costs = { first: [], last: [] };
  for (let round = 0; round < statusRounds; round += 1) {
    costs.first.push(await spend(0));
    costs.last.push(await spend(lastSkip));
  }
  const [first, last] = [median(costs.first), median(costs.last)];
  return {
    what: `Status call with 100 documents at skip=${lastSkip}: CPU relative to skip=0`,
    value: round3(last / first),
    unit: "times",
    bar: 1.5,
    detail: `${round3(last)} and ${round3(first)} ms`,
  };
}

function round3(value) {
  return Math.round(value * 1000) / 1000;
}
