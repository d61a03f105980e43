// The dialects of other services: what they may call, and which team requests without a key belong to.
import type { Accounts, Caller } from "../accounts/index.ts";
import type { Clock, DialectName } from "../base/index.ts";
import { type Config, ConfigError } from "../config.ts";
import type { Operations } from "../contract/index.ts";
import type { DialectTools } from "../dialects/index.ts";
import type { Team } from "../store/index.ts";

export interface DialectParts {
  clock: Clock;
  hasModel: boolean;
  operations: Operations<Caller> & Pick<DialectTools["operations"], "search" | "scrape">;
}

export function joinDialects({ clock, hasModel, operations }: DialectParts): DialectTools {
  return {
    operations,
    hasModel,
    async rankTexts(query, texts) {
      // Loaded with the first search, as everything about it.
      const search = await import("../search/index.ts");
      return search.rankTexts(query, texts);
    },
    now: () => clock.now(),
  };
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
