// The search index: pages that a team has read, their words, and their texts packed once. `WordIndex` is what differs between
// the engines.
import { sql } from "kysely";
import type { Executor } from "../engine/executor.ts";
import { findTeam, firstIdOf, lastIdOf } from "../engine/search-ids.ts";
import type { WordIndex } from "../engine/search-words.ts";
import { hostKey } from "../pages/known-pages.ts";
import { pageKeyOf } from "./entries.ts";
import { createIndexReadStatements } from "./read-index.ts";
import { removeBeyond, removeIds } from "./removal.ts";
import { idsOf, onHost } from "./search-plan.ts";
import { createIndexWriteStatements } from "./write-index.ts";

export interface IndexStats {
  pages: number;
  hosts: number;
  /** Of the texts, before packing. */
  textBytes: number;
  latestSeenAt: number | null;
}

export interface RemovedPages {
  teamId: string;
  host?: string | null;
  /** In characters of ASCII, as URLs are. */
  start?: string | null;
  limit: number;
}

export function createSearchIndexStatements(executor: Executor, words: WordIndex) {
  const { db } = executor;
  return {
    async stats(teamId: string): Promise<IndexStats> {
      const team = await findTeam(db, teamId);
      const none = { pages: 0, hosts: 0, textBytes: 0, latestSeenAt: null };
      if (team === null) return none;
      const row = await db
        .selectFrom("search_pages")
        .select((build) => [
          build.fn.countAll<number>().as("pages"),
          build.fn.count<number>("hostKey").distinct().as("hosts"),
          build.fn.sum<number | null>("sizeBytes").as("textBytes"),
          build.fn.max<number | null>("seenAt").as("latestSeenAt"),
        ])
        .where("id", ">=", firstIdOf(team))
        .where("id", "<=", lastIdOf(team))
        .executeTakeFirst();
      return row ? { ...row, textBytes: row.textBytes ?? 0 } : none;
    },

    /** Those with the most pages first. */
    async listHosts(teamId: string, limit: number): Promise<{ host: string; pages: number }[]> {
      const team = await findTeam(db, teamId);
      if (team === null) return [];
      const rows = await db
        .selectFrom("search_pages")
        .select((build) => ["hostKey", build.fn.countAll<number>().as("pages")] as const)
        .where("id", ">=", firstIdOf(team))
        .where("id", "<=", lastIdOf(team))
        .groupBy("hostKey")
        .orderBy("pages", "desc")
        .orderBy("hostKey")
        .limit(limit)
        .execute();
      return rows.map((row) => ({ host: hostKey(row.hostKey), pages: row.pages }));
    },

    /** To be called in a transaction, as are the two that follow; each says how many pages it removed. */
    async removeUrl(teamId: string, url: string): Promise<number> {
      const row = await db
        .selectFrom("search_pages")
        .select("id")
        .where("pageKey", "=", pageKeyOf(teamId, url))
        .executeTakeFirst();
      return removeIds(db, row ? [row.id] : []);
    },

    /** At most `limit` pages of a domain and its subdomains, or whose URLs start so, or of the team when there is neither. */
    async remove({ teamId, host = null, start = null, limit }: RemovedPages): Promise<number> {
      const team = await findTeam(db, teamId);
      if (team === null) return 0;
      let query = db
        .selectFrom("search_pages")
        .select("id")
        .where("id", ">=", firstIdOf(team))
        .where("id", "<=", lastIdOf(team));
      if (host !== null) query = query.where(onHost(host));
      if (start !== null) query = query.where(sql<boolean>`substr(url, 1, ${start.length}) = ${start}`);
      return removeIds(db, await idsOf(query.limit(limit)));
    },

    /** Until all texts together, before packing, take at most so many bytes; the pages go that were not seen for longest. */
    makeRoom: (mostBytes: number, limit: number): Promise<number> => removeBeyond(db, mostBytes, limit),

    ...createIndexWriteStatements(executor, words),
    ...createIndexReadStatements(executor, words),
  };
}
