// How well the local index ranks, by nDCG@10, beside plain FTS5 over the same pages: with stems, without stop words and with
// titles that count twice, and with unstemmed words.
//
// Cranfield and CACM have judged queries. Three further collections are made of the same material, so that a change is not
// judged by two alone: long queries, where the text of a relevant page asks for the other relevant ones, and paragraphs of web
// pages that ask for the page they were taken from. Set TRAWL_BENCH_POSTGRES to the URL of an empty database to rank the first
// collection on PostgreSQL too.
import { existsSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import Database from "libsql";
import { createLocalIndex } from "../../dist/search/index.js";
import { openStore } from "../../dist/store/index.js";
import { englishStopWords, splitWords } from "../../dist/text/index.js";
import { ask, indexPages, makePage, withStore } from "../local-index.mjs";

/** What the public API takes. */
const longestQuery = 500;
/** How much better than plain FTS5 every collection is to be. */
const leastGain = 0.02;

export async function measure(shared) {
  const judged = new URL("search/", shared);
  if (!existsSync(judged)) {
    console.log("skipped search: the judged queries are not at ../shared/search");
    return null;
  }
  const cranfield = readJudged(new URL("dev/", judged), "Cranfield");
  const cacm = readJudged(new URL("dev-cacm/", judged), "CACM");
  const pages = new URL("quality/dev/", shared);
  const rows = [
    { collection: cranfield, goal: 0.41 },
    { collection: cacm, goal: 0.48 },
    { collection: askedByPages(cranfield) },
    { collection: askedByPages(cacm) },
    ...(existsSync(pages) ? [{ collection: askedByParagraphs(pages) }] : []),
  ];
  const figures = [];
  for (const row of rows) figures.push(...(await measureRow(row)));
  return [...figures, ...(await measurePostgres(cranfield))];
}

async function measureRow({ collection, goal }) {
  const { name, queries } = collection;
  const own = await withStore((store) => scoreIndex(store, collection));
  const plain = scorePlain(collection, { tokenizer: "porter unicode61 remove_diacritics 2", titleWeight: 2 });
  const unstemmed = scorePlain(collection, { tokenizer: "unicode61", titleWeight: 1, hasAllWords: true });
  const detail = `${queries.length} queries over ${collection.pages.length} pages; FTS5 with stems ${round(plain)}, unstemmed ${round(unstemmed)}`;
  const best = Math.max(plain, unstemmed);
  const shape = { unit: "nDCG@10", isMinimum: true };
  return [
    ...(goal ? [{ what: `Local index, ${name}`, value: round(own), bar: goal, detail, ...shape }] : []),
    {
      what: `Local index above plain FTS5, ${name}`,
      value: round(own - best),
      bar: leastGain,
      ...(goal ? {} : { detail: `${round(own)}; ${detail}` }),
      ...shape,
    },
  ];
}

/** The engine chooses the candidates there, too; what it has no counterpart for is FTS5's bm25. */
async function measurePostgres(collection) {
  const databaseUrl = process.env.TRAWL_BENCH_POSTGRES;
  if (!databaseUrl) return [];
  const store = await openStore({ databaseUrl });
  const value = await scoreIndex(store, collection);
  await store.close();
  return [
    {
      what: `Local index, ${collection.name}, PostgreSQL`,
      value: round(value),
      bar: 0.38,
      unit: "nDCG@10",
      isMinimum: true,
    },
  ];
}

async function scoreIndex(store, { pages, queries }) {
  await indexPages(
    store,
    pages.map(({ id, title, headings, text }) => makePage(`http://127.0.0.1/d/${id}`, title, headings, text)),
  );
  const own = createLocalIndex({ store });
  const ranked = [];
  for (const query of queries) {
    const results = await ask(own, query.text, 11);
    ranked.push(results.map(({ url }) => url.split("/").at(-1)));
  }
  return meanGain(queries, ranked);
}

function scorePlain({ pages, queries }, { tokenizer, titleWeight, hasAllWords = false }) {
  const database = new Database(":memory:");
  database.exec(`create virtual table pages using fts5(id unindexed, title, body, tokenize='${tokenizer}')`);
  const insert = database.prepare("insert into pages (id, title, body) values (?, ?, ?)");
  database.exec("begin");
  for (const { id, title, body } of pages) insert.run(id, title, body);
  database.exec("commit");
  const find = database.prepare(
    `select id from pages where pages match ? order by bm25(pages, 0, ${titleWeight}, 1) limit 11`,
  );
  const ranked = queries.map(({ text }) => {
    const words = splitWords(text);
    const telling = hasAllWords ? words : words.filter((word) => !englishStopWords.has(word));
    return find.all(telling.map((word) => `"${word}"`).join(" OR ")).map(({ id }) => id);
  });
  database.close();
  return meanGain(queries, ranked);
}

/** nDCG@10 with linear gain, the mean over all queries. */
function meanGain(queries, ranked) {
  const gain = (grades) => grades.slice(0, 10).reduce((sum, grade, place) => sum + grade / Math.log2(place + 2), 0);
  const scores = queries.map(({ grades, source }, index) => {
    const others = ranked[index].filter((id) => id !== source);
    return gain(others.map((id) => grades[id] ?? 0)) / gain(Object.values(grades).sort((one, other) => other - one));
  });
  return scores.reduce((sum, score) => sum + score, 0) / scores.length;
}

function readJudged(folder, name) {
  const lines = (file) => readFileSync(new URL(file, folder), "utf8").trim().split("\n");
  const pages = lines("docs.jsonl").map((line) => {
    const { id, title, text } = JSON.parse(line);
    const heading = title || "untitled";
    return { id, title: heading, headings: [heading], text: `${heading}\n${text}`, body: text };
  });
  const grades = {};
  for (const line of lines("qrels.tsv")) {
    const [query, page, grade] = line.split("\t");
    grades[query] ??= {};
    grades[query][page] = Number(grade);
  }
  const queries = lines("queries.jsonl").map((line) => {
    const { id, text } = JSON.parse(line);
    return { text: asQuery(text), grades: grades[id] ?? {}, source: null };
  });
  return { name, pages, queries };
}

/** Long queries: a relevant page's text asks for the others. */
function askedByPages({ name, pages, queries }) {
  const pagesById = new Map(pages.map((page) => [page.id, page]));
  const asked = queries.flatMap(({ grades }) => {
    const relevant = Object.entries(grades).sort(
      ([one, first], [other, second]) => second - first || Number(one) - Number(other),
    );
    const source = relevant.map(([id]) => pagesById.get(id)).find((page) => page && page.body.length > 300);
    if (relevant.length < 4 || source === undefined) return [];
    const { [source.id]: _, ...others } = grades;
    return [{ text: asQuery(source.body), grades: others, source: source.id }];
  });
  return { name: `${name} asked by texts of pages`, pages, queries: asked };
}

/** The middle one of a page's long paragraphs asks for the page, which then lacks it. */
function askedByParagraphs(folder) {
  const listed = gunzipSync(readFileSync(new URL("index.jsonl.gz", folder)))
    .toString()
    .trim()
    .split("\n");
  const pages = [];
  const queries = [];
  for (const { id, expected = "", html } of listed.map((line) => JSON.parse(line))) {
    if (expected.length <= 400) continue;
    const paragraphs = expected.split(/\n+/);
    const long = [...paragraphs.keys()].filter((place) => paragraphs[place].split(/\s+/).length > 50);
    const taken = long.length > 1 ? long[long.length >> 1] : -1;
    const source = gunzipSync(readFileSync(new URL(html, folder))).toString();
    const title = plainText(/<title[^>]*>([\s\S]*?)<\/title>/i.exec(source)?.[1] ?? "") || "untitled";
    const headings = [...source.matchAll(/<h[123][^>]*>([\s\S]*?)<\/h[123]>/gi)].map(([, text]) => plainText(text));
    const text = paragraphs.filter((_, place) => place !== taken).join("\n");
    pages.push({ id, title, headings: headings.filter((one) => one && expected.includes(one)), text, body: text });
    if (taken >= 0) queries.push({ text: asQuery(paragraphs[taken]), grades: { [id]: 1 }, source: null });
  }
  return { name: "paragraphs of web pages", pages, queries };
}

function plainText(html) {
  return html
    .replace(/<[^>]*>/g, " ")
    .replace(/&#?\w+;/g, " ")
    .replace(/\s+/g, " ")
    .trim();
}

/** These texts are no search operators. */
function asQuery(text) {
  const plain = text
    .replace(/["“”]/g, " ")
    .replace(/(^|\s)-+(?=\S)/g, "$1")
    .replace(/\b(site|inurl|allinurl|intitle|allintitle|related):/gi, "$1 ")
    .replace(/\s+/g, " ")
    .trim();
  return plain.length <= longestQuery ? plain : plain.slice(0, longestQuery).replace(/\s+\S*$/, "");
}

function round(value) {
  return Number(value.toFixed(4));
}
