// The browser's only way out: a forward proxy with the same guard and the same connector as fetch. It keeps
// what it refused and what was private by authority, because a browser tells its driver neither.

import { randomBytes, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Readable } from "node:stream";
import { parseUrl } from "../base/index.ts";
import { tooLarge } from "./body.ts";
import { isCallHome } from "./calls-home.ts";
import type { Connect } from "./connector.ts";
import { bareHost, type Guard, portOf } from "./guard.ts";
import { isConnectionHeader } from "./headers.ts";
import { errorCode, type FetchFailure, NetError, toFailure } from "./outcome.ts";
import type { PoolKind, Pools } from "./pools.ts";

export interface BrowserProxyOptions {
  /** A unix socket to listen on; without it a free port of loopback, with credentials. */
  socketPath?: string;
}

export interface BrowserProxy {
  /** Where a browser without a namespace finds it; null on a unix socket. */
  address: { url: string; username: string; password: string } | null;
  /** Why the latest connection for this URL failed, or null when it did not. */
  failureOf(url: string): FetchFailure | null;
  /** Whether a connection for this URL led into the operator's own network. */
  isPrivate(url: string): boolean;
  close(): Promise<void>;
}

export interface BrowserProxyDeps {
  guard: Guard;
  pools: Pools;
  connect: Connect;
  limits: { idleMs: number; headBytes: number; wireBytes: number };
}

const kind: PoolKind = { skipTlsVerification: false, isTrusted: false };
const maxConnections = 512;
const maxRemembered = 2000;
/** A tunnel carries many answers of one host, and web sockets that may be silent for long. */
const answersPerTunnel = 4;
const tunnelIdleMs = 120_000;
const maxStaleTries = 3;
const staleCodes = new Set(["UND_ERR_SOCKET", "ECONNRESET", "EPIPE"]);

