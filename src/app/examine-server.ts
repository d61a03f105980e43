// What `trawl doctor` looks at: everything that this server depends on, tested for real where that costs next to nothing.
import { type Clock, sentence, systemClock } from "../base/index.ts";
import type { Config } from "../config.ts";
import { type Net, whyNotReachable } from "../net/index.ts";
import type { Reach } from "../reach/index.ts";
import type { Store } from "../store/index.ts";
import type { Finding } from "./doctor-finding.ts";
import { examineRoutes } from "./examine-routes.ts";
import { createHealthCheck } from "./health-check.ts";
import type { ModelPart } from "./join-model.ts";
import { describeContact, type SearchPart } from "./join-search.ts";
import type { BrowserHealth } from "./open-browser.ts";
import { type BackupState, describeBackups, readBackupState } from "./scheduled-backups.ts";

export interface ExaminedServer {
  store: Store;
  net: Net;
  model: ModelPart | null;
  browser: BrowserHealth;
  search: Pick<SearchPart, "openSources">;
  solver: Reach["solver"];
}

const proxyMs = 5000;
const solverMs = 10_000;

/** One after the other, so that each finding can be shown immediately. */
export async function* examineServer(
  config: Config,
  server: ExaminedServer,
  teamId: string,
  clock: Clock = systemClock,
): AsyncGenerator<Finding> {
  yield await examineStore(config, server.store, clock);
  yield* examineBackups(config);
  yield await examineBrowser(server.browser);
  yield examineSandbox(server.browser);
  yield examineGuard(config, server.net);
  yield* examineProxies(config);
  yield await examineSolver(server.solver);
  yield* examineRoutes(config, server);
  yield await examineLanguageModel(config, server.model, teamId);
  yield examineDialects(config);
  yield await examineSearch(config, server.net, clock);
  yield* examineContact(config);
  yield* examineSources(server.search);
}

/** What can be told without asking another server. */
export async function* examineQuickly(config: Config, server: ExaminedServer, clock: Clock): AsyncGenerator<Finding> {
  yield await examineStore(config, server.store, clock);
  yield* examineBackups(config);
  yield await examineBrowser(server.browser);
  yield examineSandbox(server.browser);
  yield describeModel(config);
  yield describeProxies(config);
  yield await examineSearch(config, server.net, clock);
  yield* examineContact(config);
}

const modelFix = "Set OPENAI_API_KEY, ANTHROPIC_API_KEY, OLLAMA_BASE_URL or another, and restart (docs/models.md).";
const proxyFix =
  "Only for sites that refuse this server's address: set PROXY_POOL or PROXY_ENHANCED, and restart (docs/reach.md).";

function describeProxies({ proxyServer, proxyPool, proxyEnhanced }: Config): Finding {
  const subject = "Proxies";
  const { length } = [...(proxyServer === null ? [] : [proxyServer]), ...proxyPool, ...proxyEnhanced];
  if (length > 0) return { subject, state: "ok", message: `Configured, not asked: ${length}.` };
  return { subject, state: "absent", message: "None is configured: pages are fetched directly.", fix: proxyFix };
}

function describeModel({ model }: Config): Finding {
  const subject = "Language model";
  if (model === null) {
    const message = "None is configured: data, summaries and answers are made from the page's text alone.";
    return { subject, state: "absent", message, fix: modelFix };
  }
  return { subject, state: "ok", message: `Configured, not asked: ${model.name}.` };
}

export async function examineStore(config: Config, store: Store, clock: Clock): Promise<Finding> {
  const subject = "Store";
  const name = config.databaseUrl === null ? `SQLite in ${config.dataDir}` : "PostgreSQL of DATABASE_URL";
  const { canRead, canWrite } = await createHealthCheck(store, clock)();
  if (canRead && canWrite) return { subject, state: "ok", message: `${name} can be read and written.` };
  const fix = "Check its disk and permissions, and that no other program has it open.";
  return { subject, state: "failed", message: `${name} ${canRead ? "cannot be written." : "cannot be read."}`, fix };
}

