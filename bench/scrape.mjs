// A fresh scrape relative to fetching the page with undici's `request` and its `fetch`, a cached scrape relative to a bare echo
// of the same bytes, and 200 scrapes at once, all with default settings; the cost of the local index is its own figure.
// Only the CPU of the server process counts (with its threads), not that of the fixture site or the client.
// A shared machine can halve its speed from one second to the next, so all take many short turns and the ratio of their
// medians is the figure. The ratios of the quartiles are beside it.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { makeArticlePage } from "./fixtures/article-page.mjs";
import { load, median, quantile, send, startProgram, threadsCpuMs } from "./measure.mjs";
import { startPostgres } from "./postgres.mjs";
import { defaultSettings, startServer } from "./servers.mjs";

const rounds = 24;
const perRound = 400;
/** Compiler threads count too, so let them finish first. */
const warmUp = 4000;
const connections = 16;
/** Rounds with the index wait for indexing, so there are fewer and longer ones. */
const indexRounds = 6;
const indexPerRound = 1500;
/** Longer than the delay before a page is indexed. */
const indexMs = 1500;
const parallelRounds = 7;
const key = "fc-0123456789abcdef0123456789abcdef";
const file = (name) => fileURLToPath(new URL(name, import.meta.url));

const paragraphs = 93;
const page = makeArticlePage({
  menu: Array.from({ length: 40 }, (_, index) => `/menu/${index}`),
  links: Array.from({ length: paragraphs }, (_, index) => `/page/${index}`),
  paragraphs,
});

export async function measure() {
  const folder = mkdtempSync(join(tmpdir(), "trawl-bench-"));
  const site = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(page);
  });
  await new Promise((done) => site.listen(0, "0.0.0.0", done));
  const { port } = site.address();
  const target = `http://127.0.0.1:${port}`;
  const server = await start({ dataDir: join(folder, "usual") });
  const plain = await start({ dataDir: join(folder, "plain") }, { OWN_INDEX: "0" });
  try {
    const added = await measureIndex({ target, server, plain });
    const fresh = await compareFresh({ folder, target, server, plain });
    const cached = await compareCached({ folder, target, server });
    const parallel = await measureParallel({ port, server });
    const postgres = await withPostgres((other) => compareCached({ folder, target, server: other }));
    const size = `${Math.round(page.length / 1000)} KB`;
    return [
      {
        what: `Fresh scrape of a ${size} page: CPU relative to undici's \`request\` of it`,
        ...fresh.request,
        unit: "times",
        bar: 18,
      },
      {
        what: "The same without the local index",
        ...fresh.plain,
        unit: "times",
        bar: 18,
      },
      { what: "The same, relative to undici's `fetch`", ...fresh.fetch, unit: "times", bar: 8 },
      { what: "Fresh scrape with the local index: CPU relative to one without", ...added, unit: "times", bar: 2 },
      {
        what: "Cached scrape: CPU relative to a bare Fastify echo of the same bytes",
        ...cached,
        unit: "times",
        bar: 2.5,
      },
      { what: "The same on PostgreSQL", ...postgres, unit: "times", bar: 5 },
      {
        what: "200 parallel scrapes of different hosts: wrong responses",
        value: parallel.wrong,
        unit: "responses",
        bar: 0,
        detail: `${parallel.ms} ms in total`,
      },
      {
        what: "Slowest usage call during those scrapes",
        value: parallel.slowest,
        unit: "ms",
        bar: 40,
        detail: `median of ${parallelRounds} rounds: ${parallel.all.join(", ")}`,
      },
    ];
  } finally {
    await server.stop();
    await plain.stop();
    site.close();
    rmSync(folder, { recursive: true });
  }
}

/** As people get it, but for hosts of loopback and their pace. */
async function start(place, others = {}) {
  const loopback = { ALLOWED_PRIVATE_HOSTS: "127.0.0.0/8", HOST_CONCURRENCY: "16" };
  const server = await startServer(place, { ...defaultSettings, ...loopback, ...others });
  return { ...server, scrapeUrl: `${server.url}/v2/scrape` };
}

async function withPostgres(work) {
  const database = await startPostgres();
  const server = await start({ databaseUrl: database.url });
  try {
    return await work(server);
  } finally {
    await server.stop();
    await database.remove();
  }
}

/** One server with the index, one without. Pages are indexed shortly after the response, so wait for that. */
async function measureIndex({ target, server, plain }) {
  let count = 0;
  const scrapeSome = async ({ scrapeUrl }, pages) => {
    const request = () => post(scrapeUrl, { url: `${target}/?indexed=${count++}`, maxAge: 0 });
    await load(request, { count: pages, connections });
    await wait(indexMs);
  };
  const figures = await takeTurns(
    {
      usual: { pid: server.pid, run: (pages) => scrapeSome(server, pages) },
      plain: { pid: plain.pid, run: (pages) => scrapeSome(plain, pages) },
    },
    { rounds: indexRounds, perRound: indexPerRound },
  );
  return compare(figures.usual, figures.plain);
}

const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
const post = (url, body) => ({ url, method: "POST", headers, body: JSON.stringify(body) });

