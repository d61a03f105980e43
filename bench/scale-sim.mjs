// What many pages need: a simulation whose inputs are the figures of bench/results. It goes through a month hour by hour, with days and
// nights, and asks what every shared part has to carry. `node bench/scale-sim.mjs` prints it; docs/scale.md is generated from it.
// What is assumed and what things cost are inputs, too: examples, to be replaced by your own.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const results = new URL("results/", import.meta.url);
const million = 1e6;
const hour = 3600;
const gigabyte = 1e9;

/** Each input: the file of bench/results and the figure in it. */
export const sources = {
  rows: ["footprint", "Rows of one crawled page of 23 KB"],
  rowBytes: ["footprint", "Bytes of those rows with their indexes"],
  blobBytes: ["footprint", "Blobs of the page outside of the database"],
  logBytes: ["footprint", "Log that PostgreSQL writes for it"],
  transactions: ["footprint", "Transactions for it, idle servers included"],
  siteBytes: ["footprint", "Bytes that the site sends for it"],
  workerMs: ["footprint", "CPU of the worker for it"],
  databaseMs: ["footprint", "CPU of PostgreSQL for it"],
  statusMs: ["footprint", "CPU of the API server for one status call"],
  renderMs: ["footprint", "CPU of a browser server for one rendered page"],
};

export const assumptions = {
  /** Of all pages, those that need a browser. */
  rendered: 0.05,
  /** Of a core, a disk or a network: above it, waiting grows. */
  duty: 0.6,
  /** The busiest hour above the mean one. */
  peak: 2,
  /** How long results and cached pages are kept. */
  keptDays: 7,
  /** Status calls for each hundred pages. */
  callsPerHundredPages: 5,
  /** Blobs of a page: its copy and its document. */
  objectsPerPage: 2,
  coresPerServer: 4,
  connectionsPerServer: 11,
};

/** One of each, as large as they are sold; beyond it there must be several. */
export const limits = {
  databaseCores: 64,
  databaseDiskGb: 16_000,
  logBytesPerSecond: 250 * million,
  databaseConnections: 500,
  objectsPerSecond: 3500,
};

/** Examples in dollars per month, or per million: not offers. */
export const prices = { core: 25, databaseCore: 70, diskGb: 0.12, blobGb: 0.023, millionObjects: 5, trafficGb: 0.05 };

export function readInputs() {
  return Object.fromEntries(Object.entries(sources).map(([name, [file, what]]) => [name, readFigure(file, what)]));
}

function readFigure(file, what) {
  const { figures, command } = JSON.parse(readFileSync(fileURLToPath(new URL(`${file}.json`, results)), "utf8"));
  const figure = figures.find((each) => each.what === what);
  if (figure === undefined) throw new Error(`${command} has no figure "${what}"`);
  return figure.value;
}

/** A month of so many pages a day: what each kind of server must be able to do in the busiest hour, and what is kept at the end. */
export function simulate(pagesPerDay, inputs = readInputs(), given = assumptions) {
  const { rendered, duty, peak, keptDays, callsPerHundredPages } = given;
  const hours = 30 * 24;
  const kept = [];
  let most = null;
  for (let at = 0; at < hours; at += 1) {
    const pages = pagesOf(at, pagesPerDay, peak);
    kept.push(pages);
    if (kept.length > keptDays * 24) kept.shift();
    const perSecond = pages / hour;
    const cores = (ms) => (perSecond * ms) / 1000 / duty;
    const stored = kept.reduce((sum, some) => sum + some, 0);
    const needs = {
      pagesPerSecond: perSecond,
      workerCores: cores(inputs.workerMs),
      browserCores: cores(inputs.renderMs * rendered),
      apiCores: cores((inputs.statusMs * callsPerHundredPages) / 100),
      databaseCores: cores(inputs.databaseMs),
      transactionsPerSecond: perSecond * inputs.transactions,
      logBytesPerSecond: perSecond * inputs.logBytes,
      objectsPerSecond: perSecond * given.objectsPerPage,
      siteBytesPerSecond: perSecond * inputs.siteBytes,
      rows: stored * inputs.rows,
      databaseDiskGb: (stored * inputs.rowBytes) / gigabyte,
      blobGb: (stored * inputs.blobBytes) / gigabyte,
    };
    most = most === null ? needs : larger(most, needs);
  }
  const servers = countServers(most, given);
  const connections = (servers.api + servers.workers + servers.browsers) * given.connectionsPerServer;
  return {
    pagesPerDay,
    ...most,
    servers,
    databaseConnections: connections,
    cost: costOf(most, pagesPerDay, inputs, given),
  };
}

/** A curve between night and day whose mean over a day is the mean. */
function pagesOf(at, pagesPerDay, peak) {
  return (pagesPerDay / 24) * (1 + (peak - 1) * Math.sin((2 * Math.PI * at) / 24));
}

function larger(one, other) {
  return Object.fromEntries(Object.entries(one).map(([name, value]) => [name, Math.max(value, other[name])]));
}

