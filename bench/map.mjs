// A map of a site of 100,000 pages, the most that a map returns; then `search` of a map: the CPU of ranking them, and how high the right page
// ranks among the pages of the quality set.
//
// The mean reciprocal rank is taken over one pool of all pages of the quality set. Each query is what a page says about itself,
// and only the URL of that page is right. A link that carries the words of the query is always found, so the figures with bars
// are those where links carry only their URL: queried by the page's title and, harder, by its description. The other figures
// are in the detail.
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { Parser } from "htmlparser2";
import { rank } from "../dist/discovery/rank/rank.js";
import { cpuMs, median, memoryMb, send, startProgram } from "./measure.mjs";

const quality = new URL("../../shared/quality/dev/", import.meta.url);
const rounds = 5;
const count = 100_000;
const mapRounds = 5;
const idleMs = 1000;
const key = "fc-0123456789abcdef0123456789abcdef";
const file = (path) => fileURLToPath(new URL(path, import.meta.url));

export async function measure() {
  const figures = [...(await measureMap()), await measureSpeed()];
  if (existsSync(new URL("index.jsonl.gz", quality))) figures.push(...(await measureQuality()));
  else console.log("skipped the rank: the quality set is not at ../shared/quality");
  return figures;
}

/**
 * Memory is that of the first request of a new server; CPU that of its second one, which reads everything from the site again with
 * code that is loaded and compiled. Both are those of the server process; site and client are other processes.
 */
async function measureMap() {
  const folder = mkdtempSync(join(tmpdir(), "trawl-bench-"));
  const site = await startProgram([file("sitemap-site.mjs")], { until: /listening (http:\S+)/ });
  const scanner = await startProgram([file("fixtures/sitemap-scan.mjs")], { until: /ready/ });
  const scans = [];
  const runs = { searched: [], plain: [] };
  const options = { searched: { search: "pricing guide", limit: count }, plain: { limit: count } };
  for (let round = 0; round < mapRounds; round += 1) {
    scans.push(await scanSite(scanner, site));
    for (const [name, request] of Object.entries(options)) {
      const requests = [request, { ...request, ignoreCache: true }];
      const [cold, warm] = await mapFromNewServer(join(folder, `${name}-${round}`), site, requests);
      runs[name].push({ cold, warm });
    }
  }
  await scanner.stop();
  await site.stop();
  rmSync(folder, { recursive: true });
  const { searched, plain } = runs;
  const speed = (of) => Math.round(median(of.map(({ warm }) => count / warm.cpuSeconds)));
  const shape = { unit: "URLs per CPU second", bar: 100_000, isMinimum: true };
  const list = (of, read) => of.map(read).join(", ");
  const seconds = (of) =>
    `CPU seconds: ${list(of, ({ warm }) => round2(warm.cpuSeconds))}; first requests: ${list(of, ({ cold }) => round2(cold.cpuSeconds))}`;
  return [
    {
      what: "Map with `search` over 100,000 URLs in 20 sitemaps, all returned, cold: memory growth",
      value: Math.round(median(searched.map(({ cold }) => cold.growthMb))),
      unit: "MB",
      bar: 200,
      detail: `peak above the idle server, first request of each of ${mapRounds} new servers: ${list(searched, ({ cold }) => Math.round(cold.growthMb))}`,
    },
    {
      what: "The same, second request of a server: URLs read, cached, ranked and returned",
      value: speed(searched),
      ...shape,
      detail: seconds(searched),
    },
    {
      what: "The same: CPU relative to a warm program that reads the sitemaps as streams with a regular expression",
      value: round2(median(searched.map(({ warm }) => warm.cpuSeconds)) / median(scans)),
      unit: "times",
      bar: 4,
      detail: `CPU seconds of the program: ${scans.map(round2).join(", ")}`,
    },
    {
      what: "Map of the same site without `search`: URLs returned by the second request of a server",
      value: speed(plain),
      ...shape,
      detail: seconds(plain),
    },
  ];
}

