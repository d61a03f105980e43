// This server among others on the same database: what they ask of it, and what it leaves to them.
import { networkInterfaces } from "node:os";
import type { Duplex } from "node:stream";
import { type Clock, type Logger, logFailure, type Owner } from "../base/index.ts";
import type { BrowserEngine } from "../engines/index.ts";
import type { Net } from "../net/index.ts";
import type { Store } from "../store/index.ts";
import { createNodeCalls } from "./calls.ts";
import { createDirectory, type Role } from "./directory.ts";
import { createNodeBrowser } from "./node-browser.ts";
import { createNodeEndpoint, type NodeRequest } from "./node-endpoint.ts";
import { createNodeKey } from "./node-key.ts";
import { createRenderHandler } from "./remote-render.ts";
import { createCallHandler, createSessionRoutes, handleTunnel, type SessionCalls } from "./session-routes.ts";

export interface ClusterDeps {
  store: Store;
  clock: Clock;
  log: Logger;
  net: Pick<Net, "upgradeNode">;
  owner: Owner;
  /** The browser of this server. */
  browser: BrowserEngine;
}

export interface ClusterOptions {
  role: Role;
  /** TRAWL_SECRET. */
  secret: string;
  maxSessions: number;
  /** Where others reach this server; null: where it listens. */
  nodeUrl: string | null;
  host: string;
}

/** The sessions of this server. */
export interface OwnSessions {
  keeper: { holds(id: string): boolean; count(): number };
  operations: SessionCalls;
}

export interface Cluster {
  /** What features use: the browser of this server, or of one that renders for it. */
  browser: BrowserEngine;
  /** The operations of sessions, wherever a session is. Called once, before the server starts. */
  shareSessions(sessions: OwnSessions): SessionCalls;
  /** What the HTTP server hands on; null where no other server shares the store. */
  face: {
    acceptNode(request: NodeRequest, socket: Duplex, head: Buffer): Promise<Duplex | null>;
    openTunnel(id: string, request: (host: string) => Buffer): Promise<Duplex | null>;
  } | null;
  /** `url`: where this server listens. */
  start(url: string): Promise<void>;
  /** Nothing new is asked of this server. */
  leave(): Promise<void>;
  stop(graceMs: number): Promise<void>;
}

export function createCluster(deps: ClusterDeps, options: ClusterOptions): Cluster {
  const { store, clock, log, owner, browser: own } = deps;
  if (store.notifier === null) return createLoneServer(own);
  const { role } = options;
  let sessions: OwnSessions | null = null;
  const key = createNodeKey(options.secret);
  const isForOthers = role === "all" || role === "browser";
  const directory = createDirectory({
    store,
    clock,
    id: owner.name,
    role,
    onError: logFailure(log, "telling other servers that this one lives"),
  });
  const openChannel = createNodeCalls(deps, key);
  const browser = createNodeBrowser({ own, role, directory, openChannel, log });
  const holds = (id: string) => sessions?.keeper.holds(id) ?? false;
  const routes = createSessionRoutes({ store, directory, openChannel, browser, holds });
  const endpoint = createNodeEndpoint(deps, key, {
    "/internal/render": createRenderHandler(browser.renderHere),
    "/internal/call": createCallHandler(() => sessions?.operations ?? null),
    "/internal/tunnel": handleTunnel,
  });

  function facts() {
    const { available, isolated } = own.status();
    const hasBrowser = isForOthers && available;
    const hasSessions = hasBrowser && isolated === true && options.maxSessions > 0;
    return { hasBrowser, hasSessions, load: browser.count() + (sessions?.keeper.count() ?? 0) };
  }

  return {
    browser: browser.engine,
    shareSessions(given) {
      sessions = given;
      return routes.route(given.operations);
    },
    face: { acceptNode: endpoint.accept, openTunnel: routes.openTunnel },
    start: (url) => directory.start(options.nodeUrl ?? reachableUrl(options.host, url), facts),
    leave: () => directory.stop(),
    stop: (graceMs) => endpoint.close(graceMs),
  };
}

/** A server whose store no other server shares. */
function createLoneServer(browser: BrowserEngine): Cluster {
  const nothing = async () => undefined;
  return {
    browser,
    shareSessions: ({ operations }) => operations,
    face: null,
    start: nothing,
    leave: nothing,
    stop: nothing,
  };
}

/** A server that listens everywhere is reached under the first address of its machine. */
function reachableUrl(host: string, url: string): string {
  if (host !== "0.0.0.0" && host !== "::") return url;
  const addresses = Object.values(networkInterfaces()).flatMap((rows) => rows ?? []);
  const first = addresses.find(({ family, internal }) => family === "IPv4" && !internal);
  return first ? `http://${first.address}:${new URL(url).port}` : url;
}
