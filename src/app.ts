// The only place where parts are built and joined. openParts() reads like a list of ingredients; closing goes in reverse
// order.

import { readFileSync } from "node:fs";
import {
  type Accounts,
  type Caller,
  createPasskeys,
  createTokenLedger,
  defaultTeamName,
  type Passkeys,
} from "./accounts/index.ts";
import {
  createSignInUrl,
  findFirstTeam,
  joinAccounts,
  openConfiguredStore,
  requireInUse,
} from "./app/configured-store.ts";
import { createDirectTransport } from "./app/direct-calls.ts";
import { createHealthCheck } from "./app/health-check.ts";
import { type BrowserPart, joinBrowser } from "./app/join-browser.ts";
import { joinContent } from "./app/join-content.ts";
import { joinDashboard } from "./app/join-dashboard.ts";
import { findKeylessTeams, joinDialects } from "./app/join-dialects.ts";
import { type Jobs, joinJobs } from "./app/join-jobs.ts";
import { joinMcp } from "./app/join-mcp.ts";
import { joinMeasures } from "./app/join-measures.ts";
import { joinLanguageModel, joinModel, type OpenModel } from "./app/join-model.ts";
import { joinNet, userAgent } from "./app/join-net.ts";
import { joinOperations } from "./app/join-operations.ts";
import { joinPages } from "./app/join-pages.ts";
import { joinIndexer, joinSearch, type SearchPart } from "./app/join-search.ts";
import { joinTracing, type Tracing } from "./app/join-tracing.ts";
import { nameOwner } from "./app/name-owner.ts";
import { purge } from "./app/purge.ts";
import {
  type Clock,
  type Logger,
  logFailure,
  minuteMs,
  type Repetition,
  repeat,
  secondMs,
  systemClock,
} from "./base/index.ts";
import type { Transport } from "./client/index.ts";
import { createElection, openHostShare, openStoreClock, type Role } from "./cluster/index.ts";
import { type Config, ConfigError } from "./config.ts";
import type { ContentPool } from "./content/index.ts";
import { buildOpenApi, type Operations } from "./contract/index.ts";
import { type DialectTools, describeDialects, openDialects } from "./dialects/index.ts";
import { createHttpEngine } from "./engines/index.ts";
import { startHttpServer } from "./http/index.ts";
import { createJobPages, type Owner } from "./jobs/index.ts";
import type { Net } from "./net/index.ts";
import {
  createIndexUpkeep,
  createUploads,
  type IndexUpkeep,
  type ParseFile,
  type Uploads,
} from "./operations/index.ts";
import {
  createCallerProxyCheck,
  createLazyExtraction,
  createReplays,
  createSchemaCheck,
  createStoredPages,
  type FileRunner,
} from "./pages/index.ts";
import { createSealer, isOpenToOthers, readOrCreateSecret, type Store } from "./store/index.ts";

export { createSignInUrl, openAccounts, openConfiguredStore, openOtherStore } from "./app/configured-store.ts";
export { examineMachine } from "./app/examine-machine.ts";
export { examineServer, type Finding } from "./app/examine-server.ts";
export { type CopiedTable, copyStore } from "./app/move-store.ts";
/**
 * "api" accepts and reads jobs, "worker" works on them and tells webhooks, "browser" renders pages and holds sessions for the
 * others; one process may do all.
 */
export type { Role } from "./cluster/index.ts";

export interface AppDeps {
  log: Logger;
  /** "all" unless given. */
  role?: Role;
  clock?: Clock;
  /** Opened from the settings unless given; closed with the app either way. */
  store?: Store;
}

