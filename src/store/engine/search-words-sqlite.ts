// FTS5. The table keeps no text (content=''), only which words are where; the tokenizer "ascii" takes every character
// beyond ASCII for a letter, so that exactly the spaces between our words divide them. The body is its first column: each word
// of a page in another column takes two bytes more, which is a quarter of the table.
import { type Kysely, sql } from "kysely";
import type { Tables } from "../schema/tables.ts";
import { insertRows } from "./inserts.ts";
import { splitByRarity } from "./rare-words.ts";
import type { FieldRun, WordIndex, WordMatch, WordRun } from "./search-words.ts";

export const sqliteWordTables = [
  `create virtual table search_words using fts5(
    body, title, anchors, url, headings, content='', contentless_delete=1, tokenize='ascii')`,
  "create virtual table search_vocabulary using fts5vocab(search_words, row)",
];

interface WordsRow {
  rowid: number;
  title: string;
  anchors: string;
  url: string;
  headings: string;
  body: string;
}

const insertWords = insertRows<WordsRow>("search_words");

export const sqliteWords: WordIndex = {
  async insert({ insert }, pages) {
    await insert(
      insertWords,
      pages.map(({ id, title, anchors, url, headings, body }) => ({ rowid: id, title, anchors, url, headings, body })),
    );
  },

  matches: (match) => matching(matchText(match), match),

  // The lower the better is FTS5's way.
  score: () => sql<number>`-bm25(search_words, 1, 3, 2, 2, 1.5)`,

  async narrow(db, match, counts, wanted) {
    if (match.allOf.length > 0 || match.noneOf.length > 0 || match.anyOf.length < 2) return null;
    const split = splitByRarity(match.anyOf, counts, await countRows(db), wanted);
    if (!split) return null;
    const rare = anyText(split.rare);
    const common = anyText(split.common);
    // Each word counts once on every page: of the two halves only one holds the page.
    const both = split.rare[0] === match.anyOf[0] ? `(${rare}) AND (${common})` : `(${common}) AND (${rare})`;
    return { matches: matching(`(${both}) OR ((${rare}) NOT (${common}))`, match), bound: split.bound };
  },

  /** Counts of all teams: an estimate is all that is needed, and it is what the table can tell. */
  async count(db, { anyOf }) {
    const words = [...new Set(anyOf.flat())];
    if (words.length === 0) return [];
    const rows = await db.selectFrom("search_vocabulary").select(["term", "doc"]).where("term", "in", words).execute();
    const counts = new Map(rows.map(({ term, doc }) => [term, doc]));
    // Pages with the rarest word of a run are as many as there can be pages with all of it.
    return anyOf.map((run) => Math.min(...run.map((word) => counts.get(word) ?? 0)));
  },

  position: (text, part) => sql<number>`instr(${text}, ${part})`,
};

function matching(text: string, { firstId, lastId }: WordMatch) {
  return sql<boolean>`search_words match ${text} and search_words.rowid between ${firstId} and ${lastId}`;
}

/** How many rows FTS5 reckons with: the first number of its record of sizes, seven bits a byte. Counting them takes milliseconds. */
async function countRows(db: Kysely<Tables>): Promise<number> {
  const { rows } = await sql<{ block: Uint8Array }>`select block from search_words_data where id = 1`.execute(db);
  let count = 0;
  for (const byte of rows[0]?.block ?? []) {
    count = count * 128 + (byte & 127);
    if (byte < 128) break;
  }
  return count;
}

function anyText(runs: readonly WordRun[]): string {
  return runs.map(quoteRun).join(" OR ");
}

function matchText({ anyOf, allOf, noneOf }: WordMatch): string {
  const any = anyText(anyOf);
  // Each required run ranks, too: the words of `anyOf` then count, but nothing depends on them.
  const required = allOf.map((one) =>
    any === "" ? quoteField(one) : `(${quoteField(one)} AND (${any} OR ${quoteRun(one.run)}))`,
  );
  const wanted = required.length > 0 ? required.join(" AND ") : any;
  return noneOf.length === 0 ? wanted : `(${wanted}) NOT (${noneOf.map(quoteField).join(" OR ")})`;
}

function quoteField({ run, field }: FieldRun): string {
  return field === "title" ? `title : ${quoteRun(run)}` : quoteRun(run);
}

function quoteRun(run: WordRun): string {
  return `"${run.join(" ").replaceAll('"', '""')}"`;
}
