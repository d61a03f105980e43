// Which proxy a request goes out through: pools used in turn, a host keeps its proxy while that works, and one that did not
// answer is left alone for a while. A request that belongs to a pool never goes out without one of its proxies.
import { type Clock, secondMs } from "../base/index.ts";
import { NetError } from "./outcome.ts";
import { parseUpstream, type Upstream } from "./upstream.ts";

export type ProxyTier = "basic" | "enhanced";

/** What brought a page; "none": no proxy is configured for it. */
export type ProxyUse = "none" | ProxyTier;

export interface ProxySettings {
  basic: readonly Upstream[];
  enhanced: readonly Upstream[];
  /** By country code in capitals. */
  countries: Readonly<Record<string, readonly Upstream[]>>;
  /** How long a proxy that did not answer is left alone. */
  cooldownMs: number;
}

/** Which proxies a request may use. */
export interface Way {
  /** Basic unless given; enhanced is basic where there are no enhanced ones. */
  tier?: ProxyTier | undefined;
  /** Two capital letters; a country without proxies has the basic ones. Without effect on enhanced ones. */
  country?: string | undefined;
  /** What keeps to one proxy per host together, such as a crawl. */
  keepWith?: string | undefined;
  /** The caller's own proxy, instead of all others. */
  proxyUrl?: string | undefined;
}

/** A proxy failed before anything was sent through it. */
export class UpstreamError extends NetError {
  readonly upstream: Upstream;
  /** The proxy itself is at fault, not what it was asked for. */
  readonly isItsOwn: boolean;

  constructor(upstream: Upstream, what: string, isItsOwn: boolean, cause?: unknown) {
    super("SCRAPE_PROXY_ERROR", `The proxy ${upstream.label} ${what}`, cause);
    this.upstream = upstream;
    this.isItsOwn = isItsOwn;
  }
}

/** The way of one request, or of all requests of one visit. */
export interface Route {
  use: ProxyUse;
  /** The caller's own proxy; null when it has none. */
  callers: Upstream | null;
  /** Null: out without a proxy. Throws when none of the pool can be asked. */
  upstream(): Upstream | null;
  /** After an error: whether it was the proxy's and another one can be asked. */
  canPassOn(error: unknown): boolean;
}

export interface Upstreams {
  route(way: Way, hostname: string): Route;
  has(tier: ProxyTier): boolean;
  hasCountry(country: string): boolean;
  /** Proxies that are left alone just now. */
  countResting(): number;
  /** Told by whoever dials: null when the proxy did what it was asked for. */
  note(upstream: Upstream, host: string, error: UpstreamError | null): void;
}

interface Pool {
  name: string;
  upstreams: readonly Upstream[];
  turn: number;
}

interface Health {
  restsUntil: number;
  why: string;
  /** Hosts that it could not connect to since it last connected to one. */
  failedHosts: Set<string>;
}

const maxKept = 10_000;
/** A proxy that waits for a dead host is not dead; one that reaches none of so many is. */
const hostsBeforeRest = 3;

export const noProxies: ProxySettings = { basic: [], enhanced: [], countries: {}, cooldownMs: 60_000 };

/** The way of what the operator's own settings name, and of servers without proxies. */
export const directRoute: Route = { use: "none", callers: null, upstream: () => null, canPassOn: () => false };

