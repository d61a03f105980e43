// Rows that tests need but whose content does not matter to them.
import { hourMs, newId } from "../../src/base/index.ts";
import type {
  ActivityEntry,
  LedgerCharge,
  NewKey,
  PageCopy,
  ScrapeRecord,
  Store,
  Team,
} from "../../src/store/index.ts";

/** 15 November 2026, noon. */
export const noon = Date.UTC(2026, 10, 15, 12);

export function makeTeam(fields: Partial<Team> = {}): Team {
  const id = fields.id ?? newId(noon);
  return { id, name: `team ${id}`, requestsPerMinute: null, createdAt: noon, ...fields };
}

export async function addTeam(store: Store, fields: Partial<Team> = {}): Promise<Team> {
  const team = makeTeam(fields);
  await store.teams.insert(team);
  return team;
}

export function makeKey(teamId: string, fields: Partial<NewKey> = {}): NewKey {
  const id = fields.id ?? newId(noon);
  return { id, teamId, name: "key", hash: `hash of ${id}`, lastFour: id.slice(-4), createdAt: noon, ...fields };
}

export function makeCharge(teamId: string, fields: Partial<LedgerCharge> = {}): LedgerCharge {
  return {
    id: newId(noon),
    teamId,
    keyId: null,
    jobId: newId(noon),
    endpoint: "scrape",
    credits: 1,
    reason: "page",
    at: noon,
    ...fields,
  };
}

export function makeActivity(teamId: string, fields: Partial<ActivityEntry> = {}): ActivityEntry {
  const createdAt = fields.createdAt ?? noon;
  return {
    rowId: newId(createdAt),
    id: newId(createdAt),
    teamId,
    keyId: null,
    endpoint: "scrape",
    apiVersion: "v2",
    target: "https://example.com/",
    outcome: "succeeded",
    externalRequestId: null,
    createdAt,
    endedAt: createdAt,
    credits: 1,
    cacheState: "miss",
    error: null,
    request: null,
    ...fields,
  };
}

export function makeCopy(teamId: string, fields: Partial<PageCopy> = {}): PageCopy {
  const fetchedAt = fields.fetchedAt ?? noon;
  return {
    id: newId(fetchedAt),
    teamId,
    key: "https://example.com/",
    fetchedAt,
    expiresAt: fetchedAt + hourMs,
    isShared: false,
    blobId: newId(fetchedAt),
    sizeBytes: 1,
    details: "{}",
    ...fields,
  };
}

export function makeScrape(teamId: string, fields: Partial<ScrapeRecord> = {}): ScrapeRecord {
  const createdAt = fields.createdAt ?? noon;
  return {
    id: newId(createdAt),
    teamId,
    createdAt,
    expiresAt: createdAt + hourMs,
    blobId: newId(createdAt),
    details: "{}",
    ...fields,
  };
}
