// A fresh scrape relative to fetching the page, a cached scrape relative to a bare echo of the same bytes, and 200 scrapes at
// once. The baseline is undici's `fetch`; its `request` costs about a quarter of that (47 instead of 200 µs on this page).
// Only the CPU of the server process counts (with its threads), not that of the fixture site or the client. The cost of the
// local index is a figure of its own, measured with a second server.
// A shared machine can halve its speed from one second to the next, so both take many short turns and the ratio of their
// medians is the figure. The ratios of the quartiles stand beside it.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { makeArticlePage } from "./fixtures/article-page.mjs";
import { load, median, quantile, send, startProgram, threadsCpuMs } from "./measure.mjs";

const cli = fileURLToPath(new URL("../dist/cli.js", import.meta.url));
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
const key = "fc-0123456789abcdef0123456789abcdef";

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
  await new Promise((done) => site.listen(0, "127.0.0.1", done));
  const target = `http://127.0.0.1:${site.address().port}`;
  const server = await startServer(join(folder, "data"), "0");
  const indexing = await startServer(join(folder, "indexed"), "1");
  try {
    const scrapeUrl = `${server.match[1]}/v2/scrape`;
    const added = await measureIndex({ target, server, indexing });
    const fresh = await compareFresh({ folder, target, server, scrapeUrl });
    const cached = await compareCached({ folder, target, server, scrapeUrl });
    const parallel = await measureParallel({ target, scrapeUrl, url: server.match[1] });
    return [
      {
        what: `Fresh scrape of a ${Math.round(page.length / 1000)} KB page: CPU relative to undici's \`fetch\` of it`,
        ...fresh,
        unit: "times",
        bar: 8,
      },
      { what: "Fresh scrape with the local index: CPU relative to one without", ...added, unit: "times", bar: 2 },
      {
        what: "Cached scrape: CPU relative to a bare Fastify echo of the same bytes",
        ...cached,
        unit: "times",
        bar: 5,
      },
      {
        what: "200 parallel scrapes: wrong responses",
        value: parallel.wrong,
        unit: "responses",
        bar: 0,
        detail: `${parallel.ms} ms in total`,
      },
      { what: "Slowest usage call during those scrapes", value: parallel.slowest, unit: "ms", bar: 2000 },
    ];
  } finally {
    await server.stop();
    await indexing.stop();
    site.close();
    rmSync(folder, { recursive: true });
  }
}

function startServer(dataDir, ownIndex) {
  return startProgram([cli, "serve"], {
    env: {
      PORT: "0",
      DATA_DIR: dataDir,
      TRAWL_API_KEYS: `bench:${key}:0`,
      HOST: "127.0.0.1",
      ALLOWED_PRIVATE_HOSTS: "127.0.0.1",
      HOST_CONCURRENCY: "16",
      OWN_INDEX: ownIndex,
    },
    until: /API page\s+(http:\S+)\/docs/,
  });
}

/** One server with the index, one without. Pages are indexed shortly after the response, so wait for that. */
async function measureIndex({ target, server, indexing }) {
  let count = 0;
  const scrapeSome = async ({ match }, pages) => {
    const request = () => post(`${match[1]}/v2/scrape`, { url: `${target}/?indexed=${count++}`, maxAge: 0 });
    await load(request, { count: pages, connections });
    await wait(indexMs);
  };
  const figures = await alternate(
    { pid: indexing.pid, run: (pages) => scrapeSome(indexing, pages) },
    { pid: server.pid, run: (pages) => scrapeSome(server, pages) },
    { rounds: indexRounds, perRound: indexPerRound },
  );
  const [mine, other] = [median(figures.ours), median(figures.bare)];
  return {
    value: Math.round((mine / other) * 100) / 100,
    detail: `${Math.round(mine)} µs with the index, ${Math.round(other)} µs without`,
  };
}

const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
const post = (url, body) => ({ url, method: "POST", headers, body: JSON.stringify(body) });

/** Both take turns, so that noise affects both equally. Microseconds of CPU per request. */
async function alternate(ours, bare, { rounds, perRound }) {
  await ours.run(warmUp);
  await bare.run(warmUp);
  const spend = async ({ pid, run }) => {
    const before = threadsCpuMs(pid);
    await run(perRound);
    return ((threadsCpuMs(pid) - before) * 1000) / perRound;
  };
  const figures = { ours: [], bare: [] };
  for (let round = 0; round < rounds; round += 1) {
    figures.ours.push(await spend(ours));
    figures.bare.push(await spend(bare));
  }
  return figures;
}

async function compare(ours, bare) {
  const figures = await alternate(ours, bare, { rounds, perRound });
  const ratio = (share) => Math.round((quantile(figures.ours, share) / quantile(figures.bare, share)) * 100) / 100;
  const [mine, other] = [median(figures.ours), median(figures.bare)];
  return {
    value: ratio(0.5),
    detail: `${Math.round(mine)} µs and ${Math.round(other)} µs of CPU; ratio of the first quartiles ${ratio(0.25)}, of the third ${ratio(0.75)}`,
  };
}

async function compareFresh({ folder, target, server, scrapeUrl }) {
  const fetcherFile = join(folder, "fetcher.mjs");
  writeFileSync(
    fetcherFile,
    `import { Agent, fetch } from ${JSON.stringify(import.meta.resolve("undici"))};
const dispatcher = new Agent({ connections: 16 });
// Each line on standard input is a number of pages to fetch, sixteen at a time.
process.stdin.setEncoding("utf8");
process.stdin.on("data", async (text) => {
  let left = Number(text);
  const work = async () => { while (left-- > 0) { await (await fetch(${JSON.stringify(target)}, { dispatcher })).text(); } };
  await Promise.all(Array.from({ length: ${connections} }, work));
  console.log("fetched");
});
console.log("ready");`,
  );
  const fetcher = await startProgram([fetcherFile], { until: /ready/, keepOutput: true });
  let count = 0;
  const request = () => post(scrapeUrl, { url: `${target}/?n=${count++}`, maxAge: 0 });
  const result = await compare(
    { pid: server.pid, run: (pages) => load(request, { count: pages, connections }) },
    { pid: fetcher.pid, run: (pages) => fetcher.ask(`${pages}\n`, /fetched/) },
  );
  await fetcher.stop();
  return result;
}

async function compareCached({ folder, target, server, scrapeUrl }) {
  const request = post(scrapeUrl, { url: `${target}/cached` });
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
  const result = await compare(
    { pid: server.pid, run: (count) => load(() => request, { count, connections }) },
    { pid: echo.pid, run: (count) => load(() => echoRequest, { count, connections }) },
  );
  await echo.stop();
  return result;
}

async function measureParallel({ target, scrapeUrl, url }) {
  let isDone = false;
  let slowest = 0;
  const light = (async () => {
    while (!isDone) {
      const startedAt = performance.now();
      await send({ url: `${url}/v2/team/credit-usage`, headers });
      slowest = Math.max(slowest, performance.now() - startedAt);
    }
  })();
  const startedAt = performance.now();
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, index) =>
      send(post(scrapeUrl, { url: `${target}/?parallel=${index}`, maxAge: 0 })).catch(String),
    ),
  );
  const ms = Math.round(performance.now() - startedAt);
  isDone = true;
  await light;
  const wrong = answers.filter(
    (answer, index) => !answer.includes(`/?parallel=${index}"`) || !answer.includes("# A page"),
  ).length;
  return { wrong, ms, slowest: Math.round(slowest) };
}
