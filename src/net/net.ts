// The only way out: one guarded client for everything that leaves this process.
import { setMaxListeners } from "node:events";
import { isIP, isIPv6, type Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import { type Clock, hrefHost, type Logger, systemClock } from "../base/index.ts";
import type { AllowEntry } from "./allow-list.ts";
import { type BrowserProxy, type BrowserProxyOptions, openBrowserProxy } from "./browser-proxy.ts";
import { type CompanyProxy, companyRoute, proxiedTarget } from "./company-proxy.ts";
import type { Connect, ConnectTarget } from "./connector.ts";
import { connectDevtools, type DevtoolsClient } from "./devtools-client.ts";
import { type DevtoolsGateway, type DevtoolsGatewayOptions, openDevtoolsGateway } from "./devtools-gateway.ts";
import { createFetch, type Fetch, type FetchRequest } from "./fetch.ts";
import { bareHost, createGuard, portOf, refusedMessage, type UrlCheck } from "./guard.ts";
import { requestUpgrade, type UpgradeAnswer } from "./node-upgrade.ts";
import { type FetchFailure, type FetchOutcome, NetError, toFailure } from "./outcome.ts";
import { createPace, type HostShare } from "./pace.ts";
import type { PoolKind, Pools } from "./pools.ts";
import { createRequestSigner, type RequestSigner, type SigningOptions } from "./request-signer.ts";
import { createResolve } from "./resolve.ts";
import type { BodyLimits } from "./response-body.ts";
import { trustedCertificates } from "./trust.ts";
import {
  createUpstreams,
  directRoute,
  noProxies,
  type ProxySettings,
  type ProxyTier,
  parseUpstream,
  type Upstream,
} from "./upstreams.ts";

export interface NetLimits extends BodyLimits {
  /** From the lookup of the name to a connection that can be used. */
  connectMs: number;
  /** Between two pieces of a body. */
  idleMs: number;
  headBytes: number;
  /** Requests to one host at the same time. */
  perHost: number;
}

export interface NetOptions {
  /** ALLOWED_PRIVATE_HOSTS, read by parseAllowList. */
  allowedPrivateHosts: readonly AllowEntry[];
  /** Asked instead of the system's resolver; `host` is an IP address. */
  dnsServer: { host: string; port: number } | null;
  /** Proxies to fetch through; none unless given. */
  proxies?: ProxySettings;
  /** The proxy of the environment, for everything that is no page; null or absent: none. */
  companyProxy?: CompanyProxy | null;
  /** Pages go through it as well, unless `proxies` has one for them. */
  hasCompanyPages?: boolean;
  /** Requests for pages are signed; null or absent: they are not. */
  signing?: SigningOptions | null;
  /** Where email goes, as the operator configured it; null or absent: nowhere. */
  mailServer?: { host: string; port: number } | null;
  /** Ports this service listens on: never reachable, allow list or not. */
  ownPorts(): readonly number[];
  /** Sent when a request names none. */
  userAgent: string;
  limits?: Partial<NetLimits>;
  /** Trusted in addition to the certificates that come with Node (PEM). */
  certificates?: readonly string[];
  clock?: Clock;
  /** Where other processes ask the same hosts; absent or null: nowhere. */
  hostShare?: HostShare | null;
  /** Logs refused connections with their IP address, which the caller never learns. */
  log?: Logger;
}

export interface Net {
  /** Whether a URL may be requested at all. Names are checked again, by what they resolve to, when dialled. */
  checkUrl(url: string): UrlCheck;
  /**
   * The same for what another program of the operator will look up and fetch by itself: every address of the name must be
   * allowed. `isPrivate`: it leads into the operator's own network.
   */
  checkResolved(url: string): Promise<ResolvedUrlCheck>;
  /** Whether a caller's own proxy may be used: its host is checked like that of a page, again when dialled. */
  checkProxy(proxyUrl: string): UrlCheck;
  /** Which proxies there are. */
  proxies: {
    has(tier: ProxyTier): boolean;
    /** Two capital letters. */
    hasCountry(country: string): boolean;
  };
  /** Never throws because of a page or a URL. */
  fetch: Fetch;
  /** When a host that answered 429 or 503 wants the next request, in milliseconds since 1970; 0 = now. */
  readyAt(url: string): number;
  /** Requests to pages under way and waiting for their turn, hosts that asked for a pause, and proxies that are left alone. */
  load(): { active: number; waiting: number; paused: number; restingProxies: number };
  /** A proxy for a browser, with the same guard; the caller closes it. */
  openProxy(options: BrowserProxyOptions): Promise<BrowserProxy>;
  /** The only way to drive a browser from outside its namespace; the caller closes it. */
  openDevtoolsGateway(options: DevtoolsGatewayOptions): Promise<DevtoolsGateway>;
  /** Connects to a browser through its gateway; the caller closes it. */
  connectDevtools(socketPath: string): Promise<DevtoolsClient>;
  /** A plain connection to the operator's mail server, and to nothing else; the caller ends it. */
  openMailSocket(): Promise<Socket>;
  /** A connection to another server of this installation, whose URL the store holds, upgraded; the caller ends it. */
  upgradeNode(url: URL, headers: Readonly<Record<string, string>>, timeoutMs: number): Promise<UpgradeAnswer>;
  /** Of an https URL that the operator configured, verified as requests to it verify it. */
  readCertificate(url: URL): Promise<{ ok: true; from: number; until: number } | FetchFailure>;
  /** Signs what others send for pages; null where none is signed. */
  signer: RequestSigner | null;
  /** For TLS on its own: the certificates to trust; null: those of Node. */
  certificates(): string[] | null;
  /** Ends every connection, used or not. */
  close(): Promise<void>;
}

const megabyte = 1024 * 1024;

/** For untrusted pages: none needs more, and none may take more. */
const defaultLimits: NetLimits = {
  connectMs: 10_000,
  idleMs: 15_000,
  headBytes: 128 * 1024,
  wireBytes: 50 * megabyte,
  decodedBytes: 100 * megabyte,
  perHost: 4,
};

export type ResolvedUrlCheck = { url: URL; isPrivate: boolean } | Exclude<UrlCheck, { url: URL }>;

export function createNet(options: NetOptions): Net {
  const limits = { ...defaultLimits, ...options.limits };
  const clock = options.clock ?? systemClock;
  const proxyPorts = new Set<number>();
  const ownPorts = () => [...options.ownPorts(), ...proxyPorts];
  const guard = createGuard({ ...options, ownPorts });
  const resolve = createResolve(options.dnsServer);
  const resolveOwn = createResolve(null);
  const { userAgent, log = null } = options;
  const connecting = { connectMs: limits.connectMs, certificates: options.certificates ?? null };
  const pace = createPace(limits.perHost, clock, options.hostShare ?? null);
  const companyProxy = options.companyProxy ?? null;
  const signer = options.signing ? createRequestSigner(options.signing, clock) : null;
  const pagesProxy = options.hasCompanyPages === true ? companyProxy : null;
  const upstreams = createUpstreams(options.proxies ?? noProxies, clock, (target) =>
    pagesProxy === null ? directRoute : companyRoute(pagesProxy, target),
  );
  let opening: Promise<OpenClient> | null = null;
  let client: OpenClient | null = null;
  let isClosed = false;
  const closing = new AbortController();
  setMaxListeners(0, closing.signal);

  /** The HTTP client takes 18 MB of memory: it is loaded with the first request, so that an idle server stays small. */
  async function open(): Promise<OpenClient> {
    const [{ createPools }, { createConnector }] = await Promise.all([import("./pools.ts"), import("./connector.ts")]);
    const connectorOf = (kind: PoolKind, closing: AbortSignal) =>
      createConnector({ guard, resolve, resolveOwn, upstreams, log, closing }, { ...connecting, ...kind });
    const pools = createPools(connectorOf, limits);
    if (isClosed) await pools.close();
    const fetch = createFetch({ guard, pools, upstreams, companyProxy, signer, pace, clock }, { userAgent, limits });
    const connectorsOf = (how: typeof guarded) =>
      keepByUpstream((upstream) => connectorOf({ ...how, upstream }, closing.signal));
    const connectFresh = (upstream: Upstream | null) => connectorOf({ ...trusted, upstream }, closing.signal);
    client = {
      pools,
      fetch,
      connectThrough: connectorsOf(guarded),
      connectTrusted: connectorsOf(trusted),
      connectFresh,
    };
    return client;
  }

  /** To what the operator configured. */
  async function openTrusted(
    target: ConnectTarget,
    upstream: Upstream | null,
    by: "connectTrusted" | "connectFresh" = "connectTrusted",
  ): Promise<Socket> {
    opening ??= open();
    return connected((await opening)[by](upstream), target);
  }

  return {
    checkUrl: guard.checkUrl,
    async checkResolved(text) {
      const check = guard.checkUrl(text);
      if (!("url" in check)) return check;
      const { url } = check;
      const [host, port] = [bareHost(url.hostname), portOf(url)];
      const addresses = isIP(host) === 0 ? await resolve(host).catch(() => []) : [host];
      const isAllowed = addresses.length > 0 && addresses.every((each) => guard.permits(each, port, host));
      if (!isAllowed) return { problem: "refused", message: refusedMessage };
      return { url, isPrivate: addresses.some((each) => guard.isPrivate(each, port, host)) };
    },
    checkProxy(proxyUrl) {
      const upstream = parseUpstream(proxyUrl);
      if (upstream === null) return { problem: "invalid", message: "Invalid URL of a proxy" };
      const { hostname, port } = upstream;
      return guard.checkUrl(`http://${isIPv6(hostname) ? `[${hostname}]` : hostname}:${port}/`);
    },
    proxies: upstreams,
    async fetch(request) {
      opening ??= open();
      return (client ?? (await opening)).fetch(request);
    },
    async openProxy(proxyOptions) {
      opening ??= open();
      const { pools, connectThrough } = await opening;
      const proxy = await openBrowserProxy({ guard, pools, upstreams, connectThrough, limits }, proxyOptions);
      if (proxy.address === null) return proxy;
      const port = Number(new URL(proxy.address.url).port);
      proxyPorts.add(port);
      const close = async () => {
        await proxy.close();
        proxyPorts.delete(port);
      };
      return { ...proxy, close };
    },
    openDevtoolsGateway,
    connectDevtools,
    async openMailSocket() {
      const { mailServer } = options;
      if (!mailServer) throw new NetError("URL_NOT_ALLOWED", "No mail server is configured (SMTP_URL).");
      const { host: hostname, port } = mailServer;
      const upstream = companyProxy?.choose({ protocol: "smtp:", hostname, port }) ?? null;
      return openTrusted({ hostname, port: String(port), protocol: "http:", isTunnelled: true }, upstream);
    },
    async upgradeNode(url, headers, timeoutMs) {
      const { hostname, port, protocol } = url;
      return requestUpgrade(await openTrusted({ hostname, port, protocol }, null), url, headers, timeoutMs);
    },
    readCertificate(url) {
      const upstream = companyProxy?.choose(proxiedTarget(url)) ?? null;
      return certificateOf(openTrusted(url, upstream, "connectFresh"), upstream);
    },
    signer,
    certificates: () => (options.certificates ? trustedCertificates(options.certificates) : null),
    load: () => ({ ...pace.load(), restingProxies: upstreams.countResting() }),
    readyAt: (url) => pace.readyAt(hrefHost(url)),
    async close() {
      isClosed = true;
      closing.abort();
      await (await opening)?.pools.close();
      await pace.close();
    },
  };
}

async function certificateOf(opening: Promise<Socket>, upstream: Upstream | null): ReturnType<Net["readCertificate"]> {
  try {
    const socket = (await opening) as TLSSocket;
    const { validFrom = "", validTo = "" } = socket.getPeerX509Certificate() ?? {};
    socket.destroy();
    return { ok: true, from: Date.parse(validFrom), until: Date.parse(validTo) };
  } catch (error) {
    return toFailure(error, upstream?.label ?? null);
  }
}

function connected(connect: Connect, target: ConnectTarget): Promise<Socket> {
  return new Promise((resolve, reject) => {
    connect(
      target,
      (error, socket) => (socket === null ? reject(error) : resolve(socket)),
      () => undefined,
    );
  });
}

const guarded = { skipTlsVerification: false, isTrusted: false };
const trusted = { skipTlsVerification: false, isTrusted: true };

/** One connector for each proxy, and one for none. */
function keepByUpstream(create: (upstream: Upstream | null) => Connect): (upstream: Upstream | null) => Connect {
  const direct = create(null);
  const connectors = new WeakMap<Upstream, Connect>();
  return (upstream) => {
    if (upstream === null) return direct;
    const connect = connectors.get(upstream) ?? create(upstream);
    connectors.set(upstream, connect);
    return connect;
  };
}

interface OpenClient {
  pools: Pools;
  /** For connections that are not requests: a browser's tunnels. */
  connectThrough(upstream: Upstream | null): Connect;
  /** To what the operator configured. */
  connectTrusted(upstream: Upstream | null): Connect;
  /** The same, resuming no session: one that is resumed has the certificate from when it began. */
  connectFresh(upstream: Upstream | null): Connect;
  fetch(request: FetchRequest): Promise<FetchOutcome>;
}
