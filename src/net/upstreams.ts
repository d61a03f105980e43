// Which proxy a request goes out through: pools used in turn, a host keeps its proxy while that works, and one that did not
// answer is left alone for a while. A request that belongs to a pool never goes out without one of its proxies.
// A proxy of the operator or of a caller is an upstream; the browser's own proxy (browser-proxy) goes out through these.
import { type Clock, parseUrl, secondMs } from "../base/index.ts";
import { bareHost } from "./guard.ts";
import { NetError } from "./outcome.ts";

export type UpstreamProtocol = "http:" | "https:" | "socks5:";

export interface Upstream {
  protocol: UpstreamProtocol;
  hostname: string;
  port: number;
  username: string;
  password: string;
  /** Without credentials: all that messages, traces and the log may say of it. */
  label: string;
  /** A caller's: its host is checked like a target, and nothing of it outlives its request. */
  isCallers: boolean;
  /** Of the environment: it gets the names of hosts that the operator or we chose. Those of callers are resolved here. */
  resolvesNames?: boolean;
}

export type ProxyTier = "basic" | "enhanced";

/** Which kind of proxy a page came through; "none": no proxy is configured for it. */
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
  /** The proxy itself is at fault, not the target. */
  readonly isItsOwn: boolean;

  constructor(upstream: Upstream, what: string, isItsOwn: boolean, cause?: unknown) {
    super("SCRAPE_PROXY_ERROR", `The proxy ${upstream.label} ${what}`, cause);
    this.upstream = upstream;
    this.isItsOwn = isItsOwn;
  }
}

/** Where a connection leads. Anything but http and https goes the way of ALL_PROXY. */
export interface ProxiedTarget {
  protocol: string;
  hostname: string;
  port: number;
}

/** The way of one request, or of all requests of one visit. */
export interface Route {
  readonly use: ProxyUse;
  /** The proxy of the environment that it went through last, as messages name it. */
  readonly company?: string | null;
  /** The caller's own proxy; null when it has none. */
  callers: Upstream | null;
  /** Null: out without a proxy. Throws when none of the pool can be asked. */
  upstream(target: ProxiedTarget): Upstream | null;
  /** After an error: whether it was the proxy's and another one can be asked. */
  canPassOn(error: unknown): boolean;
}

export interface Upstreams {
  /** `target`: of the first request. */
  route(way: Way, target: ProxiedTarget): Route;
  has(tier: ProxyTier): boolean;
  hasCountry(country: string): boolean;
  /** Proxies that are left alone just now. */
  countResting(): number;
  /** Reports the result of a dial: null when the proxy connected. */
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

const defaultPorts: Record<UpstreamProtocol, number> = { "http:": 80, "https:": 443, "socks5:": 1080 };
const maxKept = 10_000;
/** A proxy that waits for a dead host is not dead; one that reaches none of this many hosts is. */
const hostsBeforeRest = 3;

export const noProxies: ProxySettings = { basic: [], enhanced: [], countries: {}, cooldownMs: 60_000 };

/** The way of what the operator's own settings name, and of servers without proxies. */
export const directRoute: Route = { use: "none", callers: null, upstream: () => null, canPassOn: () => false };

/** `pagesRoute`: of pages that none of these proxies is for; directly unless given. */
export function createUpstreams(
  settings: ProxySettings,
  clock: Clock,
  pagesRoute: (target: ProxiedTarget) => Route = () => directRoute,
): Upstreams {
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
    const others = upstreams.length > 1 ? ", and no other proxy of its pool works" : "";
    const message = `The proxy ${first?.label} ${why}${others}; it is tried again in ${seconds} seconds`;
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
    route(way, target) {
      if (way.proxyUrl !== undefined) return callersRoute(way.proxyUrl);
      const { pool, use } = poolOf(way);
      if (pool.upstreams.length > 0) {
        return pooledRoute(pool, use, `${pool.name} ${way.keepWith ?? ""} ${target.hostname}`);
      }
      return pagesRoute(target);
    },
    has: (tier) => (tier === "enhanced" ? enhanced : basic).upstreams.length > 0,
    hasCountry: (country) => countries.has(country),
    countResting: () => [...healths.values()].filter(({ restsUntil: until }) => until > clock.now()).length,

    note(upstream, host, error) {
      // There is no other one to ask instead, so that it never rests.
      if (upstream.resolvesNames !== undefined) return;
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
      if (upstream === null) throw new NetError("SCRAPE_PROXY_ERROR", "proxyUrl is not a valid proxy URL");
      return upstream;
    },
    canPassOn: () => false,
  };
}

/** Null for any other text. The host is read as a browser reads the host of a page, whatever the protocol. */
export function parseUpstream(text: string, { isCallers = false } = {}): Upstream | null {
  const [, scheme = "", rest = ""] = /^(https?|socks5):\/\/(.+)$/i.exec(text.trim()) ?? [];
  const protocol = `${scheme.toLowerCase()}:` as UpstreamProtocol;
  // A URL parser leaves out the port that is its scheme's own; no port is that of both.
  const [plain, secure] = [parseUrl(`http://${rest}`), parseUrl(`https://${rest}`)];
  if (!(protocol in defaultPorts) || plain === null || secure === null) return null;
  if (plain.pathname !== "/" || plain.search !== "" || plain.hash !== "" || plain.hostname === "") return null;
  const port = Number(plain.port || secure.port) || defaultPorts[protocol];
  const credentials = [plain.username, plain.password].map(decoded);
  const [username, password] = credentials;
  if (username === undefined || password === undefined) return null;
  const hostname = bareHost(plain.hostname);
  // Messages may be stored and must not repeat what a caller sent.
  const label = isCallers ? "of proxyUrl" : `${protocol}//${plain.hostname}:${port}`;
  return { protocol, hostname, port, username, password, label, isCallers };
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
