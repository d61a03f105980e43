// One server under mixed load for twenty minutes (`--minutes N` for another length): 200 parallel scrapes, 1,000 crawls of 20 teams that
// wait most of the time, 500 WebSockets that follow them, more than 10,000 lines of activity a minute, and a team that asks for far
// more than its limit. Site, callers and the light calls that are timed are separate programs. Whether memory and file handles stay
// flat is the slope of a line through samples of every five seconds after the first quarter.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { cpuMs, memoryMb, quantile, startProgram } from "./measure.mjs";

const file = (name) => fileURLToPath(new URL(name, import.meta.url));
const usualMinutes = 20;
const sampleMs = 5000;
const lightEveryMs = 200;
const teams = 20;
const keyOf = (index) => `fc-${String(index).padStart(32, "0")}`;
const keys = Array.from({ length: teams }, (_, index) => keyOf(index));
const lightKey = keyOf(teams);
const floodKey = keyOf(teams + 1);
const floodPerMinute = 60;
const plan = {
  keys,
  floodKey,
  crawls: 1000,
  sockets: 500,
  scrapes: 200,
  cachedPerSecond: 150,
  pageMs: 2500,
  crawlDelaySeconds: 40,
  floodScrapes: 200,
  floodEveryMs: 10_000,
};