/** CPU seconds. */
async function scanSite(scanner, site) {
  const before = cpuMs(scanner.pid);
  const [, found] = await scanner.ask(`${site.match[1]}\n`, /found (\d+)/);
  if (Number(found) !== count) throw new Error(`the scanner found ${found} URLs`);
  return (cpuMs(scanner.pid) - before) / 1000;
}

/** A new server answers the requests one after another. */
async function mapFromNewServer(dataFolder, site, requests) {
  const server = await startProgram([file("../dist/cli.js"), "serve"], {
    env: {
      PORT: "0",
      HOST: "127.0.0.1",
      DATA_DIR: dataFolder,
      TRAWL_API_KEYS: `bench:${key}:0`,
      ALLOWED_PRIVATE_HOSTS: "127.0.0.1",
    },
    until: /API page\s+(http:\S+)\/docs/,
  });
  // Work that is left from the start must not count towards the request.
  await setTimeout(idleMs);
  const runs = [];
  for (const options of requests) runs.push(await mapSite(server, site, options));
  await server.stop();
  return runs;
}

async function mapSite(server, site, options) {
  const before = { memory: memoryMb(server.pid), cpu: cpuMs(server.pid) };
  let peak = before.memory;
  const watch = setInterval(() => {
    peak = Math.max(peak, memoryMb(server.pid));
  }, 10);
  const text = await send({
    url: `${server.match[1]}/v2/map`,
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ url: site.match[1], ...options }),
  });
  clearInterval(watch);
  const cpuSeconds = (cpuMs(server.pid) - before.cpu) / 1000;
  const linkCount = JSON.parse(text).links.length;
  if (linkCount !== options.limit) throw new Error(`${linkCount} links instead of ${options.limit}`);
  return { cpuSeconds, growthMb: peak - before.memory };
}

const vocabulary = (
  "cloud pricing team guide review update market health season product release family music travel energy network history " +
  "science school design winter system kitchen policy public report student election garden battery security mobile camera " +
  "engine football recipe climate insurance development marketing software architecture documentation configuration " +
  "authentication getting started reference install performance optimization database management international collection"
).split(" ");

/** The same URLs in every run: folders, dates, slugs of four to seven words, numbers, extensions. */
function makeLinks() {
  let seed = 1;
  const below = (limit) => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (seed >> 8) % limit;
  };
  const word = () => vocabulary[below(vocabulary.length)] + (below(4) ? "" : "s");
  return Array.from({ length: count }, () => {
    const folder = below(2) ? `${2000 + below(26)}/${1 + below(12)}` : word();
    const name = Array.from({ length: 4 + below(4) }, word).join("-");
    const ending = (below(3) ? "" : `-${below(1e7)}`) + (below(4) ? "" : ".html");
    return { url: `https://www.example.com/${word()}/${folder}/${name}${ending}` };
  });
}

async function measureSpeed() {
  const links = makeLinks();
  const length = Math.round(links.reduce((sum, { url }) => sum + url.length, 0) / count);
  const queries = {
    "one word": "pricing",
    "a question": "how to configure database authentication for the mobile team",
    "10,000 characters": Array.from({ length: 1200 }, (_, index) => vocabulary[index % vocabulary.length]).join(" "),
  };
  const seconds = {};
  for (const [name, query] of Object.entries(queries)) {
    const taken = [];
    for (let round = 0; round < rounds; round += 1) {
      const before = process.cpuUsage();
      await rank(links, query);
      const { user, system } = process.cpuUsage(before);
      taken.push((user + system) / 1e6);
    }
    seconds[name] = median(taken);
  }
  return {
    what: `Ranking ${count.toLocaleString("en")} URLs of ${length} characters: CPU of the slowest of ${Object.keys(queries).length} queries`,
    value: round2(Math.max(...Object.values(seconds))),
    unit: "s",
    bar: 1,
    detail: Object.entries(seconds)
      .map(([name, value]) => `${name} ${round2(value)}`)
      .join(", "),
  };
}

