// A server: the parts, the faces before them, and what it does on time. Closing goes in reverse order.
import { defaultTeamName } from "./accounts/index.ts";
import { createSignInUrl, findFirstTeam } from "./app/configured-store.ts";
import { createHealthCheck } from "./app/health-check.ts";
import { joinDashboard } from "./app/join-dashboard.ts";
import { findKeylessTeams, namesOfDialects } from "./app/join-dialects.ts";
import { joinGuides } from "./app/join-guides.ts";
import { joinMcp } from "./app/join-mcp.ts";
import { joinMeasures } from "./app/join-measures.ts";
import { openParts, type Parts } from "./app/make-parts.ts";
import type { BrowserHealth } from "./app/open-browser.ts";
import { type AppDeps, version } from "./app/open-platform.ts";
import { purge } from "./app/purge.ts";
import { logFailure, minuteMs, type Repetition, repeat, secondMs } from "./base/index.ts";
import { createElection } from "./cluster/index.ts";
import { type Config, ConfigError } from "./config.ts";
import { buildOpenApi, listTags, oauthEndpoints } from "./contract/index.ts";
import { describeDialects, openDialects } from "./dialects/index.ts";
import { type HttpDeps, startHttpServer } from "./http/index.ts";

export {
  type BackupReport,
  checkBackup,
  databaseFile,
  makeBackup,
  nameOfBackup,
  notEmbedded,
  restoreFiles,
} from "./app/backup-files.ts";
export { createSignInUrl, openAccounts, openConfiguredStore, openOtherStore } from "./app/configured-store.ts";
export type { Finding } from "./app/doctor-finding.ts";
export { examineMachine } from "./app/examine-machine.ts";
export { examineServer } from "./app/examine-server.ts";
export { openThreads, type Threads } from "./app/join-content.ts";
export { readToolSetting } from "./app/join-mcp.ts";
export { describeContact } from "./app/join-search.ts";
export { openParts, type Parts } from "./app/make-parts.ts";
export { type CopiedTable, copyStore } from "./app/move-store.ts";
export { type AppDeps, type EmbeddedDeps, version } from "./app/open-platform.ts";
export { openScheduledBackups, requirePlace, requireSchedule } from "./app/scheduled-backups.ts";
/**
 * "api" accepts and reads jobs, "worker" works on them and tells webhooks, "browser" renders pages and holds sessions for the
 * others; one process may do all.
 */
export type { Role } from "./cluster/index.ts";
export { documentExtensions } from "./documents/index.ts";

/** What programs that embed a server see of it. */
export interface App {
  /** Where the API answers; a worker has only the pages of health and metrics there. */
  url: string;
  /** The first key of a new store; only the start that made it knows it. */
  firstKey: string | null;
  /** Where somebody signs in to the dashboard for the first time; null once anybody has. */
  firstLink: string | null;
  stop(): Promise<void>;
}

export interface OpenApp extends App {
  parts: Parts;
}

const lastUsedIntervalMs = 10 * secondMs;
const countIntervalMs = 10 * secondMs;
const noteHostsIntervalMs = 10 * secondMs;
const siteRulesIntervalMs = 10 * secondMs;
const purgeIntervalMs = 10 * minuteMs;
/** A job's page can be put back and read again, so the grace period is for requests only. */
const pageGraceMs = 5 * secondMs;

