// Channels of a browser's proxy: each visit has its own, so that the proxy knows which upstream proxies serve it, and the visit
// sees its own failures only. Connections outside of any channel use the basic proxies.
import { randomInt } from "node:crypto";
import { parseUrl } from "../base/index.ts";
import { proxiedTarget } from "./company-proxy.ts";
import { portOf } from "./guard.ts";
import { type FetchFailure, toFailure } from "./outcome.ts";
import type { ProxiedTarget, ProxyUse, Route, Upstreams, Way } from "./upstreams.ts";

export interface ProxyChannel {
  /** The way to a host. */
  route(target: ProxiedTarget): Route;
  notes: ProxyNotes;
  /** Whether a URL may be requested; any may unless given. */
  permits?: Permits | undefined;
}

export type Permits = (url: string) => Promise<boolean>;

/** A channel as its visit sees it. */
export interface BrowserChannel {
  /** Where the visit sends its requests. Inside a namespace, the address alone identifies the channel. */
  address: { host: string } | { username: string };
  readonly use: ProxyUse;
  /** Why the latest connection for this URL failed, or null when it did not. */
  failureOf(url: string): FetchFailure | null;
  /** Whether a connection for this URL went into the operator's own network. */
  isPrivate(url: string): boolean;
  /** Later connections are refused. */
  close(): void;
}

/** The address outside of any channel, which is also the one that a browser gets for its proxy. */
const commonHost = "127.0.0.1";
const commonName = "browser";
/** 127.1.0.0 and up. */
const firstChannel = 0x7f010000;
const maxChannels = 0x00fe0000;
const maxRemembered = 2000;

export type BrowserChannels = ReturnType<typeof createBrowserChannels>;

export function createBrowserChannels(upstreams: Upstreams, forget: (route: Route) => void, permits?: Permits) {
  const byHost = new Map<string, ProxyChannel>();
  const common: ProxyChannel = { route: (target) => upstreams.route({}, target), notes: createProxyNotes(), permits };
  let next = randomInt(maxChannels);

  function freeHost(): string {
    for (;;) {
      next = (next + 1) % maxChannels;
      const host = hostOf(firstChannel + next);
      if (!byHost.has(host)) return host;
    }
  }

  return {
    common,
    /** The channel of a connection to this address; null for an unknown address. */
    at: (host: string): ProxyChannel | null => (host === commonHost ? common : (byHost.get(host) ?? null)),
    /** The same, by the username that the browser gives. */
    named: (name: string): ProxyChannel | null => (name === commonName ? common : (byHost.get(name) ?? null)),
    commonName,
    /** `page`: its URL. All that it loads goes the same way, as it would for a person. */
    open(way: Way, page: string, isNamed: boolean, mayRequest?: Permits): BrowserChannel {
      const host = freeHost();
      const route = upstreams.route(way, proxiedTarget(new URL(page)));
      const channel: ProxyChannel = { route: () => route, notes: createProxyNotes(), permits: mayRequest };
      byHost.set(host, channel);
      return {
        address: isNamed ? { username: host } : { host },
        use: route.use,
        failureOf: channel.notes.failureOf,
        isPrivate: channel.notes.isPrivate,
        close() {
          byHost.delete(host);
          forget(route);
        },
      };
    },
  };
}

function hostOf(value: number): string {
  return [24, 16, 8, 0].map((shift) => (value >>> shift) & 255).join(".");
}

/** What the proxy refused and what was private, by authority: a browser reports neither to its driver. */
export type ProxyNotes = ReturnType<typeof createProxyNotes>;

function createProxyNotes() {
  const failures = new Map<string, FetchFailure>();
  const privateAuthorities = new Set<string>();
  return {
    failed(url: string, error: unknown): void {
      const key = authorityOf(url);
      failures.delete(key);
      failures.set(key, toFailure(error));
      const oldest = failures.size > maxRemembered ? failures.keys().next().value : undefined;
      if (oldest !== undefined) failures.delete(oldest);
    },
    connected: (url: string) => void failures.delete(authorityOf(url)),
    wentPrivate: (url: string) => void privateAuthorities.add(authorityOf(url)),
    failureOf: (url: string): FetchFailure | null => failures.get(authorityOf(url)) ?? null,
    isPrivate: (url: string): boolean => privateAuthorities.has(authorityOf(url)),
  };
}

/** Host and port, the same for http, https, ws and wss. */
function authorityOf(text: string): string {
  const url = parseUrl(text.replace(/^ws/, "http"));
  if (url === null) return text;
  return `${url.hostname.replace(/\.$/, "")}:${portOf(url)}`;
}
