// The search index: pages that a team has read, their words, and their texts packed once. What a word is, and the order of
// what is found, is decided by the search room; `WordIndex` is what differs between the engines.
import { type RawBuilder, type SelectQueryBuilder, sql } from "kysely";
import { dayMs } from "../../base/index.ts";
import { decompress } from "../compression.ts";
import type { Executor, InsertStatement } from "../engine/executor.ts";
import { findTeam, firstIdOf, lastIdOf, pageIdOf, pageIdSql } from "../engine/search-ids.ts";
import type { FieldRun, WordIndex, WordMatch, WordRun } from "../engine/search-words.ts";
import { hostKey } from "../known-pages.ts";
import type { SearchPagesTable, SearchTextsTable, Tables } from "../tables.ts";
import { groupByTeam, entryKey, type PackedEntry, type PageState, pageKeyOf, toHex, toPageRow } from "./entries.ts";
import { type PageFame, readFames, targetOf, unknownFame } from "./links.ts";
import { removeBeyond, removeIds } from "./removal.ts";

export interface SearchPlan {
  teamId: string;
  /** Words to rank by; a page has one of them at least, unless `allOf` asks for others. */
  anyOf: readonly WordRun[];
  allOf: readonly FieldRun[];
  noneOf: readonly FieldRun[];
  /** Of each group one domain, subdomains included. */
  hostGroups: readonly (readonly string[])[];
  excludedHosts: readonly string[];
  urlParts: readonly { parts: readonly string[]; isNegated: boolean }[];
  /** Of the page's date, both ends included; a midnight stands for its whole day. */
  fromMs: number | null;
  toMs: number | null;
  isNewestFirst: boolean;
  limit: number;
}

export interface IndexedPage extends PageFame {
  id: number;
  url: string;
  title: string;
  description: string | null;
  language: string | null;
  published: number | null;
  modified: number | null;
  firstSeen: number;
  /** The same for pages with the same text. */
  textKey: string;
  text: string;
}

export interface IndexStats {
  pages: number;
  hosts: number;
  /** Of the texts, before packing. */
  textBytes: number;
  latestSeenAt: number | null;
}

export type SearchIndexStatements = ReturnType<typeof createSearchIndexStatements>;

const insertPages: InsertStatement<SearchPagesTable, unknown> = {
  build: (db, rows) => db.insertInto("search_pages").values(rows),
};

const insertTexts: InsertStatement<SearchTextsTable, unknown> = {
  build: (db, rows) => db.insertInto("search_texts").values(rows),
};