function countServers({ workerCores, browserCores, apiCores }, { coresPerServer }) {
  const count = (cores, least) => Math.max(least, Math.ceil(cores / coresPerServer));
  return { api: count(apiCores, 2), workers: count(workerCores, 2), browsers: count(browserCores, 1) };
}

function costOf(most, pagesPerDay, inputs, { objectsPerPage }) {
  const pages = pagesPerDay * 30;
  const cores = most.workerCores + most.browserCores + most.apiCores;
  const servers = cores * prices.core;
  const database = most.databaseCores * prices.databaseCore + most.databaseDiskGb * prices.diskGb;
  const blobs = most.blobGb * prices.blobGb + ((pages * objectsPerPage) / million) * prices.millionObjects;
  // Every result is read once by its caller.
  const traffic = ((pages * inputs.blobBytes) / gigabyte) * prices.trafficGb;
  return { servers, database, blobs, traffic, total: servers + database + blobs + traffic };
}

/** How much of one such part is used, the fullest first. */
export function strainOf(outcome) {
  return Object.entries(limits)
    .map(([name, limit]) => ({ name, used: outcome[name] / limit }))
    .toSorted((one, other) => other.used - one.used);
}

const partNames = {
  databaseCores: "CPU of one PostgreSQL",
  databaseDiskGb: "disk of one PostgreSQL",
  logBytesPerSecond: "log of one PostgreSQL",
  databaseConnections: "connections to PostgreSQL",
  objectsPerSecond: "writes to one bucket",
};

const steps = [1, 10, 100, 1000];
const baseline = million;

/** The sections of docs/scale.md. */
export function describe() {
  const inputs = readInputs();
  return {
    inputs: table(
      ["input", "value", "from"],
      Object.entries(sources).map(([name, [file, what]]) => [
        what,
        number(inputs[name]),
        `\`npm run bench -- ${file}\``,
      ]),
    ),
    plan: describePlan(simulate(1e9 / 30, inputs)),
    limits: table(
      [
        "",
        "pages a day",
        "pages a second, busiest hour",
        "servers: API, workers, browsers",
        ...Object.values(partNames),
        "breaks first",
      ],
      steps.map((step) => describeStep(step, simulate(step * baseline, inputs))),
    ),
    examples: [
      `Assumed: ${list(assumptions)}.`,
      `Limits of one part: ${list(limits)}.`,
      `Prices (examples, dollars a month or for a million): ${list(prices)}.`,
    ].join("\n\n"),
  };
}

function describePlan(outcome) {
  const { servers, cost } = outcome;
  const gb = (value) => `${number(value)} GB`;
  const perSecond = (bytes) => `${number(bytes / million)} MB/s`;
  return table(
    ["part", "needs in the busiest hour", "kept", "example cost a month"],
    [
      [
        "pages",
        `${number(outcome.pagesPerSecond)} a second, ${perSecond(outcome.siteBytesPerSecond)} from sites`,
        "",
        "",
      ],
      ["API servers", `${number(outcome.apiCores)} cores: ${servers.api} servers`, "", ""],
      ["workers", `${number(outcome.workerCores)} cores: ${servers.workers} servers`, "", ""],
      [
        "browser servers",
        `${number(outcome.browserCores)} cores: ${servers.browsers} servers`,
        "",
        dollars(cost.servers),
      ],
      [
        "PostgreSQL",
        `${number(outcome.databaseCores)} cores, ${number(outcome.transactionsPerSecond)} transactions/s, log ${perSecond(outcome.logBytesPerSecond)}, ${number(outcome.databaseConnections)} connections`,
        `${number(outcome.rows / million)} million rows, ${gb(outcome.databaseDiskGb)}`,
        dollars(cost.database),
      ],
      ["blobs", `${number(outcome.objectsPerSecond)} objects/s`, gb(outcome.blobGb), dollars(cost.blobs)],
      ["results to callers", "", "", dollars(cost.traffic)],
      ["all", "", "", dollars(cost.total)],
    ],
  );
}

function describeStep(step, outcome) {
  const strain = strainOf(outcome);
  const used = (name) => percent(strain.find((part) => part.name === name).used);
  const [first] = strain;
  const { api, workers, browsers } = outcome.servers;
  return [
    `${number(step)} ×`,
    number(step * baseline),
    number(outcome.pagesPerSecond),
    `${number(api)}, ${number(workers)}, ${number(browsers)}`,
    ...Object.keys(partNames).map(used),
    first.used > 1 ? `${partNames[first.name]} (${number(Math.ceil(first.used))} needed)` : "nothing",
  ];
}

const percent = (share) => `${number(share * 100)} %`;
const dollars = (value) => `$ ${number(value)}`;
const list = (values) =>
  Object.entries(values)
    .map(([name, value]) => `\`${name}\` ${number(value)}`)
    .join(", ");

function number(value) {
  return value.toLocaleString("en", value < 1000 ? { maximumSignificantDigits: 3 } : { maximumFractionDigits: 0 });
}

function table(head, rows) {
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [title, text] of Object.entries(describe())) console.log(`\n${title}\n\n${text}`);
}
