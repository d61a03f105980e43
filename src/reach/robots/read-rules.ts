// The rules of a site, from its robots.txt.
import type { Clock } from "../../base/index.ts";
import type { RobotsReader, RobotsState } from "../../discovery/index.ts";
import type { ArchiveUse, Net, Way } from "../../net/index.ts";
import { type Tier, tiersOf } from "../strategy/attempts.ts";
import { loadDiscovery } from "./load-discovery.ts";

export interface RulesRequest {
  signal: AbortSignal;
  /** Accept-Language. */
  language: string;
  /** The caller's own headers go to one origin only; with them nothing is cached and no cached copy is used. */
  own: { origin: string; headers: Readonly<Record<string, string>> } | null;
  /** The user agent whose robots.txt rules apply; ours unless given. */
  robotsAgent?: string;
  /** By which proxies robots.txt is asked for, one after the other while the site refuses; those of "auto" unless given. */
  ways?: readonly Way[];
  /** What its exchanges are kept in, or what answers in place of the site: then nothing that is known already is used. */
  archive?: ArchiveUse | undefined;
}

export type ReadRules = (url: URL, request: RulesRequest) => Promise<RobotsState>;

export interface RulesReaderDeps {
  clock: Clock;
  fetch: Net["fetch"];
  proxies: { has(tier: Tier): boolean };
}

export function createRulesReader(deps: RulesReaderDeps): ReadRules {
  const usualWays = tiersOf("auto", deps.proxies.has("enhanced")).map((tier) => ({ tier }));
  let robotsReader: RobotsReader | null = null;
  /** Each reads a site's robots.txt again. */
  const ofArchives = new WeakMap<ArchiveUse, RobotsReader>();
  return async (url, request) => {
    const { createRobotsReader } = await loadDiscovery();
    robotsReader ??= createRobotsReader(deps);
    const { signal, own, robotsAgent, ways = usualWays, archive } = request;
    let reader = robotsReader;
    if (archive !== undefined) {
      const fetch = ((asked) => deps.fetch({ ...asked, archive })) as Net["fetch"];
      reader = ofArchives.get(archive) ?? createRobotsReader({ ...deps, fetch });
      ofArchives.set(archive, reader);
    }
    const agent = robotsAgent === undefined ? {} : { agent: robotsAgent };
    const headers = headersFor(url, request);
    return reader.read(url, { signal, headers, ways, skipTlsVerification: own === null, ...agent });
  };
}

/** Those of a request for a file that says something about its site. */
export function headersFor({ origin }: URL, { language, own }: Pick<RulesRequest, "language" | "own">) {
  return { "accept-language": language, ...(own?.origin === origin ? own.headers : {}) };
}