export function createSearchIndexStatements(executor: Executor, words: WordIndex) {
  const { db, insert } = executor;

  /** The first of so many new ids; also what makes two writers of one team wait for each other. */
  async function takeIds(teamId: string, count: number): Promise<number> {
    const take = () =>
      db
        .updateTable("search_teams")
        .set({ next_id: sql<number>`next_id + ${count}` })
        .where("team_id", "=", teamId)
        .returning(["team_number", "next_id"])
        .executeTakeFirst();
    let taken = await take();
    if (!taken) {
      const next = sql<number>`(select coalesce(max(team_number), 0) + 1 from search_teams)`;
      await db
        .insertInto("search_teams")
        .values({ team_id: teamId, team_number: next, next_id: 0 })
        .onConflict((conflict) => conflict.column("team_id").doNothing())
        .execute();
      taken = await take();
    }
    if (!taken) throw new Error(`Team ${teamId} has no number in the search index.`);
    return firstIdOf(taken.team_number) + taken.next_id - count;
  }

  /** Pages by all but words. */
  function findByDate(plan: SearchPlan, match: WordMatch) {
    let query = db
      .selectFrom("search_pages")
      .select("search_pages.id")
      .where("search_pages.id", ">=", match.firstId)
      .where("search_pages.id", "<=", match.lastId);
    for (const condition of pageConditions(plan, words)) query = query.where(condition);
    for (const unwanted of plan.noneOf) {
      const holding = words.matches({ ...match, anyOf: [], allOf: [unwanted], noneOf: [] });
      query = query.where("search_pages.id", "not in", db.selectFrom("search_words").select("rowid").where(holding));
    }
    return query.orderBy(pageDate, "desc").orderBy("search_pages.id", "desc");
  }

  function readKnown(pageKeys: readonly Uint8Array[]) {
    return db
      .selectFrom("search_pages")
      .select(["id", "page_key", "text_key", "title", "description", "published", "modified", "first_seen"])
      .where("page_key", "in", pageKeys)
      .execute();
  }

  return {
    /** Which of these pages, by their places in the list, are in the index exactly so; with their ids. */
    async findUnchanged(pages: readonly PageState[]): Promise<Map<number, number>> {
      const places = new Map(pages.map((page, place) => [toHex(pageKeyOf(page.teamId, page.url)), place]));
      const rows = pages.length === 0 ? [] : await readKnown(pages.map(({ teamId, url }) => pageKeyOf(teamId, url)));
      const unchanged = new Map<number, number>();
      for (const row of rows) {
        const place = places.get(toHex(row.page_key)) ?? -1;
        const page = pages[place];
        if (page && isSame(row, { ...page, textKey: entryKey(page.text) })) unchanged.set(place, row.id);
      }
      return unchanged;
    },

    async noteSeen(ids: readonly number[], seenAt: number): Promise<void> {
      if (ids.length === 0) return;
      await db.updateTable("search_pages").set({ seen_at: seenAt }).where("id", "in", ids).execute();
    },

    /** To be called in a transaction. Pages that are there already are replaced; the same page again is only seen again. */
    async put(entries: readonly PackedEntry[]): Promise<void> {
      // One page may be read twice in a moment; the last word counts.
      const latest = new Map(entries.map((entry) => [toHex(entry.pageKey), entry]));
      if (latest.size === 0) return;
      const firstSeen = new Map<PackedEntry, number>();
      const replaced: number[] = [];
      for (const row of await readKnown([...latest.values()].map(({ pageKey }) => pageKey))) {
        const key = toHex(row.page_key);
        const entry = latest.get(key);
        if (!entry) continue;
        if (isSame(row, entry)) {
          latest.delete(key);
          await db.updateTable("search_pages").set({ seen_at: entry.seenAt }).where("id", "=", row.id).execute();
        } else {
          firstSeen.set(entry, row.first_seen);
          replaced.push(row.id);
        }
      }
      await removeIds(db, replaced);
      for (const [teamId, pages] of [...groupByTeam(latest.values())].sort(([one], [other]) =>
        one < other ? -1 : 1,
      )) {
        const firstId = await takeIds(teamId, pages.length);
        const numbered = pages.map((entry, index) => ({ entry, id: firstId + index }));
        await insert(
          insertPages,
          numbered.map(({ entry, id }) => toPageRow(entry, id, firstSeen.get(entry) ?? entry.seenAt)),
        );
        await insert(
          insertTexts,
          numbered.map(({ entry, id }) => ({
            id,
            encoding: entry.packed.encoding,
            size_bytes: entry.sizeBytes,
            data: entry.packed.data,
          })),
        );
        await words.insert(
          executor,
          numbered.map(({ entry, id }) => ({ id, ...entry.words })),
        );
      }
    },

    /** Ids of pages that fit, the best or the newest first. */
    async find(plan: SearchPlan, counts: { runs: readonly number[]; pages: number }): Promise<number[]> {
      const team = await findTeam(db, plan.teamId);
      if (team === null) return [];
      const match: WordMatch = { ...plan, firstId: firstIdOf(team), lastId: lastIdOf(team) };
      if (plan.anyOf.length === 0 && plan.allOf.length === 0) return idsOf(findByDate(plan, match).limit(plan.limit));
      const score = words.score(match, counts.runs, counts.pages);
      const found = db.selectFrom("search_words").select("search_words.rowid as id").where(words.matches(match));
      if (!plan.isNewestFirst && !needsPage(plan)) {
        return pageIdsOf(found.orderBy(score, "desc").orderBy("search_words.rowid", "desc"), plan.limit);
      }
      // "cross": SQLite then begins with the words, not with the pages.
      let query = found.crossJoin("search_pages").where("search_pages.id", "=", pageIdSql("search_words.rowid"));
      for (const condition of pageConditions(plan, words)) query = query.where(condition);
      const ordered = query
        .orderBy(plan.isNewestFirst ? pageDate : score, "desc")
        .orderBy("search_words.rowid", "desc");
      return pageIdsOf(ordered, plan.limit);
    },

    /** How many pages hold each of the runs, and of how many; estimates, to weigh words by. */
    async count(teamId: string, runs: readonly WordRun[]): Promise<{ runs: number[]; pages: number }> {
      const team = await findTeam(db, teamId);
      if (team === null) return { runs: runs.map(() => 0), pages: 0 };
      const match = { anyOf: runs, allOf: [], noneOf: [], firstId: firstIdOf(team), lastId: lastIdOf(team) };
      const all = await db
        .selectFrom("search_teams")
        .select((build) => build.fn.sum<number | null>("next_id").as("pages"))
        .executeTakeFirst();
      return { runs: await words.count(db, match), pages: all?.pages ?? 0 };
    },

    /** In the order of the ids; those that are gone meanwhile are left out. */
    async read(ids: readonly number[]): Promise<IndexedPage[]> {
      if (ids.length === 0) return [];
      const rows = await db
        .selectFrom("search_pages")
        .innerJoin("search_texts", "search_texts.id", "search_pages.id")
        .select(["search_pages.id", "url", "title", "description", "language", "published", "modified", "first_seen"])
        .select(["page_key", "text_key", "encoding", "search_texts.size_bytes as sizeBytes", "data"])
        .where("search_pages.id", "in", ids)
        .execute();
      const fames = await readFames(
        db,
        rows.map((row) => row.page_key),
      );
      const pages = new Map<number, IndexedPage>();
      for (const { encoding, data, sizeBytes, first_seen, page_key, text_key, ...page } of rows) {
        const plain = await decompress(encoding, data, sizeBytes);
        const text = Buffer.from(plain.buffer, plain.byteOffset, plain.byteLength).toString();
        const fame = fames.get(targetOf(page_key)) ?? unknownFame;
        pages.set(page.id, { ...page, ...fame, firstSeen: first_seen, textKey: toHex(text_key), text });
      }
      return ids.map((id) => pages.get(id)).filter((page) => page !== undefined);
    },

    async stats(teamId: string): Promise<IndexStats> {
      const team = await findTeam(db, teamId);
      const none = { pages: 0, hosts: 0, textBytes: 0, latestSeenAt: null };
      if (team === null) return none;
      const row = await db
        .selectFrom("search_pages")
        .select((build) => [
          build.fn.countAll<number>().as("pages"),
          build.fn.count<number>("host_key").distinct().as("hosts"),
          build.fn.sum<number | null>("size_bytes").as("textBytes"),
          build.fn.max<number | null>("seen_at").as("latestSeenAt"),
        ])
        .where("id", ">=", firstIdOf(team))
        .where("id", "<=", lastIdOf(team))
        .executeTakeFirst();
      return row ? { ...row, textBytes: row.textBytes ?? 0 } : none;
    },

    /** To be called in a transaction, as are the two that follow; each says how many pages it removed. */
    async removeUrl(teamId: string, url: string): Promise<number> {
      const row = await db
        .selectFrom("search_pages")
        .select("id")
        .where("page_key", "=", pageKeyOf(teamId, url))
        .executeTakeFirst();
      return removeIds(db, row ? [row.id] : []);
    },

    /** At most `limit` pages of a domain and its subdomains, or of the team when there is no domain. */
    async remove({ teamId, host, limit }: { teamId: string; host: string | null; limit: number }): Promise<number> {
      const team = await findTeam(db, teamId);
      if (team === null) return 0;
      let query = db
        .selectFrom("search_pages")
        .select("id")
        .where("id", ">=", firstIdOf(team))
        .where("id", "<=", lastIdOf(team));
      if (host !== null) query = query.where(isOnHost(host));
      return removeIds(db, await idsOf(query.limit(limit)));
    },

    /** Until all texts together, before packing, take at most so many bytes; the pages go that were not seen for longest. */
    makeRoom: (mostBytes: number, limit: number): Promise<number> => removeBeyond(db, mostBytes, limit),
  };
}