async function measureQuality() {
  const pages = readPages().filter((page) => page.title);
  const bare = pages.map(({ url }) => ({ url }));
  const titled = pages.map(({ url, title }) => ({ url, title }));
  const distinctive = pickDistinctive(pages.map((page) => page.title));
  const byTitle = await meanReciprocalRank(bare, (index) => pages[index].title);
  const byDescription = await meanReciprocalRank(bare, (index) => pages[index].description);
  const others = {
    "three rarest title words, URL only": await meanReciprocalRank(bare, (index) => distinctive[index]),
    "three rarest title words, links with titles": await meanReciprocalRank(titled, (index) => distinctive[index]),
    "first heading, URL only": await meanReciprocalRank(bare, (index) => pages[index].heading),
    "first heading, links with titles": await meanReciprocalRank(titled, (index) => pages[index].heading),
    "description, links with titles": await meanReciprocalRank(titled, (index) => pages[index].description),
  };
  const detail = Object.entries(others).map(([name, { value, asked }]) => `${name} ${value} (${asked})`);
  const shape = { unit: "MRR", bar: 0.6, isMinimum: true };
  return [
    {
      what: `${pages.length} pages queried by their title, links carry only their URL`,
      value: byTitle.value,
      ...shape,
      detail: detail.join("; "),
    },
    {
      what: `${byDescription.asked} of them queried by their description, links carry only their URL`,
      value: byDescription.value,
      ...shape,
    },
  ];
}

async function meanReciprocalRank(links, queryOf) {
  let sum = 0;
  let asked = 0;
  for (const [index, link] of links.entries()) {
    const query = queryOf(index);
    if (!query) continue;
    sum += 1 / ((await rank(links, query)).indexOf(link) + 1);
    asked += 1;
  }
  return { value: round2(sum / asked), asked };
}

/** The three words of each title that the fewest titles contain. */
function pickDistinctive(titles) {
  const words = titles.map((title) => [...new Set(title.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? [])]);
  const spread = new Map();
  for (const word of words.flat()) spread.set(word, (spread.get(word) ?? 0) + 1);
  return words.map((list) =>
    list
      .sort((one, other) => spread.get(one) - spread.get(other))
      .slice(0, 3)
      .join(" "),
  );
}

function readPages() {
  const lines = gunzipSync(readFileSync(new URL("index.jsonl.gz", quality)))
    .toString()
    .trim()
    .split("\n");
  return lines.map((line) => {
    const { url, html, charset } = JSON.parse(line);
    return { url, ...readHead(decode(gunzipSync(readFileSync(new URL(html, quality))), charset)) };
  });
}

function decode(bytes, charset) {
  const said = charset ?? /charset=["']?([\w-]+)/i.exec(bytes.subarray(0, 4096).toString("latin1"))?.[1] ?? "utf-8";
  try {
    return new TextDecoder(said).decode(bytes);
  } catch {
    return bytes.toString();
  }
}

function readHead(html) {
  const texts = { title: "", h1: "" };
  const metas = {};
  const ended = new Set();
  const open = [];
  const parser = new Parser({
    onopentag(tag, { name, property, content }) {
      if (tag === "meta" && content) metas[(property ?? name ?? "").toLowerCase()] ??= content;
      open.push(tag);
    },
    ontext(text) {
      for (const tag of ["title", "h1"]) {
        if (open.includes(tag) && !ended.has(tag) && !open.includes("svg")) texts[tag] += text;
      }
    },
    onclosetag(tag) {
      open.pop();
      if (texts[tag]?.trim()) ended.add(tag);
    },
  });
  parser.end(html);
  const tidy = (text) => (text ?? "").replace(/\s+/g, " ").trim();
  return {
    title: tidy(texts.title) || tidy(metas["og:title"]),
    heading: tidy(texts.h1),
    description: tidy(metas.description ?? metas["og:description"]),
  };
}

function round2(value) {
  return Math.round(value * 100) / 100;
}
