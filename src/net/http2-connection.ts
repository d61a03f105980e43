// One HTTP/2 connection to one origin, for the same handler as undici's connections. undici's own HTTP/2 ends requests that
// are under way when a site says that it takes no more, keeps idle connections for ever, and garbles headers beyond ASCII.
import { validateHeaderName, validateHeaderValue } from "node:http";
import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  constants,
  type IncomingHttpHeaders,
  type IncomingHttpStatusHeader,
  type OutgoingHttpHeaders,
} from "node:http2";
import type { TLSSocket } from "node:tls";
import {
  type ExchangeController,
  type ExchangeHandler,
  type ExchangeRequest,
  headBytes,
  headTooLarge,
} from "./exchange.ts";
import { type FaultKind, Http2Fault } from "./http2-fault.ts";
import { errorCode, NetError, type ResponseHeaders } from "./outcome.ts";

export interface Http2Options {
  /** Between two pieces of a body, unless a request says otherwise. */
  idleMs: number;
  headBytes: number;
  /** How long a connection without requests is kept. */
  keepAliveMs: number;
}

const streamWindowBytes = 1024 * 1024;
const connectionWindowBytes = 4 * 1024 * 1024;
/** Sites send a few dozen; the limit on bytes holds anyway. */
const maxHeaderPairs = 2000;
const unprocessedErrors = new Set([
  "ERR_HTTP2_GOAWAY_SESSION",
  "ERR_HTTP2_INVALID_SESSION",
  "ERR_HTTP2_OUT_OF_STREAMS",
  "ERR_HTTP2_STREAM_CANCEL",
]);

export class Http2Connection {
  private readonly session: ClientHttp2Session;
  private readonly origin: URL;
  private readonly options: Http2Options;
  private requests = 0;
  private hasAnswered = false;
  private resting: NodeJS.Timeout | null = null;

  constructor(origin: string, socket: TLSSocket, options: Http2Options, onClosed: () => void) {
    this.origin = new URL(origin);
    this.options = options;
    this.session = connect(origin, {
      createConnection: () => socket,
      maxHeaderListPairs: maxHeaderPairs,
      settings: {
        enablePush: false,
        initialWindowSize: streamWindowBytes,
        maxHeaderListSize: options.headBytes,
      },
    });
    this.session.once("connect", () => this.session.setLocalWindowSize(connectionWindowBytes));
    // Every request learns of it from its stream.
    this.session.on("error", () => undefined);
    this.session.once("close", () => {
      this.stopResting();
      onClosed();
    });
    this.rest();
  }

  /** False when it has ended, or ends with the requests that it has. */
  get takesMore(): boolean {
    return !this.session.closed && !this.session.destroyed;
  }

  send(request: ExchangeRequest, handler: ExchangeHandler): void {
    const exchange = new StreamExchange(handler, this, {
      idleMs: request.bodyTimeout ?? this.options.idleMs,
      headBytes: this.options.headBytes,
    });
    handler.onRequestStart(exchange);
    if (exchange.isOver) return;
    try {
      const stream = this.session.request(this.headersOf(request), { endStream: request.body === null });
      this.hold(stream);
      exchange.follow(stream);
      if (request.body !== null) stream.end(request.body);
    } catch (error) {
      exchange.fail(error);
    }
  }

  /** No more requests; those that it has are answered. */
  leave(): void {
    if (this.takesMore) this.session.close();
  }

  destroy(): void {
    this.session.destroy();
  }

  noteAnswer(): void {
    this.hasAnswered = true;
  }

  /** Null: the stream ended as it should, and too early. */
  faultOf(error: unknown, stream: ClientHttp2Stream | null, hasHead: boolean): Error {
    const reset = stream?.rstCode;
    const fault = (kind: FaultKind) => new Http2Fault(kind, this.hasAnswered, error);
    if (hasHead) return fault("broken");
    if (reset === constants.NGHTTP2_HTTP_1_1_REQUIRED) return fault("refused");
    const isUnsent = stream === null || stream.id === undefined;
    if (reset === constants.NGHTTP2_REFUSED_STREAM) return fault("unprocessed");
    if (isUnsent && unprocessedErrors.has(errorCode(error))) return fault("unprocessed");
    // What the request itself does wrong is wrong over HTTP/1.1, too.
    return stream === null ? (error as Error) : fault("unanswered");
  }

