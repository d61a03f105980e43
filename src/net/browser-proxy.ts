// The browser's only way out: a forward proxy that asks the same guard and dials by the same connector as fetch.

import { randomBytes, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { isCallHome } from "./calls-home.ts";
import type { Connect } from "./connector.ts";
import type { Guard } from "./guard.ts";
import { type FetchFailure, NetError } from "./outcome.ts";
import type { Pools } from "./pools.ts";
import { forward } from "./proxy-forward.ts";
import { createProxyNotes } from "./proxy-notes.ts";
import { tunnel } from "./proxy-tunnel.ts";

export interface BrowserProxyOptions {
  /** A unix socket to listen on; without it a free port of loopback, with credentials. */
  socketPath?: string;
}

export interface BrowserProxy {
  /** Where a browser without a namespace finds it; null on a unix socket. */
  address: { url: string; username: string; password: string } | null;
  /** Why the latest connection to this address failed, or null when it did not. */
  failureOf(url: string): FetchFailure | null;
  /** Whether a connection to this address led into the operator's own network. */
  isPrivate(url: string): boolean;
  close(): Promise<void>;
}

export interface BrowserProxyDeps {
  guard: Guard;
  pools: Pools;
  connect: Connect;
  limits: { idleMs: number; headBytes: number; wireBytes: number };
}

const maxConnections = 512;

export async function openBrowserProxy(
  deps: BrowserProxyDeps,
  { socketPath }: BrowserProxyOptions,
): Promise<BrowserProxy> {
  const credentials =
    socketPath === undefined ? { username: "browser", password: randomBytes(24).toString("hex") } : null;
  const expected = credentials === null ? null : basic(credentials);
  const notes = createProxyNotes();
  const sockets = new Set<Socket>();
  const shared = { notes, maxBytes: deps.limits.wireBytes, requireAllowed };
  const forwarding = { ...shared, pools: deps.pools };
  const tunnelling = { ...shared, connect: deps.connect, sockets };
  const server = createServer({ maxHeaderSize: deps.limits.headBytes, requestTimeout: 0 });
  server.maxConnections = maxConnections;
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => undefined);
  });
  server.on("upgrade", (_request, socket: Socket) => socket.destroy());
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    if (!isKnown(request)) {
      response.writeHead(407, { "proxy-authenticate": 'Basic realm="browser"' }).end();
      return;
    }
    forward(forwarding, request, response).catch(() => response.destroy());
  });
  server.on("connect", (request: IncomingMessage, client: Socket, head: Buffer) => {
    if (isKnown(request)) tunnel(tunnelling, request.url ?? "", client, head);
    else client.end('HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm="browser"\r\n\r\n');
  });
  await listen(server, socketPath);

  function isKnown(request: IncomingMessage): boolean {
    if (expected === null) return true;
    const given = Buffer.from(request.headers["proxy-authorization"] ?? "");
    return given.length === expected.length && timingSafeEqual(given, expected);
  }

  /** Throws what is wrong with it. */
  function requireAllowed(text: string): URL {
    const judgement = deps.guard.judge(text);
    if (!("url" in judgement)) throw new NetError("URL_NOT_ALLOWED", judgement.message);
    if (isCallHome(judgement.url.hostname)) throw new NetError("URL_NOT_ALLOWED", "The browser may not call home");
    return judgement.url;
  }

  const address = server.address() as AddressInfo | string | null;
  return {
    address:
      credentials === null || address === null || typeof address === "string"
        ? null
        : { url: `http://127.0.0.1:${address.port}`, ...credentials },
    failureOf: notes.failureOf,
    isPrivate: notes.isPrivate,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((done) => server.close(() => done()));
    },
  };
}

function listen(server: Server, socketPath: string | undefined): Promise<void> {
  return new Promise((ready, fail) => {
    server.once("error", fail);
    if (socketPath === undefined) server.listen(0, "127.0.0.1", ready);
    else server.listen(socketPath, ready);
  });
}

function basic({ username, password }: { username: string; password: string }): Buffer {
  return Buffer.from(`Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`);
}
