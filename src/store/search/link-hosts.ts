// Hosts of a team as numbers, and which of them link to which: what a site is related to.
import { type Kysely, sql } from "kysely";
import { deleteFound, excluded } from "../engine/changes.ts";
import type { Executor, InsertStatement } from "../engine/executor.ts";
import { insertNew } from "../engine/inserts.ts";
import { findTeam } from "../engine/search-ids.ts";
import { hostKey } from "../pages/known-pages.ts";
import type { RowOf, Tables } from "../schema/tables.ts";

/** Hosts that link to a site, or that it links to, as many as are looked at. */
const mostHosts = 200;

type NewHost = Omit<RowOf<"search_hosts">, "id">;

const insertHosts: InsertStatement<NewHost, { id: number; hostKey: string }> = (db, rows) =>
  db
    .insertInto("search_hosts")
    .values(rows as never)
    .onConflict((conflict) => conflict.columns(["teamNumber", "hostKey"]).doUpdateSet(excluded(["notedDay"])))
    .returning(["id", "hostKey"]);

const insertHostLinks = insertNew<RowOf<"search_host_links">>("search_host_links", ["sourceHost", "targetHost"]);

/** The numbers of a team's hosts; those that have none get one. */
export async function numberHosts(
  { db, insert }: Executor,
  team: number,
  hosts: Iterable<string>,
  day: number,
): Promise<Map<string, number>> {
  const hostsByKey = new Map([...hosts].map((host) => [hostKey(host), host]));
  const numbers = new Map<string, number>();
  if (hostsByKey.size === 0) return numbers;
  const known = await db
    .selectFrom("search_hosts")
    .select(["id", "hostKey"])
    .where("teamNumber", "=", team)
    .where("hostKey", "in", [...hostsByKey.keys()])
    .where("notedDay", ">=", day)
    .execute();
  const found = new Set(known.map(({ hostKey }) => hostKey));
  // In one order, so that two writers do not wait for each other.
  const unknown = [...hostsByKey.keys()].filter((key) => !found.has(key)).sort();
  const numbered = await insert(
    insertHosts,
    unknown.map((key) => ({ teamNumber: team, notedDay: day, hostKey: key })),
  );
  for (const { id, hostKey } of [...known, ...numbered]) numbers.set(hostsByKey.get(hostKey) ?? "", id);
  return numbers;
}

export async function noteHostLinks({ insert }: Executor, links: readonly RowOf<"search_host_links">[]): Promise<void> {
  const pairs = new Map(links.map((link) => [`${link.sourceHost} ${link.targetHost}`, link]));
  await insert(insertHostLinks, [...pairs.values()]);
}

/** Hosts that are linked to beside this one, or link to the same, with how often; the most first. */
export async function findRelatedHosts(
  db: Kysely<Tables>,
  teamId: string,
  host: string,
  limit: number,
): Promise<{ host: string; count: number }[]> {
  const own = await findHost(db, teamId, host);
  if (!own) return [];
  const of = (name: "sourceHost" | "targetHost", other: "sourceHost" | "targetHost") =>
    db
      .selectFrom(
        db
          .selectFrom("search_host_links")
          .select(`${other} as shared`)
          .where(name, "=", own.id)
          .limit(mostHosts)
          .as("near"),
      )
      .innerJoin("search_host_links as far", `far.${other}`, "near.shared")
      .innerJoin("search_hosts", "search_hosts.id", `far.${name}`)
      .select(["search_hosts.hostKey", sql<number>`count(*)`.as("count")])
      .where(`far.${name}`, "<>", own.id)
      .groupBy("search_hosts.hostKey")
      .orderBy("count", "desc")
      .orderBy("search_hosts.hostKey")
      .limit(limit)
      .execute();
  const counts = new Map<string, number>();
  // Cited together by others, and citing the same others.
  for (const row of [...(await of("targetHost", "sourceHost")), ...(await of("sourceHost", "targetHost"))]) {
    counts.set(row.hostKey, (counts.get(row.hostKey) ?? 0) + Number(row.count));
  }
  return [...counts]
    .sort(([one, first], [other, second]) => second - first || (one < other ? -1 : 1))
    .slice(0, limit)
    .map(([found, count]) => ({ host: hostKey(found), count }));
}

/** Hosts that link to this one, the latest noted first. */
export async function findLinkingHosts(
  db: Kysely<Tables>,
  teamId: string,
  host: string,
  limit: number,
): Promise<string[]> {
  const own = await findHost(db, teamId, host);
  if (!own) return [];
  const rows = await db
    .selectFrom("search_host_links")
    .innerJoin("search_hosts", "search_hosts.id", "search_host_links.sourceHost")
    .select("search_hosts.hostKey")
    .where("search_host_links.targetHost", "=", own.id)
    .orderBy("search_hosts.notedDay", "desc")
    .orderBy("search_hosts.hostKey")
    .limit(limit)
    .execute();
  return rows.map((row) => hostKey(row.hostKey));
}

async function findHost(db: Kysely<Tables>, teamId: string, host: string): Promise<{ id: number } | undefined> {
  const team = await findTeam(db, teamId);
  if (team === null) return undefined;
  return db
    .selectFrom("search_hosts")
    .select("id")
    .where((build) => build.and({ teamNumber: team, hostKey: hostKey(siteHost(host)) }))
    .executeTakeFirst();
}

/** The rows that no link named since that day, the oldest first. */
export async function findOld(
  db: Kysely<Tables>,
  table: "search_hosts" | "search_targets",
  day: number,
  limit: number,
) {
  const found = db.selectFrom(table).select("id").where("notedDay", "<", day).orderBy("notedDay").limit(limit);
  return (await found.execute()).map(({ id }) => id);
}

/** Hosts that no link named since that day, at most so many, with at most so many of the links between them and others. */
export async function removeOldHosts(db: Kysely<Tables>, beforeDay: number, limit: number): Promise<number> {
  const ids = await findOld(db, "search_hosts", beforeDay, limit);
  if (ids.length === 0) return 0;
  for (const name of ["sourceHost", "targetHost"] as const) {
    const found = sql`where ${sql.ref(name)} in (${sql.join(ids)}) limit ${limit}`;
    const gone = await deleteFound(db, "search_host_links", "source_host, target_host", found);
    // The hosts go when nothing names them.
    if (gone >= limit) return limit;
  }
  await db.deleteFrom("search_hosts").where("id", "in", ids).execute();
  return ids.length;
}

/** With and without `www.` it is one host. */
export function siteHost(host: string): string {
  return host.replace(/\.$/, "").replace(/^www\./, "");
}
