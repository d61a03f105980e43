// The only place where parts are built and joined. start() reads like a list of ingredients; stop() closes them in
// reverse order.
import { readFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { type Accounts, type Caller, createAccounts, defaultTeamName } from "./accounts/index.ts";
import { type Clock, type Logger, minuteMs, repeat, ServiceError, secondMs, systemClock } from "./base/index.ts";
import type { Config } from "./config.ts";
import { buildOpenApi, type Operations, type RateGroup } from "./contract/index.ts";
import { startHttpServer } from "./http/index.ts";
import { createTeamOperations } from "./operations/index.ts";
import {
  createSealer,
  openStore,
  readOrCreateSecret,
  type Sealer,
  type Store,
  type StoreHealth,
} from "./store/index.ts";

export interface App {
  /** Where the API answers. */
  url: string;
  /** The first key of a new store; only the start that made it knows it. */
  firstKey: string | null;
  accounts: Accounts;
  store: Store;
  /** Seals what durable jobs must remember in secret. */
  sealer: Sealer;
  stop(): Promise<void>;
}

export interface AppDeps {
  log: Logger;
  clock?: Clock;
  /** Opened from the settings unless given; stop() closes it either way. */
  store?: Store;
}

export const version: string = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")).version;

const lastUsedIntervalMs = 10 * secondMs;
const purgeIntervalMs = 10 * minuteMs;
const purgePortion = 500;
const healthTimeoutMs = 5 * secondMs;

export async function start(config: Config, deps: AppDeps): Promise<App> {
  const { log, clock = systemClock } = deps;
  const store = deps.store ?? (await openConfiguredStore(config));
  try {
    const accounts = joinAccounts(config, store, clock);
    const sealer = createSealer(config.secret ?? (await readOrCreateSecret(config.dataDir)));
    await accounts.keys.createConfigured(config.apiKeys);
    const isOpen = config.auth === "none";
    const firstKey = isOpen ? null : await accounts.keys.createFirst();
    const openTeam = isOpen ? await accounts.teams.findOrCreate(defaultTeamName) : null;

    const duties = [
      repeat(lastUsedIntervalMs, () => accounts.keys.flushLastUsed(), logFailure(log, "noting the use of keys")),
      repeat(purgeIntervalMs, () => purge(store, clock), logFailure(log, "purging old rows")),
    ];

    const http = await startHttpServer(
      {
        log,
        version,
        buildOpenApi: () => buildOpenApi({ version }),
        checkHealth: () => checkHealth(store, clock),
        authentication: { mode: config.auth, identify: (token) => accounts.keys.identify(token), openTeam },
        takeRate: (holder, group) => accounts.limits.take(holder, group),
        operations: joinOperations(accounts),
      },
      config,
    );

    return {
      url: http.url,
      firstKey,
      accounts,
      store,
      sealer,
      async stop() {
        await http.close();
        await Promise.all(duties.map((duty) => duty.stop()));
        await accounts.keys.flushLastUsed().catch(logFailure(log, "noting the use of keys"));
        await store.close();
      },
    };
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** The store and the accounts on it, without a server: enough for `trawl keys` and `trawl teams`. */
export async function openAccounts(config: Config): Promise<{ store: Store; accounts: Accounts }> {
  const store = await openConfiguredStore(config);
  return { store, accounts: joinAccounts(config, store, systemClock) };
}

/** A store that cannot be opened is the operator's to mend, so the failure names the setting. */
async function openConfiguredStore({ databaseUrl, dataDir }: Config): Promise<Store> {
  try {
    return await openStore(databaseUrl === null ? { dataDir } : { databaseUrl });
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

function joinAccounts(config: Config, store: Store, clock: Clock): Accounts {
  const { creditsPerMonth, teamConcurrency } = config;
  const perMinute: Record<RateGroup, number> = {
    scrape: config.rateLimitScrape,
    job: config.rateLimitJob,
    status: config.rateLimitStatus,
    browser: config.rateLimitBrowser,
    execute: config.rateLimitExecute,
  };
  return createAccounts({ store, clock }, { creditsPerMonth, teamConcurrency, perMinute });
}

/** A database that hangs is as bad as one that is away: whoever asks gets an answer in time. */
async function checkHealth(store: Store, clock: Clock): Promise<StoreHealth> {
  const hanging = new AbortController();
  const late = setTimeout(healthTimeoutMs, { canRead: false, canWrite: false }, { signal: hanging.signal });
  try {
    return await Promise.race([store.checkHealth(clock.now()), late]);
  } finally {
    late.catch(() => undefined);
    hanging.abort();
  }
}

/** Every operation that is built, checked against what the endpoint table says it takes and answers. */
function joinOperations(accounts: Accounts) {
  return { ...createTeamOperations({ accounts }) } satisfies Partial<Operations<Caller>>;
}

async function purge(store: Store, clock: Clock): Promise<void> {
  let isMoreLeft = true;
  while (isMoreLeft) isMoreLeft = (await store.retention.purge({ now: clock.now(), limit: purgePortion })).more;
}

function logFailure(log: Logger, what: string): (error: unknown) => void {
  return (error) => log.error({ err: error }, `${what} failed`);
}
