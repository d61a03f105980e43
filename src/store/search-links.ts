// Links between the pages of a team: their words help to find the page they point to, the hosts they stand on say how well
// known it is and what it is related to. Of the links from one host to one page with different words a few are kept.
import { hash } from "node:crypto";
import { type Kysely, type SelectQueryBuilder, sql } from "kysely";
import type { Executor, InsertStatement } from "./executor.ts";
import { hostKey } from "./known-pages.ts";
import { pageKeyOf, toHex } from "./search-entries.ts";
import { anchorIdOf, findTeam } from "./search-ids.ts";
import type { WordIndex } from "./search-words.ts";
import type { SearchHostLinksTable, SearchLinksTable, Tables } from "./tables.ts";

export interface PageLink {
  teamId: string;
  /** The page that it points to. */
  url: string;
  /** Host of the page on which it stands. */
  fromHost: string;
  words: string;
  notedAt: number;
}

export interface LinkedPage {
  id: number;
  /** One a link, the latest last. */
  anchors: string[];
  /** Other hosts than its own that link to it. */
  linkHosts: number;
}

export interface PageAnchors {
  id: number;
  /** As they are kept with the page. */
  anchors: string;
  linkHosts: number;
  /** As they are searched. */
  words: string;
}

export type SearchLinkStatements = ReturnType<typeof createSearchLinkStatements>;

/** Links with different words from one host to one page. */
const linksPerHost = 8;
/** Of one page, as much as is read. */
const mostAnchors = 50;
const mostLinks = 1000;
/** Hosts that link to a site, or that it links to, as many as are looked at. */
const mostHosts = 200;

type NewLink = Omit<SearchLinksTable, "id">;
type NewHostLink = Omit<SearchHostLinksTable, "id">;

const insertLinks: InsertStatement<NewLink, unknown> = {
  build: (db, rows) =>
    db
      .insertInto("search_links")
      .values(rows as never)
      .onConflict((conflict) => conflict.columns(["target", "source"]).doNothing()),
};

const insertHostLinks: InsertStatement<NewHostLink, unknown> = {
  build: (db, rows) =>
    db
      .insertInto("search_host_links")
      .values(rows as never)
      .onConflict((conflict) => conflict.columns(["team_number", "source_host", "target_host"]).doNothing()),
};

