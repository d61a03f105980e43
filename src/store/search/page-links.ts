// Links between the pages of a team: their words help to find the page they point to, the number of their hosts says how
// well known it is. A link is kept as long as its target, which may be a page that was never read.
import type { Kysely } from "kysely";
import { dayMs } from "../../base/index.ts";
import type { Executor } from "../engine/executor.ts";
import { insertNew, upsertRows } from "../engine/inserts.ts";
import { anchorIdOf, findTeam } from "../engine/search-ids.ts";
import type { WordIndex } from "../engine/search-words.ts";
import type { RowOf, Tables } from "../schema/tables.ts";
import { groupByTeam, pageKeyOf } from "./entries.ts";
import {
  findLinkingHosts,
  findOld,
  findRelatedHosts,
  noteHostLinks,
  numberHosts,
  removeOldHosts,
  siteHost,
} from "./link-hosts.ts";
import { targetOf } from "./targets.ts";

export interface PageLink {
  teamId: string;
  /** The page that it points to. */
  url: string;
  /** Host of the page that has it. */
  fromHost: string;
  /** Folded, with one space between them. */
  words: string;
  notedAt: number;
}

/** By which a page is found in the index, and what links say of it. */
interface PageKeys {
  pageKey: Uint8Array;
  target: number;
}

/** A link whose keys are made, so that writing it takes no other work. */
export interface PackedLink extends PageLink, PageKeys {}

/** What links say of a page. */
export interface LinkStats {
  /** Different words of links to it. */
  anchors: string;
  /** Other hosts that link to it. */
  linkHosts: number;
}

/** A page, read or not, that links have new words for. */
export interface RewordedPage extends LinkStats, PageKeys {
  url: string;
}

export interface LinkedPage extends LinkStats {
  id: number;
  url: string;
  title: string;
}

/** Different words of links to one page, and hosts that link to it: more say no more. */
const longestAnchors = 200;
const mostLinkHosts = 1000;

const insertLinks = insertNew<RowOf<"search_links">, "target">("search_links", ["target", "sourceHost"], ["target"]);

/** The hosts of a known target are those to add. */
const insertTargets = upsertRows<RowOf<"search_targets">>("search_targets", ["id"], {
  set: ["notedDay", "anchors"],
  add: ["linkHosts"],
});

interface NotedTarget {
  link: PackedLink;
  id: number;
  anchors: string;
  /** Hosts other than its own that link to it. */
  hosts: Set<string>;
}

/** Writes links of one team, and says which pages got new words. */
function createLinkWriter(executor: Executor) {
  const { db, insert } = executor;

  /** How many hosts are new to each target; which host links to which is noted too. */
  async function noteHosts(team: number, targets: readonly NotedTarget[], day: number): Promise<Map<number, number>> {
    const linked = targets.filter(({ hosts }) => hosts.size > 0);
    const ownHost = ({ link }: NotedTarget) => siteHost(new URL(link.url).hostname);
    const names = new Set(linked.flatMap((target) => [ownHost(target), ...target.hosts]));
    const numbers = await numberHosts(executor, team, names, day);
    const links: RowOf<"search_links">[] = [];
    const hostLinks: RowOf<"search_host_links">[] = [];
    for (const target of linked) {
      for (const host of target.hosts) {
        const sourceHost = numbers.get(host) ?? 0;
        links.push({ target: target.id, sourceHost });
        hostLinks.push({ sourceHost, targetHost: numbers.get(ownHost(target)) ?? 0 });
      }
    }
    await noteHostLinks(executor, hostLinks);
    const counts = new Map<number, number>();
    for (const { target } of await insert(insertLinks, links)) counts.set(target, (counts.get(target) ?? 0) + 1);
    return counts;
  }

  async function noteOfTeam(team: number, links: readonly PackedLink[]): Promise<RewordedPage[]> {
    const day = dayOf(links[0]?.notedAt ?? 0);
    const targets = groupByTarget(links);
    const rows = await readTargets(db, [...targets.keys()]);
    const known = new Map(rows.map((row) => [row.id, row]));
    for (const target of targets.values()) {
      if ((known.get(target.id)?.linkHosts ?? 0) >= mostLinkHosts) target.hosts.clear();
    }
    const added = await noteHosts(team, [...targets.values()], day);
    const changed: RowOf<"search_targets">[] = [];
    const reworded: RewordedPage[] = [];
    for (const { id, anchors: newer, link } of targets.values()) {
      const before = known.get(id);
      const anchors = joinWords(before?.anchors ?? "", newer);
      const isReworded = anchors !== (before?.anchors ?? "");
      const linkHosts = added.get(id) ?? 0;
      if (isReworded) {
        const { url, pageKey } = link;
        reworded.push({ url, pageKey, target: id, anchors, linkHosts: (before?.linkHosts ?? 0) + linkHosts });
      }
      if (isReworded || linkHosts > 0 || (before && before.notedDay < day)) {
        changed.push({ id, notedDay: day, linkHosts, anchors });
      }
    }
    await insert(insertTargets, changed);
    return reworded;
  }

  return noteOfTeam;
}

