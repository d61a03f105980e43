// Answers of scrapes, kept for their later reading by id.
import type { Executor, FixedStatement, InsertStatement } from "../engine/executor.ts";
import type { ScrapesTable } from "../schema/tables.ts";

export interface ScrapeRecord {
  id: string;
  teamId: string;
  createdAt: number;
  expiresAt: number;
  /** The document; null for a scrape that failed. */
  blobId: string | null;
  /** What differs from the stored document, or the failure, as JSON text. */
  details: string;
}

export type ScrapeStatements = ReturnType<typeof createScrapeStatements>;

interface FoundScrape {
  blobId: string | null;
  details: string;
}

const insertScrapes: InsertStatement<ScrapesTable, unknown> = {
  build: (db, rows) => db.insertInto("scrapes").values(rows),
};

const findScrape: FixedStatement<[teamId: string, id: string, now: number], FoundScrape> = {
  valueCount: 3,
  build: (db, [teamId, id, now]) =>
    db
      .selectFrom("scrapes")
      .select(["blobId", "details"])
      .where("id", "=", id)
      .where("teamId", "=", teamId)
      .where("expiresAt", ">", now),
};

export function createScrapeStatements({ run, insert }: Executor) {
  return {
    async insert(scrapes: readonly ScrapeRecord[]): Promise<void> {
      await insert(insertScrapes, scrapes.map(toRow));
    },

    /** Null when the team has no such scrape or it has expired. */
    async find(teamId: string, id: string, now: number): Promise<FoundScrape | null> {
      return (await run(findScrape, [teamId, id, now]))[0] ?? null;
    },
  };
}

function toRow(scrape: ScrapeRecord): ScrapesTable {
  return {
    id: scrape.id,
    teamId: scrape.teamId,
    createdAt: scrape.createdAt,
    expiresAt: scrape.expiresAt,
    blobId: scrape.blobId,
    details: scrape.details,
  };
}
