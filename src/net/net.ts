// The only way out: one guarded client for everything that leaves this process.
import { type Clock, type Logger, systemClock } from "../base/index.ts";
import type { AllowEntry } from "./allow-list.ts";
import type { BodyLimits } from "./body.ts";
import { createFetch, type FetchRequest } from "./fetch.ts";
import { createGuard, type Judgement } from "./guard.ts";
import type { FetchOutcome } from "./outcome.ts";
import { createPace } from "./pace.ts";
import type { Pools } from "./pools.ts";
import { createResolve } from "./resolve.ts";
import { createTunnel, type ProxySettings } from "./tunnel.ts";

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
  proxy: ProxySettings | null;
  /** Ports this service listens on: never reachable, allow list or not. */
  ownPorts(): readonly number[];
  /** Sent when a request names none. */
  userAgent: string;
  limits?: Partial<NetLimits>;
  /** Trusted instead of the certificates that come with Node (PEM). */
  certificates?: readonly string[];
  clock?: Clock;
  /** Told of refused connections, address and all: the caller never learns it. */
  log?: Logger;
}

export interface Net {
  /** Whether an address may be asked for at all. Names are judged again, by what they resolve to, when dialled. */
  judge(url: string): Judgement;
  /** Never throws for what a page or an address does. */
  fetch(request: FetchRequest): Promise<FetchOutcome>;
  /** When a host that answered 429 or 503 wants the next request, in milliseconds since 1970; 0 = now. */
  readyAt(url: string): number;
  /** Ends every connection, used or not. */
  close(): Promise<void>;
}

const megabyte = 1024 * 1024;

/** SAFETY 5.6. */
const defaultLimits: NetLimits = {
  connectMs: 10_000,
  idleMs: 15_000,
  headBytes: 128 * 1024,
  wireBytes: 50 * megabyte,
  decodedBytes: 100 * megabyte,
  perHost: 4,
};

export function createNet(options: NetOptions): Net {
  const limits = { ...defaultLimits, ...options.limits };
  const clock = options.clock ?? systemClock;
  const guard = createGuard(options);
  const resolve = createResolve(options.dnsServer);
  const tunnel = options.proxy === null ? null : createTunnel(options.proxy);
  const { userAgent, log = null } = options;
  const connecting = { connectMs: limits.connectMs, certificates: options.certificates ?? null };
  const pace = createPace(limits.perHost, clock);
  let opening: Promise<OpenClient> | null = null;
  let client: OpenClient | null = null;
  let isClosed = false;

  /** The HTTP client takes 18 MB of memory: it is loaded with the first request, so that an idle server stays small. */
  async function open(): Promise<OpenClient> {
    const [{ createPools }, { createConnector }] = await Promise.all([import("./pools.ts"), import("./connector.ts")]);
    const pools = createPools(
      (kind, closing) => createConnector({ guard, resolve, tunnel, log, closing }, { ...connecting, ...kind }),
      limits,
    );
    if (isClosed) await pools.close();
    client = { pools, fetch: createFetch({ guard, pools, pace, clock }, { userAgent, limits }) };
    return client;
  }

  return {
    judge: guard.judge,
    async fetch(request) {
      opening ??= open();
      return (client ?? (await opening)).fetch(request);
    },
    readyAt: (url) => pace.readyAt(new URL(url).host),
    async close() {
      isClosed = true;
      await (await opening)?.pools.close();
    },
  };
}

interface OpenClient {
  pools: Pools;
  fetch(request: FetchRequest): Promise<FetchOutcome>;
}
