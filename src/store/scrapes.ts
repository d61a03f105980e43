// Answers of scrapes, kept for their later reading by id.
import type { Kysely } from "kysely";
import { inPortions } from "./portions.ts";
import type { Tables } from "./tables.ts";

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

export function createScrapeStatements(db: Kysely<Tables>) {
  return {
    async insert(scrapes: readonly ScrapeRecord[]): Promise<void> {
      for (const portion of inPortions(scrapes)) {
        await db
          .insertInto("scrapes")
          .values(
            portion.map((scrape) => ({
              id: scrape.id,
              team_id: scrape.teamId,
              created_at: scrape.createdAt,
              expires_at: scrape.expiresAt,
              blob_id: scrape.blobId,
              details: scrape.details,
            })),
          )
          .execute();
      }
    },

    /** Null when the team has no such scrape or it has expired. */
    async find(teamId: string, id: string, now: number): Promise<{ blobId: string | null; details: string } | null> {
      const row = await db
        .selectFrom("scrapes")
        .select(["blob_id as blobId", "details"])
        .where("id", "=", id)
        .where("team_id", "=", teamId)
        .where("expires_at", ">", now)
        .executeTakeFirst();
      return row ?? null;
    },
  };
}