export function createUpstreams(settings: ProxySettings, clock: Clock): Upstreams {
  const makePool = (name: string, upstreams: readonly Upstream[]): Pool => ({ name, upstreams, turn: 0 });
  const basic = makePool("basic", settings.basic);
  const enhanced = makePool("enhanced", settings.enhanced);
  const countries = new Map(Object.entries(settings.countries).map(([code, list]) => [code, makePool(code, list)]));
  const healths = new Map<Upstream, Health>();
  /** Which proxy a host keeps; the map's order is the order of use. */
  const kept = new Map<string, Upstream>();

  const restsUntil = (upstream: Upstream) => healths.get(upstream)?.restsUntil ?? 0;

  function poolOf({ tier = "basic", country }: Way): { pool: Pool; use: ProxyTier } {
    if (tier === "enhanced" && enhanced.upstreams.length > 0) return { pool: enhanced, use: "enhanced" };
    return { pool: (country && countries.get(country)) || basic, use: "basic" };
  }

  function choose(pool: Pool, key: string, failed: ReadonlySet<Upstream>): Upstream | null {
    const now = clock.now();
    const isUsable = (each: Upstream) => !failed.has(each) && restsUntil(each) <= now;
    const before = kept.get(key);
    const chosen = before && isUsable(before) ? before : nextOf(pool, isUsable);
    kept.delete(key);
    if (chosen === null) return null;
    kept.set(key, chosen);
    const oldest = kept.size > maxKept ? kept.keys().next().value : undefined;
    if (oldest !== undefined) kept.delete(oldest);
    return chosen;
  }

  function nextOf(pool: Pool, isUsable: (upstream: Upstream) => boolean): Upstream | null {
    const { upstreams } = pool;
    for (let step = 0; step < upstreams.length; step += 1) {
      const candidate = upstreams[(pool.turn + step) % upstreams.length] as Upstream;
      if (!isUsable(candidate)) continue;
      pool.turn = (pool.turn + step + 1) % upstreams.length;
      return candidate;
    }
    return null;
  }

  /** All of them rest: the one that is asked next is named. */
  function allRest({ upstreams }: Pool): NetError {
    const [first] = [...upstreams].sort((one, other) => restsUntil(one) - restsUntil(other));
    const seconds = Math.max(1, Math.ceil(((first ? restsUntil(first) : 0) - clock.now()) / secondMs));
    const why = (first && healths.get(first)?.why) ?? "cannot be used";
    const others = upstreams.length > 1 ? `, nor can the ${upstreams.length - 1} others of its pool be used` : "";
    const message = `The proxy ${first?.label} ${why}${others}; it is asked again in ${seconds} seconds`;
    return new NetError("SCRAPE_PROXY_ERROR", message);
  }

  function pooledRoute(pool: Pool, use: ProxyTier, key: string): Route {
    const failed = new Set<Upstream>();
    let latest: UpstreamError | null = null;
    return {
      use,
      callers: null,
      upstream() {
        const chosen = choose(pool, key, failed);
        if (chosen === null) throw latest ?? allRest(pool);
        return chosen;
      },
      canPassOn(error) {
        if (!(error instanceof UpstreamError)) return false;
        latest = error;
        failed.add(error.upstream);
        const now = clock.now();
        return pool.upstreams.some((each) => !failed.has(each) && restsUntil(each) <= now);
      },
    };
  }

  return {
    route(way, hostname) {
      if (way.proxyUrl !== undefined) return callersRoute(way.proxyUrl);
      const { pool, use } = poolOf(way);
      if (pool.upstreams.length === 0) return directRoute;
      return pooledRoute(pool, use, `${pool.name} ${way.keepWith ?? ""} ${hostname}`);
    },
    has: (tier) => (tier === "enhanced" ? enhanced : basic).upstreams.length > 0,
    hasCountry: (country) => countries.has(country),
    countResting: () => [...healths.values()].filter(({ restsUntil: until }) => until > clock.now()).length,

    note(upstream, host, error) {
      if (error === null) {
        healths.delete(upstream);
        return;
      }
      const health = healths.get(upstream) ?? { restsUntil: 0, why: "", failedHosts: new Set<string>() };
      health.failedHosts.add(host);
      if (error.isItsOwn || health.failedHosts.size >= hostsBeforeRest) {
        health.restsUntil = clock.now() + settings.cooldownMs;
        health.why = error.message.slice(`The proxy ${upstream.label} `.length);
        health.failedHosts.clear();
      }
      healths.set(upstream, health);
    },
  };
}

/** A proxy that cannot be read must not mean none. */
function callersRoute(proxyUrl: string): Route {
  const upstream = parseUpstream(proxyUrl, { isCallers: true });
  return {
    use: "basic",
    callers: upstream,
    upstream() {
      if (upstream === null) throw new NetError("SCRAPE_PROXY_ERROR", "The proxy of proxyUrl cannot be read");
      return upstream;
    },
    canPassOn: () => false,
  };
}
