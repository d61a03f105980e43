// Cold start, idle memory and CPU, and the CPU of an authenticated usage call relative to a bare echo of the same bytes.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { cpuMs, load, median, memoryMb, send, startProgram, threadsCpuMs } from "./measure.mjs";

const cli = fileURLToPath(new URL("../dist/cli.js", import.meta.url));
const fastifyUrl = import.meta.resolve("fastify");
const rounds = 5;
const requestsPerRound = 20_000;
const idleRounds = 3;
const idleMs = 10_000;

export async function measure() {
  const folder = mkdtempSync(join(tmpdir(), "trawl-bench-"));
  try {
    const coldStarts = [];
    for (let round = 0; round < rounds; round += 1)
      coldStarts.push(await measureColdStart(join(folder, `cold-${round}`)));
    const ratio = await measureRatio(folder);
    const idle = await measureIdle(folder);
    return [
      { what: "Cold start to the first response, new store", value: round(median(coldStarts)), unit: "ms", bar: 800 },
      { what: "Idle memory (resident, 10 s after the start)", value: round(idle.memory), unit: "MB", bar: 90 },
      { what: "CPU in the next 10 s without a request", value: round(idle.cpu), unit: "ms", bar: 60 },
      {
        what: "`GET /v2/team/credit-usage`: CPU relative to a bare Fastify echo of the same bytes",
        value: Math.round(ratio.value * 100) / 100,
        unit: "times",
        bar: 5,
        detail: ratio.detail,
      },
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function startServer(dataDir) {
  const server = await startProgram([cli, "serve"], {
    env: { PORT: "0", DATA_DIR: dataDir, RATE_LIMIT_STATUS: "10000000" },
    until: /API page\s+(http:\S+)\/docs[\s\S]*API key\s+(\S+)/,
  });
  return { ...server, url: server.match[1], key: server.match[2] };
}

async function measureColdStart(dataDir) {
  const server = await startServer(dataDir);
  await send({ url: `${server.url}/v2/team/credit-usage`, headers: { authorization: `Bearer ${server.key}` } });
  const elapsed = performance.now() - server.startedAt;
  await server.stop();
  return elapsed;
}

/** Medians of new servers. */
async function measureIdle(folder) {
  const runs = [];
  for (let round = 0; round < idleRounds; round += 1) {
    const server = await startServer(join(folder, `idle-${round}`));
    await wait(idleMs);
    const memory = memoryMb(server.pid);
    const before = threadsCpuMs(server.pid);
    await wait(idleMs);
    runs.push({ memory, cpu: threadsCpuMs(server.pid) - before });
    await server.stop();
  }
  return { memory: median(runs.map(({ memory }) => memory)), cpu: median(runs.map(({ cpu }) => cpu)) };
}

/** Both servers run side by side and take turns, so that noise affects both equally. */
async function measureRatio(folder) {
  const server = await startServer(join(folder, "ratio"));
  const target = `${server.url}/v2/team/credit-usage`;
  const headers = { authorization: `Bearer ${server.key}` };
  const answer = await send({ url: target, headers });

  const echoFile = join(folder, "echo.mjs");
  writeFileSync(
    echoFile,
    `import { fastify } from ${JSON.stringify(fastifyUrl)};
const app = fastify();
const body = JSON.parse(${JSON.stringify(answer)});
app.get("/echo", async () => body);
console.log("listening " + (await app.listen({ port: 0, host: "127.0.0.1" })));`,
  );
  const echo = await startProgram([echoFile], { until: /listening (http:\S+)/ });
  const echoTarget = `${echo.match[1]}/echo`;

  const spend = async (pid, request) => {
    const before = cpuMs(pid);
    await load(() => request, { count: requestsPerRound });
    return ((cpuMs(pid) - before) * 1000) / requestsPerRound;
  };
  await spend(server.pid, { url: target, headers });
  await spend(echo.pid, { url: echoTarget });
  const ours = [];
  const bare = [];
  for (let round = 0; round < rounds; round += 1) {
    ours.push(await spend(server.pid, { url: target, headers }));
    bare.push(await spend(echo.pid, { url: echoTarget }));
  }
  await server.stop();
  await echo.stop();
  const value = median(ours) / median(bare);
  return { value, detail: `${round(median(ours))} µs and ${round(median(bare))} µs of CPU per request` };
}

function round(value) {
  return Math.round(value);
}
