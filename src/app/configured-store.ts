// The store and the accounts on it.
import { type Accounts, createAccounts, defaultTeamName } from "../accounts/index.ts";
import { type Clock, type Logger, ServiceError, systemClock } from "../base/index.ts";
import type { Config } from "../config.ts";
import type { RateGroup } from "../contract/index.ts";
import { openStore, type Store, type Team } from "../store/index.ts";
import { joinBlobs } from "./join-blobs.ts";

/** The store and the accounts on it: enough for `trawl keys` and `trawl teams`. */
export async function openAccounts(config: Config): Promise<{ store: Store; accounts: Accounts }> {
  const store = await openConfiguredStore(config);
  return { store, accounts: joinAccounts(config, store, systemClock) };
}

/** A store that the settings do not name. */
export function openOtherStore(place: { databaseUrl: string } | { dataDir: string }): Promise<Store> {
  return openStore(place);
}

/** What was copied elsewhere is not written to any more, unless the operator says so. */
export async function requireInUse(store: Store): Promise<void> {
  const moved = await store.moving.readMoved();
  if (moved === null) return;
  await store.close();
  throw new ServiceError(
    "STORE_UNAVAILABLE",
    `This store was copied to ${moved} and is not used any more. Start with that one, or run trawl store reopen.`,
  );
}

/** Only the operator can fix a store that does not open, so the failure names the setting. */
export async function openConfiguredStore(config: Config, log: Logger | null = null): Promise<Store> {
  const { databaseUrl, databaseDirectUrl, dataDir } = config;
  try {
    const tell = (message: string) => log?.info(message);
    const place = databaseUrl === null ? { dataDir } : { databaseUrl, directUrl: databaseDirectUrl, tell };
    return await openStore(place, await joinBlobs(config, log));
  } catch (error) {
    const setting = databaseUrl === null ? `DATA_DIR (${dataDir})` : "DATABASE_URL";
    const reason = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    throw new ServiceError("STORE_UNAVAILABLE", `The store of ${setting} cannot be opened: ${describe(reason)}`, {
      cause: error,
    });
  }
}

/** Some connection errors carry their text only in their code. */
function describe(reason: unknown): string {
  if (!(reason instanceof Error)) return String(reason);
  return reason.message || (reason as NodeJS.ErrnoException).code || reason.name;
}

export function joinAccounts(config: Config, store: Store, clock: Clock): Accounts {
  const { creditsPerMonth, teamConcurrency } = config;
  const perMinute: Record<RateGroup, number> = {
    scrape: config.rateLimitScrape,
    job: config.rateLimitJob,
    status: config.rateLimitStatus,
    browser: config.rateLimitBrowser,
    execute: config.rateLimitExecute,
  };
  const tokensPerMonth = config.model === null ? null : config.llmTokensPerMonth;
  return createAccounts({ store, clock }, { creditsPerMonth, tokensPerMonth, teamConcurrency, perMinute });
}

/** The team whose dashboard is offered until the first person signs in. */
export async function findFirstTeam(config: Config, { people, teams }: Accounts): Promise<Team | null> {
  return (await people.isEmpty()) ? teams.find(firstTeamName(config)) : null;
}

/** The team whose channels are told of faults of the server. */
export async function findOperatorTeam(config: Config, { teams }: Pick<Accounts, "teams">): Promise<Team | null> {
  return teams.find(config.noticesTeam ?? firstTeamName(config));
}

function firstTeamName({ apiKeys }: Config): string {
  return apiKeys[0]?.team ?? defaultTeamName;
}

/** A URL that signs one person in, once. The secret is its fragment, which browsers do not send. */
export async function createSignInUrl(baseUrl: string, { people }: Accounts, team: Team): Promise<string> {
  return `${baseUrl}/dashboard/sign-in#${(await people.createSignInLink(team.id)).secret}`;
}
