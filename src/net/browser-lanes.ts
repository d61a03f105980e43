// Lanes of a browser's proxy: each visit has its own, so that the proxy knows which upstream proxies serve it and the visit
// hears only of its own failures. What arrives outside of every lane goes the basic way.
import { randomInt } from "node:crypto";
import type { FetchFailure } from "./outcome.ts";
import { createProxyNotes, type ProxyNotes } from "./proxy-notes.ts";
import type { ProxyUse, Route, Upstreams, Way } from "./upstreams.ts";

export interface Lane {
  /** The way to a host. */
  route(hostname: string): Route;
  notes: ProxyNotes;
}

/** What a visit holds of its lane. */
export interface BrowserLane {
  /** Where the visit's requests must go. Inside of a namespace, the address itself says which lane it is. */
  address: { host: string } | { username: string };
  use: ProxyUse;
  /** Why the latest connection for this URL failed, or null when it did not. */
  failureOf(url: string): FetchFailure | null;
  /** Whether a connection for this URL led into the operator's own network. */
  isPrivate(url: string): boolean;
  /** Nothing more comes through it. */
  close(): void;
}

/** The address of no lane, and the one by which a browser is told of its proxy. */
const commonHost = "127.0.0.1";
const commonName = "browser";
/** 127.1.0.0 and up. */
const firstLane = 0x7f010000;
const lanes = 0x00fe0000;

export type BrowserLanes = ReturnType<typeof createBrowserLanes>;

export function createBrowserLanes(upstreams: Upstreams, forget: (route: Route) => void) {
  const byHost = new Map<string, Lane>();
  const common: Lane = { route: (hostname) => upstreams.route({}, hostname), notes: createProxyNotes() };
  let next = randomInt(lanes);

  function freeHost(): string {
    for (;;) {
      next = (next + 1) % lanes;
      const host = hostOf(firstLane + next);
      if (!byHost.has(host)) return host;
    }
  }

  return {
    common,
    /** The lane of a connection to this address; null when there is none. */
    at: (host: string): Lane | null => (host === commonHost ? common : (byHost.get(host) ?? null)),
    /** The same, by the username that the browser gives. */
    named: (name: string): Lane | null => (name === commonName ? common : (byHost.get(name) ?? null)),
    commonName,
    /** `hostname`: the page's. All that it loads goes the same way, as it would for a person. */
    open(way: Way, hostname: string, isNamed: boolean): BrowserLane {
      const host = freeHost();
      const route = upstreams.route(way, hostname);
      const lane: Lane = { route: () => route, notes: createProxyNotes() };
      byHost.set(host, lane);
      return {
        address: isNamed ? { username: host } : { host },
        use: route.use,
        failureOf: lane.notes.failureOf,
        isPrivate: lane.notes.isPrivate,
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
