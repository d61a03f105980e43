// The parts of the program in the order in which they are made, each from those above it. Closing goes in reverse order.
import { type Accounts, type Caller, createPasskeys, type Passkeys } from "../accounts/index.ts";
import { createMailer } from "../adapters/index.ts";
import { type Clock, logFailure, type Owner, type TimeSlicer } from "../base/index.ts";
import type { Transport } from "../client/index.ts";
import { type Cluster, createCluster } from "../cluster/index.ts";
import type { Config } from "../config.ts";
import type { ContentPool } from "../content/index.ts";
import type { Operations } from "../contract/index.ts";
import type { DialectTools } from "../dialects/index.ts";
import { type BrowserEngine, createHttpEngine } from "../engines/index.ts";
import { createJobs, type Jobs } from "../jobs/index.ts";
import type { Net } from "../net/index.ts";
import { createOperations, type FeatureParts } from "../operations/index.ts";
import { createPages, type Pages } from "../pages/index.ts";
import { createReach } from "../reach/index.ts";
import { createSite } from "../site/index.ts";
import type { Store } from "../store/index.ts";
import { type BackgroundWork, createBackgroundWork } from "./background-work.ts";
import { createDirectTransport } from "./direct-calls.ts";
import { joinDialects } from "./join-dialects.ts";
import type { ModelPart } from "./join-model.ts";
import { joinIndexer, joinSearch, type SearchPart } from "./join-search.ts";
import type { Tracing } from "./join-tracing.ts";
import { type BrowserHealth, createBrowserHealth, openBrowser } from "./open-browser.ts";
import { type AppDeps, openPlatform, version } from "./open-platform.ts";
import { jobsOptions, operationsOptions, pagesOptions, reachOptions } from "./part-options.ts";

/** Everything that does the work, without a face. */
export interface Parts extends Pick<FeatureParts, "index" | "parseFile" | "sessions" | "uploads"> {
  store: Store;
  /** The database's where several processes share one. */
  clock: Clock;
  /** What this process is called where it holds a lease. */
  owner: Owner;
  accounts: Accounts;
  passkeys: Passkeys;
  net: Net;
  /** The browser that features use: of this server, or of another one that renders for it. */
  browser: Pick<BrowserEngine, "load"> & BrowserHealth;
  cluster: Cluster;
  jobs: Jobs;
  work: BackgroundWork;
  readMedia: Pages["readMedia"];
  search: SearchPart;
  /** Null where no collector is set. */
  tracing: Tracing | null;
  /** What reads pages and files. */
  pools: { content: Pick<ContentPool, "load">; files: Pick<Pages["files"], "load"> };
  /** Null when no language model is configured. */
  model: ModelPart | null;
  /** The processes that read files just now, or wait for the next one. */
  filePids(): number[];
  /** Writes what was learned about hosts since the last time. */
  noteHosts(): Promise<void>;
  /** Writes what pages have taught about their hosts. */
  keepSiteRules(): Promise<void>;
  slicer: TimeSlicer;
  operations: Operations<Caller>;
  /** The client's way to these operations, without a server between. */
  direct(caller: Caller): Transport;
  /** What dialects of other services call. */
  dialectTools: DialectTools;
  close(): Promise<void>;
}

export async function openParts(
  config: Config,
  deps: AppDeps,
  ownPorts: () => readonly number[] = () => [],
): Promise<Parts> {
  const { role = "all" } = deps;
  const platform = await openPlatform(config, deps, ownPorts);
  const { store, clock, log, owner, secret, sealer, accounts, net, userAgent, content, extraction } = platform;
  const { tracing } = platform;
  const model = platform.model?.languageModel ?? null;
  const { credits, activity } = accounts;
  const { checkUrl, readyAt, fetch } = net;

  const ownBrowser = openBrowser(config, { net, log, userAgent });
  const { maxSessions, nodeUrl, host, webhookSecret } = config;
  const cluster = createCluster(
    { store, clock, log, net, owner, browser: ownBrowser },
    { role, secret, maxSessions, nodeUrl, host },
  );
  const { browser } = cluster;
  const indexer = config.ownIndex ? joinIndexer({ store, clock, log, slicer: platform.slicer }) : null;
  const findIdentity = config.identity === "browser" ? ownBrowser.findIdentity : null;
  const engine = createHttpEngine({ fetch, userAgent, findIdentity });
  const reach = createReach({ store, clock, net, sealer, engine, browser }, reachOptions(config));
  const pages = createPages(
    // biome-ignore format: one line a subject
    {
      store, clock, net, reach, slots: accounts.slots,
      content, extraction, model, index: indexer,
    },
    pagesOptions(config),
  );
  const site = createSite({ store, clock, net, reach, pages }, { isShared: config.sharedCache });
  const { robots, profiles, checkCallerProxy } = reach;
  const { obtainPage, openResultTexts } = pages;
  const { findSiteUrls, sites } = site;

  const search = joinSearch(config, { net, store, clock, log, version });
  const { findResults, openSources } = search;

  const jobs = createJobs(
    // biome-ignore format: one line a subject
    {
      store, clock, log, sealer, owner, credits, checkUrl, readyAt,
      obtainPage, robots, findSiteUrls, openResultTexts, findResults, extraction, model,
      onKept: pages.recorder.onKept,
      startTrace: tracing?.startTrace ?? null,
    },
    jobsOptions(config),
  );

  const features = createOperations(
    // biome-ignore format: one line a subject
    {
      store, clock, log, sealer, owner, accounts, credits, activity,
      net, checkUrl, readyAt, checkCallerProxy,
      content, extraction, model,
      browser: ownBrowser, requireBrowser: pages.requireBrowser, profiles,
      obtainPage, robots, findSiteUrls, openResultTexts, sites,
      obtainFile: pages.obtainFile, savePages: pages.savePages, readDocument: pages.readDocument, hostStats: reach.hosts,
      readStoredDocument: pages.readStoredDocument,
      findResults, openSources, indexer, jobs, mailer: openMailer(config, net),
    },
    operationsOptions(config),
  );
  const { sessions, kinds, monitors, uploads, index, parseFile } = features;
  const operations = { ...features.operations, ...cluster.shareSessions(sessions) };

  // biome-ignore format: one line a subject
  return {
    store, clock, owner, accounts, net, cluster, sessions, jobs, search, tracing, model: platform.model, index, uploads, parseFile, operations,
    slicer: platform.slicer,
    work: createBackgroundWork({ store, clock, log, owner, fetch, jobs, kinds, monitors, webhookSecret }),
    browser: { load: browser.load, ...createBrowserHealth(ownBrowser, browser, { maxSessions, log }) },
    passkeys: createPasskeys({ store, clock, sealer, people: accounts.people }),
    readMedia: pages.readMedia,
    pools: { content, files: pages.files },
    filePids: pages.files.pids,
    noteHosts: reach.hosts.flush,
    keepSiteRules: pages.siteRules.flush,
    direct: (caller) => createDirectTransport({ operations, caller }),
    dialectTools: joinDialects({ clock, hasModel: model !== null, operations, checkUrl }),
    async close() {
      await sessions.stop();
      await browser.close();
      await pages.files.close();
      await platform.closeThreads();
      await reach.hosts.flush().catch(logFailure(log, "noting what hosts answered"));
      await pages.siteRules.flush().catch(logFailure(log, "keeping the rules of hosts"));
      await indexer?.stop();
      await platform.closeStore();
    },
  };
}

/** Null when no mail server is configured. */
function openMailer({ smtpUrl: url, mailFrom: from }: Config, net: Net) {
  return url === null || from === null ? null : createMailer({ net }, { url, from });
}
