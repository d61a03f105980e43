// The parts of the program in the order in which they are made, each from those above it. Closing goes in reverse order.
import { type Caller, createPasskeys } from "../accounts/index.ts";
import { createMailer } from "../adapters/index.ts";
import { createArchives } from "../archive/index.ts";
import { type Logger, logFailure } from "../base/index.ts";
import { createCluster } from "../cluster/index.ts";
import type { Config } from "../config.ts";
import type { Operations } from "../contract/index.ts";
import { createHttpEngine } from "../engines/index.ts";
import { createJobs } from "../jobs/index.ts";
import type { Net } from "../net/index.ts";
import { createOauth } from "../oauth/index.ts";
import { createOperations } from "../operations/index.ts";
import { createPages } from "../pages/index.ts";
import { createReach, createTargetCheck } from "../reach/index.ts";
import { createSite } from "../site/index.ts";
import { createBackgroundWork } from "./background-work.ts";
import { findOperatorTeam } from "./configured-store.ts";
import { createDirectTransport } from "./direct-calls.ts";
import { joinDialects } from "./join-dialects.ts";
import { joinIndexer, joinSearch } from "./join-search.ts";
import { createBrowserHealth, openBrowser } from "./open-browser.ts";
import { type AppDeps, openPlatform, version } from "./open-platform.ts";
import {
  archivesOptions,
  jobsOptions,
  oauthOptions,
  operationsOptions,
  pagesOptions,
  reachOptions,
} from "./part-options.ts";
import { openPlannedBackups } from "./scheduled-backups.ts";
import { createServerHealth } from "./server-health.ts";

/** Everything that does the work, without a face. */
export type Parts = Awaited<ReturnType<typeof openParts>>;