async function* examineBackups({ backupTo, dataDir }: Config): AsyncGenerator<Finding> {
  if (backupTo !== null) yield backupFinding(backupTo, await readBackupState(dataDir));
}

export function backupFinding(to: string, state: BackupState | null): Finding {
  const subject = "Backups";
  const { isFailing, message } = describeBackups(to, state);
  const fix = "Make room there, or set BACKUP_TO to a place that this server can write; the next one is made on time.";
  return isFailing ? { subject, state: "failed", message, fix } : { subject, state: "ok", message };
}

async function examineBrowser(browser: ExaminedServer["browser"]): Promise<Finding> {
  const subject = "Browser";
  await browser.probe();
  const { available, sandbox, isolated } = browser.status();
  if (!available)
    return {
      subject,
      state: "absent",
      message: "Chromium was not found. Install it, or set CHROMIUM_PATH.",
      fix: "apt-get install chromium, or any other way; then run trawl doctor again.",
    };
  const sandboxed = sandbox ? "in its sandbox" : "without its sandbox (BROWSER_NO_SANDBOX)";
  if (isolated) return { subject, state: "ok", message: `Chromium will run ${sandboxed}, in its own namespaces.` };
  const lack = "without its own namespaces: only proxy settings control its traffic, and browser sessions are off";
  return { subject, state: "absent", message: `Chromium will run ${sandboxed}, ${lack}.` };
}

function examineSandbox(browser: ExaminedServer["browser"]): Finding {
  const subject = "Sandbox";
  const { available, isolated } = browser.status();
  if (!available) return { subject, state: "absent", message: "Not used, because there is no Chromium." };
  if (isolated) return { subject, state: "ok", message: "Browser sessions and programs run in their own namespaces." };
  return {
    subject,
    state: "absent",
    message: "This system allows no user namespaces, so there are no browser sessions and no programs.",
    fix: "sysctl -w kernel.unprivileged_userns_clone=1 kernel.apparmor_restrict_unprivileged_userns=0, or see docs/self-hosting.md.",
  };
}

/** Addresses that only a mistake in the allow list would open: the metadata services of clouds. */
const metadataHosts = ["169.254.169.254", "[fd00:ec2::254]"];

function examineGuard({ allowedPrivateHosts }: Config, net: Net): Finding {
  const subject = "Network guard";
  const open = metadataHosts.filter((host) => "url" in net.checkUrl(`http://${host}/`));
  if (open.length > 0) {
    const fix = "Name single hosts in ALLOWED_PRIVATE_HOSTS, or ranges without this address.";
    return { subject, state: "failed", message: `Pages may be fetched from ${open.join(" and ")}.`, fix };
  }
  const count = allowedPrivateHosts.length;
  const allowed =
    count === 0 ? "none is allowed" : `${count} of ALLOWED_PRIVATE_HOSTS ${count === 1 ? "is" : "are"} allowed`;
  return { subject, state: "ok", message: `Private addresses are refused when pages are fetched; ${allowed}.` };
}

/** Each proxy that is configured is reached for; they are named without their credentials. */
async function* examineProxies({ proxyServer, proxyPool, proxyEnhanced }: Config): AsyncGenerator<Finding> {
  const subject = "Proxy";
  const proxies = [...(proxyServer === null ? [] : [proxyServer]), ...proxyPool, ...proxyEnhanced];
  if (proxies.length === 0)
    yield { subject, state: "absent", message: "None is configured: pages are fetched directly." };
  for (const { hostname, port, label } of proxies) {
    const reason = await whyNotReachable(hostname, port, proxyMs);
    const fix = "Check PROXY_SERVER, PROXY_POOL and PROXY_ENHANCED, and that the proxy runs.";
    if (reason === null) yield { subject, state: "ok", message: `${label} can be reached.` };
    else yield { subject, state: "failed", message: `${label} cannot be reached (${reason}).`, fix };
  }
}