function isSame(
  row: Pick<SearchPagesTable, "text_key" | "title" | "description" | "published" | "modified">,
  page: Pick<PackedEntry, "textKey" | "title" | "description" | "published" | "modified">,
): boolean {
  return (
    toHex(row.text_key) === toHex(page.textKey) &&
    row.title === page.title &&
    row.description === page.description &&
    row.published === page.published &&
    row.modified === page.modified
  );
}

const pageDate = sql<number>`coalesce(search_pages.published, search_pages.modified, search_pages.first_seen)`;

function needsPage({ hostGroups, excludedHosts, urlParts, fromMs, toMs }: SearchPlan): boolean {
  return hostGroups.length + excludedHosts.length + urlParts.length > 0 || fromMs !== null || toMs !== null;
}

function* pageConditions(plan: SearchPlan, words: WordIndex): Generator<RawBuilder<boolean>> {
  for (const hosts of plan.hostGroups) {
    yield hosts.length === 0 ? sql<boolean>`1 = 0` : sql<boolean>`(${sql.join(hosts.map(isOnHost), sql` or `)})`;
  }
  for (const host of plan.excludedHosts) yield sql<boolean>`not ${isOnHost(host)}`;
  for (const { parts, isNegated } of plan.urlParts) {
    const found = parts.map(
      (part) => sql`${words.position(sql<string>`coalesce(search_pages.url_text, search_pages.url)`, part)} > 0`,
    );
    yield sql<boolean>`${sql.raw(isNegated ? "not " : "")}(${sql.join(found, sql` and `)})`;
  }
  const { fromMs, toMs } = plan;
  if (toMs !== null) yield sql<boolean>`${pageDate} <= ${toMs}`;
  if (fromMs !== null) {
    yield sql<boolean>`(${pageDate} >= ${fromMs}
      or (${pageDate} % ${sql.lit(dayMs)} = 0 and ${pageDate} > ${fromMs - dayMs}))`;
  }
}

/** The host itself and its subdomains. */
function isOnHost(host: string): RawBuilder<boolean> {
  const key = hostKey(host);
  // Everything that begins with the key and a dot: "/" is the next character.
  return sql<boolean>`(search_pages.host_key = ${key} or (search_pages.host_key > ${`${key}.`} and search_pages.host_key < ${`${key}/`}))`;
}

/** A page may be found twice: by its own words and by those of links to it. */
async function pageIdsOf<Table extends keyof Tables>(
  query: SelectQueryBuilder<Tables, Table, { id: number }>,
  limit: number,
): Promise<number[]> {
  return [...new Set((await idsOf(query.limit(2 * limit))).map(pageIdOf))].slice(0, limit);
}

async function idsOf<Table extends keyof Tables>(
  query: SelectQueryBuilder<Tables, Table, { id: number }>,
): Promise<number[]> {
  return (await query.execute()).map(({ id }) => id);
}