/** Everything that does the work, without a face. */
export interface Parts {
  store: Store;
  /** The database's where several processes share one. */
  clock: Clock;
  /** What this process is called where it holds a lease. */
  owner: Owner;
  accounts: Accounts;
  passkeys: Passkeys;
  net: Net;
  jobs: Jobs;
  browser: BrowserPart;
  index: IndexUpkeep;
  search: SearchPart;
  /** Null where no collector is set. */
  tracing: Tracing | null;
  /** What reads pages and files. */
  pools: { content: Pick<ContentPool, "load">; files: Pick<FileRunner, "load"> };
  /** Null when no language model is configured. */
  openModel: OpenModel | null;
  uploads: Uploads;
  /** The operation of the same name, which also tells of each page that was read. */
  parseFile: ParseFile;
  /** The processes that read files just now, or wait for the next one. */
  filePids(): number[];
  /** Writes what was learned about hosts since the last time. */
  noteHosts(): Promise<void>;
  /** Writes what pages have taught about their hosts. */
  keepSiteRules(): Promise<void>;
  operations: Operations<Caller>;
  /** The client's way to these operations, without a server between. */
  direct(caller: Caller): Transport;
  /** What dialects of other services call. */
  dialectTools: DialectTools;
  close(): Promise<void>;
}

export interface App extends Omit<Parts, "close"> {
  /** Where the API answers; a worker has only the pages of health and metrics there. */
  url: string;
  /** The first key of a new store; only the start that made it knows it. */
  firstKey: string | null;
  /** Where somebody signs in to the dashboard for the first time; null once anybody has. */
  firstLink: string | null;
  stop(): Promise<void>;
}

export const version: string = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")).version;

const lastUsedIntervalMs = 10 * secondMs;
const countIntervalMs = 10 * secondMs;
const noteHostsIntervalMs = 10 * secondMs;
const siteRulesIntervalMs = 10 * secondMs;
const purgeIntervalMs = 10 * minuteMs;
/** A job's page can be put back and read again, so the grace period is for requests only. */
const pageGraceMs = 5 * secondMs;

