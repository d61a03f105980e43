// The only place where parts are built and joined. openParts() reads like a list of ingredients; closing goes in reverse
// order.
import { readFileSync } from "node:fs";
import { type Accounts, type Caller, defaultTeamName } from "./accounts/index.ts";
import { joinAccounts, openConfiguredStore } from "./app/accounts.ts";
import { createHealthCheck } from "./app/health-check.ts";
import { type BrowserPart, joinBrowser } from "./app/join-browser.ts";
import { joinLanguageModel, joinModel, type OpenModel } from "./app/join-model.ts";
import { joinNet, userAgent } from "./app/join-net.ts";
import { createMemoryReader } from "./app/memory-pressure.ts";
import { nameOwner } from "./app/owner.ts";
import { purge } from "./app/purge.ts";
import { type Clock, type Logger, minuteMs, type Repetition, repeat, secondMs, systemClock } from "./base/index.ts";
import type { Config } from "./config.ts";
import { createContentPool } from "./content/index.ts";
import { buildOpenApi, type Operations } from "./contract/index.ts";
import { createHttpEngine } from "./engines/index.ts";
import { startHttpServer } from "./http/index.ts";
import { createWorker, type Owner } from "./jobs/index.ts";
import type { Net } from "./net/index.ts";
import {
  createAgentOperations,
  createBatchOperations,
  createCrawlOperations,
  createEventData,
  createExtractionRecords,
  createExtractOperations,
  createFeedbackOperations,
  createIndexUpkeep,
  createJobChanges,
  createJobOperations,
  createJobSaver,
  createJobStarter,
  createJobWork,
  createLazyExtraction,
  createMapOperations,
  createPageAnswers,
  createPageCache,
  createPageCounter,
  createPageIndexer,
  createPageReader,
  createPageRecorder,
  createReplays,
  createSchemaCheck,
  createScrapeOperations,
  createSearchOperations,
  createSettingsPacker,
  createSiteDiscovery,
  createSiteReader,
  createSourceSearch,
  createTeamOperations,
  createTraceOperations,
  type IndexUpkeep,
  type LanguageModel,
  type LazyExtraction,
  type MapDeps,
  type PageIndexer,
  type ScrapeDeps,
  type SearchDeps,
  type SiteDiscoveryDeps,
  type SourceSearchDeps,
} from "./operations/index.ts";
import { createSealer, readOrCreateSecret, type Sealer, type Store } from "./store/index.ts";
import type { WebhookDelivery } from "./webhooks/index.ts";

export { examineServer, type Finding } from "./app/doctor.ts";

/** "api" accepts and reads jobs, "worker" works on them and tells webhooks; one process may do both. */
export type Role = "api" | "worker" | "both";

export { openAccounts } from "./app/accounts.ts";

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
  browser: BrowserPart;
  index: IndexUpkeep;
  /** Null when no language model is configured. */
  openModel: OpenModel | null;
  operations: ReturnType<typeof joinOperations> &
    ReturnType<typeof joinSearch> &
    Jobs["operations"] &
    BrowserPart["operations"];
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

