// What a search asks of the pages of the index, and the conditions that it puts on them.
import { type Kysely, type RawBuilder, type SelectQueryBuilder, sql } from "kysely";
import { dayMs } from "../../base/index.ts";
import { pageIdOf } from "../engine/search-ids.ts";
import type { FieldRun, WordIndex, WordRun } from "../engine/search-words.ts";
import { hostKey } from "../pages/known-pages.ts";
import type { Tables } from "../schema/tables.ts";

export interface SearchPlan {
  teamId: string;
  /** Words to rank by; repeated ones count more. A page has at least one of them, unless `allOf` is given. */
  anyOf: readonly WordRun[];
  allOf: readonly FieldRun[];
  noneOf: readonly FieldRun[];
  /** Of each group one domain, subdomains included. */
  hostGroups: readonly (readonly string[])[];
  excludedHosts: readonly string[];
  urlParts: readonly { parts: readonly string[]; isNegated: boolean }[];
  /** Of the page's date, both ends included; midnight means the whole day. */
  fromMs: number | null;
  toMs: number | null;
  isNewestFirst: boolean;
  limit: number;
}

/** A plan for a team some of whose sources are disabled: their pages are left out, unless something else has brought them. */
export interface TeamPlan extends SearchPlan {
  hidesPages: boolean;
}

/** Whether a source has brought the page. */
export const hasOtherSource = sql<boolean>`exists (select 1 from indexed_source_pages
  where indexed_source_pages.page_key = search_pages.page_key)`;

const isShown = sql<boolean>`(search_pages.is_own = 1 or exists (select 1 from indexed_source_pages
  join indexed_sources on indexed_sources.id = indexed_source_pages.source_id
  where indexed_source_pages.page_key = search_pages.page_key and indexed_sources.is_enabled = 1))`;

/** Whether the team has a disabled source. */
export async function hidesPages(db: Kysely<Tables>, teamId: string): Promise<boolean> {
  const disabled = db
    .selectFrom("indexed_sources")
    .select("id")
    .where((build) => build.and({ teamId, isEnabled: 0 }));
  return (await disabled.limit(1).execute()).length > 0;
}

export const pageDate = sql<number>`coalesce(search_pages.published, search_pages.modified, search_pages.first_seen)`;

export function needsPage({ hostGroups, excludedHosts, urlParts, fromMs, toMs, hidesPages }: TeamPlan): boolean {
  return (
    hidesPages || hostGroups.length + excludedHosts.length + urlParts.length > 0 || fromMs !== null || toMs !== null
  );
}

export function* pageConditions(plan: TeamPlan, words: WordIndex): Generator<RawBuilder<boolean>> {
  if (plan.hidesPages) yield isShown;
  for (const hosts of plan.hostGroups) {
    yield hosts.length === 0 ? sql<boolean>`1 = 0` : sql<boolean>`(${sql.join(hosts.map(onHost), sql` or `)})`;
  }
  for (const host of plan.excludedHosts) yield sql<boolean>`not ${onHost(host)}`;
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
export function onHost(host: string): RawBuilder<boolean> {
  const key = hostKey(host);
  // Everything that begins with the key and a dot: "/" is the next character.
  return sql<boolean>`(search_pages.host_key = ${key} or (search_pages.host_key > ${`${key}.`} and search_pages.host_key < ${`${key}/`}))`;
}

/** A page may be found twice: by its own words and by those of links to it. */
export function rowsFor(limit: number): number {
  return 2 * limit;
}

export function toPageIds(rows: readonly { id: number }[], limit: number): number[] {
  return [...new Set(rows.map(({ id }) => pageIdOf(id)))].slice(0, limit);
}

export async function pageIdsOf<Table extends keyof Tables>(
  query: SelectQueryBuilder<Tables, Table, { id: number }>,
  limit: number,
): Promise<number[]> {
  return toPageIds(await query.limit(rowsFor(limit)).execute(), limit);
}

export async function idsOf<Table extends keyof Tables>(
  query: SelectQueryBuilder<Tables, Table, { id: number }>,
): Promise<number[]> {
  return (await query.execute()).map(({ id }) => id);
}
