// The connections to one origin, of one kind. A site says with its first connection whether it speaks HTTP/2: then one
// connection carries all requests. Else that connection is the first of a pool for HTTP/1.1.
import type { TLSSocket } from "node:tls";
import type { Pool } from "undici";
import type { Connect } from "./connector.ts";
import type { ExchangeController, ExchangeHandler, ExchangeRequest } from "./exchange.ts";
import { Http2Connection } from "./http2-connection.ts";
import { isRefused, NetError } from "./outcome.ts";
import { ConnectionPool } from "./undici-parts.ts";

export interface OriginClientOptions {
  /** Between two pieces of a body. */
  idleMs: number;
  headBytes: number;
  offersHttp2: boolean;
}

const maxConnections = 64;
const keepAliveMs = 4000;
/** How long a site that does without HTTP/2, or fails with it, is not offered it again. */
const plainMs = 10 * 60_000;

export class OriginClient {
  /** For HTTP/1.1. */
  readonly pool: Pool;
  /** Connections begun so far: unchanged since a request began means that it rode on an old one. */
  dials = 0;
  /** A connection led into private space; kept ones may still, so it stays true for the life of the client. */
  isPrivate = false;
  /** Where its latest connection led. */
  address: string | null = null;
  private readonly origin: string;
  private readonly connect: Connect;
  private readonly options: OriginClientOptions;
  private plainUntil = 0;
  private isOpening = false;
  private isLeaving = false;
  private isDestroyed = false;
  private readonly waiting: { request: ExchangeRequest; handler: ExchangeHandler }[] = [];
  private current: Http2Connection | null = null;
  private readonly connections = new Set<Http2Connection>();
  /** Opened to negotiate the protocol of the site; the next connection of the pool. */
  private unused: TLSSocket | null = null;

  constructor(origin: string, connect: Connect, options: OriginClientOptions) {
    this.origin = origin;
    this.connect = connect;
    this.options = options;
    if (!options.offersHttp2 || !origin.startsWith("https:")) this.plainUntil = Number.POSITIVE_INFINITY;
    this.pool = new ConnectionPool(origin, {
      connections: maxConnections,
      pipelining: 1,
      keepAliveTimeout: keepAliveMs,
      keepAliveMaxTimeout: keepAliveMs,
      bodyTimeout: options.idleMs,
      // The whole request's deadline is its signal.
      headersTimeout: 0,
      maxHeaderSize: options.headBytes,
      connect: (target, callback) => {
        const { unused } = this;
        this.unused = null;
        if (unused !== null && !unused.destroyed) {
          // undici does not see a connection that is there before its own call has ended.
          queueMicrotask(() => callback(null, unused));
          return;
        }
        this.dials += 1;
        const connected: typeof callback = (...outcome) => {
          this.address = outcome[1]?.remoteAddress ?? this.address;
          callback(...outcome);
        };
        connect(target, connected, () => this.notePrivate());
      },
    });
  }

  send(request: ExchangeRequest, handler: ExchangeHandler): void {
    if (performance.now() < this.plainUntil) this.pool.dispatch(request, handler);
    else if (this.current?.takesMore) this.current.send(request, handler);
    else {
      this.waiting.push({ request, handler });
      if (!this.isOpening) this.open();
    }
  }

  /** For a while, requests go over HTTP/1.1. */
  avoidHttp2(): void {
    this.plainUntil = Math.max(this.plainUntil, performance.now() + plainMs);
  }

  /** Ends with the last request. */
  async close(): Promise<void> {
    this.isLeaving = true;
    for (const connection of this.connections) connection.leave();
    if (!this.isOpening) await this.pool.close();
  }

  async destroy(): Promise<void> {
    this.isDestroyed = true;
    for (const connection of this.connections) connection.destroy();
    await this.pool.destroy();
  }

  private open(): void {
    const { protocol, host, hostname, port } = new URL(this.origin);
    this.isOpening = true;
    this.dials += 1;
    this.connect(
      { protocol, host, hostname, port, offersHttp2: true },
      (error, socket) => {
        this.isOpening = false;
        this.address = socket?.remoteAddress ?? this.address;
        if (this.isDestroyed) {
          socket?.destroy();
          this.failAll(new NetError("ABORTED", "This server is stopping"));
        } else if (error !== null) this.endOpening(error);
        else this.use(socket as TLSSocket);
        // What waited has its connection now, and nothing else comes.
        if (this.isLeaving && !this.isDestroyed) void this.close();
      },
      () => this.notePrivate(),
    );
  }

  private use(socket: TLSSocket): void {
    if (socket.alpnProtocol === "h2") {
      const connection: Http2Connection = new Http2Connection(
        this.origin,
        socket,
        { ...this.options, keepAliveMs },
        () => this.connections.delete(connection),
      );
      this.connections.add(connection);
      this.current = connection;
      for (const { request, handler } of this.waiting.splice(0)) connection.send(request, handler);
      return;
    }
    this.unused = socket;
    this.sendPlain();
    // The pool had connections left.
    this.unused?.destroy();
    this.unused = null;
  }

  private endOpening(error: Error): void {
    // There are servers that hang up on who offers what they do not know.
    if (isRefused(error)) this.sendPlain();
    else this.failAll(error);
  }

  private sendPlain(): void {
    this.avoidHttp2();
    for (const { request, handler } of this.waiting.splice(0)) this.pool.dispatch(request, handler);
  }

  private failAll(error: Error): void {
    for (const { handler } of this.waiting.splice(0)) handler.onResponseError(nothingToEnd, error);
  }

  private notePrivate(): void {
    this.isPrivate = true;
  }
}

const nothingToEnd: ExchangeController = { abort: () => undefined, pause: () => undefined, resume: () => undefined };