/** They take turns, so that noise affects all of them equally. Microseconds of CPU per request. */
async function takeTurns(contenders, { rounds, perRound }) {
  for (const { run } of Object.values(contenders)) await run(warmUp);
  const figures = Object.fromEntries(Object.keys(contenders).map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, { pid, run }] of Object.entries(contenders)) {
      const before = threadsCpuMs(pid);
      await run(perRound);
      figures[name].push(((threadsCpuMs(pid) - before) * 1000) / perRound);
    }
  }
  return figures;
}

function compare(ours, others) {
  const ratio = (share) => Math.round((quantile(ours, share) / quantile(others, share)) * 100) / 100;
  const [mine, other] = [median(ours), median(others)];
  return {
    value: ratio(0.5),
    detail: `${Math.round(mine)} µs and ${Math.round(other)} µs of CPU; ratio of the first quartiles ${ratio(0.25)}, of the third ${ratio(0.75)}`,
  };
}

async function compareFresh({ folder, target, server, plain }) {
  const startFetcher = async (read) => {
    const path = join(folder, `${read}.mjs`);
    writeFileSync(
      path,
      `import { Agent, fetch, request } from ${JSON.stringify(import.meta.resolve("undici"))};
const dispatcher = new Agent({ connections: ${connections} });
const readers = {
  fetch: async (url) => (await fetch(url, { dispatcher })).text(),
  request: async (url) => (await request(url, { dispatcher })).body.text(),
};
// Each line on standard input is a number of pages to fetch, sixteen at a time.
process.stdin.setEncoding("utf8");
process.stdin.on("data", async (text) => {
  let left = Number(text);
  const work = async () => { while (left-- > 0) await readers.${read}(${JSON.stringify(target)}); };
  await Promise.all(Array.from({ length: ${connections} }, work));
  console.log("fetched");
});
console.log("ready");`,
    );
    const fetcher = await startProgram([path], { until: /ready/ });
    return { ...fetcher, run: (pages) => fetcher.ask(`${pages}\n`, /fetched/) };
  };
  let count = 0;
  const scraper = ({ pid, scrapeUrl }) => {
    const request = () => post(scrapeUrl, { url: `${target}/?n=${count++}`, maxAge: 0 });
    return { pid, run: (pages) => load(request, { count: pages, connections }) };
  };
  const [fetching, requesting] = [await startFetcher("fetch"), await startFetcher("request")];
  const contenders = { usual: scraper(server), plain: scraper(plain), fetching, requesting };
  const figures = await takeTurns(contenders, { rounds, perRound });
  await fetching.stop();
  await requesting.stop();
  return {
    request: compare(figures.usual, figures.requesting),
    plain: compare(figures.plain, figures.requesting),
    fetch: compare(figures.usual, figures.fetching),
  };
}

async function compareCached({ folder, target, server }) {
  const request = post(server.scrapeUrl, { url: `${target}/cached` });
  await send(request);
  const answer = await send(request);
  const echoFile = join(folder, "echo.mjs");
  writeFileSync(
    echoFile,
    `import { fastify } from ${JSON.stringify(import.meta.resolve("fastify"))};
const app = fastify();
const body = JSON.parse(${JSON.stringify(answer)});
app.post("/echo", async () => body);
console.log("listening " + (await app.listen({ port: 0, host: "127.0.0.1" })));`,
  );
  const echo = await startProgram([echoFile], { until: /listening (http:\S+)/ });
  const echoRequest = { ...request, url: `${echo.match[1]}/echo` };
  const contenders = {
    cached: { pid: server.pid, run: (count) => load(() => request, { count, connections }) },
    echo: { pid: echo.pid, run: (count) => load(() => echoRequest, { count, connections }) },
  };
  const figures = await takeTurns(contenders, { rounds, perRound });
  await echo.stop();
  return compare(figures.cached, figures.echo);
}

/** Each page has its own host, as far as a server can tell. */
async function measureParallel({ port, server }) {
  const caller = await startProgram([file("fixtures/light-caller.mjs"), server.url, key], { until: /ready/ });
  const runs = [];
  for (let round = 0; round < parallelRounds; round += 1)
    runs.push(await scrapeAtOnce({ port, server, caller, round }));
  await caller.stop();
  const all = runs.map(({ slowest }) => slowest);
  return {
    wrong: runs.reduce((sum, { wrong }) => sum + wrong, 0),
    ms: median(runs.map(({ ms }) => ms)),
    slowest: median(all),
    all,
  };
}

async function scrapeAtOnce({ port, server: { scrapeUrl }, caller, round }) {
  await caller.ask("start\n", /calling/);
  const startedAt = performance.now();
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, index) =>
      send(
        post(scrapeUrl, { url: `http://127.0.${round + 1}.${index + 1}:${port}/?parallel=${index}`, maxAge: 0 }),
      ).catch(String),
    ),
  );
  const ms = Math.round(performance.now() - startedAt);
  const [, slowest] = await caller.ask("stop\n", /slowest (\d+)/);
  const wrong = answers.filter(
    (answer, index) => !answer.includes(`/?parallel=${index}"`) || !answer.includes("# A page"),
  ).length;
  return { wrong, ms, slowest: Number(slowest) };
}