export async function openBrowserProxy(
  deps: BrowserProxyDeps,
  { socketPath }: BrowserProxyOptions,
): Promise<BrowserProxy> {
  const credentials =
    socketPath === undefined ? { username: "browser", password: randomBytes(24).toString("hex") } : null;
  const expected = credentials === null ? null : basic(credentials);
  const failures = new Map<string, FetchFailure>();
  const privateAuthorities = new Set<string>();
  const sockets = new Set<Socket>();
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
    forward(request, response).catch(() => response.destroy());
  });
  server.on("connect", (request: IncomingMessage, client: Socket, head: Buffer) => {
    if (isKnown(request)) tunnel(request.url ?? "", client, head);
    else client.end('HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm="browser"\r\n\r\n');
  });
  await listen(server, socketPath);

  function isKnown(request: IncomingMessage): boolean {
    if (expected === null) return true;
    const given = Buffer.from(request.headers["proxy-authorization"] ?? "");
    return given.length === expected.length && timingSafeEqual(given, expected);
  }

  /** Throws what is wrong with it. */
  function checkUrl(text: string): URL {
    const check = deps.guard.checkUrl(text);
    if (!("url" in check)) throw new NetError("URL_NOT_ALLOWED", check.message);
    if (isCallHome(check.url.hostname)) throw new NetError("URL_NOT_ALLOWED", "The browser may not call home");
    return check.url;
  }

  function noteFailure(text: string, error: unknown): void {
    const key = authorityOf(text);
    failures.delete(key);
    failures.set(key, toFailure(error));
    forgetOldest(failures.keys(), failures.size, (each) => failures.delete(each));
  }

  function notePrivate(text: string): void {
    privateAuthorities.add(authorityOf(text));
  }

  async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = request.url ?? "";
    const gone = new AbortController();
    response.once("close", () => {
      if (!response.writableFinished) gone.abort();
    });
    try {
      const url = checkUrl(text);
      if (url.protocol !== "http:") throw new NetError("URL_NOT_ALLOWED", "Only http is forwarded");
      const answer = await ask(url, request, gone.signal);
      if (gone.signal.aborted) return;
      failures.delete(authorityOf(text));
      response.writeHead(answer.status, answer.headers);
      await copy(answer.body, response);
    } catch (error) {
      // The browser shows a network error, as for a server that is not there: an answer of ours would be taken for the page.
      if (!gone.signal.aborted) noteFailure(text, error);
      response.destroy();
    }
  }

  async function ask(url: URL, request: IncomingMessage, signal: AbortSignal) {
    const method = request.method ?? "GET";
    const hasBody =
      request.headers["content-length"] !== undefined || request.headers["transfer-encoding"] !== undefined;
    for (let tries = 1; ; tries += 1) {
      const entry = deps.pools.get(url.origin, kind);
      const dials = entry.dials;
      const answering = entry.pool.request({
        path: url.pathname + url.search,
        method: method as "GET",
        headers: [...passOn(request.rawHeaders), "host", url.host],
        body: hasBody ? request : null,
        responseHeaders: "raw",
        signal,
      });
      // As in fetch: without a free connection, a dial has begun by now.
      const isOnKept = entry.dials === dials;
      try {
        const answer = await answering;
        if (entry.isPrivate) notePrivate(url.href);
        const headers = passOn(answer.headers as unknown as (string | Buffer)[]);
        return { status: answer.statusCode, headers, body: answer.body };
      } catch (error) {
        const wasStale = isOnKept && !hasBody && staleCodes.has(errorCode(error));
        if (!wasStale || tries === maxStaleTries || signal.aborted) throw error;
      }
    }
  }

  function copy(body: Readable, response: ServerResponse): Promise<void> {
    return new Promise((done, fail) => {
      let bytes = 0;
      body.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > deps.limits.wireBytes) body.destroy(tooLarge(deps.limits.wireBytes));
        else if (!response.write(chunk)) body.pause();
      });
      response.on("drain", () => body.resume());
      body.on("error", fail);
      body.on("end", () => {
        response.end();
        done();
      });
    });
  }

  function tunnel(authority: string, client: Socket, head: Buffer): void {
    const text = `https://${authority}/`;
    const refuse = (error: unknown) => {
      noteFailure(text, error);
      client.end("HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    };
    let url: URL;
    try {
      url = checkUrl(text);
    } catch (error) {
      refuse(error);
      return;
    }
    const target = { hostname: bareHost(url.hostname), port: String(portOf(url)), protocol: "http:" };
    deps.connect(
      target,
      (error, upstream) => {
        if (upstream === null) refuse(error);
        else if (client.destroyed) upstream.destroy();
        else join(text, client, upstream, head);
      },
      () => notePrivate(text),
    );
  }

  const maxTunnelBytes = answersPerTunnel * deps.limits.wireBytes;

  function join(text: string, client: Socket, upstream: Socket, head: Buffer): void {
    sockets.add(upstream);
    failures.delete(authorityOf(text));
    const end = () => {
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) {
      socket.on("error", end);
      socket.on("close", end);
      socket.setTimeout(tunnelIdleMs, end);
    }
    upstream.on("close", () => sockets.delete(upstream));
    let bytes = 0;
    upstream.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= maxTunnelBytes) return;
      noteFailure(text, tooLarge(maxTunnelBytes));
      end();
    });
    client.write("HTTP/1.1 200 Connection Established\r\n\r\n");
    if (head.length > 0) upstream.write(head);
    upstream.pipe(client);
    client.pipe(upstream);
  }

  const address = server.address() as AddressInfo | string | null;
  return {
    address:
      credentials === null || address === null || typeof address === "string"
        ? null
        : { url: `http://127.0.0.1:${address.port}`, ...credentials },
    failureOf: (url) => failures.get(authorityOf(url)) ?? null,
    isPrivate: (url) => privateAuthorities.has(authorityOf(url)),
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

/** Host and port, the same for http, https, ws and wss. */
function authorityOf(text: string): string {
  const url = parseUrl(text.replace(/^ws/, "http"));
  if (url === null) return text;
  return `${url.hostname.replace(/\.$/, "")}:${portOf(url)}`;
}

/** Names and values in turn, without those that belong to one connection. */
function passOn(raw: readonly (string | Buffer)[]): string[] {
  const kept: string[] = [];
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = String(raw[at]);
    if (isConnectionHeader(name) && name.toLowerCase() !== "content-length") continue;
    kept.push(
      name,
      typeof raw[at + 1] === "string" ? (raw[at + 1] as string) : (raw[at + 1]?.toString("latin1") ?? ""),
    );
  }
  return kept;
}

function forgetOldest(keys: Iterator<string>, size: number, forget: (key: string) => void): void {
  const oldest = size > maxRemembered ? keys.next().value : undefined;
  if (oldest !== undefined) forget(oldest);
}
