// This server among others on the same database: what they ask of it, and what it leaves to them.
import { networkInterfaces } from "node:os";
import { type Clock, type Logger, logFailure } from "../base/index.ts";
import {
  createCallHandler,
  createDirectory,
  createNodeBrowser,
  createNodeCalls,
  createNodeEndpoint,
  createNodeKey,
  createRenderHandler,
  createSessionRoutes,
  handleTunnel,
  type Role,
  type SessionCalls,
} from "../cluster/index.ts";
import type { Config } from "../config.ts";
import type { BrowserEngine } from "../engines/index.ts";
import type { Owner } from "../jobs/index.ts";
import type { Net } from "../net/index.ts";
import type { SessionKeeper } from "../operations/index.ts";
import type { Store } from "../store/index.ts";

export interface NodePartDeps {
  store: Store;
  clock: Clock;
  log: Logger;
  net: Net;
  owner: Owner;
  role: Role;
  secret: string;
  /** The browser of this server. */
  own: BrowserEngine;
  sessions: { keeper: SessionKeeper; operations: SessionCalls };
}

export function joinNodes(
  config: Config,
  { store, clock, log, net, owner, role, secret, own, sessions }: NodePartDeps,
) {
  const { keeper, operations } = sessions;
  const key = createNodeKey(secret);
  const isForOthers = role === "all" || role === "browser";
  const directory = createDirectory({
    store,
    clock,
    id: owner.name,
    role,
    facts() {
      const { available, isolated } = own.status();
      const hasBrowser = isForOthers && available;
      const hasSessions = hasBrowser && isolated === true && config.maxSessions > 0;
      return { hasBrowser, hasSessions, load: browser.count() + keeper.count() };
    },
    onError: logFailure(log, "telling other servers that this one lives"),
  });
  const calls = createNodeCalls({ net, key, clock, log });
  const browser = createNodeBrowser({ own, role, directory, calls, log });
  const { leavesToOthers, pickForSession } = browser;
  const routes = createSessionRoutes({ store, directory, calls, holds: keeper.holds, leavesToOthers, pickForSession });
  const door = createNodeEndpoint(
    { key, clock, log },
    {
      "/internal/render": createRenderHandler(browser.renderHere),
      "/internal/call": createCallHandler(operations),
      "/internal/tunnel": handleTunnel,
    },
  );
  return {
    browser: browser.engine,
    operations: routes.route(operations),
    /** What the HTTP server hands on. */
    face: { acceptNode: door.accept, openTunnel: routes.openTunnel },
    start: (url: string) => directory.start(config.nodeUrl ?? reachableUrl(config.host, url)),
    /** Nothing new is asked of this server. */
    leave: () => directory.stop(),
    stop: (graceMs: number) => door.close(graceMs),
  };
}

/** A server that listens everywhere is reached under the first address of its machine. */
function reachableUrl(host: string, url: string): string {
  if (host !== "0.0.0.0" && host !== "::") return url;
  const addresses = Object.values(networkInterfaces()).flatMap((rows) => rows ?? []);
  const first = addresses.find(({ family, internal }) => family === "IPv4" && !internal);
  return first ? `http://${first.address}:${new URL(url).port}` : url;
}