async function examineSolver(solver: ExaminedServer["solver"]): Promise<Finding> {
  const subject = "Solver";
  if (solver === null) return { subject, state: "absent", message: "None is configured (FLARESOLVERR_URL)." };
  const { isAnswering, message } = await solver.examine(AbortSignal.timeout(solverMs));
  if (isAnswering) return { subject, state: "ok", message: sentence(message) };
  const fix = "Check FLARESOLVERR_URL, and that the solver runs (docs/reach.md).";
  return { subject, state: "failed", message: sentence(message), fix };
}

async function examineLanguageModel(config: Config, part: ModelPart | null, teamId: string): Promise<Finding> {
  const subject = "Language model";
  if (part === null) {
    const message =
      "None is configured: set OPENAI_API_KEY, ANTHROPIC_API_KEY, OLLAMA_BASE_URL or another (docs/models.md).";
    return { subject, state: "absent", message };
  }
  // Loaded here because a server without a model never needs it.
  const [model, { examineModel }] = await Promise.all([part.open(), import("../llm/index.ts")]);
  const found = await examineModel(model, {
    teamId,
    maxOutputTokens: config.llmMaxOutputTokens,
    timeoutMs: config.llmTimeoutMs,
    signal: new AbortController().signal,
  });
  const where = `${model.name} at ${new URL(config.model?.baseUrl ?? "").host}`;
  if (!found.ok) {
    const fix = "See docs/models.md for the settings of each service.";
    return { subject, state: "failed", message: `${where}: ${found.message}`, fix };
  }
  const mended = found.isRepaired ? ", which had to be mended" : "";
  const message = `${where} answered JSON by ${found.mode}${mended} after ${found.answerMs} ms and writes ${found.tokensPerSecond} tokens a second.`;
  return { subject, state: "ok", message };
}

function examineDialects({ dialects, keylessDialects }: Config): Finding {
  const subject = "Dialects";
  if (dialects.length === 0) return { subject, state: "absent", message: "Off: DIALECTS is 0." };
  const keyless = keylessDialects.map(({ dialect, team }) => `${dialect} as the team ${team}`);
  const open = keyless.length > 0 ? ` Open without a key (KEYLESS_DIALECTS): ${keyless.join(", ")}.` : "";
  return { subject, state: "ok", message: `Spoken: ${dialects.join(", ")}.${open}` };
}

async function examineSearch(config: Config, net: Net, clock: Clock): Promise<Finding> {
  // The doctor alone needs them, and only where a service is configured.
  const { createProviders } = await import("../search/index.ts");
  const subject = "Search";
  const names = createProviders(config, { net, clock }).map(({ name }) => name);
  if (config.ownIndex) names.push("the local index");
  if (names.length > 0) return { subject, state: "ok", message: `Configured, not asked: ${names.join(", ")}.` };
  const others = config.searchSources.length > 0 ? "" : ", or leave OPEN_SEARCH or OWN_INDEX on";
  const message = `No service is configured: set SEARXNG_ENDPOINT or the key of a search service${others}.`;
  return { subject, state: "absent", message };
}

function* examineContact(config: Config): Generator<Finding> {
  const contact = describeContact(config);
  if (contact === null) return;
  yield { subject: "Search contact", state: contact.isOwn ? "ok" : "absent", message: contact.sentence };
}

/** Searches go on without a source, so that none of them is a failure of the server. */
async function* examineSources({ openSources }: ExaminedServer["search"]): AsyncGenerator<Finding> {
  const sources = await openSources();
  if (sources === null) {
    yield { subject: "Open search", state: "absent", message: "Off: OPEN_SEARCH is 0 or no source is left." };
    return;
  }
  const probes = await Promise.all(sources.names.map((name) => sources.probe(name, new AbortController().signal)));
  const count = probes.filter(({ problem }) => problem === null).length;
  const state = count > 0 ? "ok" : "absent";
  yield { subject: "Open search", state, message: `${count} of ${probes.length} sources answered (docs/search.md):` };
  for (const { title, ms, problem } of probes) {
    const subject = `  ${title}`;
    if (problem === null) yield { subject, state: "ok", message: `answered after ${ms} ms.` };
    else yield { subject, state: "absent", message: `${problem}.` };
  }
}
