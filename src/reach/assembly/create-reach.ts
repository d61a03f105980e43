// Builds the room: everything that leads from a URL to bytes, or to the reason for the failure.
import type { Clock, Logger } from "../../base/index.ts";
import type { BrowserEngine, HttpEngine } from "../../engines/index.ts";
import type { Net } from "../../net/index.ts";
import type { Sealer, Store } from "../../store/index.ts";
import { withinTargets } from "../attempts/judged-redirects.ts";
import { createAttempts } from "../attempts/reach-page.ts";
import { createBrowserProfiles } from "../fetching/browser-profiles.ts";
import { createPageFetcher } from "../fetching/make-attempt.ts";
import { createHostStats } from "../hosts/host-stats.ts";
import { createRulesReader } from "../robots/read-rules.ts";
import { createRobotsChecks } from "../robots/robots-check.ts";
import { createSolver } from "../solver/solver.ts";
import { createAttemptMemory } from "../strategy/attempt-memory.ts";
import { createCallerProxyCheck } from "../url-checks/proxy-check.ts";
import { createProxyWarnings } from "../url-checks/proxy-warnings.ts";
import type { TargetCheck } from "../url-checks/target-lists.ts";

export interface ReachDeps {
  store: Store;
  clock: Clock;
  net: Net;
  sealer: Sealer;
  engine: HttpEngine;
  browser: BrowserEngine;
  log: Logger;
  /** The lists of hosts that a team reads. */
  targets: TargetCheck;
}

export interface ReachOptions {
  /** How long is remembered which attempt reached a host. */
  memoryMs: number;
  /** Whether pages that a caller named must be allowed by robots.txt, too. */
  obeysAlways: boolean;
  /** Whether callers may bring a proxy. */
  allowsCallerProxy: boolean;
  /** FLARESOLVERR_URL; null: there is no solver. */
  solverUrl: string | null;
}

export type Reach = ReturnType<typeof createReach>;

export function createReach(deps: ReachDeps, options: ReachOptions) {
  const { store, clock, net, sealer, engine, browser, log, targets } = deps;
  const { memoryMs, obeysAlways, allowsCallerProxy, solverUrl } = options;
  const { proxies, fetch } = net;
  const hosts = createHostStats({ store, clock }, { memoryMs });
  const memory = createAttemptMemory({ store, sealer, clock }, { memoryMs });
  const profiles = createBrowserProfiles({ store, sealer, clock });
  const solver = solverUrl === null ? null : createSolver({ net, clock, log }, { url: solverUrl });
  const fetcher = createPageFetcher({ clock, engine, browser, profiles, solver });
  const readRules = createRulesReader({ clock, fetch, proxies });
  return {
    checkUrl: net.checkUrl,
    checkCallerProxy: createCallerProxyCheck(net, allowsCallerProxy),
    /** What a request asks of proxies that this server does not have. */
    proxyWarnings: createProxyWarnings(proxies, solver !== null),
    readRules,
    robots: createRobotsChecks({ readRules, obeysAlways, proxies, onRules: hosts.noteRules, targets }),
    reachPage: withinTargets(createAttempts({ fetcher, memory, hosts, proxies }), targets),
    targets,
    /** For pages out of an archive, one attempt at a time. */
    fetcher,
    hosts,
    profiles,
    browserStatus: browser.status,
    /** Null where none is configured. */
    solver,
  };
}