export function createSearchLinkStatements(executor: Executor, words: WordIndex) {
  const { db } = executor;
  const noteOfTeam = createLinkWriter(executor);

  async function findIndexed(keys: readonly Uint8Array[], stats: Map<number, LinkStats>): Promise<LinkedPage[]> {
    if (keys.length === 0) return [];
    const rows = await db
      .selectFrom("search_pages")
      .select(["id", "pageKey", "url", "title"])
      .where("pageKey", "in", keys)
      .execute();
    return rows.map(({ id, pageKey, url, title }) => ({
      id,
      url,
      title,
      ...(stats.get(targetOf(pageKey, url)) ?? noLinks),
    }));
  }

  return {
    /**
     * To be called in a transaction, as are those that follow. Links that are known already change nothing. Gives the pages
     * that have words which links to them had not before.
     */
    async note(links: readonly PackedLink[]): Promise<RewordedPage[]> {
      const reworded: RewordedPage[] = [];
      for (const [teamId, ofTeam] of groupByTeam(links)) {
        const team = await findTeam(db, teamId);
        if (team !== null) reworded.push(...(await noteOfTeam(team, ofTeam)));
      }
      return reworded;
    },

    /** Those of the pages that are in the index and that links lead to, with what these say of them. */
    async readLinked(pages: readonly { teamId: string; url: string }[]): Promise<LinkedPage[]> {
      const known = new Map(pages.map(({ teamId, url }) => [`${teamId} ${url}`, keysOf(teamId, url)]));
      if (known.size === 0) return [];
      const stats = await readLinkStats(
        db,
        [...known.values()].map(({ target }) => target),
      );
      const linked = [...known.values()].filter(({ target }) => stats.has(target));
      return findIndexed(
        linked.map(({ pageKey }) => pageKey),
        stats,
      );
    },

    /** Those of the pages that are in the index. */
    findReworded(pages: readonly RewordedPage[]): Promise<LinkedPage[]> {
      const stats = pages.map(({ target, anchors, linkHosts }) => [target, { anchors, linkHosts }] as const);
      return findIndexed(
        pages.map(({ pageKey }) => pageKey),
        new Map(stats),
      );
    },

    /**
     * The words of links by which pages are found. Pages with new ids have none yet: looking for them would cost more than
     * writing them.
     */
    async setAnchors(pages: readonly { id: number; words: string }[], newIds: ReadonlySet<number>): Promise<void> {
      if (pages.length === 0) return;
      const old = pages.filter(({ id }) => !newIds.has(id)).map(({ id }) => anchorIdOf(id));
      if (old.length > 0) await db.deleteFrom("search_words").where("rowid", "in", old).execute();
      const none = { title: "", url: "", headings: "", body: "" };
      await words.insert(
        executor,
        pages.map((page) => ({ id: anchorIdOf(page.id), ...none, anchors: page.words })),
      );
    },

    findRelatedHosts: (teamId: string, host: string, limit: number) => findRelatedHosts(db, teamId, host, limit),
    findLinkingHosts: (teamId: string, host: string, limit: number) => findLinkingHosts(db, teamId, host, limit),

    /** For the limit on the size of the index. */
    removeOldest: (limit: number): Promise<number> => removeOldLinks(db, Number.MAX_SAFE_INTEGER, limit),
  };
}

/** In the order of their targets' rows: those that are written together then share pages of the database. */
export function packLinks<Link extends PageLink>(links: readonly Link[]): (Link & PackedLink)[] {
  const packed = links.map((link) => Object.assign(keysOf(link.teamId, link.url), link));
  return packed.sort((a, b) => a.target - b.target);
}

function keysOf(teamId: string, url: string): PageKeys {
  const pageKey = pageKeyOf(teamId, url);
  return { pageKey, target: targetOf(pageKey, url) };
}

function groupByTarget(links: readonly PackedLink[]): Map<number, NotedTarget> {
  const targets = new Map<number, NotedTarget>();
  for (const link of links) {
    const id = link.target;
    const target = targets.get(id) ?? { link, id, anchors: "", hosts: new Set() };
    const from = siteHost(link.fromHost);
    if (from !== siteHost(new URL(link.url).hostname)) target.hosts.add(from);
    target.anchors = joinWords(target.anchors, link.words);
    targets.set(id, target);
  }
  return targets;
}

/** Each word once. */
function joinWords(text: string, further: string): string {
  let joined = text;
  for (const word of further === "" ? [] : further.split(" ")) {
    if (joined.length + word.length < longestAnchors && !` ${joined} `.includes(` ${word} `)) {
      joined = joined === "" ? word : `${joined} ${word}`;
    }
  }
  return joined;
}

function readTargets(db: Kysely<Tables>, ids: readonly number[]): Promise<RowOf<"search_targets">[]> {
  return db.selectFrom("search_targets").selectAll().where("id", "in", ids).execute();
}

export const noLinks: LinkStats = { anchors: "", linkHosts: 0 };

/** By targets, of those that links lead to. */
export async function readLinkStats(db: Kysely<Tables>, targets: readonly number[]): Promise<Map<number, LinkStats>> {
  const rows = await readTargets(db, targets);
  return new Map(rows.map(({ id, anchors, linkHosts }) => [id, { anchors, linkHosts }]));
}

/** At most so many targets, to which no link was noted since then, and hosts, the oldest first. */
export async function removeOldLinks(db: Kysely<Tables>, before: number, limit: number): Promise<number> {
  const beforeDay = dayOf(before);
  const ids = await findOld(db, "search_targets", beforeDay, limit);
  if (ids.length > 0) {
    await db.deleteFrom("search_links").where("target", "in", ids).execute();
    await db.deleteFrom("search_targets").where("id", "in", ids).execute();
  }
  return Math.max(ids.length, await removeOldHosts(db, beforeDay, limit));
}

function dayOf(ms: number): number {
  return Math.floor(ms / dayMs);
}