export async function start(config: Config, deps: AppDeps): Promise<OpenApp> {
  const { log, role = "all" } = deps;
  const hasApi = role === "all" || role === "api";
  const hasJobs = role === "all" || role === "worker";
  const ownPorts: number[] = [];
  const parts = await openParts(config, deps, () => ownPorts);
  const { store, accounts, operations, clock, cluster, sessions } = parts;
  const election = createElection({ store, clock, log, owner: parts.owner });
  const purgeElected = async (signal: AbortSignal) => {
    if (election.isElected()) await purge(store, config, clock, signal);
  };
  let duties: Repetition[] = [];
  try {
    requireIdentity(config, parts.browser);
    for (const warning of await accounts.keys.createConfigured(config.apiKeys)) log.warn(warning);
    const isOpen = config.auth === "none";
    // Only an API answers callers, and the first key must not be shown where no operator looks for it.
    const firstKey = isOpen || !hasApi ? null : await accounts.keys.createFirst();
    const linkTeam = isOpen || !hasApi ? null : await findFirstTeam(config, accounts);
    const openTeam = isOpen ? await accounts.teams.findOrCreate(defaultTeamName) : null;
    const keylessTeams = await findKeylessTeams(config, accounts);
    const spoken = openDialects(namesOfDialects(config));
    const { dialectTools: tools } = parts;

    if (hasJobs) await election.start();
    duties = [
      repeat(lastUsedIntervalMs, parts.noteUses, logFailure(log, "noting the use of keys")),
      repeat(countIntervalMs, () => accounts.usageHours.flush(), logFailure(log, "counting requests")),
      repeat(noteHostsIntervalMs, parts.noteHosts, logFailure(log, "noting what hosts answered")),
      repeat(siteRulesIntervalMs, parts.keepSiteRules, logFailure(log, "keeping the rules of hosts")),
      repeat(purgeIntervalMs, purgeElected, logFailure(log, "purging old rows")),
    ];

    let description: object | undefined;
    // A second of work, and the same for all who ask.
    const describeApi = () => {
      description ??= buildOpenApi({ version, more: [...describeDialects(spoken), ...oauthEndpoints] });
      return description;
    };
    const mcp = joinMcp(config, parts, version);
    const http = await startHttpServer(
      {
        log,
        version,
        buildOpenApi: describeApi,
        answerGuide: joinGuides(version, hasApi, {
          listApiTags: () => listTags([...describeDialects(spoken), ...oauthEndpoints]),
          buildOpenApi: describeApi,
        }),
        checkHealth: createHealthCheck(store, clock),
        authentication: authenticationOf(config, parts, openTeam),
        takeRate: (holder, group) => accounts.limits.take(holder, group),
        requireUpload: parts.uploads.require,
        agentHints: parts.agentHints,
        operations,
        slicer: parts.slicer,
        readMedia: parts.readMedia,
        readFeedFile: parts.readFeedFile,
        openDevtools: sessions.openDevtools,
        ...(config.browserAddress ? { browserAddress: sessions.address } : {}),
        openLiveView: sessions.openLiveView,
        checkLiveView: sessions.checkLiveView,
        replays: sessions.replays,
        ...(cluster.face ? { nodes: cluster.face } : {}),
        keyDirectory: parts.net.signer?.directory ?? null,
        browserStatus: parts.browser.status,
        measures: joinMeasures(parts, election.isElected),
        ...(parts.backups === null ? {} : { backupState: parts.backups.state }),
        startTrace: parts.tracing?.startTrace ?? null,
        ...(spoken.length > 0 ? { dialects: { spoken, tools, keylessTeams } } : {}),
        mcp,
        oauth: parts.oauth,
        countRequest: (request) => accounts.usageHours.note(request),
        dashboard: joinDashboard(config, parts, version),
        hasApi,
      },
      config,
    );
    ownPorts.push(Number(new URL(http.url).port));
    if (config.searchSources.length > 0) log.info({ sources: config.searchSources }, askedSources);
    if (keylessTeams.size > 0) log.warn({ KEYLESS_DIALECTS: keylessNames(config) }, keylessWarning);
    parts.jobs.signals.connect();
    if (hasJobs) {
      await parts.work.start(election.isElected);
      parts.health.start(election.isElected);
    }
    parts.backups?.start();
    if (role !== "worker") sessions.keeper.watch();
    // Runs in the background: it starts a process, and the server already answers.
    void parts.browser.probe();
    await cluster.start(http.url);

    return {
      parts,
      url: http.url,
      firstKey,
      firstLink: linkTeam && (await createSignInUrl(config.publicUrl ?? http.url, accounts, linkTeam)),
      async stop() {
        // At once: a request may wait for a page that is being read, a program for the browser of its session.
        await cluster.leave();
        await mcp.close();
        const stopWork = parts.work.stop(Math.min(config.stopTimeoutMs, pageGraceMs));
        await Promise.all([http.close(), stopWork, sessions.keeper.stop(), cluster.stop(config.stopTimeoutMs)]);
        await Promise.all([parts.health.stop(), ...duties.map((duty) => duty.stop())]);
        await election.stop();
        await parts.noteUses().catch(logFailure(log, "noting the use of keys"));
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

function authenticationOf(
  config: Config,
  { accounts, oauth }: Pick<Parts, "accounts" | "oauth">,
  openTeam: HttpDeps["authentication"]["openTeam"],
): HttpDeps["authentication"] {
  return {
    mode: config.auth,
    identify: (token) => accounts.keys.identify(token),
    openTeam,
    findApp: oauth?.apps.identify,
    findPolicy: accounts.policies.find,
    findSession: accounts.people.findSession,
  };
}

function requireIdentity({ identity }: Config, { whyAbsent }: BrowserHealth): void {
  const reason = identity === "browser" ? whyAbsent() : null;
  if (reason !== null)
    throw new ConfigError(`IDENTITY=browser identifies this server as the installed Chromium. ${reason}`);
}

const askedSources =
  "searches ask these sources on the internet when no search service answers; OPEN_SEARCH=0 turns that off";

const keylessWarning =
  "anyone who can reach this server may use these dialects without a key, and their teams pay for it";

function keylessNames({ keylessDialects }: Config): string[] {
  return keylessDialects.map(({ dialect, team }) => `${dialect}=${team}`);
}