export async function start(config: Config, deps: AppDeps): Promise<App> {
  const { log, role = "all" } = deps;
  const hasApi = role === "all" || role === "api";
  const hasJobs = role === "all" || role === "worker";
  const ownPorts: number[] = [];
  const parts = await openParts(config, deps, () => ownPorts);
  const { store, accounts, operations, clock } = parts;
  const election = createElection({ store, clock, log, owner: parts.owner });
  const purgeElected = async (signal: AbortSignal) => {
    if (election.isElected()) await purge(store, config, clock, signal);
  };
  let duties: Repetition[] = [];
  try {
    requireIdentity(config, parts.browser.whyAbsent());
    for (const warning of await accounts.keys.createConfigured(config.apiKeys)) log.warn(warning);
    const isOpen = config.auth === "none";
    // Only an API answers callers, and the first key must not be shown where no operator looks for it.
    const firstKey = isOpen || !hasApi ? null : await accounts.keys.createFirst();
    const linkTeam = isOpen || !hasApi ? null : await findFirstTeam(config, accounts);
    const openTeam = isOpen ? await accounts.teams.findOrCreate(defaultTeamName) : null;

    const keylessTeams = await findKeylessTeams(config, accounts);
    const spoken = openDialects(config.dialects);
    const { dialectTools: tools } = parts;

    if (hasJobs) await election.start();
    duties = [
      repeat(lastUsedIntervalMs, () => accounts.keys.flushLastUsed(), logFailure(log, "noting the use of keys")),
      repeat(countIntervalMs, () => accounts.usageHours.flush(), logFailure(log, "counting requests")),
      repeat(noteHostsIntervalMs, parts.noteHosts, logFailure(log, "noting what hosts answered")),
      repeat(siteRulesIntervalMs, parts.keepSiteRules, logFailure(log, "keeping the rules of hosts")),
      repeat(purgeIntervalMs, purgeElected, logFailure(log, "purging old rows")),
    ];

    const mcp = joinMcp(config, parts, version);
    const http = await startHttpServer(
      {
        log,
        version,
        buildOpenApi: () => buildOpenApi({ version, more: describeDialects(spoken) }),
        checkHealth: createHealthCheck(store, clock),
        authentication: {
          mode: config.auth,
          identify: (token) => accounts.keys.identify(token),
          openTeam,
          findSession: accounts.people.findSession,
        },
        takeRate: (holder, group) => accounts.limits.take(holder, group),
        requireUpload: parts.uploads.require,
        operations,
        readMedia: parts.browser.readMedia,
        openDevtools: parts.browser.sessions.openDevtools,
        openLiveView: parts.browser.sessions.openLiveView,
        checkLiveView: parts.browser.sessions.checkLiveView,
        ...(parts.browser.nodes ? { nodes: parts.browser.nodes.face } : {}),
        browserStatus: parts.browser.status,
        measures: joinMeasures(parts, election.isElected),
        startTrace: parts.tracing?.startTrace ?? null,
        ...(spoken.length > 0 ? { dialects: { spoken, tools, keylessTeams } } : {}),
        handleMcp: mcp.handle,
        countRequest: (request) => accounts.usageHours.note(request),
        dashboard: joinDashboard(config, parts, version),
        hasApi,
      },
      config,
    );
    ownPorts.push(Number(new URL(http.url).port));
    if (config.searchSources.length > 0) log.info({ sources: config.searchSources }, askedSources);
    if (keylessTeams.size > 0) log.warn({ KEYLESS_DIALECTS: keylessNames(config) }, keylessWarning);
    parts.jobs.listen();
    if (hasJobs) await parts.jobs.start(election.isElected);
    if (role !== "worker") parts.browser.sessions.keeper.watch();
    // Runs in the background: it starts a process, and the server already answers.
    void parts.browser.probe();
    await parts.browser.nodes?.start(http.url);

    return {
      ...parts,
      url: http.url,
      firstKey,
      firstLink: linkTeam && (await createSignInUrl(config.publicUrl ?? http.url, accounts, linkTeam)),
      async stop() {
        // At once: a request may wait for a page that is being read, a program for the browser of its session.
        const { keeper } = parts.browser.sessions;
        await parts.browser.nodes?.leave();
        await mcp.close();
        const stopJobs = parts.jobs.stop(Math.min(config.stopTimeoutMs, pageGraceMs));
        const stopNodes = parts.browser.nodes?.stop(config.stopTimeoutMs);
        await Promise.all([http.close(), stopJobs, keeper.stop(), stopNodes]);
        await Promise.all(duties.map((duty) => duty.stop()));
        await election.stop();
        await accounts.keys.flushLastUsed().catch(logFailure(log, "noting the use of keys"));
        await accounts.usageHours.flush().catch(logFailure(log, "counting requests"));
        await parts.close();
      },
    };
  } catch (error) {
    await Promise.all(duties.map((duty) => duty.stop()));
    await election.stop();
    await parts.close();
    throw error;
  }
}

function requireIdentity({ identity }: Config, whyAbsent: string | null): void {
  if (identity !== "browser" || whyAbsent === null) return;
  throw new ConfigError(`IDENTITY=browser identifies this server as the installed Chromium. ${whyAbsent}`);
}

const askedSources =
  "searches ask these sources on the internet when no search service answers; OPEN_SEARCH=0 turns that off";

const keylessWarning =
  "anyone who can reach this server may use these dialects without a key, and their teams pay for it";

function keylessNames({ keylessDialects }: Config): string[] {
  return keylessDialects.map(({ dialect, team }) => `${dialect}=${team}`);
}

const openFolder =
  "DATA_DIR can be entered by other users of this machine and holds other files too: give it its own folder";

