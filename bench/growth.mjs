// A crawl of 200,000 pages with default settings: whether its cost and memory stay flat, what a page takes on disk, and whether
// the last results of a job of 100,000 pages and more cost as little as the first. `npm run bench -- growth 20000` takes fewer
// pages. Only the server process counts, not the fixture site or the client.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { cpuMs, folderSize, load, median, memoryMb, startProgram } from "./measure.mjs";
import { crawlWhole, defaultSettings, startServer } from "./servers.mjs";

const file = (name) => fileURLToPath(new URL(name, import.meta.url));
const concurrency = 16;
const usualPages = 200_000;
const fewPages = 8000;
const warmUpPages = 500;
/** Pages compared at each end of the crawl, in windows. */
const endPages = 4000;
const windowPages = 500;
const statusRounds = 5;
const statusCalls = 40;
const settings = { ...defaultSettings, HOST_CONCURRENCY: String(concurrency) };

export async function measure([pagesText = String(usualPages)]) {
  const pages = Number(pagesText);
  const folder = mkdtempSync(join(tmpdir(), "trawl-bench-"));
  const fixture = await startProgram([file("fixtures/crawl-site.mjs")], { until: /listening (http:\S+)/ });
  try {
    const server = await startServer({ dataDir: folder }, settings);
    try {
      const crawl = (name, count, onProgress) =>
        crawlWhole(server, `${fixture.match[1]}/${name}-${count}/`, { count, concurrency, onProgress });
      await crawl("warm", warmUpPages);
      const few = await crawl("few", fewPages);
      const memoryBefore = memoryMb(server.pid);
      const sizeBefore = folderSize(folder);
      const samples = [];
      const many = await crawl("many", pages, (completed) =>
        samples.push({ completed, cpu: cpuMs(server.pid), memory: memoryMb(server.pid) }),
      );
      const size = (folderSize(folder) - sizeBefore) / pages;
      return [
        ...figuresOfGrowth(samples, pages, memoryBefore),
        { what: "The same crawl: bytes on disk per page", value: Math.round(size), unit: "bytes", bar: 30_000 },
        ...(await compareStatusCalls(server, { few, many }, pages)),
      ];
    } finally {
      await server.stop();
    }
  } finally {
    await fixture.stop();
    rmSync(folder, { recursive: true });
  }
}

function figuresOfGrowth(samples, pages, memoryBefore) {
  const first = costBetween(samples, warmUpPages, warmUpPages + endPages);
  const last = costBetween(samples, pages - endPages, pages);
  const growth = samples.at(-1).memory - memoryBefore;
  const highest = Math.max(...samples.map(({ memory }) => memory)) - memoryBefore;
  return [
    {
      what: `Crawl of ${pages.toLocaleString("en")} pages, default settings: CPU per page of the last ${endPages.toLocaleString("en")} relative to as many after the first ${warmUpPages}`,
      value: round3(last / first),
      unit: "times",
      bar: 1.3,
      detail: `${round3(last)} and ${round3(first)} ms, medians of windows of ${windowPages}`,
    },
    {
      what: `The same crawl: resident memory at its end above that after ${fewPages.toLocaleString("en")} pages`,
      value: Math.round(growth),
      unit: "MB",
      bar: 150,
      detail: `from ${Math.round(memoryBefore)} MB; at its peak ${Math.round(highest)} MB more`,
    },
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

/** 100 documents each; all of them take turns. */
async function compareStatusCalls(server, jobs, pages) {
  const places = {
    few: { job: jobs.few, skip: 0 },
    first: { job: jobs.many, skip: 0 },
    last: { job: jobs.many, skip: pages - 100 },
  };
  const spend = async ({ job, skip }) => {
    const before = cpuMs(server.pid);
    const request = { url: `${server.url}/v2/crawl/${job}?skip=${skip}&limit=100`, headers: server.headers };
    await load(() => request, { count: statusCalls, connections: 4 });
    return (cpuMs(server.pid) - before) / statusCalls;
  };
  const costs = { few: [], first: [], last: [] };
  for (const place of Object.values(places)) await spend(place);
  for (let round = 0; round < statusRounds; round += 1) {
    for (const [name, place] of Object.entries(places)) costs[name].push(await spend(place));
  }
  const [few, first, last] = [costs.few, costs.first, costs.last].map(median);
  const figure = (what, value) => ({
    what: `Status call with 100 documents of ${pages.toLocaleString("en")}, ${what}: CPU relative to the first of ${fewPages.toLocaleString("en")}`,
    value: round3(value / few),
    unit: "times",
    bar: 1.15,
    detail: `${round3(value)} and ${round3(few)} ms`,
  });
  return [figure("the first", first), figure("the last", last)];
}

function round3(value) {
  return Math.round(value * 1000) / 1000;
}
