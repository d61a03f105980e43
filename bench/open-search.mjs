// What asking open sources costs beside the local index, without a network: five sources that answer at once from memory, ten
// results each, over an index of 10,000 pages. Pace and rests are kept in the store as always; nothing comes from the cache.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pageKey } from "../dist/discovery/index.js";
import { createFederation, createIndexWriter, createLocalIndex, createResultFinder } from "../dist/search/index.js";
import { openStore } from "../dist/store/index.js";
import { median } from "./measure.mjs";

const count = 10_000;
const asked = 120;
const teamId = "bench";
const log = { warn: (...details) => console.log(...details), info() {} };
const { signal } = new AbortController();
const names = ["keenable", "mwmbl", "wikipedia", "wikidata", "hackernews"];

export async function measure() {
  const folder = mkdtempSync(join(tmpdir(), "trawl-bench-"));
  try {
    const store = await openStore({ dataDir: folder });
    try {
      return await compare(store);
    } finally {
      await store.close();
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function compare(store) {
  const site = makeSite();
  const writer = createIndexWriter({ store, clock: { now: () => Date.now() }, log });
  for (let at = 0; at < count; at += 1) {
    writer.add(site.page(at));
    if (at % 1000 === 999) await writer.flush();
  }
  await writer.stop();
  // A second passes between two searches, so that every source has room.
  const clock = { time: Date.now(), now: () => clock.time };
  const common = {
    clock,
    providers: [],
    localIndex: createLocalIndex({ store }),
    isMerged: false,
    isAllowed: () => true,
    pageKeyOf: pageKey,
  };
  const federation = createFederation(
    { net: { fetch: async (request) => answer(request, site) }, store, clock, log },
    settings,
  );
  const local = createResultFinder({ ...common, open: null });
  const federated = createResultFinder({ ...common, open: { federation, timeoutMs: 10_000 } });
  const ours = [];
  const theirs = [];
  let found = 0;
  for (let at = 0; at < asked; at += 1) {
    clock.time += 2000;
    const query = site.query();
    ours.push(await cpuMs(async () => (found += (await find(federated, query)).groups.get("web").length)));
    theirs.push(await cpuMs(() => find(local, query)));
  }
  // The first ones load and warm what all need.
  const [one, other] = [median(ours.slice(20)), median(theirs.slice(20))];
  return [
    {
      what: `Search that asks five open sources, without a network: CPU relative to a search of the local index alone`,
      value: Number((one / other).toFixed(2)),
      unit: "times",
      bar: 3,
      detail: `${one.toFixed(1)} and ${other.toFixed(1)} ms, ${count.toLocaleString("en")} pages, ${(found / asked).toFixed(1)} results`,
    },
  ];
}

const settings = {
  names,
  endpoints: {},
  keys: {},
  budgetMs: 2500,
  cacheSeconds: 0,
  cooldownSeconds: 60,
  isPaced: true,
  contact: "",
  userAgent: "Trawl/bench",
  isCacheShared: false,
};

function find(finder, query) {
  const request = {
    teamId,
    query,
    limit: 10,
    sources: [{ type: "web" }],
    categories: [],
    includeDomains: [],
    excludeDomains: [],
    highlights: true,
    ignoreInvalidURLs: false,
    isCacheable: true,
  };
  const trace = { run: (_, work) => work() };
  return finder(request, { readText: async () => null, trace, signal });
}

async function cpuMs(work) {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Ten results in the form of each source. */
function answer({ url }, site) {
  const { hostname, searchParams } = new URL(url);
  const hits = Array.from({ length: 10 }, () => site.hit());
  const forms = {
    "api.keenable.ai": () => ({
      results: hits.map(({ url: page, title, text }) => ({ url: page, title, snippet: text })),
    }),
    "api.mwmbl.org": () =>
      hits.map(({ url: page, title, text }) => ({ url: page, title: [{ value: title }], extract: [{ value: text }] })),
    "en.wikipedia.org": () => ({ query: { search: hits.map(({ title, text }) => ({ title, snippet: text })) } }),
    "www.wikidata.org": () =>
      searchParams.get("action") === "wbsearchentities" ? { search: [{ id: "Q1" }] } : { entities: { Q1: {} } },
    "hn.algolia.com": () => ({
      hits: hits.map(({ url: page, title }) => ({ objectID: "1", url: page, title })),
      nbPages: 1,
    }),
  };
  const body = Buffer.from(JSON.stringify(forms[hostname]()));
  return {
    ok: true,
    url,
    status: 200,
    headers: {},
    contentType: "application/json",
    body,
    redirects: [],
    retryAfterSeconds: null,
  };
}

/** The same in every run: words with the frequencies of a natural language. */
function makeSite() {
  let seed = 11;
  const below = (limit) => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (seed >> 8) % limit;
  };
  const syllables = "ba ce di fo gu ha ki lo ma ne pi qua ro su ta ve wi xo ya zu an er in or us".split(" ");
  const words = [
    ...new Set(
      Array.from({ length: 20_000 }, () =>
        Array.from({ length: 2 + below(3) }, () => syllables[below(syllables.length)]).join(""),
      ),
    ),
  ];
  const word = () => words[Math.floor((below(1e6) / 1e6) ** 3 * words.length)];
  const text = (length) => Array.from({ length }, word).join(" ");
  let shown = 0;
  return {
    query: () => text(3),
    hit() {
      shown += 1;
      return { url: `https://www.${word()}.example/${word()}/${shown}`, title: text(6), text: text(30) };
    },
    page: (number) => ({
      teamId,
      url: `https://www.${word()}.example/${number}`,
      title: text(6),
      description: "",
      headings: [],
      text: text(250),
      links: [],
      language: "en",
      published: null,
      modified: null,
    }),
  };
}