export function createSearchLinkStatements(executor: Executor, words: WordIndex) {
  const { db, insert } = executor;

  return {
    /** To be called in a transaction, as are those that follow. Links that are known already change nothing. */
    async note(links: readonly PageLink[]): Promise<void> {
      await insert(
        insertLinks,
        links.map(({ teamId, url, fromHost, words: text, notedAt }) => ({
          target: targetOf(pageKeyOf(teamId, url)),
          source: sourceOf(fromHost, text),
          noted_at: notedAt,
          anchor: text,
        })),
      );
      const pairs = new Map<string, { link: PageLink; toHost: string }>();
      for (const link of links) {
        const toHost = siteHost(new URL(link.url).hostname);
        if (toHost !== siteHost(link.fromHost))
          pairs.set(`${link.teamId} ${link.fromHost} ${toHost}`, { link, toHost });
      }
      const numbers = new Map<string, number | null>();
      const rows: NewHostLink[] = [];
      for (const { link, toHost } of pairs.values()) {
        const { teamId, fromHost, notedAt } = link;
        if (!numbers.has(teamId)) numbers.set(teamId, await findTeam(db, teamId));
        const team = numbers.get(teamId);
        if (team === null || team === undefined) continue;
        const hosts = { source_host: hostKey(siteHost(fromHost)), target_host: hostKey(toHost) };
        rows.push({ team_number: team, ...hosts, noted_at: notedAt });
      }
      await insert(insertHostLinks, rows);
    },

    /** Those of the pages that are in the index, with the links to them. */
    async readLinked(pages: readonly { teamId: string; url: string }[]): Promise<LinkedPage[]> {
      const urls = new Map(pages.map(({ teamId, url }) => [toHex(pageKeyOf(teamId, url)), url]));
      if (urls.size === 0) return [];
      const keys = [...urls.keys()].map((key) => Buffer.from(key, "hex"));
      const known = await db
        .selectFrom("search_pages")
        .select(["id", "page_key"])
        .where("page_key", "in", keys)
        .execute();
      const linked: LinkedPage[] = [];
      for (const { id, page_key } of known) {
        const rows = await executor.run(linksTo, [targetOf(page_key)]);
        const own = hostHash(new URL(urls.get(toHex(page_key)) ?? "").hostname);
        const hosts = new Set(rows.map(({ source }) => Math.floor(source / linksPerHost)));
        hosts.delete(own);
        const anchors = rows.map(({ anchor }) => anchor).filter((anchor) => anchor !== "");
        linked.push({ id, anchors: anchors.slice(-mostAnchors), linkHosts: hosts.size });
      }
      return linked;
    },

    async setAnchors(pages: readonly PageAnchors[]): Promise<void> {
      for (const { id, anchors, linkHosts } of pages) {
        await executor.run(updateAnchors, [anchors === "" ? null : anchors, linkHosts, id]);
      }
      const searched = pages.filter((page) => page.words !== "");
      if (searched.length === 0) return;
      const ids = searched.map(({ id }) => anchorIdOf(id));
      await db.deleteFrom("search_words").where("rowid", "in", ids).execute();
      const none = { title: "", url: "", headings: "", body: "" };
      await words.insert(
        executor,
        searched.map((page) => ({ ...none, id: anchorIdOf(page.id), anchors: page.words })),
      );
    },

    /** Hosts that are linked to beside this one, or link to the same, with how often; the most first. */
    async findRelatedHosts(teamId: string, host: string, limit: number): Promise<{ host: string; count: number }[]> {
      const team = await findTeam(db, teamId);
      if (team === null) return [];
      const key = hostKey(siteHost(host));
      const of = (name: "source_host" | "target_host", other: "source_host" | "target_host") =>
        db
          .selectFrom("search_host_links as near")
          .innerJoin("search_host_links as far", (join) =>
            join.onRef("far.team_number", "=", "near.team_number").onRef(`far.${other}`, "=", `near.${other}`),
          )
          .select([`far.${name} as hostKey`, sql<number>`count(*)`.as("count")])
          .where("near.team_number", "=", team)
          .where(
            "near.id",
            "in",
            db
              .selectFrom("search_host_links")
              .select("id")
              .where("team_number", "=", team)
              .where(name, "=", key)
              .limit(mostHosts),
          )
          .where(`far.${name}`, "<>", key)
          .groupBy(`far.${name}`)
          .orderBy("count", "desc")
          .orderBy(`far.${name}`)
          .limit(limit)
          .execute();
      const counts = new Map<string, number>();
      // Cited together by others, and citing the same others.
      for (const row of [...(await of("target_host", "source_host")), ...(await of("source_host", "target_host"))]) {
        counts.set(row.hostKey, (counts.get(row.hostKey) ?? 0) + Number(row.count));
      }
      return [...counts]
        .sort(([one, first], [other, second]) => second - first || (one < other ? -1 : 1))
        .slice(0, limit)
        .map(([found, count]) => ({ host: hostKey(found), count }));
    },

    /** For the limit on the size of the index. */
    removeOldest: (limit: number): Promise<number> => removeOldLinks(db, Number.MAX_SAFE_INTEGER, limit),
  };
}

const linksTo = {
  valueCount: 1 as const,
  build: (db: Kysely<Tables>, [target]: readonly [number]) =>
    db
      .selectFrom("search_links")
      .select(["source", "anchor"])
      .where("target", "=", target)
      .orderBy("id")
      .limit(mostLinks),
};

const updateAnchors = {
  valueCount: 3 as const,
  build: (db: Kysely<Tables>, [anchors, linkHosts, id]: readonly [string | null, number, number]) =>
    db.updateTable("search_pages").set({ anchors, link_hosts: linkHosts }).where("id", "=", id),
};

/** At most so many links of either kind, noted before then, the oldest first; they lie in that order. */
export async function removeOldLinks(db: Kysely<Tables>, before: number, limit: number): Promise<number> {
  let removed = 0;
  for (const table of ["search_links", "search_host_links"] as const) {
    const oldest = db.selectFrom(table) as SelectQueryBuilder<Tables, typeof table, object>;
    const rows = await oldest.select(["id", "noted_at"]).orderBy("id").limit(limit).execute();
    const ids = rows.filter((row) => row.noted_at < before).map(({ id }) => id);
    if (ids.length > 0) await db.deleteFrom(table).where("id", "in", ids).execute();
    removed = Math.max(removed, ids.length);
  }
  return removed;
}

/** 48 bits tell the pages of an index apart, and take a third of the room of the whole key. */
function targetOf(pageKey: Uint8Array): number {
  return Buffer.from(pageKey).readUIntBE(0, 6);
}

function sourceOf(host: string, text: string): number {
  return hostHash(host) * linksPerHost + ((hash("sha256", text, "buffer").at(0) ?? 0) % linksPerHost);
}

function hostHash(host: string): number {
  return hash("sha256", siteHost(host), "buffer").readUInt32BE(0);
}

/** With and without `www.` it is one host. */
function siteHost(host: string): string {
  return host.replace(/\.$/, "").replace(/^www\./, "");
}
