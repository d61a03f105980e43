// Eight browser sessions for five minutes under light load, each driven by Playwright over its cdpUrl: how many survive, what
// they use, and what is left after they end. BENCH_SECONDS shortens the run.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { startProgram } from "./measure.mjs";
import { listTree, treeCpuMs, treeMemoryMb } from "./process-tree.mjs";
import { startRenderedSite } from "./rendered-site.mjs";

const sessionCount = 8;
const seconds = Number(process.env.BENCH_SECONDS ?? 300);
const visitEveryMs = 5000;
const key = "fc-00000000000000000000000000000001";

export async function measure() {
  const site = await startRenderedSite();
  const folder = mkdtempSync(join(tmpdir(), "trawl-bench-"));
  const cli = fileURLToPath(new URL("../dist/cli.js", import.meta.url));
  const server = await startProgram([cli, "serve"], {
    env: {
      PORT: "0",
      HOST: "127.0.0.1",
      DATA_DIR: folder,
      TRAWL_API_KEYS: `bench:${key}:0`,
      ALLOWED_PRIVATE_HOSTS: "127.0.0.1",
      LOG_LEVEL: "error",
    },
    until: /API page\s+(http:\S+)\/docs/,
  });
  try {
    return await hold(server, site.url);
  } finally {
    await server.stop();
    await site.close();
    rmSync(folder, { recursive: true });
  }
}

async function hold(server, site) {
  const [, url] = server.match;
  const call = async (method, path, body) => {
    const headers = { authorization: `Bearer ${key}`, ...(body ? { "content-type": "application/json" } : {}) };
    const answer = await fetch(url + path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
    return { status: answer.status, body: await answer.json() };
  };
  const idle = { processes: listTree(server.pid).length, memory: treeMemoryMb(server.pid) };
  const opened = [];
  const openMs = [];
  for (let count = 0; count < sessionCount; count += 1) {
    const startedAt = performance.now();
    const { status, body } = await call("POST", "/v2/browser", { ttl: 3600, activityTtl: 60 });
    if (status !== 200) throw new Error(`no session: ${status} ${body.error}`);
    openMs.push(performance.now() - startedAt);
    opened.push(body);
  }
  const users = await Promise.all(opened.map((session) => use(session, `${site}/`)));
  const cpuBefore = treeCpuMs(server.pid);
  const startedAt = performance.now();
  const levels = [];
  while (performance.now() - startedAt < seconds * 1000) {
    await setTimeout(visitEveryMs);
    levels.push(treeMemoryMb(server.pid));
  }
  const wallMs = performance.now() - startedAt;
  const cpu = (treeCpuMs(server.pid) - cpuBefore) / wallMs;
  const visits = await Promise.all(users.map((user) => user.stop()));
  const { body } = await call("GET", "/v2/browser?status=active");
  const ended = await Promise.all(opened.map(({ id }) => call("DELETE", `/v2/browser/${id}`)));
  await setTimeout(1000);
  const left = listTree(server.pid).length - idle.processes;
  const perSession = (Math.max(...levels) - idle.memory) / sessionCount;
  const quarter = Math.ceil(levels.length / 4);
  const mean = (list) => list.reduce((sum, each) => sum + each, 0) / list.length;
  const growth = mean(levels.slice(-quarter)) - mean(levels.slice(0, quarter));
  const sum = (pick) => visits.reduce((total, visit) => total + pick(visit), 0);
  return [
    {
      what: `Browser sessions of ${sessionCount} that are alive after ${Math.round(wallMs / 1000)} s`,
      value: body.sessions.length,
      unit: "sessions",
      bar: sessionCount,
      isMinimum: true,
      detail: `opened in ${Math.round(mean(openMs))} ms each; ${ended.map((each) => each.body.creditsBilled).join(" ")} credits`,
    },
    {
      what: "Failed page visits over `cdpUrl`",
      value: sum(({ failed }) => failed),
      unit: "visits",
      bar: 0,
      detail: `of ${sum(({ done, failed }) => done + failed)}`,
    },
    { what: "Peak private memory per browser session", value: Math.round(perSession), unit: "MB", bar: 250 },
    {
      what: "Private memory of all sessions: last quarter of the run above the first",
      value: Math.round(growth),
      unit: "MB",
      bar: 200,
    },
    {
      what: `CPU of the server and all browsers, each visiting a page every ${visitEveryMs / 1000} s`,
      value: Math.round(cpu * 100) / 100,
      unit: "cores",
      bar: 2,
    },
    { what: "Processes left one second after the sessions ended", value: left, unit: "processes", bar: 0 },
  ];
}

/** A client that visits a page now and then. */
async function use({ cdpUrl }, url) {
  const browser = await chromium.connectOverCDP(cdpUrl);
  const page = await browser.contexts()[0].newPage();
  const stopping = new AbortController();
  const counts = { done: 0, failed: 0 };
  const work = (async () => {
    while (!stopping.signal.aborted) {
      try {
        await page.goto(url, { timeout: 30_000 });
        if ((await page.title()) === "") throw new Error("the page has no title");
        counts.done += 1;
      } catch {
        counts.failed += 1;
      }
      await setTimeout(visitEveryMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  })();
  return {
    async stop() {
      stopping.abort();
      await work;
      await browser.close();
      return counts;
    },
  };
}
