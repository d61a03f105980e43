// Many monitors: a thousand hourly ones over a simulated day, fifty that are due at once in real time, and what a server with a
// thousand of them costs while none is due.
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { cpuMs, memoryMb, send, startProgram } from "../../bench/measure.mjs";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const cli = fileURLToPath(new URL("../../dist/cli.js", import.meta.url));
const idleMs = 20_000;
const key = "fc-0123456789abcdef0123456789abcdef";
const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
const stories = { day: proveDay, "due-at-once": proveDueAtOnce, idle: proveIdle };

/** Words are the stories to prove; without any, all. */
export async function prove(words) {
  const rows = [];
  for (const story of words.length === 0 ? Object.keys(stories) : words) {
    const folder = mkdtempSync(join(tmpdir(), "trawl-prove-"));
    try {
      rows.push(...(await stories[story](folder)));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  return rows;
}

async function startApp(folder, clock) {
  const [{ start }, { loadConfig }, { createLog }] = await Promise.all([
    import("../../dist/app.js"),
    import("../../dist/config.js"),
    import("../../dist/base/index.js"),
  ]);
  const config = loadConfig({
    PORT: "0",
    HOST: "127.0.0.1",
    DATA_DIR: join(folder, "data"),
    TRAWL_API_KEYS: `default:${key}:0`,
    OPEN_SEARCH: "0",
    ALLOWED_PRIVATE_HOSTS: "127.0.0.1",
    RATE_LIMIT_JOB: "0",
  });
  return (role) => start(config, { log: createLog("error"), clock, role });
}

async function callerOf(app) {
  const { id: teamId } = await app.accounts.teams.findOrCreate("default");
  const holder = { teamId, teamName: "default", keyId: null, keyName: "", requestsPerMinute: null };
  return { ...holder, apiVersion: "v2", baseUrl: app.url, idempotencyKey: null };
}

/** The scheduler alone: each check is ended as soon as it was started. */
async function proveDay(folder) {
  let now = Date.parse("2026-11-16T12:00:00Z");
  const app = await (await startApp(folder, { now: () => now }))("api");
  const caller = await callerOf(app);
  const search = { type: "search", queries: ["otters"] };
  const body = { name: "n", retentionDays: 30, dryRun: false, judgeEnabled: false, targets: [search] };
  for (let count = 0; count < 1000; count += 1)
    await app.operations.createMonitor({ ...body, schedule: { text: "hourly", timezone: "UTC" } }, caller);
  const late = [];
  const perSecond = new Map();
  const starts = new Map();
  for (let minute = 0; minute < 24 * 60; minute += 1) {
    now += minuteMs;
    await app.work.runDueMonitors(new AbortController().signal);
    const started = await app.store.checks.listOpen();
    await app.store.transaction(async ({ checks, monitors, jobs }) => {
      for (const { id, monitorId, createdAt, scheduledFor } of started) {
        late.push(createdAt - scheduledFor);
        perSecond.set(scheduledFor, (perSecond.get(scheduledFor) ?? 0) + 1);
        starts.set(monitorId, (starts.get(monitorId) ?? 0) + 1);
        await checks.change(id, { status: "completed", finishedAt: now });
        await monitors.change(monitorId, { currentCheckId: null });
        await jobs.change(id, { set: { status: "completed", finishedAt: now } });
      }
    });
  }
  await app.stop();
  const latest = Math.max(...late) / 1000;
  const counts = [...starts.values()];
  return [
    {
      subject: "1,000 hourly monitors over a simulated day",
      holds: latest <= 300 && counts.length === 1000 && counts.every((count) => count === 24),
      figure: `${late.length} checks, the latest ${latest} s after its time, at most ${Math.max(...perSecond.values())} for one second`,
    },
  ];
}

async function proveDueAtOnce(folder) {
  const site = createServer((request, response) => {
    const html = `<title>${request.url}</title><main><h1>Page ${request.url}</h1><p>Some text.</p></main>`;
    response.writeHead(200, { "content-type": "text/html" }).end(html);
  });
  await new Promise((done) => site.listen(0, "127.0.0.1", done));
  let offset = 0;
  const app = await (await startApp(folder, { now: () => Date.now() + offset }))("all");
  const ids = [];
  for (let index = 0; index < 50; index += 1) {
    const urls = Array.from({ length: 50 }, (_, page) => `http://127.0.0.1:${site.address().port}/${index}/${page}`);
    const body = JSON.stringify({ name: "n", schedule: { cron: "0 * * * *" }, targets: [{ type: "scrape", urls }] });
    const answer = await (await fetch(`${app.url}/v2/monitor`, { method: "POST", headers, body })).json();
    ids.push(answer.data.id);
  }
  offset = hourMs - (Date.now() % hourMs);
  const from = Date.now();
  const waits = [];
  let pages = 0;
  for (const id of ids) {
    for (;;) {
      const { data } = await (await fetch(`${app.url}/v2/monitor/${id}/checks`, { headers })).json();
      const [check] = data;
      if (check?.finishedAt) {
        waits.push(Date.parse(check.startedAt) - Date.parse(check.scheduledFor));
        pages += check.summary.new;
        break;
      }
      await wait(250);
    }
  }
  const seconds = Math.round((Date.now() - from) / 1000);
  await app.stop();
  site.close();
  const latest = Math.max(...waits) / 1000;
  return [
    {
      subject: "50 monitors of 50 pages, due at once",
      holds: latest <= 300 && pages === 2500,
      figure: `the latest started after ${latest} s; ${pages} pages in ${seconds} s`,
    },
  ];
}

async function proveIdle(folder) {
  const keys = { TRAWL_API_KEYS: `default:${key}:0` };
  const env = { PORT: "0", DATA_DIR: join(folder, "data"), RATE_LIMIT_JOB: "0", OPEN_SEARCH: "0", ...keys };
  const until = /API page\s+(http:\S+)\/docs/;
  const first = await startProgram([cli, "serve"], { env, until });
  const [, url] = first.match;
  const targets = [{ type: "search", queries: ["otters"] }];
  const body = JSON.stringify({ name: "n", judgeEnabled: false, schedule: { text: "monthly" }, targets });
  for (let count = 0; count < 1000; count += 1) await send({ url: `${url}/v2/monitor`, method: "POST", headers, body });
  await first.stop();
  const server = await startProgram([cli, "serve"], { env, until });
  await wait(10_000);
  const memory = Math.round(memoryMb(server.pid));
  const before = cpuMs(server.pid);
  await wait(idleMs);
  const share = Math.round(((cpuMs(server.pid) - before) / idleMs) * 1000) / 10;
  await server.stop();
  return [
    { subject: "idle memory with 1,000 monitors", holds: memory <= 120, figure: `${memory} MB (bar 120)` },
    { subject: "idle CPU with 1,000 monitors", holds: share <= 3, figure: `${share} % of one core (bar 3)` },
  ];
}
