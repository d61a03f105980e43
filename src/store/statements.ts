import type { Kysely } from "kysely";
import { type ActivityStatements, createActivityStatements } from "./activity.ts";
import { type BlobStatements, createBlobStatements } from "./blobs.ts";
import { type ChargeStatements, createChargeStatements } from "./charges.ts";
import { type CopyStatements, createCopyStatements } from "./copies.ts";
import { createKeyStatements, type KeyStatements } from "./keys.ts";
import { createRateStatements, type RateStatements } from "./rates.ts";
import { createRetentionStatements, type RetentionStatements } from "./retention.ts";
import { createScrapeStatements, type ScrapeStatements } from "./scrapes.ts";
import type { Tables } from "./tables.ts";
import { createTeamStatements, type TeamStatements } from "./teams.ts";

/** Every statement of the service, over the database or over one transaction. */
export interface Statements {
  teams: TeamStatements;
  keys: KeyStatements;
  charges: ChargeStatements;
  activity: ActivityStatements;
  rates: RateStatements;
  blobs: BlobStatements;
  copies: CopyStatements;
  scrapes: ScrapeStatements;
  retention: RetentionStatements;
}

export function createStatements(db: Kysely<Tables>): Statements {
  return {
    teams: createTeamStatements(db),
    keys: createKeyStatements(db),
    charges: createChargeStatements(db),
    activity: createActivityStatements(db),
    rates: createRateStatements(db),
    blobs: createBlobStatements(db),
    copies: createCopyStatements(db),
    scrapes: createScrapeStatements(db),
    retention: createRetentionStatements(db),
  };
}
