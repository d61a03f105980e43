// Ids of pages in the search index: the team's number in front, so that the pages of a team are one range of ids. The words
// of links to a page are a separate row of `search_words`, in the upper half of that range: they come and go while the
// page's own words stay.
import { type Kysely, type RawBuilder, sql } from "kysely";
import type { Tables } from "../schema/tables.ts";

const idsPerTeam = 2 ** 32;
const pagesPerTeam = 2 ** 31;

export function firstIdOf(teamNumber: number): number {
  return teamNumber * idsPerTeam;
}

export function lastIdOf(teamNumber: number): number {
  return firstIdOf(teamNumber + 1) - 1;
}

export function teamNumberOf(id: number): number {
  return Math.floor(id / idsPerTeam);
}

export function anchorIdOf(pageId: number): number {
  return pageId + pagesPerTeam;
}

/** The page that a row of `search_words` belongs to. */
export function pageIdOf(id: number): number {
  return id % idsPerTeam >= pagesPerTeam ? id - pagesPerTeam : id;
}

/** The same in SQL: without the bit of the upper half. */
export function pageIdSql(column: string): RawBuilder<number> {
  return sql<number>`(${sql.ref(column)} & ${sql.lit(-pagesPerTeam - 1)})`;
}

export async function findTeam(db: Kysely<Tables>, teamId: string): Promise<number | null> {
  const row = await db.selectFrom("search_teams").select("teamNumber").where("teamId", "=", teamId).executeTakeFirst();
  return row?.teamNumber ?? null;
}
