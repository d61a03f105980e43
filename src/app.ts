// The only place where parts are built and joined. openParts() reads like a list of ingredients; closing goes in reverse
// order.
import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { resolve } from "node:path";
import { type Accounts, type Caller, createAccounts, defaultTeamName } from "./accounts/index.ts";
import { createHealthCheck } from "./app/health-check.ts";
import { joinModel, type OpenModel } from "./app/join-model.ts";
import {
  type Clock,
  hourMs,
  type Logger,
  minuteMs,
  type Repetition,
  repeat,
  ServiceError,
  secondMs,
  sha256,
  systemClock,
} from "./base/index.ts";
import type { Config } from "./config.ts";
import { createContentPool } from "./content/index.ts";
import { buildOpenApi, type Operations, type RateGroup } from "./contract/index.ts";
import { createHttpEngine } from "./engines/index.ts";
import { startHttpServer } from "./http/index.ts";
import { createOwner, createWorker } from "./jobs/index.ts";
import { createNet, type Net } from "./net/index.ts";
import {
  createBatchOperations,
  createCrawlOperations,
  createFeedbackOperations,
  createJobChanges,
  createJobOperations,
  createJobSaver,
  createJobStarter,
  createJobWork,
  createMapOperations,
  createPageCache,
  createPageIndexer,
  createPageReader,
  createPageRecorder,
  createScrapeOperations,
  createSearchOperations,
  createSettingsPacker,
  createSiteReader,
  createTeamOperations,
  type MapDeps,
  type PageIndexer,
  type ScrapeDeps,
} from "./operations/index.ts";
import { createSealer, openStore, readOrCreateSecret, type Sealer, type Store } from "./store/index.ts";
import type { WebhookDelivery } from "./webhooks/index.ts";

export { examineServer, type Finding } from "./app/doctor.ts";

/** "api" accepts and reads jobs, "worker" works on them and tells webhooks; one process may do both. */
export type Role = "api" | "worker" | "both";

export interface AppDeps {
  log: Logger;
  /** "both" unless given. */
  role?: Role;
  clock?: Clock;
  /** Opened from the settings unless given; closed with the app either way. */
  store?: Store;
}

/** Everything that does the work, without a face. */
export interface Parts {
  store: Store;
  accounts: Accounts;
  net: Net;
  jobs: Jobs;
  /** Null when no language model is configured. */
  openModel: OpenModel | null;
  operations: ReturnType<typeof joinOperations> & ReturnType<typeof joinSearch> & Jobs["operations"];
  close(): Promise<void>;
}

export interface App extends Omit<Parts, "close"> {
  /** Where the API answers; a worker has only the pages of health and metrics there. */
  url: string;
  /** The first key of a new store; only the start that made it knows it. */
  firstKey: string | null;
  stop(): Promise<void>;
}

export const version: string = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")).version;

const projectPage = "https://github.com/trawl-web/trawl";
const lastUsedIntervalMs = 10 * secondMs;
const purgeIntervalMs = 10 * minuteMs;
const purgePortion = 500;
/** Nobody waits for a job's page, and one that is put back is read again; the time of the stop is for requests. */
const pageGraceMs = 5 * secondMs;

export async function start(config: Config, deps: AppDeps): Promise<App> {
  const { log, clock = systemClock, role = "both" } = deps;
  const ownPorts: number[] = [];
  const parts = await openParts(config, deps, () => ownPorts);
  const { store, accounts, operations } = parts;
  let duties: Repetition[] = [];
  try {
    for (const warning of await accounts.keys.createConfigured(config.apiKeys)) log.warn(warning);
    const isOpen = config.auth === "none";
    // A worker answers nobody, and the first key must not be shown where nobody looks for it.
    const firstKey = isOpen || role === "worker" ? null : await accounts.keys.createFirst();
    const openTeam = isOpen ? await accounts.teams.findOrCreate(defaultTeamName) : null;

    duties = [
      repeat(lastUsedIntervalMs, () => accounts.keys.flushLastUsed(), logFailure(log, "noting the use of keys")),
      repeat(purgeIntervalMs, (signal) => purge(store, config, clock, signal), logFailure(log, "purging old rows")),
    ];

    const http = await startHttpServer(
      {
        log,
        version,
        buildOpenApi: () => buildOpenApi({ version }),
        checkHealth: createHealthCheck(store, clock),
        authentication: { mode: config.auth, identify: (token) => accounts.keys.identify(token), openTeam },
        takeRate: (holder, group) => accounts.limits.take(holder, group),
        operations,
        hasApi: role !== "worker",
      },
      config,
    );
    ownPorts.push(Number(new URL(http.url).port));
    if (role !== "api") await parts.jobs.start();

    return {
      ...parts,
      url: http.url,
      firstKey,
      async stop() {
        // Both at once: a request may wait for a page that is in work.
        await Promise.all([http.close(), parts.jobs.stop(Math.min(config.stopTimeoutMs, pageGraceMs))]);
        await Promise.all(duties.map((duty) => duty.stop()));
        await accounts.keys.flushLastUsed().catch(logFailure(log, "noting the use of keys"));
        await parts.close();
      },
    };
  } catch (error) {
    await Promise.all(duties.map((duty) => duty.stop()));
    await parts.close();
    throw error;
  }
}

