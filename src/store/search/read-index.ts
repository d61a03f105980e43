// Finds pages in the search index and reads them. What a word is, and the order of what is found, is decided by the search room.
import { type RawBuilder, sql } from "kysely";
import type { Executor } from "../engine/executor.ts";
import { findTeam, firstIdOf, lastIdOf, pageIdSql } from "../engine/search-ids.ts";
import type { WordIndex, WordMatch, WordRun } from "../engine/search-words.ts";
import { decompress } from "../schema/compression.ts";
import type { RowOf } from "../schema/tables.ts";
import { pageKeyOf, toHex } from "./entries.ts";
import { type LinkStats, noLinks, readLinkStats } from "./page-links.ts";
import {
  hidesPages,
  idsOf,
  needsPage,
  pageConditions,
  pageDate,
  pageIdsOf,
  rowsFor,
  type SearchPlan,
  type TeamPlan,
  toPageIds,
} from "./search-plan.ts";
import { targetOf } from "./targets.ts";

export interface WordCounts {
  runs: readonly number[];
  pages: number;
}

export interface IndexCounts extends WordCounts {
  /** Of the texts of the team's pages; null where it has none. */
  meanBytes: number | null;
}

type PageFacts = "id" | "url" | "title" | "description" | "language" | "published" | "modified" | "firstSeen";

export interface IndexedPage extends LinkStats, Pick<RowOf<"search_pages">, PageFacts> {
  /** The same for pages with the same text. */
  textKey: string;
  text: string;
  /** Of the text. */
  sizeBytes: number;
}

/** Of a host with more pages those that were read first are looked at. */
const mostOfHost = 2000;

/** All pages of a host. */
function ofHost(teamId: string, host: string): SearchPlan {
  const nothing = { anyOf: [], allOf: [], noneOf: [], excludedHosts: [], urlParts: [], fromMs: null, toMs: null };
  return { ...nothing, teamId, hostGroups: [[host]], isNewestFirst: false, limit: mostOfHost };
}

function homeKeys(teamId: string, host: string): Uint8Array[] {
  const hosts = [host, `www.${host}`];
  return hosts.flatMap((name) => ["https", "http"].map((scheme) => pageKeyOf(teamId, `${scheme}://${name}/`)));
}