  private headersOf({ method, path, headers }: ExchangeRequest): OutgoingHttpHeaders {
    const sent: OutgoingHttpHeaders = {
      ":method": method,
      ":authority": this.origin.host,
      ":scheme": "https",
      ":path": path,
    };
    for (const [name, value] of Object.entries(headers)) {
      // It belongs to the connection, and Node refuses it.
      if (name === "http2-settings") continue;
      validateHeaderName(name);
      validateHeaderValue(name, value);
      sent[name] = value;
    }
    return sent;
  }

  private hold(stream: ClientHttp2Stream): void {
    this.stopResting();
    this.requests += 1;
    stream.once("close", () => {
      this.requests -= 1;
      if (this.requests === 0) this.rest();
    });
  }

  private rest(): void {
    this.stopResting();
    this.resting = setTimeout(() => this.session.destroy(), this.options.keepAliveMs).unref();
  }

  private stopResting(): void {
    if (this.resting !== null) clearTimeout(this.resting);
    this.resting = null;
  }
}

/** One request and its answer on a stream. */
class StreamExchange implements ExchangeController {
  isOver = false;
  rawHeaders: readonly string[] | null = null;
  private stream: ClientHttp2Stream | null = null;
  private hasHead = false;
  private missingBytes: number | null = null;
  private readonly handler: ExchangeHandler;
  private readonly connection: Http2Connection;
  private readonly limits: Pick<Http2Options, "idleMs" | "headBytes">;

  constructor(
    handler: ExchangeHandler,
    connection: Http2Connection,
    limits: Pick<Http2Options, "idleMs" | "headBytes">,
  ) {
    this.handler = handler;
    this.connection = connection;
    this.limits = limits;
  }

  follow(stream: ClientHttp2Stream): void {
    this.stream = stream;
    stream.on("headers", (headers) => this.readHead(headers));
    stream.once("response", (headers, _flags, raw?: readonly string[]) => {
      this.rawHeaders = raw ?? null;
      this.startAnswer(stream, headers);
    });
    stream.once("error", (error) => this.fail(error));
    stream.once("close", () => this.fail(null));
    stream.on("timeout", () => this.failWith(new NetError("SCRAPE_TIMEOUT", "The site did not answer in time")));
  }

  abort(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.stream?.close(constants.NGHTTP2_CANCEL);
  }

  pause(): void {
    // We hold the body back, not the site.
    this.stream?.setTimeout(0);
    this.stream?.pause();
  }

  resume(): void {
    this.stream?.setTimeout(this.limits.idleMs);
    this.stream?.resume();
  }

  fail(error: unknown): void {
    if (!this.isOver) this.failWith(this.connection.faultOf(error, this.stream, this.hasHead));
  }

  private failWith(error: Error): void {
    if (this.isOver) return;
    this.abort();
    this.handler.onResponseError(this, error);
  }

  private readHead(headers: IncomingHttpHeaders & IncomingHttpStatusHeader): void {
    if (this.isOver) return;
    const plain: ResponseHeaders = {};
    for (const [name, value] of Object.entries(headers)) if (!name.startsWith(":")) plain[name] = value;
    // Node accepts more than its limit.
    if (headBytes(plain) > this.limits.headBytes) this.failWith(headTooLarge());
    else this.handler.onResponseStart(this, Number(headers[":status"]), plain);
  }

  private startAnswer(stream: ClientHttp2Stream, headers: IncomingHttpHeaders & IncomingHttpStatusHeader): void {
    this.hasHead = true;
    this.connection.noteAnswer();
    stream.setTimeout(this.limits.idleMs);
    const length = headers["content-length"];
    const hasBody = headers[":status"] !== 304 && length !== undefined;
    this.missingBytes = hasBody ? Number(length) : null;
    this.readHead(headers);
    stream.on("data", (chunk: Buffer) => {
      if (this.missingBytes !== null) this.missingBytes -= chunk.length;
      if (!this.isOver) this.handler.onResponseData(this, chunk);
    });
    stream.once("end", () => this.end(stream));
  }

  private end(stream: ClientHttp2Stream): void {
    if (this.isOver) return;
    // Node ends a stream that was reset as if it were complete.
    if (stream.rstCode || (this.missingBytes !== null && this.missingBytes > 0)) {
      this.fail(null);
      return;
    }
    this.isOver = true;
    this.handler.onResponseEnd(this, {});
  }
}
