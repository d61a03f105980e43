// `node bench/compare.mjs OTHER [WORD]`: this checkout and another one (built, such as the commit before a change) do the same work in
// turns, in one run. Machines differ from hour to hour; what both do in the same minute can be compared.
// `node bench/compare.mjs --nodes 20,24,26 [WORD]`: this checkout under several versions of Node, which come from the package registry.
// CPU is that of the server process with its threads. WORD chooses the work whose name has it, such as "crawl".
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { installNode } from "../scripts/install-node.mjs";
import { cpuMs, load, median, memoryMb, send, startProgram } from "./measure.mjs";

const key = "fc-0123456789abcdef0123456789abcdef";
const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
const concurrency = 16;

const works = [
  { what: "Start: CPU until the first response (ms)", rounds: 5, measure: startOnce },
  { what: "Idle memory 5 s after a start (MB)", rounds: 2, measure: restAfterStart },
  { what: "Usage call: CPU (µs)", rounds: 5, warmUp: 1, measure: (server) => perRequest(server, 10_000, usageCall) },
  ...["", "https", "h2"].map((kind) => ({
    what: `Fresh scrape${kind === "" ? "" : ` over ${kind}`}: CPU (µs)`,
    rounds: 7,
    warmUp: 2,
    measure: (server) => perRequest(server, 2000, (each) => freshScrape(each, kind)),
  })),
  {
    what: "Cached scrape: CPU (µs)",
    rounds: 5,
    warmUp: 1,
    measure: (server) => perRequest(server, 4000, cachedScrape),
  },
  { what: "Crawl: CPU per page (µs)", rounds: 8, warmUp: 1, measure: (server) => crawlSite(server, 1500) },
];

const own = fileURLToPath(new URL("..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "trawl-bench-"));
chmodSync(folder, 0o755);
const { contenders, word } = readWords(process.argv.slice(2));
const sites = {};
for (const kind of ["", "https", "h2"]) sites[kind] = await startSite(kind);
const site = sites[""];
let count = 0;
const rows = {};
const servers = [];
try {
  for (const contender of contenders) servers.push(await startServer(contender));
  for (const { what, rounds, warmUp = 0, measure } of works.filter(isChosen)) {
    const values = servers.map(() => []);
    for (let round = -warmUp; round < rounds; round += 1) {
      // Whoever comes later pays a few per cent more, so they change places.
      const order = [...servers.entries()];
      for (const [index, server] of round % 2 === 0 ? order : order.reverse()) {
        const value = await measure(server);
        if (round >= 0) values[index].push(value);
      }
    }
    const figures = values.map(median);
    rows[what] = Object.fromEntries(contenders.map(({ name }, index) => [name, Math.round(figures[index])]));
    rows[what].ratio = Math.round((figures.at(-1) / figures[0]) * 1000) / 1000;
    console.log(what, rows[what]);
  }
} finally {
  for (const { stop } of servers) await stop();
  for (const each of Object.values(sites)) await each.stop();
  rmSync(folder, { recursive: true, force: true });
}
console.table(rows);

/** The first one is what the last one is compared with. */
function readWords([other, ...words]) {
  if (other === "--nodes" && words.length > 0) {
    const [list, word = ""] = words;
    const nodes = list.split(",").map((wanted) => installNode(wanted, join(folder, `node-${wanted}`)));
    return { contenders: nodes.map(({ node, version }) => ({ name: `Node ${version}`, root: own, node })), word };
  }
  if (other !== undefined && other !== "--nodes") {
    const node = process.execPath;
    const contenders = [
      { name: "other", root: resolve(other), node },
      { name: "this", root: own, node },
    ];
    return { contenders, word: words[0] ?? "" };
  }
  console.error(
    "node bench/compare.mjs OTHER [WORD], where OTHER is the folder of another checkout, installed and built",
  );
  console.error("node bench/compare.mjs --nodes 20,24,26 [WORD]");
  rmSync(folder, { recursive: true });
  process.exit(2);
}

function isChosen({ what }) {
  return what.toLowerCase().includes(word.toLowerCase());
}

function startSite(kind) {
  const program = fileURLToPath(new URL("fixtures/crawl-site.mjs", import.meta.url));
  return startProgram([program, ...(kind === "" ? [] : [kind])], { until: /listening (https?:\S+)/ });
}

async function startServer({ root, node }) {
  count += 1;
  const server = await startProgram([join(root, "dist/cli.js"), "serve"], {
    node,
    env: {
      PORT: "0",
      DATA_DIR: join(folder, `data-${count}`),
      TRAWL_API_KEYS: `bench:${key}:0`,
      HOST: "127.0.0.1",
      ALLOWED_PRIVATE_HOSTS: "127.0.0.1",
      HOST_CONCURRENCY: String(concurrency),
      RATE_LIMIT_STATUS: "10000000",
      OWN_INDEX: "0",
    },
    until: /API page\s+(http:\S+)\/docs/,
  });
  return { ...server, root, node, url: server.match[1] };
}

async function startOnce(contender) {
  const server = await startServer(contender);
  await send(usageCall(server));
  const spent = cpuMs(server.pid);
  await server.stop();
  return spent;
}

async function restAfterStart(contender) {
  const server = await startServer(contender);
  await wait(5000);
  const memory = memoryMb(server.pid);
  await server.stop();
  return memory;
}

async function perRequest(server, requests, make) {
  const before = cpuMs(server.pid);
  await load(() => make(server), { count: requests, connections: concurrency });
  return ((cpuMs(server.pid) - before) * 1000) / requests;
}

function usageCall({ url }) {
  return { url: `${url}/v2/team/credit-usage`, headers };
}

function freshScrape({ url }, kind) {
  count += 1;
  return scrape(url, { url: `${sites[kind].match[1]}/fresh${count}-100/`, maxAge: 0 });
}

function cachedScrape({ url }) {
  return scrape(url, { url: `${site.match[1]}/cached-100/` });
}

function scrape(url, body) {
  return { url: `${url}/v2/scrape`, method: "POST", headers, body: JSON.stringify(body) };
}

async function crawlSite({ pid, url }, pages) {
  count += 1;
  const wish = { url: `${site.match[1]}/site${count}-${pages}/`, limit: pages, maxConcurrency: concurrency };
  const before = cpuMs(pid);
  const { id } = JSON.parse(
    await send({ url: `${url}/v2/crawl`, method: "POST", headers, body: JSON.stringify(wish) }),
  );
  for (;;) {
    // Skips all pages, so that polling costs next to nothing.
    const { status, completed } = JSON.parse(
      await send({ url: `${url}/v2/crawl/${id}?skip=${pages}&limit=1`, headers }),
    );
    if (status === "completed" && completed === pages) return ((cpuMs(pid) - before) * 1000) / pages;
    if (status !== "scraping") throw new Error(`${status} with ${completed} of ${pages} pages`);
    await wait(100);
  }
}
