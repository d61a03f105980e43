// The dialects of other services: what they may call, and which team requests without a key belong to.
import type { Accounts, Caller } from "../accounts/index.ts";
import { type Clock, readUrl } from "../base/index.ts";
import { type Config, ConfigError, type DialectName } from "../config.ts";
import type { Operations } from "../contract/index.ts";
import type { DialectTools } from "../dialects/index.ts";
import { fileKindRow, identifyFile } from "../documents/index.ts";
import type { Pages } from "../pages/index.ts";
import { type CheckUrl, requireAllowedUrl } from "../reach/index.ts";
import type { Team } from "../store/index.ts";

export interface DialectParts {
  clock: Clock;
  hasModel: boolean;
  operations: Operations<Caller> &
    Pick<DialectTools["operations"], "search" | "scrape" | "parse" | "startCrawl" | "sendFeedback" | "readScrapeNote">;
  checkUrl: CheckUrl;
  readMedia: Pages["readMedia"];
}

export function joinDialects({ clock, hasModel, operations, checkUrl, readMedia }: DialectParts): DialectTools {
  return {
    operations,
    hasModel,
    async rankTexts(query, texts) {
      // Loaded with the first search, as everything about it.
      const search = await import("../search/index.ts");
      return search.rankTexts(query, texts);
    },
    detectFile({ filename: name, contentType, bytes }) {
      const found = identifyFile(bytes, { name, contentType });
      if (found === null) return null;
      const { mimeTypes, isPlain = false } = fileKindRow(found.kind);
      return { kind: found.kind, mimeType: mimeTypes[0] ?? "", isPlain };
    },
    requireAllowedUrl: (url) => requireAllowedUrl(checkUrl, fullUrl(url)),
    async readMedia(url) {
      const found = await readMedia(url.slice(url.lastIndexOf("/") + 1));
      if (!found) return null;
      const parts: Uint8Array[] = [];
      for await (const part of found.parts) parts.push(part);
      return Buffer.concat(parts);
    },
    now: () => clock.now(),
  };
}

/** Those that are spoken here; one of them comes and goes with the URL for browser tools. */
export function namesOfDialects({ dialects, browserAddress }: Config): DialectName[] {
  return dialects.filter((name) => name !== "browserless" || browserAddress);
}

/** As v2 reads it: the scheme may be missing. */
function fullUrl(text: string): string {
  const reading = readUrl(text);
  return "url" in reading ? reading.url : text;
}

/** A team that does not exist would leave a dialect without a caller. */
export async function findKeylessTeams(
  { keylessDialects }: Config,
  { teams }: Accounts,
): Promise<ReadonlyMap<DialectName, Team>> {
  const found = new Map<DialectName, Team>();
  for (const { dialect, team: name } of keylessDialects) {
    const team = await teams.find(name);
    if (!team) throw new ConfigError(`KEYLESS_DIALECTS names the team ${name}, which does not exist.`);
    found.set(dialect, team);
  }
  return found;
}