export async function measure(words = []) {
  const minutes = words[0] === "--minutes" ? Number(words[1]) : usualMinutes;
  const folder = mkdtempSync(join(tmpdir(), "trawl-soak-"));
  const site = await startProgram([file("fixtures/soak-site.mjs")], { until: /listening (http:\S+)/ });
  try {
    const mixed = await runMixed(folder, site.match[1], minutes * 60);
    return [...figuresOf(mixed, minutes), ...(await refuseJobs(folder, site.match[1]))];
  } finally {
    await site.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function startServer(folder, env = {}) {
  const teamKeys = [...keys, lightKey].map((key, index) => `team${index}:${key}:0`);
  const server = await startProgram([file("../dist/cli.js"), "serve"], {
    env: {
      PORT: "0",
      HOST: "127.0.0.1",
      DATA_DIR: join(folder, "data"),
      TRAWL_API_KEYS: [...teamKeys, `flood:${floodKey}:${floodPerMinute}`].join(","),
      ALLOWED_PRIVATE_HOSTS: "127.0.0.1",
      // One site stands for many.
      HOST_CONCURRENCY: "1000",
      OPEN_SEARCH: "0",
      LOG_LEVEL: "error",
      ...env,
    },
    until: /API page\s+(http:\S+)\/docs/,
  });
  return { ...server, url: server.match[1] };
}

async function runMixed(folder, site, seconds) {
  const delays = join(folder, "delays.json");
  const watched = `--import=${new URL("fixtures/loop-delay.mjs", import.meta.url).href}`;
  const server = await startServer(folder, { NODE_OPTIONS: watched, LOOP_DELAY_FILE: delays });
  const words = [file("fixtures/soak-load.mjs"), server.url, site, JSON.stringify(plan)];
  const load = await startProgram(words, { until: /ready/ });
  const from = Date.now();
  const before = cpuMs(server.pid);
  const light = timeLightCalls(server.url);
  const samples = [];
  const loads = [];
  while (Date.now() - from < seconds * 1000) {
    await wait(sampleMs);
    const handles = readdirSync(`/proc/${server.pid}/fd`).length;
    samples.push({ second: (Date.now() - from) / 1000, memory: memoryMb(server.pid), handles });
    loads.push(loadavg()[0]);
    if (samples.length % 12 === 0) console.log(samples.at(-1));
  }
  const cpu = (cpuMs(server.pid) - before) / (Date.now() - from);
  const [, came] = await load.ask("\n", /came to (.*) \./);
  const lightMs = await light.stop();
  await load.stop();
  await server.stop();
  const delay = JSON.parse(readFileSync(delays, "utf8"));
  return { samples, lightMs, cpu, delay, load: quantile(loads, 0.5), came: JSON.parse(came) };
}

/** One at a time, at a steady pace. */
function timeLightCalls(url) {
  const took = [];
  let isOver = false;
  const ask = async () => {
    while (!isOver) {
      const startedAt = performance.now();
      const { status } = await fetch(`${url}/v2/team/credit-usage`, {
        headers: { authorization: `Bearer ${lightKey}` },
      });
      if (status !== 200) throw new Error(`a light call was answered with ${status}`);
      took.push(performance.now() - startedAt);
      await wait(lightEveryMs);
    }
  };
  const asking = ask();
  return {
    async stop() {
      isOver = true;
      await asking;
      return took;
    },
  };
}

/** A server that is short of memory refuses new jobs and goes on with everything else. */
async function refuseJobs(folder, site) {
  const server = await startServer(folder, { MEMORY_LIMIT_MB: "64" });
  try {
    const light = timeLightCalls(server.url);
    const body = JSON.stringify({ url: `${site}/0/refused/0`, limit: 1 });
    const headers = { authorization: `Bearer ${keys[0]}`, "content-type": "application/json" };
    const start = () => fetch(`${server.url}/v2/crawl`, { method: "POST", headers, body });
    const answers = [];
    for (let round = 0; round < 20; round += 1) {
      answers.push(...(await Promise.all(Array.from({ length: 20 }, start))));
      await wait(lightEveryMs);
    }
    const refused = answers.filter(({ status, headers }) => status === 503 && Number(headers.get("retry-after")) > 0);
    const took = await light.stop();
    return [
      {
        what: "New jobs on a server that is short of memory: answers other than 503 with Retry-After",
        value: answers.length - refused.length,
        unit: "responses",
        bar: 0,
        detail: `${answers.length} jobs; slowest light call meanwhile ${Math.round(Math.max(...took))} ms`,
      },
    ];
  } finally {
    await server.stop();
  }
}

function figuresOf({ samples, lightMs, cpu, delay, load, came }, minutes) {
  const steady = samples.slice(Math.floor(samples.length / 4));
  const memory = trendOf(steady, "memory");
  const handles = trendOf(steady, "handles");
  const { refused, withoutRetryAfter, flooded, messages, scrapes, cached, wrong, seconds } = came;
  const wrongCount = Object.values(wrong).reduce((sum, count) => sum + count, 0);
  const light = (share) => Math.round(quantile(lightMs, share));
  return [
    {
      what: `Mixed load for ${minutes} minutes: growth of resident memory after the first quarter`,
      value: memory.growth,
      unit: "%",
      bar: 10,
      detail: `slope ${memory.slope} MB per hour, mean ${memory.mean} MB, peak ${memory.peak} MB; the server took ${Math.round(cpu * 100)} % of a core, and the load of the machine of ${cpus().length} cores was ${load.toFixed(1)}`,
    },
    {
      what: "The same: growth of open file handles",
      value: handles.growth,
      unit: "%",
      bar: 5,
      detail: `slope ${handles.slope} per hour, mean ${handles.mean}, peak ${handles.peak}`,
    },
    {
      what: "The same: delay of the event loop, 99th percentile",
      value: delay.p99,
      unit: "ms",
      bar: 100,
      detail: `median ${delay.p50} ms, longest ${delay.most} ms; timers of 5 ms are part of it`,
    },
    {
      what: "The same: light calls, 99th percentile",
      value: light(0.99),
      unit: "ms",
      bar: 250,
      detail: `${lightMs.length} calls, median ${light(0.5)} ms, slowest ${light(1)} ms`,
    },
    {
      what: "The same: lines of activity per minute",
      value: Math.round(((scrapes + cached) / seconds) * 60),
      unit: "rows",
      bar: 10_000,
      isMinimum: true,
      detail: `${scrapes} scrapes of pages that take 2.5 s, ${cached} cached ones, ${messages} messages over ${plan.sockets} WebSockets of ${plan.crawls} crawls`,
    },
    {
      what: "The same: wrong answers and lost WebSockets",
      value: wrongCount,
      unit: "responses",
      bar: 0,
      ...(wrongCount > 0 ? { detail: JSON.stringify(wrong) } : {}),
    },
    {
      what: "A team beyond its limit: refusals without Retry-After",
      value: withoutRetryAfter,
      unit: "responses",
      bar: 0,
      detail: `${refused} of ${flooded} refused`,
    },
  ];
}

/** The line through the samples by least squares: its rise per hour, and over their time in percent of the mean. */
function trendOf(samples, name) {
  const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const seconds = samples.map(({ second }) => second);
  const values = samples.map((sample) => sample[name]);
  const [middle, height] = [mean(seconds), mean(values)];
  const rise =
    seconds.reduce((sum, second, index) => sum + (second - middle) * (values[index] - height), 0) /
    seconds.reduce((sum, second) => sum + (second - middle) ** 2, 0);
  const span = seconds.at(-1) - seconds[0];
  return {
    slope: Math.round(rise * 3600),
    growth: Math.round(((rise * span) / height) * 1000) / 10,
    mean: Math.round(height),
    peak: Math.round(Math.max(...values)),
  };
}
