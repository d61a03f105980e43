// The local index: how well it ranks (the Cranfield collection at ../shared/search, by nDCG@10), and what it costs on 100,000
// generated pages, each with links to three others: CPU of a query relative to plain FTS5 with the same words, CPU of indexing,
// and size. SQLite; set TRAWL_BENCH_POSTGRES to the URL of an empty database to rank on PostgreSQL too.
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "libsql";
import { createIndexWriter, createLocalIndex, parseQuery } from "../dist/search/index.js";
import { openStore } from "../dist/store/index.js";
import { median } from "./measure.mjs";

const judged = new URL("../../shared/search/dev/", import.meta.url);
const count = 100_000;
const asked = 60;
const teamId = "bench";
const clock = { now: () => Date.now() };
const log = { warn: (...details) => console.log(...details) };
const { signal } = new AbortController();

export async function measure() {
  const figures = [];
  if (existsSync(judged)) figures.push(...(await measureOrder()));
  else console.log("skipped the ranking: the judged queries are not at ../shared/search");
  figures.push(...(await measureCost()));
  return figures;
}

/** Runs with a store in a folder of its own, which is removed afterwards. */
async function withStore(work) {
  const folder = mkdtempSync(join(tmpdir(), "trawl-bench-"));
  try {
    const store = await openStore({ dataDir: folder });
    try {
      return await work(store, folder);
    } finally {
      await store.close();
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function measureOrder() {
  const shape = { unit: "nDCG@10", bar: 0.375, isMinimum: true };
  const sqlite = await withStore((store) => scoreOrder(store));
  const figures = [
    { what: "Ranking of 225 judged queries over 1,400 pages, SQLite", value: round(sqlite, 4), ...shape },
  ];
  const databaseUrl = process.env.TRAWL_BENCH_POSTGRES;
  if (!databaseUrl) return figures;
  const store = await openStore({ databaseUrl });
  const value = round(await scoreOrder(store), 4);
  await store.close();
  return [...figures, { what: "The same, PostgreSQL", value, ...shape, bar: round(sqlite - 0.03, 4) }];
}

async function scoreOrder(store) {
  const lines = (file) => readFileSync(new URL(file, judged), "utf8").trim().split("\n");
  const pages = lines("docs.jsonl").map((line) => JSON.parse(line));
  const grades = {};
  for (const line of lines("qrels.tsv")) {
    const [query, page, grade] = line.split("\t");
    grades[query] ??= {};
    grades[query][page] = Number(grade);
  }
  await index(
    store,
    pages.map(({ id, title, text }) => {
      const heading = title || "untitled";
      return makePage(`http://127.0.0.1/d/dev/${id}`, heading, [heading], `${heading}\n${text}`);
    }),
  );
  const own = createLocalIndex({ store });
  const gain = (list) => list.reduce((sum, grade, place) => sum + grade / Math.log2(place + 2), 0);
  let sum = 0;
  const queries = lines("queries.jsonl").map((line) => JSON.parse(line));
  for (const { id, text } of queries) {
    // The queries predate operators.
    const plain = text.replace(/["“”]/g, " ").replace(/(^|\s)-+(?=\S)/g, "$1");
    const { results } = await own.search({ teamId, query: parseQuery(plain), limit: 10, wantsPassages: true }, signal);
    const ofQuery = grades[id] ?? {};
    const ideal = Object.values(ofQuery).sort((one, other) => other - one);
    sum += gain(results.map(({ url }) => ofQuery[url.split("/").at(-1)] ?? 0)) / gain(ideal.slice(0, 10));
  }
  return sum / queries.length;
}

function makePage(url, title, headings, text) {
  return {
    teamId,
    url,
    title,
    description: "",
    headings,
    text,
    links: [],
    language: "en",
    published: null,
    modified: null,
  };
}

/** CPU seconds. */
async function index(store, pages) {
  const writer = createIndexWriter({ store, clock, log });
  const before = process.cpuUsage();
  let added = 0;
  for (const page of pages) {
    writer.add(page);
    added += 1;
    if (added % 1000 === 0) await writer.flush();
  }
  await writer.stop();
  const { user, system } = process.cpuUsage(before);
  const { dropped } = writer.counts();
  if (dropped > 0) throw new Error(`${dropped} pages were not indexed`);
  return (user + system) / 1e6;
}

async function measureCost() {
  return withStore(async (store, folder) => {
    const emptyBytes = sizeOf(folder);
    const site = makeSite();
    const pages = linkPages(Array.from({ length: count }, site.page));
    const textBytes = pages.reduce((sum, { title, text }) => sum + title.length + text.length, 0);
    const seconds = await index(store, pages);
    const plain = openPlain(join(folder, "plain.db"), pages);
    const own = createLocalIndex({ store });
    const queries = makeQueries(site, pages);
    const ratios = {};
    for (const [name, list] of Object.entries(queries)) ratios[name] = await compare(own, plain, list);
    plain.close();
    rmSync(join(folder, "plain.db"));
    const { "two words": twoWords, ...operators } = ratios;
    const slowest = Object.entries(operators).sort(([, one], [, other]) => other.ratio - one.ratio)[0];
    const bytes = sizeOf(folder) - emptyBytes;
    return [
      {
        what: `Query of two words over ${count.toLocaleString("en")} pages: median CPU relative to plain FTS5 bm25`,
        value: twoWords.ratio,
        unit: "times",
        bar: 3,
        detail: twoWords.detail,
      },
      {
        what: "The same with operators, the slowest one",
        value: slowest[1].ratio,
        unit: "times",
        bar: 3,
        detail: Object.entries(operators)
          .map(([name, { ratio, detail }]) => `${name} ${ratio} (${detail})`)
          .join("; "),
      },
      {
        what: `Indexing pages of ${Math.round(textBytes / count)} characters`,
        value: Math.round(count / seconds),
        unit: "pages per CPU second",
        bar: 700,
        isMinimum: true,
      },
      {
        what: "Size of the index with its compressed texts, relative to the texts",
        value: round(bytes / textBytes, 2),
        unit: "times",
        bar: 1.5,
        detail: `${round(bytes / 1e6, 0)} MB`,
      },
    ];
  });
}

/** Mostly links to other hosts, which take more space than those within a site. */
function linkPages(pages) {
  const linkTo = ({ url, title }) => ({ url, text: title.split(" ").slice(0, 3).join(" ") });
  return pages.map((page, place) => ({
    ...page,
    links: [7, 13, 29].map((step) => linkTo(pages[(place * step + step) % pages.length])),
  }));
}

/** The size of the database after a checkpoint. */
function sizeOf(folder) {
  const database = new Database(join(folder, "trawl.db"));
  database.prepare("pragma wal_checkpoint(truncate)").all();
  database.close();
  return statSync(join(folder, "trawl.db")).size;
}

/** Every query once on both, in turn, after one to warm up. */
async function compare(own, plain, queries) {
  const statement = plain.prepare("select rowid from pages where pages match ? order by rank limit 10");
  const ours = [];
  const theirs = [];
  let found = 0;
  for (const [place, { text, words }] of queries.entries()) {
    const one = await cpuMs(async () => {
      const { results } = await own.search({ teamId, query: parseQuery(text), limit: 10, wantsPassages: true }, signal);
      found += results.length;
    });
    const other = await cpuMs(async () => statement.all(words.map((word) => `"${word}"`).join(" OR ")));
    if (place === 0) continue;
    ours.push(one);
    theirs.push(other);
  }
  const detail = `${round(median(ours), 1)} and ${round(median(theirs), 1)} ms, ${round(found / queries.length, 1)} results`;
  return { ratio: round(median(ours) / median(theirs), 2), detail };
}

async function cpuMs(work) {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

function openPlain(file, pages) {
  const database = new Database(file);
  database.exec("create virtual table pages using fts5(title, body, tokenize='porter unicode61 remove_diacritics 2')");
  const insert = database.prepare("insert into pages (title, body) values (?, ?)");
  for (let start = 0; start < pages.length; start += 1000) {
    database.exec("begin");
    for (const { title, text } of pages.slice(start, start + 1000)) insert.run(title, text);
    database.exec("commit");
  }
  return database;
}

/** The same in every run: words with the frequencies of a natural language, pages about one of 500 subjects. */
function makeSite() {
  let seed = 7;
  const below = (limit) => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (seed >> 8) % limit;
  };
  const syllables = "ba ce di fo gu ha ki lo ma ne pi qua ro su ta ve wi xo ya zu an er in or us".split(" ");
  const words = [...new Set(Array.from({ length: 60_000 }, () => word()))];
  function word() {
    return Array.from({ length: 2 + below(3) }, () => syllables[below(syllables.length)]).join("");
  }
  // The cube of an evenly distributed number is small far more often than large.
  const frequent = () => words[Math.floor((below(1e6) / 1e6) ** 3 * words.length)];
  const subjects = Array.from({ length: 500 }, () => Array.from({ length: 30 }, frequent));
  const hosts = Array.from({ length: 2000 }, (_, number) => `${words[500 + number]}.example`);
  const page = (_, number) => {
    const subject = subjects[below(subjects.length)];
    const one = () => (below(5) ? frequent() : subject[below(subject.length)]);
    const title = Array.from({ length: 6 }, one).join(" ");
    const headings = Array.from({ length: 3 }, () => Array.from({ length: 4 }, one).join(" "));
    const parts = headings.map((heading) => `${heading}\n${Array.from({ length: 70 + below(60) }, one).join(" ")}`);
    const path = title.split(" ").slice(0, 3).join("-");
    return makePage(
      `https://www.${hosts[below(hosts.length)]}/${one()}/${path}-${number}`,
      title,
      headings,
      parts.join("\n"),
    );
  };
  return { page, below, hosts, words };
}

function makeQueries({ below }, pages) {
  const some = () => pages[below(pages.length)];
  const wordsOf = (text) => text.split(/\s+/);
  const list = (make) => Array.from({ length: asked }, () => make(some()));
  const pick = (words) => words[below(words.length)];
  return {
    "two words": list(({ text }) => {
      const words = [pick(wordsOf(text)), pick(wordsOf(text))];
      return { text: words.join(" "), words };
    }),
    "site:": list(({ text, url }) => {
      const words = [pick(wordsOf(text)), pick(wordsOf(text))];
      return { text: `site:${new URL(url).hostname} ${words.join(" ")}`, words };
    }),
    "intitle:": list(({ title, text }) => {
      const words = [pick(wordsOf(title)), pick(wordsOf(text))];
      return { text: `intitle:${words.join(" ")}`, words };
    }),
    "inurl:": list(({ title, text }) => {
      const words = [pick(wordsOf(text)), pick(wordsOf(text))];
      return { text: `inurl:${wordsOf(title)[0]} ${words.join(" ")}`, words };
    }),
    quotes: list(({ text }) => {
      const all = wordsOf(text);
      const place = below(all.length - 2);
      const words = all.slice(place, place + 2);
      return { text: `"${words.join(" ")}"`, words };
    }),
    negation: list(({ text }) => {
      const words = [pick(wordsOf(text)), pick(wordsOf(text))];
      return { text: `${words.join(" ")} -${pick(wordsOf(text))}`, words };
    }),
  };
}

function round(value, digits) {
  return Number(value.toFixed(digits));
}
