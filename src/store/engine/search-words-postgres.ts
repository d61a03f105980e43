// tsvector with GIN. The words are written as they are, without a text search configuration, so that a page has the same
// words on every engine. A separate word names the team, so that the index alone leaves out the pages of others.
import { sql } from "kysely";
import type { InsertStatement } from "./executor.ts";
import { teamNumberOf } from "./search-ids.ts";
import type { FieldRun, NumberedWords, PageWords, WordIndex, WordMatch, WordRun } from "./search-words.ts";

export const postgresWordTables = [
  "create table search_words (rowid bigint primary key, words tsvector not null)",
  "create index search_words_index on search_words using gin (words)",
];

/** PostgreSQL's own limits: the last position, and the positions of one word. */
const lastPosition = 16_383;
const mostPositions = 255;
/** Each reads the page's words again, so a longer query ranks its candidates by groups of words that are about as rare. */
const mostGroups = 8;

interface WordsRow {
  rowid: number;
  words: string;
}

const insertWords: InsertStatement<WordsRow, unknown> = (db, rows) =>
  db
    .insertInto("search_words")
    .values(rows.map(({ rowid, words }) => ({ rowid, words: sql`${words}::tsvector` })) as never);

export const postgresWords: WordIndex = {
  async insert({ insert }, pages) {
    await insert(
      insertWords,
      pages.map((page) => ({ rowid: page.id, words: vectorText(page) })),
    );
  },

  matches: (match) => sql<boolean>`search_words.words @@ ${matchText(match)}::tsquery`,

  score(match, counts, pageCount) {
    const runs = match.anyOf.length > 0 ? match.anyOf : match.allOf.map(({ run }) => run);
    const weights = new Map<string, number>();
    for (const [index, run] of runs.entries()) {
      const text = quoteRun(run, "");
      weights.set(text, (weights.get(text) ?? 0) + rarity(counts[index] ?? 0, pageCount));
    }
    const scored = groupsOf([...weights].sort(([, one], [, other]) => other - one)).map(rankOf);
    return scored.length === 0 ? sql<number>`0` : sql<number>`(${sql.join(scored, sql` + `)})`;
  },

  // ts_rank has no limit that says what a page can reach at most.
  narrow: async () => null,

  async count(db, match) {
    if (match.anyOf.length === 0) return [];
    const texts = match.anyOf.map((run) => `${quote(teamWord(match.firstId))} & ${quoteRun(run, "")}`);
    const distinct = [...new Set(texts)];
    const counts = distinct.map((text) => sql`(select count(*) from search_words where words @@ ${text}::tsquery)`);
    const row = await db
      .selectNoFrom(sql<string>`json_build_array(${sql.join(counts)})::text`.as("counts"))
      .executeTakeFirst();
    const found: number[] = JSON.parse(row?.counts ?? "[]");
    return texts.map((text) => found[distinct.indexOf(text)] ?? 0);
  },

  position: (text, part) => sql<number>`strpos(${text}, ${part})`,
};

type WeighedText = readonly [text: string, weight: number];

/** Neighbours in the order given, as few in a group as there can be. */
function groupsOf(texts: readonly WeighedText[]): (readonly WeighedText[])[] {
  const size = Math.ceil(texts.length / mostGroups);
  const groups: (readonly WeighedText[])[] = [];
  for (let start = 0; start < texts.length; start += size) groups.push(texts.slice(start, start + size));
  return groups;
}

/** PostgreSQL gives the mean of words that are joined by "or"; times their number it is their sum. */
function rankOf(group: readonly WeighedText[]) {
  const weight = group.reduce((sum, [, each]) => sum + each, 0);
  const text = group.map(([each]) => each).join(" | ");
  // Weights of body, headings, URLs and links, titles; 1 divides by the logarithm of the length.
  return sql`${weight}::float8 * ts_rank('{0.33,0.5,0.67,1}', search_words.words, ${text}::tsquery, 1)`;
}

function rarity(count: number, pageCount: number): number {
  return Math.log(1 + (Math.max(pageCount, count) - count + 0.5) / (count + 0.5));
}

function matchText({ anyOf, allOf, noneOf, firstId }: WordMatch): string {
  const any = anyOf.map((run) => quoteRun(run, "")).join(" | ");
  const wanted = allOf.length > 0 ? allOf.map(quoteField) : [`(${any})`];
  const unwanted = noneOf.map((one) => `!${quoteField(one)}`);
  return [quote(teamWord(firstId)), ...wanted, ...unwanted].join(" & ");
}

function quoteField({ run, field }: FieldRun): string {
  return quoteRun(run, field === "title" ? ":A" : "");
}

function quoteRun(run: WordRun, label: string): string {
  return `(${run.map((word) => quote(word) + label).join(" <-> ")})`;
}

function quote(word: string): string {
  return `'${word.replaceAll("\\", "\\\\").replaceAll("'", "''")}'`;
}

/** No page's word begins with a sign. */
function teamWord(id: number): string {
  return `#${teamNumberOf(id)}`;
}

const labels: [keyof PageWords, string][] = [
  ["title", "A"],
  ["url", "B"],
  ["anchors", "B"],
  ["headings", "C"],
  ["body", ""],
];

function vectorText(page: NumberedWords): string {
  const places = new Map<string, string[]>([[teamWord(page.id), []]]);
  let position = 0;
  for (const [field, label] of labels) {
    for (const word of page[field].split(" ")) {
      if (word === "") continue;
      position += 1;
      if (position > lastPosition) break;
      const list = places.get(word);
      if (list === undefined) places.set(word, [position + label]);
      else if (list.length < mostPositions) list.push(position + label);
    }
    // Not side by side with the next field's first word.
    position += 1;
  }
  return [...places]
    .map(([word, list]) => (list.length > 0 ? `${quote(word)}:${list.join(",")}` : quote(word)))
    .join(" ");
}
