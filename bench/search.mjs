// What the local index costs on 100,000 generated pages, each with links to three others: CPU of a query relative to plain FTS5
// with the same words, CPU of indexing, and size. How well it ranks is measured by bench/quality/search.mjs.
import { rmSync, statSync } from "node:fs";
import { join } from "node:path";
import Database from "libsql";
import { createLocalIndex } from "../dist/search/index.js";
import { ask, indexPages, makePage, withStore } from "./local-index.mjs";
import { median } from "./measure.mjs";

const count = 100_000;
const asked = 60;

export async function measure() {
  return withStore(async (store, folder) => {
    const emptyBytes = sizeOf(folder);
    const site = makeSite();
    const pages = linkPages(Array.from({ length: count }, site.page));
    const textBytes = pages.reduce((sum, { title, text }) => sum + title.length + text.length, 0);
    const seconds = await indexPages(store, pages);
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
        bar: 2,
        detail: twoWords.detail,
      },
      {
        what: "The same with operators, the slowest one",
        value: slowest[1].ratio,
        unit: "times",
        bar: 2,
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

/** The median of three rounds. */
async function compare(own, plain, queries) {
  const rounds = [];
  for (let round = 0; round < 3; round += 1) rounds.push(await compareOnce(own, plain, queries));
  return rounds.sort((one, other) => one.ratio - other.ratio)[1];
}

/** Every query once on both, in turn, after one to warm up. */
async function compareOnce(own, plain, queries) {
  const statement = plain.prepare("select rowid from pages where pages match ? order by rank limit 10");
  const ours = [];
  const theirs = [];
  let found = 0;
  for (const [place, { text, words }] of queries.entries()) {
    const one = await cpuMs(async () => {
      found += (await ask(own, text, 10)).length;
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