export async function openParts(
  config: Config,
  { log, clock = systemClock, store: given }: AppDeps,
  ownPorts: () => readonly number[] = () => [],
): Promise<Parts> {
  const store = given ?? (await openConfiguredStore(config));
  const accounts = joinAccounts(config, store, clock);
  const net = joinNet(config, log, clock, ownPorts);
  const content = createContentPool({
    threads: config.contentThreads,
    timeoutMs: config.contentTimeoutMs,
    maxMemoryMb: config.contentMemoryMb,
  });
  const cache = createPageCache({ store, clock }, { isShared: config.sharedCache, days: config.pageCacheDays });
  const indexer = config.ownIndex ? joinIndexer({ store, clock, log }) : null;
  const recorder = createPageRecorder({ cache, clock, indexer });
  const readPage = createPageReader({
    cache,
    engine: createHttpEngine({ fetch: net.fetch, userAgent: userAgent(config) }),
    content,
    slots: accounts.slots,
    clock,
  });
  const sites = createSiteReader({ store, clock, fetch: net.fetch }, { isShared: config.sharedCache });
  const sealer = createSealer(config.secret ?? (await readOrCreateSecret(config.dataDir)));
  const robots = config.respectRobots === "all" ? sites : null;
  const shared = { accounts, store, clock, recorder, readPage, sites, robots, judge: net.judge };
  const jobs = joinJobs(config, { ...shared, net, log, sealer });
  return {
    store,
    accounts,
    net,
    jobs,
    openModel: joinModel(config, { net, clock, ledger: store.modelTokens }),
    operations: { ...joinOperations(shared), ...joinSearch(config, { ...shared, net }), ...jobs.operations },
    async close() {
      await content.close();
      await net.close();
      await accounts.slots.close();
      await indexer?.stop();
      await store.close();
    },
  };
}

/** The store and the accounts on it: enough for `trawl keys` and `trawl teams`. */
export async function openAccounts(config: Config): Promise<{ store: Store; accounts: Accounts }> {
  const store = await openConfiguredStore(config);
  return { store, accounts: joinAccounts(config, store, systemClock) };
}

type OperationDeps = { accounts: Accounts } & Omit<ScrapeDeps & MapDeps, "credits" | "activity">;

type Jobs = ReturnType<typeof joinJobs>;
type JobPartDeps = OperationDeps & { net: Net; log: Logger; sealer: Sealer };