export async function openParts(
  config: Config,
  { log, role = "all", clock: givenClock, store: given }: AppDeps,
  ownPorts: () => readonly number[] = () => [],
): Promise<Parts> {
  const store = given ?? (await openConfiguredStore(config, log));
  await requireInUse(store);
  const storeClock = givenClock ? null : await openStoreClock(store, log);
  const clock = givenClock ?? storeClock?.clock ?? systemClock;
  const accounts = joinAccounts(config, store, clock);
  const hostShare = openHostShare({ store, clock, log, limit: config.hostConcurrency });
  const net = joinNet(config, { log, clock, ownPorts, userAgent: userAgent(config, version), hostShare });
  const tracing = await joinTracing(config, net, version);
  const content = await joinContent(config);
  const openModel = joinModel(config, { net, clock, ledger: createTokenLedger({ store, clock }) });
  const model = joinLanguageModel(config, openModel);
  const indexer = config.ownIndex ? joinIndexer({ store, clock, log }) : null;
  // Loaded with the first request that needs it: an idle server stays small.
  const extraction = createLazyExtraction(() => import("./extraction/index.ts"));
  const secret = config.secret ?? (await readOrCreateSecret(config.dataDir));
  const sealer = createSealer(secret);
  if (config.databaseUrl === null && isOpenToOthers(config.dataDir)) log.warn({ dataDir: config.dataDir }, openFolder);
  const agent = userAgent(config, version);
  const findIdentity = config.identity === "browser" ? () => browser.findIdentity() : null;
  const engine = createHttpEngine({ fetch: net.fetch, userAgent: agent, findIdentity });
  const owner = nameOwner(config);
  const { credits } = accounts;
  const replays = createReplays(sealer);
  const findStoredPage = createStoredPages({ store, clock, findJobPage: createJobPages({ store, clock }) });
  const sealed = { store, sealer, replays, findStoredPage, clock, log };
  const browser = joinBrowser(config, {
    ...sealed,
    net,
    engine,
    userAgent: agent,
    credits,
    owner,
    model,
    role,
    secret,
  });
  const shared = { store, clock, accounts, content, extraction, model };
  const pages = joinPages(config, { ...shared, net, sealer, index: indexer, ...browser.reading });
  const { sites } = pages;
  const search = joinSearch(config, { net, store, clock, log, version });
  const checks = {
    schemas: createSchemaCheck(extraction),
    requireBrowser: browser.requireBrowser,
    checkUrl: net.checkUrl,
    checkCallerProxy: createCallerProxyCheck(net, config.allowCallerProxy),
  };
  const uploads = createUploads({ store, clock }, { maxBytes: config.maxUploadBytes });
  const joined = { ...shared, ...pages, ...checks, ...search, indexer, uploads, replays, findStoredPage };
  const waited = joinOperations({ ...joined, readyAt: net.readyAt });
  const jobs = joinJobs(config, { ...joined, net, log, sealer, owner, startTrace: tracing?.startTrace ?? null });
  const operations = { ...waited, ...jobs.operations, ...browser.operations };
  return {
    store,
    clock,
    owner,
    accounts,
    net,
    jobs,
    browser,
    passkeys: createPasskeys({ store, clock, sealer, people: accounts.people }),
    index: createIndexUpkeep({ store, sites, indexer }),
    search,
    tracing,
    pools: { content, files: pages.files },
    openModel,
    uploads,
    parseFile: waited.parse,
    filePids: pages.files.pids,
    noteHosts: pages.hostStats.flush,
    keepSiteRules: pages.siteRules.flush,
    operations,
    direct: (caller) => createDirectTransport({ operations, caller }),
    dialectTools: joinDialects({ clock, hasModel: model !== null, operations, checkUrl: net.checkUrl }),
    async close() {
      await browser.close();
      await pages.files.close();
      await content.close();
      await extraction.close();
      await tracing?.close();
      await net.close();
      await pages.hostStats.flush().catch(logFailure(log, "noting what hosts answered"));
      await pages.siteRules.flush().catch(logFailure(log, "keeping the rules of hosts"));
      await accounts.slots.close();
      await indexer?.stop();
      await storeClock?.stop();
      await store.close();
    },
  };
}