export function createIndexReadStatements({ db }: Executor, words: WordIndex) {
  /** Pages by all but words. */
  function findByDate(plan: TeamPlan, match: WordMatch) {
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

  /** The best pages by their words alone. */
  async function findByWords(match: WordMatch, counts: WordCounts, limit: number): Promise<number[]> {
    const score = words.score(match, counts.runs, counts.pages);
    const found = (matches: RawBuilder<boolean>) =>
      db
        .selectFrom("search_words")
        .select("search_words.rowid as id")
        .where(matches)
        .orderBy(score, "desc")
        .orderBy("search_words.rowid", "desc")
        .limit(rowsFor(limit));
    const narrow = await words.narrow(db, match, counts.runs, rowsFor(limit));
    if (narrow) {
      const rows = await found(narrow.matches).select(score.as("score")).execute();
      if (rows.length === rowsFor(limit) && (rows.at(-1)?.score ?? 0) > narrow.bound) return toPageIds(rows, limit);
    }
    return pageIdsOf(found(words.matches(match)), limit);
  }

  return {
    /** Ids of pages that fit, the best or the newest first. */
    async find(asked: SearchPlan, counts: WordCounts): Promise<number[]> {
      const team = await findTeam(db, asked.teamId);
      if (team === null) return [];
      const plan: TeamPlan = { ...asked, hidesPages: await hidesPages(db, asked.teamId) };
      const match: WordMatch = { ...plan, firstId: firstIdOf(team), lastId: lastIdOf(team) };
      if (plan.anyOf.length === 0 && plan.allOf.length === 0) return idsOf(findByDate(plan, match).limit(plan.limit));
      if (!plan.isNewestFirst && !needsPage(plan)) return findByWords(match, counts, plan.limit);
      const score = words.score(match, counts.runs, counts.pages);
      const found = db.selectFrom("search_words").select("search_words.rowid as id").where(words.matches(match));
      // "cross": SQLite then begins with the words, not with the pages.
      let query = found.crossJoin("search_pages").where("search_pages.id", "=", pageIdSql("search_words.rowid"));
      for (const condition of pageConditions(plan, words)) query = query.where(condition);
      const ordered = query
        .orderBy(plan.isNewestFirst ? pageDate : score, "desc")
        .orderBy("search_words.rowid", "desc");
      return pageIdsOf(ordered, plan.limit);
    },

    /** Ids of the pages that say most of what a host is about: its home page, then those that most other hosts link to. */
    async findTelling(teamId: string, host: string, limit: number): Promise<number[]> {
      const team = await findTeam(db, teamId);
      if (team === null) return [];
      const plan: TeamPlan = { ...ofHost(teamId, host), hidesPages: await hidesPages(db, teamId) };
      let query = db
        .selectFrom("search_pages")
        .select(["search_pages.id", "pageKey", "url"])
        .where("search_pages.id", ">=", firstIdOf(team))
        .where("search_pages.id", "<=", lastIdOf(team));
      for (const condition of pageConditions(plan, words)) query = query.where(condition);
      const isHome = sql<boolean>`search_pages.page_key in (${sql.join(homeKeys(teamId, host))})`;
      const homes = await query.where(isHome).execute();
      const rows = await query.orderBy("search_pages.id").limit(mostOfHost).execute();
      if (rows.length === 0) return [];
      const stats = await readLinkStats(
        db,
        rows.map(({ pageKey, url }) => targetOf(pageKey, url)),
      );
      const linked = rows.map(({ id, pageKey, url }) => ({
        id,
        url,
        hosts: stats.get(targetOf(pageKey, url))?.linkHosts ?? 0,
      }));
      linked.sort((one, other) => other.hosts - one.hosts || one.url.length - other.url.length || one.id - other.id);
      return [...new Set([...homes, ...linked].map(({ id }) => id))].slice(0, limit);
    },

    /** How many pages hold each of the runs, of how many, and how long pages are; estimates, to weigh words by. */
    async count(teamId: string, runs: readonly WordRun[]): Promise<IndexCounts> {
      const team = await findTeam(db, teamId);
      if (team === null) return { runs: runs.map(() => 0), pages: 0, meanBytes: null };
      const match = { anyOf: runs, allOf: [], noneOf: [], firstId: firstIdOf(team), lastId: lastIdOf(team) };
      const all = await db
        .selectFrom("search_teams")
        .select(({ fn }) => [
          fn.sum<number | null>("nextId").as("pages"),
          fn.sum<number | null>("measuredPages").filterWhere("teamNumber", "=", team).as("measured"),
          fn.sum<number | null>("measuredBytes").filterWhere("teamNumber", "=", team).as("bytes"),
        ])
        .executeTakeFirst();
      const meanBytes = all?.measured ? (all.bytes ?? 0) / all.measured : null;
      return { runs: await words.count(db, match), pages: all?.pages ?? 0, meanBytes };
    },

    /** Of all teams, in the order of the ids. */
    async listStored(afterId: number, limit: number): Promise<IndexedPage[]> {
      const ids = db.selectFrom("search_pages").select("id").where("id", ">", afterId).orderBy("id").limit(limit);
      return readPages(await idsOf(ids));
    },

    /** In the order of the ids; those that are gone meanwhile are left out. */
    read: readPages,
  };

  async function readPages(ids: readonly number[]): Promise<IndexedPage[]> {
    if (ids.length === 0) return [];
    const rows = await db
      .selectFrom("search_pages")
      .innerJoin("search_texts", "search_texts.id", "search_pages.id")
      .select(["search_pages.id", "url", "title", "description", "language", "published", "modified", "firstSeen"])
      .select(["pageKey", "textKey", "encoding", "search_texts.sizeBytes", "data"])
      .where("search_pages.id", "in", ids)
      .execute();
    const targets = new Map(rows.map((row) => [row.id, targetOf(row.pageKey, row.url)]));
    const stats = await readLinkStats(db, [...targets.values()]);
    const pages = new Map<number, IndexedPage>();
    for (const { encoding, data, sizeBytes, firstSeen, pageKey: _, textKey, ...page } of rows) {
      const plain = await decompress(encoding, data, sizeBytes);
      const text = Buffer.from(plain.buffer, plain.byteOffset, plain.byteLength).toString();
      const linkStats = stats.get(targets.get(page.id) ?? 0) ?? noLinks;
      pages.set(page.id, { firstSeen, textKey: toHex(textKey), text, sizeBytes, ...page, ...linkStats });
    }
    return ids.map((id) => pages.get(id)).filter((page) => page !== undefined);
  }
}