/** Crawls and batches: what callers can ask of them, and who works on them. */
function joinJobs(config: Config, { accounts, net, log, sealer, ...deps }: JobPartDeps) {
  const { store, clock, judge } = deps;
  const { credits } = accounts;
  const { teamConcurrency, hostConcurrency } = config;
  const changes = createJobChanges();
  const packer = createSettingsPacker(sealer);
  const owner = createOwner(sha256(`${hostname()} ${resolve(config.dataDir)}`).slice(0, 16));
  const obeysRobotsAlways = config.respectRobots === "all";
  const work = createJobWork({ ...deps, packer, readyAt: net.readyAt, obeysRobotsAlways });
  const worker = createWorker(
    {
      store,
      clock,
      log,
      perform: work.perform,
      save: createJobSaver({ clock, forget: work.forget }),
      onChange(jobId) {
        changes.tell(jobId);
        webhooks?.wake();
      },
    },
    { owner, concurrency: config.workerConcurrency, teamLimit: teamConcurrency },
  );
  let webhooks: WebhookDelivery | null = null;
  const starter = createJobStarter({ store, clock, packer, judge, wake: worker.wake });
  const cancelWork = (jobId: string) => {
    worker.cancel(jobId);
    work.forget(jobId);
  };
  const operations = createJobOperations({ store, clock, changes, cancelWork });
  return {
    operations: {
      ...operations.operations,
      ...createBatchOperations({ credits, starter, judge, teamConcurrency }),
      ...createCrawlOperations({
        credits,
        starter,
        judge,
        teamConcurrency,
        hostConcurrency,
        mayIgnoreRobots: config.respectRobots === "off",
      }),
    } satisfies Partial<Operations<Caller>>,

    /** Begins to work on jobs and to tell of them; until then they are only accepted and read. */
    async start(): Promise<void> {
      worker.start();
      const { createWebhookDelivery } = await import("./webhooks/index.ts");
      const { readDocument } = operations;
      const readTarget = async (jobId: string) => {
        const job = await store.jobs.read(jobId);
        return job && packer.openWebhook(job);
      };
      const what = "taking back the webhooks of an ended process";
      await store.webhooks
        .listOwners(owner.prefix)
        .then((owners) => store.webhooks.releaseOwners(owners.filter(owner.isGone)))
        .catch(logFailure(log, what)); // They can be claimed when their leases have run out.
      const secret = config.webhookSecret;
      webhooks = createWebhookDelivery({
        store,
        clock,
        log,
        fetch: net.fetch,
        readTarget,
        readDocument,
        secret,
        owner: owner.name,
      });
    },

    async stop(graceMs: number): Promise<void> {
      await worker.stop(graceMs);
      await webhooks?.stop();
    },
  };
}

/** Every operation that is built, checked against what the endpoint table says it takes and answers. */
function joinOperations({ accounts, ...deps }: OperationDeps) {
  return {
    ...createTeamOperations({ accounts, store: deps.store }),
    ...createScrapeOperations({ ...deps, credits: accounts.credits }),
    ...createMapOperations({ ...deps, credits: accounts.credits, activity: accounts.activity }),
  } satisfies Partial<Operations<Caller>>;
}

/** What searches, and what it searches with; the room itself is loaded with the first search. */
function joinIndexer(deps: { store: Store; clock: Clock; log: Logger }): PageIndexer {
  return createPageIndexer(async () => (await import("./search/index.ts")).createIndexWriter(deps));
}

function joinSearch(config: Config, { accounts, net, ...deps }: OperationDeps & { net: Net }) {
  const { store, clock } = deps;
  return {
    ...createSearchOperations({
      ...deps,
      credits: accounts.credits,
      isMerged: config.searchMerge,
      openProviders: async () => (await import("./search/index.ts")).createProviders(config, { net, clock }),
      openIndex: async () => (config.ownIndex ? (await import("./search/index.ts")).createOwnIndex({ store }) : null),
    }),
    ...createFeedbackOperations({ store, clock }),
  } satisfies Partial<Operations<Caller>>;
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

function joinNet(config: Config, log: Logger, clock: Clock, ownPorts: () => readonly number[]): Net {
  const { proxyServer, proxyUsername, proxyPassword } = config;
  return createNet({
    allowedPrivateHosts: config.allowedPrivateHosts,
    dnsServer: config.dnsServer,
    proxy:
      proxyServer === null
        ? null
        : {
            url: proxyServer,
            ...(proxyUsername === null ? {} : { username: proxyUsername }),
            ...(proxyPassword === null ? {} : { password: proxyPassword }),
          },
    ownPorts,
    userAgent: userAgent(config),
    limits: {
      connectMs: config.connectTimeoutMs,
      idleMs: config.idleTimeoutMs,
      wireBytes: config.maxPageBytes,
      decodedBytes: config.maxPageDecodedBytes,
      perHost: config.hostConcurrency,
    },
    clock,
    log,
  });
}

/** Who we say we are (D16). */
function userAgent({ publicUrl }: Config): string {
  return `Mozilla/5.0 (compatible; TrawlBot/${version}; +${publicUrl ?? projectPage})`;
}

async function purge(store: Store, config: Config, clock: Clock, signal: AbortSignal): Promise<void> {
  let isMoreLeft = true;
  while (isMoreLeft && !signal.aborted) {
    isMoreLeft = (await store.retention.purge({ now: clock.now(), limit: purgePortion })).more;
  }
  const room = config.pageCacheMegabytes * 1024 * 1024;
  while (!signal.aborted && (await store.copies.sumBytes()) > room) {
    // Answers that show these copies stay readable for their day.
    await store.copies.forgetOldest(purgePortion, clock.now() + 25 * hourMs);
  }
}

function logFailure(log: Logger, what: string): (error: unknown) => void {
  return (error) => log.error({ err: error }, `${what} failed`);
}
