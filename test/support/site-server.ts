// Web sites for tests, on loopback: well-behaved ones, ones that speak raw bytes, and the net that may reach them.
import { once } from "node:events";
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from "node:http";
import {
  createSecureServer as createHttp2Server,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type SecureServerOptions,
  type ServerHttp2Session,
} from "node:http2";
import { createServer as createHttpsServer } from "node:https";
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from "node:net";
import {
  createNet,
  type Net,
  type NetOptions,
  type ProxySettings,
  parseAllowList,
  parseUpstream,
} from "../../src/net/index.ts";
import { listenOnNewPort } from "./fixture-ports.ts";
import { answerWith } from "./fixture-site.ts";

export interface Site {
  url: string;
  port: number;
  /** TCP connections so far: the measure of whether anything left. */
  connections: number;
  requests: IncomingMessage[];
  close(): Promise<void>;
}

export interface SiteOptions {
  host?: string;
  port?: number;
  tls?: { key: string; cert: string };
}

type Handler = (request: IncomingMessage, response: ServerResponse) => unknown;

export async function startSite(handle: Handler, options: SiteOptions = {}): Promise<Site> {
  const onRequest = (request: IncomingMessage, response: ServerResponse) => {
    site.requests.push(request);
    void answerWith(handle, request, response);
  };
  const server = options.tls === undefined ? createHttpServer(onRequest) : createHttpsServer(options.tls, onRequest);
  const site = await listen(server, options);
  return site;
}

export interface Http2Site extends Site {
  sessions: ServerHttp2Session[];
  /** HTTP version and path of each request. */
  asked: string[];
}

/** A site that speaks HTTP/2 to who offers it, and HTTP/1.1 to all others. */
export async function startHttp2Site(
  tls: { key: string; cert: string },
  handle: (request: Http2ServerRequest, response: Http2ServerResponse) => void,
  options: SecureServerOptions = {},
): Promise<Http2Site> {
  const sessions: ServerHttp2Session[] = [];
  const asked: string[] = [];
  const server = createHttp2Server({ ...tls, allowHTTP1: true, ...options }, (request, response) => {
    asked.push(`${request.httpVersion} ${request.url}`);
    handle(request, response);
  });
  server.on("session", (session) => {
    sessions.push(session);
    session.on("error", () => undefined);
    session.on("stream", (stream) => stream.on("error", () => undefined));
  });
  server.on("sessionError", () => undefined);
  return Object.assign(await listen(server, {}), { sessions, asked });
}

/** A server that is handed each connection with the head of its first request already read. */
export async function startRawSite(answer: (socket: Socket) => void): Promise<Site> {
  const server = createTcpServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", () => answer(socket));
  });
  return listen(server, {});
}

async function listen(server: Server, options: SiteOptions): Promise<Site> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    site.connections += 1;
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  const host = options.host ?? "127.0.0.1";
  if (options.port === undefined) await listenOnNewPort(server, host);
  else {
    server.listen(options.port, host);
    await once(server, "listening");
  }
  const { port } = server.address() as AddressInfo;
  const site: Site = {
    url: `${"setSecureContext" in server ? "https" : "http"}://127.0.0.1:${port}`,
    port,
    connections: 0,
    requests: [],
    close: () =>
      new Promise((done) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => done());
      }),
  };
  return site;
}

/** PROXY_POOL, and other kinds of proxies. */
export function proxies(
  basic: string | string[],
  more: { enhanced?: string; cooldownMs?: number } = {},
): ProxySettings {
  const parsed = (urls: readonly string[]) =>
    urls.map((url) => {
      const upstream = parseUpstream(url);
      if (upstream === null) throw new Error(`not a proxy: ${url}`);
      return upstream;
    });
  return {
    basic: parsed([basic].flat()),
    enhanced: parsed([more.enhanced ?? []].flat()),
    countries: {},
    cooldownMs: more.cooldownMs ?? 60_000,
  };
}

/** `allow` is ALLOWED_PRIVATE_HOSTS; without it nothing on this machine may be reached. */
export function openNet({ allow = "", ...options }: Partial<NetOptions> & { allow?: string } = {}): Net {
  const allowedPrivateHosts = parseAllowList(allow);
  if (allowedPrivateHosts === undefined) throw new Error(`not an allow list: ${allow}`);
  return createNet({
    allowedPrivateHosts,
    dnsServer: null,
    ownPorts: () => [],
    userAgent: "TestBot",
    ...options,
  });
}

/** Goes on when the bytes are written, unless who asked is gone. Newer versions of Node call no response destroyed for that. */
export function writeThen(response: ServerResponse, bytes: string | Buffer, next: () => void): void {
  response.write(bytes, (error) => {
    if (!error && response.socket?.destroyed === false) next();
  });
}