export async function openParts(config: Config, deps: AppDeps, ownPorts: () => readonly number[] = () => []) {
  const { role = "all" } = deps;
  const platform = await openPlatform(config, deps, ownPorts);
  const { store, clock, log, owner, secret, sealer, accounts, secrets, net, userAgent, content, extraction } = platform;
  const { tracing } = platform;
  const backups = await openPlannedBackups({ store, clock, log }, config);
  const model = platform.model?.languageModel ?? null;
  const { checkUrl, fetch } = net;

  const targets = createTargetCheck(accounts.policies.find);
  const ownBrowser = openBrowser(config, { net, log, userAgent, permits: targets.permits });
  const { maxSessions, nodeUrl, host, webhookSecret } = config;
  const cluster = createCluster(
    { store, clock, log, net, owner, browser: ownBrowser },
    { role, secret, maxSessions, nodeUrl, host },
  );
  const { browser } = cluster;
  const indexer = config.ownIndex ? joinIndexer({ store, clock, log, slicer: platform.slicer }) : null;
  const findIdentity = config.identity === "browser" ? ownBrowser.findIdentity : null;
  const engine = createHttpEngine({ fetch, userAgent, findIdentity });
  const reach = createReach({ store, clock, log, net, sealer, engine, browser, targets }, reachOptions(config));
  const pages = createPages(
    // biome-ignore format: one line a subject
    {
      store, clock, net, reach, slots: accounts.slots,
      content, extraction, model, index: indexer, openSecrets: secrets.open,
    },
    pagesOptions(config),
  );
  const archives = createArchives({ store, clock }, archivesOptions(config, version));
  const site = createSite({ store, clock, net, reach, pages }, { isShared: config.sharedCache });

  const search = joinSearch(config, { net, store, clock, log, version });

  const jobs = createJobs(
    // biome-ignore format: one line a subject
    {
      store, clock, log, sealer, owner, credits: accounts.credits, net, reach, pages, site, findResults: search.findResults, extraction, model, archives,
      startTrace: tracing?.startTrace ?? null,
    },
    jobsOptions(config),
  );

  const features = createOperations(
    // biome-ignore format: one line a subject
    {
      store, clock, log, sealer, owner, accounts, secrets, net, content, extraction, model,
      browser: ownBrowser, reach, pages, site, search, jobs, indexer, archives, mailer: openMailer(config, net),
    },
    operationsOptions(config),
  );
  const { sessions, kinds, monitors, notices, indexedSources, feeds, uploads, index, parseFile, agentHints } = features;
  const operations = { ...features.operations, ...cluster.shareSessions(sessions) };
  const served: Operations<Caller> = operations;

  const oauth = openOauth(config, { store, clock, net });
  const browserHealth = createBrowserHealth(ownBrowser, browser, { maxSessions, log });
  const health = createServerHealth(
    config,
    { store, clock, log, net, browser: browserHealth, search, notices, backups },
    async () => (await findOperatorTeam(config, accounts))?.id ?? null,
  );

  return {
    store,
    clock,
    log,
    sealer,
    owner,
    accounts,
    net,
    cluster,
    sessions,
    jobs,
    search,
    tracing,
    /** Null where the settings want none. */
    backups,
    model: platform.model,
    index,
    uploads,
    agentHints,
    /** The operation of the same name, which also tells of each page that was read. */
    parseFile,
    slicer: platform.slicer,
    operations: served,
    /** The client's way to these operations, without a server between. */
    direct: (caller: Caller) => createDirectTransport({ operations, caller }),
    /** What dialects of other services call. */
    dialectTools: joinDialects({ clock, hasModel: model !== null, operations, checkUrl, readMedia: pages.readMedia }),
    // biome-ignore format: one line a subject
    work: createBackgroundWork({
      store, clock, log, owner, fetch, jobs, kinds, monitors, notices, indexedSources, feeds, archives, webhookSecret,
    }),
    health,
    /** The browser that features use: of this server, or of another one that renders for it. */
    browser: { load: browser.load, ...browserHealth },
    /** Null where no app can be connected. */
    oauth,
    /** Writes when keys and apps were last used. */
    async noteUses(): Promise<void> {
      await Promise.all([accounts.keys.flushLastUsed(), oauth?.apps.flush()]);
    },
    passkeys: createPasskeys({ store, clock, sealer, people: accounts.people }),
    readMedia: pages.readMedia,
    readFeedFile: feeds.readFile,
    solver: reach.solver,
    /** What reads pages and files. */
    pools: { content, files: pages.files },
    /** Writes what was learned about hosts since the last time. */
    noteHosts: reach.hosts.flush,
    /** Writes what pages have taught about their hosts. */
    keepSiteRules: pages.siteRules.flush,
    close: () => closeParts({ log, platform, backups, sessions, browser, reach, pages, indexer }),
  };
}

interface OpenedParts {
  log: Logger;
  platform: Awaited<ReturnType<typeof openPlatform>>;
  backups: { stop(): Promise<void> } | null;
  sessions: { stop(): Promise<void> };
  browser: { close(): Promise<void> };
  reach: ReturnType<typeof createReach>;
  pages: ReturnType<typeof createPages>;
  indexer: { stop(): Promise<void> } | null;
}

/** What works ends first, then what it works with, and the store last. */
async function closeParts(parts: OpenedParts): Promise<void> {
  const { log, platform, backups, sessions, browser, reach, pages, indexer } = parts;
  await backups?.stop();
  await sessions.stop();
  await browser.close();
  await reach.solver?.close();
  await pages.files.close();
  await platform.closeThreads();
  await reach.hosts.flush().catch(logFailure(log, "noting what hosts answered"));
  await pages.siteRules.flush().catch(logFailure(log, "keeping the rules of hosts"));
  await indexer?.stop();
  await platform.closeStore();
}

/** Null where no app can be connected. */
function openOauth(config: Config, deps: Parameters<typeof createOauth>[0]) {
  return config.oauth && config.auth === "keys" ? createOauth(deps, oauthOptions(config)) : null;
}

/** Null when no mail server is configured. */
function openMailer({ smtpUrl: url, mailFrom: from }: Config, net: Net) {
  return url === null || from === null ? null : createMailer({ net }, { url, from });
}
