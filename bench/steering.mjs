// A second crawl of a site that has not changed and says so (304), relative to the first: CPU of the server process and bytes that
// the site sent. The server runs with its default settings, the local index included; each round crawls a new site twice. Then what
// a server that has nothing to do costs with a thousand schedules and with none.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { cpuMs, median, memoryMb, send, startProgram, threadsCpuMs } from "./measure.mjs";

const file = (name) => fileURLToPath(new URL(name, import.meta.url));
const pages = 1000;
const rounds = 5;
/**
 * Until V8 has compiled what both crawls run. Of a thousand short pages in the third round, its compiler still took a quarter of the
 * CPU; it is done once in a server's life.
 */
const warmUps = 10;
/** Longer than the delay before a page is indexed. */
const indexMs = 1500;
/** The same for both crawls, and four times as often as the clients do. */
const pollMs = 500;
const schedules = 1000;
/** Until what a start leaves behind is gone. */
const settlingMs = 15_000;
const idleMs = 20_000;
const key = "fc-0123456789abcdef0123456789abcdef";
const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };

export async function measure() {
  const folder = mkdtempSync(join(tmpdir(), "trawl-bench-"));
  const fixture = await startProgram([file("fixtures/crawl-site.mjs")], { until: /listening (http:\S+)/ });
  const server = await startServer(join(folder, "data"));
  const site = fixture.match[1];
  try {
    const crawls = await compareCrawls(server, site);
    await server.stop();
    return [
      ...crawls,
      ...(await measureIdle(join(folder, "none"), 0)),
      ...(await measureIdle(join(folder, "many"), schedules)),
    ];
  } finally {
    await server.stop();
    await fixture.stop();
    rmSync(folder, { recursive: true });
  }
}

/** None of the schedules comes due meanwhile. */
async function measureIdle(dataDir, count) {
  const first = await startServer(dataDir);
  const targets = [{ type: "search", queries: ["otters"] }];
  const body = JSON.stringify({ name: "n", judgeEnabled: false, schedule: { text: "monthly" }, targets });
  for (let made = 0; made < count; made += 1) {
    await send({ url: `${first.url}/v2/monitor`, method: "POST", headers, body });
  }
  await first.stop();
  const server = await startServer(dataDir);
  await wait(settlingMs);
  const before = threadsCpuMs(server.pid);
  await wait(idleMs);
  const share = (100 * (threadsCpuMs(server.pid) - before)) / idleMs;
  const memory = memoryMb(server.pid);
  await server.stop();
  const what = `with ${count === 0 ? "no schedule" : `${count.toLocaleString("en")} schedules`}`;
  return [
    { what: `Idle memory ${what}`, value: Math.round(memory), unit: "MB", bar: 120 },
    { what: `Idle CPU ${what}`, value: round3(share), unit: "% of one core", bar: 3 },
  ];
}

async function startServer(dataDir) {
  const server = await startProgram([file("../dist/cli.js"), "serve"], {
    env: {
      PORT: "0",
      DATA_DIR: dataDir,
      TRAWL_API_KEYS: `bench:${key}:0`,
      HOST: "127.0.0.1",
      ALLOWED_PRIVATE_HOSTS: "127.0.0.1",
      HOST_CONCURRENCY: "16",
      RATE_LIMIT_JOB: "0",
    },
    until: /API page\s+(http:\S+)\/docs/,
  });
  return { ...server, url: server.match[1] };
}

/** Until its pages are indexed. Answers CPU in milliseconds and bytes of the site. */
async function crawl(server, site, options, isRight) {
  const bytesSent = async () => Number(await send({ url: `${new URL(site).origin}/bytes` }));
  const before = { cpu: cpuMs(server.pid), bytes: await bytesSent() };
  const body = JSON.stringify({ limit: pages, scrapeOptions: { formats: ["markdown"] }, ...options });
  const { id } = JSON.parse(await send({ url: `${server.url}/v2/crawl`, method: "POST", headers, body }));
  for (;;) {
    // Skips all pages, so that polling costs next to nothing.
    const job = JSON.parse(await send({ url: `${server.url}/v2/crawl/${id}?skip=${pages}&limit=1`, headers }));
    if (job.status !== "scraping") {
      if (!isRight(job)) throw new Error(`${job.status} with ${job.completed} pages and ${job.creditsUsed} credits`);
      break;
    }
    await wait(pollMs);
  }
  await wait(indexMs);
  return { cpu: cpuMs(server.pid) - before.cpu, bytes: (await bytesSent()) - before.bytes };
}

async function compareCrawls(server, site) {
  const isWhole = ({ completed, creditsUsed }) => completed === pages && creditsUsed === pages;
  const isFree = ({ completed, creditsUsed }) => completed === pages && creditsUsed === 0;
  const results = [];
  for (let round = 0; round < warmUps + rounds; round += 1) {
    const url = `${site}/kept${round}-${pages}/`;
    const first = await crawl(server, url, { url }, isWhole);
    const second = await crawl(server, url, { url, changedSince: "last" }, isFree);
    if (round >= warmUps) results.push({ first, second });
  }
  const of = (crawlName, what) => median(results.map((result) => result[crawlName][what]));
  const share = (what) => (100 * of("second", what)) / of("first", what);
  const perPage = (crawlName) => round3(of(crawlName, "cpu") / pages);
  return [
    {
      what: `Second crawl of an unchanged site of ${pages.toLocaleString("en")} pages of 25 KB (304): CPU relative to the first`,
      value: round3(share("cpu")),
      unit: "%",
      bar: 10,
      detail: `${perPage("second")} and ${perPage("first")} ms per page`,
    },
    {
      what: "The same: bytes that the site sent relative to the first",
      value: round3(share("bytes")),
      unit: "%",
      bar: 10,
      detail: `${Math.round(of("second", "bytes") / 1024)} and ${Math.round(of("first", "bytes") / 1024)} KB`,
    },
  ];
}

function round3(value) {
  return Math.round(value * 1000) / 1000;
}
