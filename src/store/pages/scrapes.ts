// Answers of scrapes, kept for their later reading by id.

import type { Executor, FixedStatement } from "../engine/executor.ts";
import { insertRows } from "../engine/inserts.ts";
import type { RowOf } from "../schema/tables.ts";

export type ScrapeRecord = RowOf<"scrapes">;

type FoundScrape = Pick<ScrapeRecord, "blobId" | "details">;

const insertScrapes = insertRows<RowOf<"scrapes">>("scrapes");

const findScrape: FixedStatement<[teamId: string, id: string, now: number], FoundScrape> = (db, [teamId, id, now]) =>
  db
    .selectFrom("scrapes")
    .select(["blobId", "details"])
    .where((build) => build.and({ id, teamId }))
    .where("expiresAt", ">", now);

export function createScrapeStatements({ run, insert }: Executor) {
  return {
    async insert(scrapes: readonly ScrapeRecord[]): Promise<void> {
      await insert(insertScrapes, scrapes);
    },

    /** Null when the team has no such scrape or it has expired. */
    async find(teamId: string, id: string, now: number): Promise<FoundScrape | null> {
      return (await run(findScrape, [teamId, id, now]))[0] ?? null;
    },
  };
}
