// The browser's only way out: a forward proxy with the same guard and the same connector as fetch.

import { randomBytes, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import {
  type AddressInfo,
  createServer as createSocketServer,
  type Socket,
  type Server as SocketServer,
} from "node:net";
import {
  type BrowserChannel,
  type BrowserChannels,
  createBrowserChannels,
  type Permits,
  type ProxyChannel,
} from "./browser-channels.ts";
import { isCallHome } from "./calls-home.ts";
import type { Connect } from "./connector.ts";
import type { Guard } from "./guard.ts";
import { type FetchFailure, NetError } from "./outcome.ts";
import type { Pools } from "./pools.ts";
import { forward } from "./proxy-forward.ts";
import { tunnel } from "./proxy-tunnel.ts";
import type { Upstream, Upstreams, Way } from "./upstreams.ts";

export interface BrowserProxyOptions {
  /** A unix socket to listen on; without it a free port of loopback, with credentials. */
  socketPath?: string;
  /** Whether a URL may be requested outside of any channel; any may unless given. */
  permits?: Permits | undefined;
}

export interface BrowserProxy {
  /** Where a browser without a namespace finds it; null on a unix socket. */
  address: { url: string; username: string; password: string } | null;
  /** For connections outside of any channel. */
  failureOf(url: string): FetchFailure | null;
  isPrivate(url: string): boolean;
  /** Opens a channel for the visit of a page; the caller closes it. */
  openChannel(way: Way, page: string, permits?: Permits): BrowserChannel;
  close(): Promise<void>;
}

export interface BrowserProxyDeps {
  guard: Guard;
  pools: Pools;
  upstreams: Upstreams;
  /** For tunnels through a proxy, or through none. */
  connectThrough(upstream: Upstream | null): Connect;
  limits: { idleMs: number; headBytes: number; wireBytes: number };
}

const maxConnections = 512;
const loopbackByte = 127;

export async function openBrowserProxy(
  deps: BrowserProxyDeps,
  { socketPath, permits }: BrowserProxyOptions,
): Promise<BrowserProxy> {
  const password = socketPath === undefined ? randomBytes(24).toString("hex") : null;
  const channels = createBrowserChannels(
    deps.upstreams,
    ({ callers }) => callers && deps.pools.forget(callers),
    permits,
  );
  /** Of connections over the unix socket. */
  const channelOfSocket = new WeakMap<Socket, ProxyChannel>();
  const sockets = new Set<Socket>();
  const shared = { maxBytes: deps.limits.wireBytes, requireAllowed };
  const forwarding = { ...shared, pools: deps.pools };
  const tunnelling = { ...shared, connectThrough: deps.connectThrough, sockets };
  const server = createServer({ maxHeaderSize: deps.limits.headBytes, requestTimeout: 0 });
  server.maxConnections = maxConnections;
  const track = (socket: Socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => undefined);
  };
  server.on("upgrade", (_request, socket: Socket) => socket.destroy());
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    const channel = channelOf(request);
    if (channel === null) {
      response.writeHead(407, { "proxy-authenticate": 'Basic realm="browser"' }).end();
      return;
    }
    forward(forwarding, channel, request, response).catch(() => response.destroy());
  });
  server.on("connect", (request: IncomingMessage, client: Socket, head: Buffer) => {
    const channel = channelOf(request);
    if (channel !== null) tunnel(tunnelling, channel, { authority: request.url ?? "", client, head });
    else client.end('HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm="browser"\r\n\r\n');
  });
  const listener = socketPath === undefined ? server : admitByAddress(server, channels, channelOfSocket);
  listener.on("connection", track);
  await listen(listener, socketPath);

  /** Null: the client is refused. */
  function channelOf(request: IncomingMessage): ProxyChannel | null {
    if (password === null) return channelOfSocket.get(request.socket) ?? null;
    const [, token = ""] = /^Basic (.+)$/.exec(request.headers["proxy-authorization"] ?? "") ?? [];
    const [name = "", secret = ""] = Buffer.from(token, "base64").toString().split(":");
    const [given, expected] = [Buffer.from(secret), Buffer.from(password)];
    return given.length === expected.length && timingSafeEqual(given, expected) ? channels.named(name) : null;
  }

  /** Throws the reason when it is not allowed. */
  function requireAllowed(text: string): URL {
    const check = deps.guard.checkUrl(text);
    if (!("url" in check)) throw new NetError("URL_NOT_ALLOWED", check.message);
    if (isCallHome(check.url.hostname)) throw new NetError("URL_NOT_ALLOWED", "The browser may not call home");
    return check.url;
  }

  const address = listener.address() as AddressInfo | string | null;
  return {
    address:
      password === null || address === null || typeof address === "string"
        ? null
        : { url: `http://127.0.0.1:${address.port}`, username: channels.commonName, password },
    failureOf: channels.common.notes.failureOf,
    isPrivate: channels.common.notes.isPrivate,
    openChannel: (way, page, mayRequest) => channels.open(way, page, password !== null, mayRequest),
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((done) => listener.close(() => done()));
    },
  };
}

/**
 * The relay out of a browser's namespace sends first which address inside was dialled: it identifies the channel. No request
 * begins with the first byte of such an address.
 */
function admitByAddress(
  server: Server,
  channels: BrowserChannels,
  channelOfSocket: WeakMap<Socket, ProxyChannel>,
): SocketServer {
  const listener = createSocketServer((socket) => {
    const look = () => {
      const head: Buffer | null = socket.read(4);
      if (head === null) return;
      socket.off("readable", look);
      const isAddress = head[0] === loopbackByte;
      if (!isAddress) socket.unshift(head);
      const channel = isAddress ? channels.at(head.join(".")) : channels.common;
      if (channel === null) {
        socket.destroy();
        return;
      }
      channelOfSocket.set(socket, channel);
      server.emit("connection", socket);
    };
    socket.on("readable", look);
  });
  listener.maxConnections = maxConnections;
  return listener;
}

function listen(server: SocketServer, socketPath: string | undefined): Promise<void> {
  return new Promise((ready, fail) => {
    server.once("error", fail);
    if (socketPath === undefined) server.listen(0, "127.0.0.1", ready);
    else server.listen(socketPath, ready);
  });
}