const lastUsedIntervalMs = 10 * secondMs;
const purgeIntervalMs = 10 * minuteMs;
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
        readMedia: parts.browser.readMedia,
        openDevtools: parts.browser.sessions.openDevtools,
        openLiveView: parts.browser.sessions.openLiveView,
        browserStatus: parts.browser.status,
        hasApi: role !== "worker",
      },
      config,
    );
    ownPorts.push(Number(new URL(http.url).port));
    if (role !== "api") await parts.jobs.start();
    if (role !== "worker") parts.browser.sessions.keeper.watch();

    return {
      ...parts,
      url: http.url,
      firstKey,
      async stop() {
        // At once: a request may wait for a page that is in work, a program for the browser of its session.
        const { keeper } = parts.browser.sessions;
        const stopJobs = parts.jobs.stop(Math.min(config.stopTimeoutMs, pageGraceMs));
        await Promise.all([http.close(), stopJobs, keeper.stop()]);
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
  const net = joinNet(config, { log, clock, ownPorts, userAgent: userAgent(config, version) });
  const content = createContentPool({
    threads: config.contentThreads,
    timeoutMs: config.contentTimeoutMs,
    maxMemoryMb: config.contentMemoryMb,
  });
  const cache = createPageCache({ store, clock }, { isShared: config.sharedCache, days: config.pageCacheDays });
  const openModel = joinModel(config, { net, clock, ledger: store.modelTokens });
  const model = joinLanguageModel(config, openModel);
  const indexer = config.ownIndex ? joinIndexer({ store, clock, log }) : null;
  const recorder = createPageRecorder({ cache, clock, indexer });
  const extraction = createLazyExtraction(() => import("./extraction/index.ts"));
  const sealer = createSealer(config.secret ?? (await readOrCreateSecret(config.dataDir)));
  const agent = userAgent(config, version);
  const engine = createHttpEngine({ fetch: net.fetch, userAgent: agent });
  const owner = nameOwner(config);
  const { credits } = accounts;
  const replays = createReplays(sealer);
  const sealed = { store, sealer, replays, clock, log };
  const browser = joinBrowser(config, { ...sealed, net, engine, userAgent: agent, credits, owner, model });
  const readPage = createPageReader({
    cache,
    ...browser.reading,
    content,
    answers: createPageAnswers(extraction, model),
    slots: accounts.slots,
    clock,
  });
  const sites = createSiteReader({ store, clock, fetch: net.fetch }, { isShared: config.sharedCache });
  const robots = config.respectRobots === "all" ? sites : null;
  const schemas = createSchemaCheck(extraction);
  const reading = { store, clock, recorder, readPage, sites, robots, judge: net.judge };
  const discover = createSiteDiscovery(reading);
  const sources = joinSources(config, { ...reading, net });
  const { requireBrowser } = browser;
  const shared = { ...reading, accounts, schemas, extraction, model, discover, sources, requireBrowser, replays };
  const jobs = joinJobs(config, { ...shared, net, log, sealer, owner });
  return {
    store,
    accounts,
    net,
    jobs,
    browser,
    index: createIndexUpkeep({ store, sites, indexer }),
    openModel,
    operations: { ...joinOperations(shared), ...joinSearch(shared), ...jobs.operations, ...browser.operations },
    async close() {
      await browser.close();
      await content.close();
      await extraction.close();
      await net.close();
      await accounts.slots.close();
      await indexer?.stop();
      await store.close();
    },
  };
}

type SourceSearchParts = Omit<SourceSearchDeps, "isMerged" | "openProviders" | "openIndex">;

type OperationDeps = { accounts: Accounts; extraction: LazyExtraction; model: LanguageModel | null } & Omit<
  ScrapeDeps & MapDeps & SearchDeps & SiteDiscoveryDeps,
  "credits" | "activity"
>;

type Jobs = ReturnType<typeof joinJobs>;
type JobPartDeps = OperationDeps & { net: Net; log: Logger; sealer: Sealer; owner: Owner };

/** Crawls and batches: what callers can ask of them, and who works on them. */
function joinJobs(config: Config, { accounts, net, log, sealer, owner, ...deps }: JobPartDeps) {
  const { store, clock, judge, schemas, requireBrowser, model } = deps;
  const { credits } = accounts;
  const { teamConcurrency, hostConcurrency } = config;
  const changes = createJobChanges();
  const packer = createSettingsPacker(sealer);
  const obeysRobotsAlways = config.respectRobots === "all";
  const records = createExtractionRecords({ store, clock });
  const work = createJobWork({ ...deps, credits, records, packer, readyAt: net.readyAt, obeysRobotsAlways });
  const worker = createWorker(
    {
      store,
      clock,
      log,
      perform: work.perform,
      countAffordable: createPageCounter(credits),
      save: createJobSaver({ clock, forget: work.forget }),
      onChange(jobId) {
        changes.tell(jobId);
        webhooks?.wake();
      },
    },
    { owner, concurrency: config.workerConcurrency, teamLimit: teamConcurrency, leaseMs: config.jobLeaseMs },
  );
  let webhooks: WebhookDelivery | null = null;
  const readMemory = createMemoryReader(config.memoryLimitMb);
  const starter = createJobStarter({ store, clock, packer, judge, readMemory, wake: worker.wake });
  const cancelWork = (jobId: string) => {
    worker.cancel(jobId);
    work.forget(jobId);
  };
  const operations = createJobOperations({ store, clock, changes, cancelWork });
  const answering = { store, clock, credits, starter, schemas, records, judge, requireBrowser, model };
  return {
    operations: {
      ...operations.operations,
      ...createTraceOperations({ store, clock, records }),
      ...createBatchOperations({ ...answering, teamConcurrency }),
      ...createCrawlOperations({
        ...answering,
        teamConcurrency,
        hostConcurrency,
        mayIgnoreRobots: config.respectRobots === "off",
      }),
      ...createExtractOperations({
        ...answering,
        teamConcurrency,
        maxUrls: config.extractMaxUrls,
        maxPages: config.extractMaxPages,
      }),
      ...createAgentOperations({
        ...answering,
        maxPages: config.agentMaxPages,
        maxSeconds: config.agentMaxSeconds,
        isPlanned: deps.model !== null,
        cancelWork,
      }),
    } satisfies Partial<Operations<Caller>>,

    /** Begins to work on jobs and to tell of them; until then they are only accepted and read. */
    async start(): Promise<void> {
      worker.start();
      const { createWebhookDelivery } = await import("./webhooks/index.ts");
      const readDocument = createEventData({ store, records }, operations.readDocument);
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

function joinSources(config: Config, { net, ...deps }: SourceSearchParts & { net: Net }) {
  const { store, clock } = deps;
  return createSourceSearch({
    ...deps,
    isMerged: config.searchMerge,
    openProviders: async () => (await import("./search/index.ts")).createProviders(config, { net, clock }),
    openIndex: async () => (config.ownIndex ? (await import("./search/index.ts")).createOwnIndex({ store }) : null),
  });
}

function joinSearch({ accounts, ...deps }: OperationDeps) {
  const { store, clock } = deps;
  return {
    ...createSearchOperations({ ...deps, credits: accounts.credits }),
    ...createFeedbackOperations({ store, clock }),
  } satisfies Partial<Operations<Caller>>;
}

function logFailure(log: Logger, what: string): (error: unknown) => void {
  return (error) => log.error({ err: error }, `${what} failed`);
}
